//===- Main.cpp - A model as a program ------------------------------------===//

#include "lib/Runtime/Runner/Help.h"
#include "lib/Runtime/Runner/Outputs.h"

using namespace adze::runner;

static bool call(Model &model, const Options &options, Failure &failure) {
  Inputs inputs(model, failure);
  Outputs outputs(model, failure);
  if (!outputs.prepare(options) || !inputs.read(options) ||
      !model.createSession(options.seed, failure))
    return false;
  if (options.loadState && !model.loadState(options.loadState, failure))
    return false;
  if (!model.run(inputs.data(), inputs.size(), outputs.data(), failure)) {
    inputs.noteSource(model.refusedInput());
    return false;
  }
  return outputs.write(options, inputs) &&
         (!options.saveState || model.saveState(options.saveState, failure));
}

static bool run(int argc, char **argv, Options &options, Failure &failure) {
  if (!parseCommandLine(argc, argv, options, failure))
    return false;
  Model model;
  if (!model.load(options, failure))
    return false;
  return options.wantsHelp ? printHelp(model, options, failure)
                           : call(model, options, failure);
}

/// What _start has the C library call.
extern "C" int adze_runner_main(int argc, char **argv) {
  Options options;
  Failure failure;
  return run(argc, argv, options, failure) ? 0
                                           : report(failure, options.program);
}
