//===- Model.cpp - The model of this program ------------------------------===//

#include "lib/Runtime/Runner/Model.h"

#include "adze/Support/StatusDiagnostics.h"

#include <cstdio>
#include <cstring>

using namespace adze::runner;

/// Of the artifact that this program is.
extern "C" const adze_api *adze_get_api(uint32_t version);

Model::~Model() {
  if (session)
    api->session_release(session);
  if (model)
    api->model_release(model);
}

//===- Failures -------------------------------------------------------------//

bool Model::fail(Failure &failure) {
  adze_site_info site;
  if (error.site >= 0 && model &&
      api->error_site_info(model, error.site, &site) == ADZE_OK)
    snprintf(failure.place, sizeof(failure.place), "%s", site.location);
  return runner::fail(failure, diagIdOf<DiagId>(error.status), "%s",
                      error.message);
}

//===- Calls ----------------------------------------------------------------//

bool Model::load(const Options &options, Failure &failure) {
  api = adze_get_api(ADZE_API_VERSION);
  adze_load_options load{};
  load.size = sizeof(load);
  load.threads = options.threads;
  if (api->model_load(nullptr, &load, &model, &error))
    return fail(failure);
  api->model_info(model, &modelInfo);
  return true;
}

bool Model::createSession(uint64_t seed, Failure &failure) {
  adze_session_options options{};
  options.size = sizeof(options);
  options.seed = seed;
  return !api->session_create(model, &options, &session, &error) ||
         fail(failure);
}

bool Model::loadState(const char *path, Failure &failure) {
  return !api->state_load(session, path, &error) || fail(failure);
}

bool Model::saveState(const char *path, Failure &failure) {
  if (!api->state_save(session, path, &error))
    return true;
  fail(failure);
  if (error.status == ADZE_IO_ERROR)
    failure.id = DiagId::CannotWrite;
  return false;
}

bool Model::readState(int64_t index, Array &array, Failure &failure) {
  adze_state_info info = state(index);
  array.type = findByNumber(info.dtype);
  array.rank = info.rank;
  memcpy(array.shape, info.shape,
         sizeof(int64_t) * static_cast<size_t>(info.rank));
  if (!allocate(array))
    return failForMemory(failure, info.name);
  return !api->state_read(session, index, array.memory.data(), array.bytes,
                          &error) ||
         fail(failure);
}

bool Model::run(const adze_value *inputs, int64_t inputCount,
                adze_value *outputs, Failure &failure) {
  if (!api->run(session, inputs, inputCount, outputs, modelInfo.output_count,
                &error))
    return true;
  if (error.guard >= 0)
    refused = guard(error.guard).input;
  return fail(failure);
}

//===- Metadata -------------------------------------------------------------//

adze_value_info Model::input(int64_t index) const {
  adze_value_info info{};
  api->input_info(model, index, &info);
  return info;
}

adze_value_info Model::output(int64_t index) const {
  adze_value_info info{};
  api->output_info(model, index, &info);
  return info;
}

adze_state_info Model::state(int64_t index) const {
  adze_state_info info{};
  api->state_info(model, index, &info);
  return info;
}

adze_guard_info Model::guard(int64_t index) const {
  adze_guard_info info{};
  api->guard_info(model, index, &info);
  return info;
}

static TypeText describeValue(const adze_value_info &info,
                              const int64_t *shape) {
  static const char *const kinds[] = {"None", "tensor", "int",   "float",
                                      "bool", "str",    "tensor"};
  if (info.kind == ADZE_TENSOR || info.kind == ADZE_MANAGED)
    return describe(findByNumber(info.dtype), shape, info.rank);
  TypeText out;
  snprintf(out.text, sizeof(out.text), "%s", kinds[info.kind]);
  return out;
}

TypeText Model::inputType(int64_t index) const {
  adze_value_info info = input(index);
  int64_t shape[MaxRank];
  for (int32_t d = 0; d < info.rank; ++d)
    shape[d] = api->input_dim(model, index, d);
  return describeValue(info, shape);
}

TypeText Model::outputType(int64_t index) const {
  adze_value_info info = output(index);
  int64_t shape[MaxRank];
  for (int32_t d = 0; d < info.rank; ++d)
    shape[d] = api->output_dim(model, index, d);
  return describeValue(info, shape);
}
