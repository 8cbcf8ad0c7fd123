//===- State.cpp - Buffers that outlive a call ----------------------------===//
//
// The file of a saved state: Header, one Record per state, then the bytes of
// each state in order. Little endian, as the machine.
//
//===----------------------------------------------------------------------===//

#include "lib/Runtime/Internal.h"

#include "lib/Runtime/Digest.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace adze::rt;

namespace {
struct Header {
  char magic[8];
  uint64_t signature; // digest of names, dtypes and shapes
  int64_t count;
  uint64_t seed;
  int64_t rngOffset;
  uint64_t dataDigest;
};
} // namespace

static constexpr char Magic[8] = {'a', 'd', 'z', 'e', 's', 't', '0', '1'};

static uint64_t stateBytes(const adze_state &state) {
  uint64_t bytes = 0;
  byteSize(state.shape, state.rank, state.dtype, bytes);
  return bytes;
}

static void resetState(Session &session, int64_t index) {
  const adze_state &state = session.model->program->states[index];
  State &held = session.states[index];
  if (held.bytes == 0)
    return;
  if (state.initial_weight < 0)
    memset(held.current.data, 0, held.bytes);
  else
    memcpy(held.current.data, session.model->weightData[state.initial_weight],
           held.bytes);
}

int32_t adze::rt::initStates(Session &session, adze_error *error) {
  const adze_program &program = *session.model->program;
  size_t count = static_cast<size_t>(program.state_count);
  session.states = static_cast<State *>(calloc(count + 1, sizeof(State)));
  bool ok = session.states;
  for (size_t i = 0; ok && i < count; ++i) {
    session.states[i].bytes = stateBytes(program.states[i]);
    session.stats.state_bytes += session.states[i].bytes;
    ok = reserve(session.allocator, session.states[i].current,
                 session.states[i].bytes);
    if (ok)
      resetState(session, static_cast<int64_t>(i));
  }
  return ok ? ADZE_OK
            : setError(error, ADZE_OUT_OF_MEMORY, "no memory for the state");
}

void adze::rt::resetStates(Session &session) {
  for (int64_t i = 0; i < session.model->program->state_count; ++i)
    resetState(session, i);
  session.rngOffset = 0;
}

//===- Files ----------------------------------------------------------------//

static uint64_t signature(const adze_program &program) {
  uint64_t hash = 0;
  for (int64_t i = 0; i < program.state_count; ++i) {
    const adze_state &state = program.states[i];
    const int64_t type[2] = {state.dtype, state.rank};
    hash = adze_digest(state.name, strlen(state.name), hash);
    hash = adze_digest(type, sizeof(type), hash);
    hash = adze_digest(state.shape,
                       sizeof(int64_t) * static_cast<size_t>(state.rank), hash);
  }
  return hash;
}

static uint64_t digestOf(const Session &session, bool spare) {
  uint64_t hash = 0;
  for (int64_t i = 0; i < session.model->program->state_count; ++i) {
    const State &state = session.states[i];
    const Block &block = spare ? state.spare : state.current;
    hash = adze_digest(block.data, state.bytes, hash);
  }
  return hash;
}

static Header headerOf(const Session &session) {
  Header header{};
  memcpy(header.magic, Magic, sizeof(Magic));
  header.signature = signature(*session.model->program);
  header.count = session.model->program->state_count;
  header.seed = session.seed;
  header.rngOffset = session.rngOffset;
  header.dataDigest = digestOf(session, false);
  return header;
}

static bool writeAll(FILE *file, const Session &session) {
  Header header = headerOf(session);
  bool ok = fwrite(&header, sizeof(header), 1, file) == 1;
  for (int64_t i = 0; ok && i < header.count; ++i) {
    const State &state = session.states[i];
    ok = !state.bytes || fwrite(state.current.data, state.bytes, 1, file) == 1;
  }
  return ok && !fflush(file) && !fsync(fileno(file));
}

/// Writes beside `path` first, so that a failure leaves an old file alone.
int32_t adze::rt::saveStates(Session &session, const char *path,
                             adze_error *error) {
  char temporary[4096];
  int length = snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path);
  if (length < 0 || length >= static_cast<int>(sizeof(temporary)))
    return setError(error, ADZE_INVALID_ARGUMENT, "path of state is too long");
  int descriptor = mkstemp(temporary);
  FILE *file = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
  if (!file)
    return setError(error, ADZE_IO_ERROR, "cannot write '%s': %s", path,
                    strerror(errno));
  bool ok = writeAll(file, session);
  ok &= !fclose(file);
  ok = ok && !rename(temporary, path);
  if (ok)
    return clearError(error);
  int reason = errno;
  unlink(temporary);
  return setError(error, ADZE_IO_ERROR, "cannot write '%s': %s", path,
                  strerror(reason));
}

static int32_t badFile(adze_error *error, const char *path, const char *why) {
  return setError(error, ADZE_BAD_ARTIFACT,
                  "'%s' is no state of this model: %s", path, why);
}

/// Reads into the spare buffers; nothing else changes.
static int32_t readAll(FILE *file, const char *path, Session &session,
                       Header &header, adze_error *error) {
  if (fread(&header, sizeof(header), 1, file) != 1 ||
      memcmp(header.magic, Magic, sizeof(Magic)))
    return badFile(error, path, "it does not start as one");
  const adze_program &program = *session.model->program;
  if (header.signature != signature(program) ||
      header.count != program.state_count || header.rngOffset < 0)
    return badFile(error, path, "names or shapes differ");
  for (int64_t i = 0; i < program.state_count; ++i) {
    State &state = session.states[i];
    if (!reserve(session.allocator, state.spare, state.bytes))
      return setError(error, ADZE_OUT_OF_MEMORY, "no memory for the state");
    if (state.bytes && fread(state.spare.data, state.bytes, 1, file) != 1)
      return badFile(error, path, "it is truncated");
  }
  if (digestOf(session, true) != header.dataDigest)
    return badFile(error, path, "its digest is wrong");
  return ADZE_OK;
}

int32_t adze::rt::loadStates(Session &session, const char *path,
                             adze_error *error) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return setError(error, ADZE_IO_ERROR, "cannot open '%s': %s", path,
                    strerror(errno));
  Header header;
  int32_t status = readAll(file, path, session, header, error);
  fclose(file);
  if (status)
    return status;
  for (int64_t i = 0; i < header.count; ++i)
    if (State &state = session.states[i]; state.bytes)
      memcpy(state.current.data, state.spare.data, state.bytes);
  session.seed = header.seed;
  session.rngOffset = header.rngOffset;
  return clearError(error);
}
