//===- Help.cpp - What --help says ----------------------------------------===//

#include "lib/Runtime/Runner/Help.h"

#include <cstdio>
#include <cstring>

using namespace adze::runner;

static void printUsage(const Model &model, const char *program) {
  bool hasInputs = model.info().input_count > 0;
  printf("Usage: %s %s[-o OUT] [FLAGS]\n", program,
         hasInputs ? "INPUT.npy... " : "");
  if (hasInputs)
    printf("       %s --inputs IN.npz [-o OUT] [FLAGS]\n", program);
  printf("\nRuns the model '%s' once (%s, for %s).\n\n", model.info().name,
         model.info().producer, model.info().target_cpu);
}

static void printInput(const Model &model, int64_t index) {
  adze_value_info info = model.input(index);
  printf("  in_%-4lld %s: %s%s%s\n", static_cast<long long>(index), info.name,
         model.inputType(index).text, info.is_constant ? ", constant" : "",
         info.mutated ? ", written by the call" : "");
}

/// What sizes and values must be; docs/Guards.md has the numbers.
static bool isAboutSizes(const adze_guard_info &guard) {
  constexpr int32_t dimRange = 6, dimExpression = 7, relation = 8,
                    constantInt = 12, constantNone = 16;
  return guard.kind == dimRange || guard.kind == dimExpression ||
         guard.kind == relation ||
         (guard.kind >= constantInt && guard.kind <= constantNone);
}

static void printSizes(const Model &model) {
  const char *heading = "\nSizes and values:\n";
  for (int64_t i = 0; i < model.info().guard_count; ++i) {
    adze_guard_info guard = model.guard(i);
    if (!isAboutSizes(guard))
      continue;
    printf("%s  %s\n", heading, guard.expression);
    heading = "";
  }
}

static void printInputs(const Model &model) {
  int64_t constants = 0, count = model.info().input_count;
  for (int64_t i = 0; i < count; ++i)
    constants += model.input(i).is_constant;
  if (count == 0)
    return;
  printf("Inputs, one .npy each in this order%s:\n",
         constants ? " (constants need none)" : "");
  for (int64_t i = 0; i < count; ++i)
    printInput(model, i);
  printSizes(model);
  printf("\n");
}

static void printOutputs(const Model &model) {
  printf("Outputs:\n");
  for (int64_t i = 0; i < model.info().output_count; ++i) {
    adze_value_info info = model.output(i);
    bool isWritten = info.kind != ADZE_NONE && info.kind != ADZE_STRING;
    printf("  out_%-3lld %s: %s%s\n", static_cast<long long>(i), info.name,
           model.outputType(i).text, isWritten ? "" : ", not written");
  }
  for (int64_t i = 0; i < model.info().state_count; ++i) {
    adze_state_info info = model.state(i);
    printf("%s  %s: %s\n", i ? "" : "\nState:\n", info.name,
           describe(findByNumber(info.dtype), info.shape, info.rank).text);
  }
}

bool adze::runner::printHelp(const Model &model, const Options &options,
                             Failure &failure) {
  printUsage(model, options.program);
  printInputs(model);
  printOutputs(model);
  printf("\nFlags:\n%s", flagsHelp);
  printf("\nbfloat16 and float8 travel as float32. numpy.savez writes IN.npz; "
         "numpy.savez_compressed\nis not read.\n\n"
         "Exit codes: 0 done, 1 an input file is at fault, 2 usage, 4 a guard "
         "failed or the data\nmade an operator fail, 5 a file could not be "
         "read or written, 70 a bug in adze.\n");
  return !fflush(stdout) ||
         failForFile(failure, DiagId::CannotWrite, "standard output");
}
