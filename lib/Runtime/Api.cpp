//===- Api.cpp - The table of functions that users call -------------------===//

#include "lib/Runtime/Internal.h"

#include <cstring>

using namespace adze::rt;

// The opaque handles of the interface are the structures of the runtime.
static Model *unwrap(adze_model *model) {
  return reinterpret_cast<Model *>(model);
}
static const Model *unwrap(const adze_model *model) {
  return reinterpret_cast<const Model *>(model);
}
static Session *unwrap(adze_session *session) {
  return reinterpret_cast<Session *>(session);
}

static int32_t noHandle(adze_error *error) {
  return setError(error, ADZE_INVALID_ARGUMENT, "the handle is null");
}

//===- Models ---------------------------------------------------------------//

static int32_t modelLoad(const char *folder, const adze_load_options *options,
                         adze_model **model, adze_error *error) {
  return loadModel(&adze_generated_program, folder, options,
                   reinterpret_cast<Model **>(model), error);
}

static void modelRelease(adze_model *model) {
  if (model)
    release(unwrap(model));
}

static int32_t modelVerifyWeights(adze_model *model, adze_error *error) {
  if (!model)
    return noHandle(error);
  int32_t status = verifyWeights(*unwrap(model), error);
  return status ? status : clearError(error);
}

//===- Sessions -------------------------------------------------------------//

static int32_t sessionCreate(adze_model *model,
                             const adze_session_options *options,
                             adze_session **session, adze_error *error) {
  return createSession(unwrap(model), options,
                       reinterpret_cast<Session **>(session), error);
}

static void sessionRelease(adze_session *session) {
  if (session)
    release(unwrap(session));
}

static int32_t runSession(adze_session *session, const adze_value *inputs,
                          int64_t inputCount, adze_value *outputs,
                          int64_t outputCount, adze_error *error) {
  if (!session)
    return noHandle(error);
  return run(*unwrap(session), inputs, inputCount, outputs, outputCount, error);
}

static int32_t checkSession(adze_session *session, const adze_value *inputs,
                            int64_t inputCount, adze_guard_result *results,
                            int64_t capacity, adze_error *error) {
  if (!session)
    return noHandle(error);
  return check(*unwrap(session), inputs, inputCount, results, capacity, error);
}

//===- State ----------------------------------------------------------------//

namespace {
/// Keeps calls of a stateful program out while its state is used.
struct StateLock {
  explicit StateLock(Session &session) : session(session) {
    pthread_mutex_lock(&session.callMutex);
  }
  StateLock(const StateLock &) = delete;
  StateLock &operator=(const StateLock &) = delete;
  ~StateLock() { pthread_mutex_unlock(&session.callMutex); }
  Session &session;
};
} // namespace

/// The state `index` if the caller's buffer fits it, else null with an error.
static State *findState(Session &session, int64_t index, const void *data,
                        uint64_t bytes, adze_error *error) {
  const adze_program &program = *session.model->program;
  if (index < 0 || index >= program.state_count) {
    setError(error, ADZE_INVALID_ARGUMENT, "there is no state %lld",
             static_cast<long long>(index));
    return nullptr;
  }
  State &state = session.states[index];
  if (bytes == state.bytes && (data || !bytes))
    return &state;
  setError(error, ADZE_INVALID_ARGUMENT,
           "state '%s': expected a buffer of %llu bytes, but found %llu",
           program.states[index].name,
           static_cast<unsigned long long>(state.bytes),
           static_cast<unsigned long long>(bytes));
  return nullptr;
}

static int32_t stateRead(adze_session *session, int64_t index, void *data,
                         uint64_t bytes, adze_error *error) {
  if (!session)
    return noHandle(error);
  StateLock lock(*unwrap(session));
  State *state = findState(lock.session, index, data, bytes, error);
  if (!state)
    return ADZE_INVALID_ARGUMENT;
  if (bytes)
    memcpy(data, state->current.data, bytes);
  return clearError(error);
}

static int32_t stateWrite(adze_session *session, int64_t index,
                          const void *data, uint64_t bytes, adze_error *error) {
  if (!session)
    return noHandle(error);
  StateLock lock(*unwrap(session));
  State *state = findState(lock.session, index, data, bytes, error);
  if (!state)
    return ADZE_INVALID_ARGUMENT;
  if (bytes)
    memcpy(state->current.data, data, bytes);
  return clearError(error);
}

static int32_t stateReset(adze_session *session, adze_error *error) {
  if (!session)
    return noHandle(error);
  StateLock lock(*unwrap(session));
  resetStates(lock.session);
  return clearError(error);
}

static int32_t stateSave(adze_session *session, const char *path,
                         adze_error *error) {
  if (!session || !path)
    return noHandle(error);
  StateLock lock(*unwrap(session));
  return saveStates(lock.session, path, error);
}

static int32_t stateLoad(adze_session *session, const char *path,
                         adze_error *error) {
  if (!session || !path)
    return noHandle(error);
  StateLock lock(*unwrap(session));
  return loadStates(lock.session, path, error);
}

static void seedSet(adze_session *session, uint64_t seed) {
  StateLock lock(*unwrap(session));
  lock.session.seed = seed;
  lock.session.rngOffset = 0;
}

static void seedGet(adze_session *session, uint64_t *seed, uint64_t *offset) {
  StateLock lock(*unwrap(session));
  if (seed)
    *seed = lock.session.seed;
  if (offset)
    *offset = static_cast<uint64_t>(lock.session.rngOffset);
}

static void readStats(adze_session *session, adze_stats *stats) {
  if (session && stats)
    collectStats(*unwrap(session), *stats);
}

//===- The table ------------------------------------------------------------//

static int32_t inputInfo(const adze_model *model, int64_t index,
                         adze_value_info *info) {
  return describeInput(*unwrap(model), index, info);
}
static int32_t outputInfo(const adze_model *model, int64_t index,
                          adze_value_info *info) {
  return describeOutput(*unwrap(model), index, info);
}
static int64_t inputDim(const adze_model *model, int64_t index, int32_t dim) {
  return inputDimOf(*unwrap(model), index, dim);
}
static int64_t outputDim(const adze_model *model, int64_t index, int32_t dim) {
  return outputDimOf(*unwrap(model), index, dim);
}
static void modelInfo(const adze_model *model, adze_model_info *info) {
  describeModel(*unwrap(model), *info);
}
static int32_t guardInfo(const adze_model *model, int64_t index,
                         adze_guard_info *info) {
  return describeGuardEntry(*unwrap(model), index, info);
}
static int32_t weightInfo(const adze_model *model, int64_t index,
                          adze_weight_info *info) {
  return describeWeight(*unwrap(model), index, info);
}
static int32_t stateInfo(const adze_model *model, int64_t index,
                         adze_state_info *info) {
  return describeState(*unwrap(model), index, info);
}
static int32_t siteInfo(const adze_model *model, int64_t index,
                        adze_site_info *info) {
  return describeSite(*unwrap(model), index, info);
}

static const adze_api Api = {
    ADZE_API_VERSION, sizeof(adze_api), statusName,
    modelLoad,        modelRelease,     modelVerifyWeights,
    modelInfo,        inputInfo,        outputInfo,
    inputDim,         outputDim,        guardInfo,
    weightInfo,       stateInfo,        siteInfo,
    sessionCreate,    sessionRelease,   runSession,
    checkSession,     stateRead,        stateWrite,
    stateReset,       stateSave,        stateLoad,
    seedSet,          seedGet,          readStats};

const adze_api *adze_rt_get_api(uint32_t version) {
  return version == ADZE_API_VERSION ? &Api : nullptr;
}

extern "C" [[gnu::visibility("default")]] const adze_api *
adze_get_api(uint32_t version);

const adze_api *adze_get_api(uint32_t version) {
  return adze_rt_get_api(version);
}
