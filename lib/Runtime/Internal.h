//===- Internal.h - What the parts of the runtime share -------------------===//
//
// The runtime is linked into every artifact and must need nothing but libc and
// libm: no exceptions, no RTTI, no operator new, nothing of libstdc++ that is
// not inline. Memory comes from malloc or from the caller.
//
//===----------------------------------------------------------------------===//
#ifndef ADZE_LIB_RUNTIME_INTERNAL_H
#define ADZE_LIB_RUNTIME_INTERNAL_H

#include "lib/Runtime/Pool.h"
#include "lib/Runtime/Program.h"

#include <atomic>
#include <pthread.h>

namespace adze::rt {

constexpr uint64_t BufferAlignment = 64;
/// DLPack sets no limit; PyTorch's own is 64.
constexpr int32_t MaxRank = 64;

//===- Errors.cpp -----------------------------------------------------------//

/// Fills `error` (may be null) and returns `status`.
[[gnu::format(printf, 3, 4)]] int32_t
setError(adze_error *error, int32_t status, const char *format, ...);
int32_t clearError(adze_error *error);
/// Appends to a zero-terminated text of at most `capacity` bytes.
[[gnu::format(printf, 3, 4)]] void append(char *text, size_t capacity,
                                          const char *format, ...);
/// Appends `message` with {0} and {1} replaced.
void appendMessage(char *text, size_t capacity, const char *message, int64_t a,
                   int64_t b);
const char *statusName(int32_t status);

//===- Memory.cpp -----------------------------------------------------------//

struct Allocator {
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*deallocate)(void *context, void *memory, size_t bytes);
  void *context;
};
Allocator defaultAllocator();

/// A cached buffer that only grows.
struct Block {
  void *data = nullptr;
  uint64_t capacity = 0;
};
/// Makes room for `bytes` (content is lost); false if there is no memory.
bool reserve(const Allocator &allocator, Block &block, uint64_t bytes);
void release(const Allocator &allocator, Block &block);

/// Memory of outputs, shared by reference count; the data follows the header.
struct alignas(BufferAlignment) Storage {
  std::atomic<int64_t> references;
  Allocator allocator;
  uint64_t bytes; // with the header
  void *data() { return this + 1; }
};
Storage *newStorage(const Allocator &allocator, uint64_t bytes);
void retain(Storage *storage);
void release(Storage *storage);

//===- Model and session ----------------------------------------------------//

/// Where the buffer of a result slot comes from.
enum class Home : uint8_t { Scratch, Output, State };

struct SlotPlan {
  Home home = Home::Scratch;
  bool scalar = false;  // an 8-byte slot (ADZE_FROM_SLOT)
  bool written = false; // some mutation reads it
  int32_t output = -1;  // the one output that may be filled in place
  int32_t state = -1;   // whose spare buffer it fills
  int64_t firstDim = 0; // where its dims start in Frame::dims
};

struct Model {
  const adze_program *program = nullptr;
  std::atomic<int64_t> references{1};
  const void *weights = nullptr; // base of the records
  uint64_t mappedBytes = 0;      // 0: embedded, or no weights
  const void **weightData = nullptr;
  SlotPlan *slots = nullptr;
  int64_t dimCount = 0; // sum of ranks of all slots
  bool serial = false;  // has state or draws random numbers
  adze_parallel_for_fn parallelFor = nullptr;
  void *parallelContext = nullptr;
  Pool pool;
};

void retain(Model *model);
void release(Model *model);

struct Result {
  void *data = nullptr;
  Storage *storage = nullptr; // Home::Output
  bool borrowed = false;      // memory of the caller's output
  Block block;                // Home::Scratch
};

struct Extra { // adze_rt_alloc
  Extra *next;
  uint64_t bytes;
};

struct Session;

/// Everything of one running call. Kept in the session for the next one.
struct Frame {
  adze_call call;
  Session *session;
  Frame *next;
  const adze_value *given;
  int64_t givenCount;
  adze_value *outputs;
  adze_value *staged; // outputs, until nothing can fail any more
  void **inputs;
  int64_t *scalars;
  int64_t *symbols;
  void **states;
  Result *results;
  int64_t *dims;
  Block *packs;
  Block workspace;
  Extra *extras;
  uint64_t extraBytes;
  uint64_t packed;
  int64_t rngOffset;
  adze_error *error;
  std::atomic<int32_t> failed;
  int64_t site, a, b;
};

struct State {
  Block current;
  Block spare;
  uint64_t bytes = 0;
};

struct Session {
  Model *model = nullptr;
  std::atomic<int64_t> references{1};
  Allocator allocator;
  pthread_mutex_t callMutex;  // held by calls of serial programs
  pthread_mutex_t frameMutex; // guards the rest
  Frame *frames = nullptr;
  State *states = nullptr;
  uint64_t seed = 0;
  int64_t rngOffset = 0;
  adze_stats stats{};
};

void retain(Session *session);
void release(Session *session);

//===- Expr.cpp -------------------------------------------------------------//

struct ExprContext {
  const int64_t *code;
  const int64_t *symbols;
  const adze_value *inputs;
};
/// False if the value cannot be computed in int64.
bool evaluate(const ExprContext &context, adze_expr expr, int64_t &value);
/// True if `expr` is a constant.
bool isConstant(const adze_program &program, adze_expr expr, int64_t &value);

//===- Tensor.cpp -----------------------------------------------------------//

struct ElementType {
  int32_t dtype;
  uint8_t code, bits; // DLPack's
  const char *name;
};
/// Null if unknown.
const ElementType *findElementType(int32_t dtype);
/// Outputs that are views of something that exists without them.
inline bool isView(int32_t source) {
  return (source >= ADZE_FROM_INPUT && source <= ADZE_FROM_STATE) ||
         source == ADZE_FROM_OUTPUT;
}

/// The first output that is a result slot, or -1.
inline int32_t outputOfSlot(const adze_program &program, int32_t slot) {
  for (int32_t i = 0; i < program.output_count; ++i)
    if (program.outputs[i].source == ADZE_FROM_RESULT &&
        program.outputs[i].index == slot)
      return i;
  return -1;
}

inline bool isTensor(const adze_value &value) {
  return (value.kind == ADZE_TENSOR || value.kind == ADZE_MANAGED) &&
         value.as.tensor;
}
inline char *dataOf(const DLTensor &t) {
  return static_cast<char *>(t.data) + t.byte_offset;
}
/// Bytes of one element, of a dtype that validation has seen.
int64_t elementBytes(int32_t dtype);
/// False if a dim is negative or those that are not zero are too large.
bool byteSize(const int64_t *dims, int32_t rank, int32_t dtype,
              uint64_t &bytes);
/// `strides` of null means row-major. Dims of size 1 and empty ones agree.
bool sameLayout(const int64_t *dims, int32_t rank, const int64_t *strides,
                const int64_t *other);
void rowMajorStrides(const int64_t *dims, int32_t rank, int64_t *strides);
inline bool isRowMajor(const DLTensor &t) {
  return !t.strides || sameLayout(t.shape, t.ndim, t.strides, nullptr);
}
/// [begin, end) of the addresses that the elements use; empty if none.
void addressRange(const DLTensor &t, uintptr_t &begin, uintptr_t &end);
bool overlap(const DLTensor &a, const DLTensor &b);
bool selfOverlaps(const DLTensor &t);

/// Copies between two layouts of one shape; strides in elements.
struct StridedCopy {
  const int64_t *dims;
  int32_t rank;
  int64_t elementBytes;
  void *to;
  const int64_t *toStrides;
  const void *from;
  const int64_t *fromStrides;
};
void copyStrided(const StridedCopy &copy);

//===- Guards.cpp -----------------------------------------------------------//

enum class Verdict : int8_t { NotTried = -1, Fails = 0, Holds = 1 };

struct Subject {
  const Model *model;
  const adze_value *inputs;
  int64_t inputCount;
  int64_t *symbols;
};
constexpr int64_t AllHold = -1, SymbolsUnsolved = -2;
/// Index of the first guard that does not hold, or one of the above. Solves
/// the symbols on the way.
int64_t runGuards(const Subject &subject);
/// Solves symbols; false if some input is missing or of the wrong rank, so
/// that no guard over symbols can be tried either.
bool solveSymbols(const Subject &subject);
Verdict tryGuard(const Subject &subject, const adze_guard &guard);
bool readsSymbols(int32_t guardKind);
void describeGuard(const Subject &subject, const adze_guard &guard,
                   char *expected, char *found, size_t capacity);
int32_t reportGuard(const Subject &subject, int64_t index, adze_error *error);

//===- The rest -------------------------------------------------------------//

/// Validate.cpp: finds mistakes of the tables before anything relies on them.
int32_t validateProgram(const adze_program &program, adze_error *error);

/// Model.cpp: `folder` as in the API.
int32_t loadModel(const adze_program *program, const char *folder,
                  const adze_load_options *options, Model **model,
                  adze_error *error);
int32_t verifyWeights(const Model &model, adze_error *error);

/// Session.cpp
int32_t createSession(Model *model, const adze_session_options *options,
                      Session **session, adze_error *error);
Frame *takeFrame(Session &session);
/// Session.cpp: the API's numbers, at this moment.
void collectStats(Session &session, adze_stats &stats);
void returnFrame(Session &session, Frame *frame);
/// Returns it and adds what the call used to the statistics.
void giveFrame(Session &session, Frame *frame, int32_t status);

/// Call.cpp
int32_t run(Session &session, const adze_value *inputs, int64_t inputCount,
            adze_value *outputs, int64_t outputCount, adze_error *error);
int32_t check(Session &session, const adze_value *inputs, int64_t inputCount,
              adze_guard_result *results, int64_t capacity, adze_error *error);
ExprContext exprContext(const Frame &frame);

/// Site of adze_rt_fail for a slot whose dims make no sense.
constexpr int64_t BadResultSize = -2;

/// Results.cpp
bool evaluateAll(const Frame &frame, const adze_expr *exprs, int32_t rank,
                 int64_t *values);
/// Strides of a slot: dense, with `order` from the outermost dim inwards.
void slotStrides(const adze_result &result, const int64_t *dims,
                 int64_t *strides);
void dropResults(Frame &frame);

/// Outputs.cpp: what is checked before main, and all that follows it.
int32_t checkOutputs(Frame &frame);
int32_t finishCall(Frame &frame);

/// State.cpp
int32_t initStates(Session &session, adze_error *error);
void resetStates(Session &session);
int32_t saveStates(Session &session, const char *path, adze_error *error);
int32_t loadStates(Session &session, const char *path, adze_error *error);

/// Metadata.cpp: the entries of the API of the same names.
void describeModel(const Model &model, adze_model_info &info);
int32_t describeInput(const Model &model, int64_t index, adze_value_info *info);
int32_t describeOutput(const Model &model, int64_t index,
                       adze_value_info *info);
int64_t inputDimOf(const Model &model, int64_t index, int32_t dim);
int64_t outputDimOf(const Model &model, int64_t index, int32_t dim);
int32_t describeGuardEntry(const Model &model, int64_t index,
                           adze_guard_info *info);
int32_t describeWeight(const Model &model, int64_t index,
                       adze_weight_info *info);
int32_t describeState(const Model &model, int64_t index, adze_state_info *info);
int32_t describeSite(const Model &model, int64_t index, adze_site_info *info);

/// CpuFeatures.cpp: ADZE_CPU_* bits of this machine; name of the lowest bit.
uint64_t cpuFeatures();
const char *cpuFeatureName(uint64_t bits);

} // namespace adze::rt

#endif
