//===- Model.cpp - Loads a program and its weights ------------------------===//

#include "lib/Runtime/Internal.h"

#include "lib/Runtime/Digest.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace adze::rt;

static int32_t outOfMemory(adze_error *error, const char *what) {
  return setError(error, ADZE_OUT_OF_MEMORY, "no memory for %s", what);
}

//===- Weights --------------------------------------------------------------//

/// The guard of a kind, if the program has one: failures name it.
static int32_t guardOfKind(const adze_program &program, int32_t kind) {
  for (int64_t i = 0; i < program.guard_count; ++i)
    if (program.guards[i].kind == kind)
      return static_cast<int32_t>(i);
  return -1;
}

/// Makes an error that says how weights differ one of the guard on them.
static int32_t failGuard(const adze_program &program, adze_error *error) {
  if (error)
    error->guard = guardOfKind(program, ADZE_GUARD_WEIGHTS);
  return ADZE_GUARD_FAILED;
}

static int32_t checkFile(const adze_program &program, const char *path,
                         int file, adze_error *error) {
  struct stat status;
  if (fstat(file, &status))
    return setError(error, ADZE_IO_ERROR, "cannot read '%s': %s", path,
                    strerror(errno));
  if (static_cast<uint64_t>(status.st_size) == program.weights_bytes)
    return ADZE_OK;
  setError(error, ADZE_GUARD_FAILED,
           "guard 'weights' failed: '%s' has the wrong size: expected %llu "
           "bytes, but found %llu",
           path, static_cast<unsigned long long>(program.weights_bytes),
           static_cast<unsigned long long>(status.st_size));
  return failGuard(program, error);
}

/// Pages are shared between processes until somebody writes to an output that
/// is a view of a weight, which then stays private to this process.
static int32_t mapFile(Model &model, const char *path, int file,
                       adze_error *error) {
  size_t bytes = model.program->weights_bytes;
  void *base =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (base == MAP_FAILED)
    return setError(error, ADZE_IO_ERROR, "cannot map '%s': %s", path,
                    strerror(errno));
  model.weights = base;
  model.mappedBytes = bytes;
  return ADZE_OK;
}

static int32_t openWeights(Model &model, const char *folder,
                           adze_error *error) {
  char path[PATH_MAX];
  if (!folder)
    return setError(error, ADZE_INVALID_ARGUMENT,
                    "model '%s' needs the folder of its weights",
                    model.program->name);
  int length = snprintf(path, sizeof(path), "%s/weights.bin", folder);
  if (length < 0 || length >= PATH_MAX)
    return setError(error, ADZE_INVALID_ARGUMENT,
                    "path of weights is too long");
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return setError(error, ADZE_IO_ERROR, "cannot open '%s': %s", path,
                    strerror(errno));
  int32_t status = checkFile(*model.program, path, file, error);
  if (!status)
    status = mapFile(model, path, file, error);
  close(file);
  return status;
}

static int32_t checkDigest(const Model &model, adze_error *error) {
  const adze_program &program = *model.program;
  uint64_t found =
      adze_weights_digest(model.weights, program.weights, program.weight_count);
  if (found == program.weights_digest)
    return ADZE_OK;
  setError(error, ADZE_GUARD_FAILED,
           "guard 'weights' failed: the weights of model '%s' are not those it "
           "was compiled with: expected digest %016llx, but found %016llx",
           program.name,
           static_cast<unsigned long long>(program.weights_digest),
           static_cast<unsigned long long>(found));
  return failGuard(program, error);
}

int32_t adze::rt::verifyWeights(const Model &model, adze_error *error) {
  const adze_program &program = *model.program;
  for (int64_t i = 0; i < program.weight_count; ++i) {
    uint64_t found =
        adze_digest(model.weightData[i], program.weights[i].bytes, 0);
    if (found == program.weights[i].digest)
      continue;
    const char *name =
        program.weights[i].name_count ? program.weights[i].names[0] : "?";
    setError(error, ADZE_GUARD_FAILED,
             "guard 'weights' failed: weight '%s' is damaged: expected digest "
             "%016llx, but found %016llx",
             name, static_cast<unsigned long long>(program.weights[i].digest),
             static_cast<unsigned long long>(found));
    return failGuard(program, error);
  }
  return ADZE_OK;
}

static int32_t loadWeights(Model &model, const char *folder, bool verifyAll,
                           adze_error *error) {
  const adze_program &program = *model.program;
  if (program.weight_count == 0)
    return ADZE_OK;
  model.weights = program.embedded_weights;
  if (!model.weights && program.weights_bytes)
    if (int32_t status = openWeights(model, folder, error))
      return status;
  size_t count = static_cast<size_t>(program.weight_count);
  model.weightData = static_cast<const void **>(calloc(count, sizeof(void *)));
  if (!model.weightData)
    return outOfMemory(error, "the table of weights");
  for (size_t i = 0; i < count; ++i)
    model.weightData[i] =
        static_cast<const char *>(model.weights) + program.weights[i].offset;
  if (int32_t status = checkDigest(model, error))
    return status;
  return verifyAll ? verifyWeights(model, error) : ADZE_OK;
}

//===- Result slots ---------------------------------------------------------//

static void planOutputs(const adze_program &program, SlotPlan *slots) {
  for (int64_t i = 0; i < program.output_count; ++i) {
    const adze_output &output = program.outputs[i];
    if (output.source == ADZE_FROM_SLOT)
      slots[output.index].scalar = true;
    if (output.source != ADZE_FROM_RESULT)
      continue;
    SlotPlan &slot = slots[output.index];
    slot.output = slot.home == Home::Output ? -1 : static_cast<int32_t>(i);
    slot.home = Home::Output;
  }
}

static bool isViewed(const adze_program &program, int32_t state) {
  for (int64_t i = 0; i < program.output_count; ++i)
    if (program.outputs[i].source == ADZE_FROM_STATE &&
        program.outputs[i].index == state)
      return true;
  return false;
}

/// A state whose new value nobody else wants is not copied: its two buffers
/// change places. Views of a state need its address to stay.
static void planMutations(const adze_program &program, SlotPlan *slots) {
  for (int64_t i = 0; i < program.mutation_count; ++i) {
    const adze_mutation &mutation = program.mutations[i];
    SlotPlan &slot = slots[mutation.result];
    slot.written = true;
    if (mutation.target_kind == ADZE_FROM_STATE && slot.home == Home::Scratch &&
        !isViewed(program, mutation.target)) {
      slot.home = Home::State;
      slot.state = mutation.target;
    }
  }
}

static int32_t planSlots(Model &model, adze_error *error) {
  const adze_program &program = *model.program;
  size_t count = static_cast<size_t>(program.result_count);
  model.slots = static_cast<SlotPlan *>(malloc((count + 1) * sizeof(SlotPlan)));
  if (!model.slots)
    return outOfMemory(error, "the plan of results");
  for (size_t i = 0; i < count; ++i) {
    new (&model.slots[i]) SlotPlan();
    model.slots[i].firstDim = model.dimCount;
    model.dimCount += program.results[i].rank;
  }
  planOutputs(program, model.slots);
  planMutations(program, model.slots);
  return ADZE_OK;
}

//===- Load -----------------------------------------------------------------//

static int32_t checkCpu(const adze_program &program, adze_error *error) {
  uint64_t missing = program.cpu_features & ~cpuFeatures();
  if (!missing)
    return ADZE_OK;
  setError(error, ADZE_UNSUPPORTED_CPU,
           "model '%s' was compiled for %s: expected a cpu with %s, but this "
           "one has none",
           program.name, program.target_cpu, cpuFeatureName(missing));
  if (error)
    error->guard = guardOfKind(program, ADZE_GUARD_CPU);
  return ADZE_UNSUPPORTED_CPU;
}

static int usableCpus() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set))
    return 1;
  return CPU_COUNT(&set);
}

static void configure(Model &model, const adze_load_options &options) {
  model.parallelFor = options.parallel_for;
  model.parallelContext = options.parallel_context;
  int threads = options.threads > 0 ? options.threads : usableCpus();
  int64_t spin = options.spin_us == 0 ? 30 : options.spin_us;
  model.pool.configure(threads, spin * 1000);
}

static int32_t fillModel(Model &model, const char *folder,
                         const adze_load_options &options, adze_error *error) {
  const adze_program &program = *model.program;
  if (int32_t status = validateProgram(program, error))
    return status;
  if (int32_t status = checkCpu(program, error))
    return status;
  if (int32_t status = planSlots(model, error))
    return status;
  model.serial = program.state_count || program.flags & ADZE_PROGRAM_RANDOM;
  configure(model, options);
  return loadWeights(model, folder, options.verify_weights, error);
}

int32_t adze::rt::loadModel(const adze_program *program, const char *folder,
                            const adze_load_options *options, Model **model,
                            adze_error *error) {
  if (!model)
    return setError(error, ADZE_INVALID_ARGUMENT, "no place for the model");
  *model = nullptr;
  adze_load_options copy{};
  if (options)
    memcpy(&copy, options,
           options->size < sizeof(copy) ? options->size : sizeof(copy));
  void *memory = nullptr;
  if (posix_memalign(&memory, BufferAlignment, sizeof(Model)))
    return outOfMemory(error, "the model");
  Model *made = new (memory) Model();
  made->program = program;
  if (int32_t status = fillModel(*made, folder, copy, error)) {
    release(made);
    return status;
  }
  *model = made;
  return clearError(error);
}

void adze::rt::retain(Model *model) {
  model->references.fetch_add(1, std::memory_order_relaxed);
}

void adze::rt::release(Model *model) {
  if (model->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  model->pool.stop();
  if (model->mappedBytes)
    munmap(const_cast<void *>(model->weights), model->mappedBytes);
  free(model->weightData);
  free(model->slots);
  free(model);
}
