/*===- adze.h - C interface of a compiled model --------------------------===*\
 *
 * A model compiled by adze is a folder with `model.so` in it. `model.so`
 * exports one function, `adze_get_api` (and the same as NAME_get_api, so that
 * several models can be linked into one program). It returns a table of the
 * functions below; nothing else needs to be linked.
 *
 *   void *so = dlopen("mlp.adze/model.so", RTLD_NOW | RTLD_LOCAL);
 *   adze_get_api_fn get = (adze_get_api_fn)dlsym(so, "adze_get_api");
 *   const adze_api *api = get(ADZE_API_VERSION);
 *   adze_error error;
 *   adze_model *model;
 *   adze_session *session;
 *   if (api->model_load("mlp.adze", NULL, &model, &error) ||
 *       api->session_create(model, NULL, &session, &error))
 *     return fail(error.message);
 *   adze_value in = adze_tensor(&x), out = adze_none();
 *   if (api->run(session, &in, 1, &out, 1, &error))
 *     return fail(error.message);
 *   use(&out.as.managed->dl_tensor);
 *   out.as.managed->deleter(out.as.managed);
 *
 * Rules:
 *  - Every function may be called from any thread. A session may be used by
 *    several threads at once; programs with state or random numbers then run
 *    one after the other. Handles are freed once, when no call uses them.
 *  - Nothing throws. Functions return ADZE_OK or a status and fill `*error`
 *    (which may be NULL).
 *  - A call that fails writes nothing: no output, no mutated input, no state.
 *    (One that runs out of memory may have filled memory given for outputs.)
 *  - Outputs must be deleted before `model.so` is closed by dlclose.
 *  - Strings returned live as long as the model.
 *
 * Which outputs share memory: one that is a view of an input, a weight or a
 * state in PyTorch is a view of it here (alias_kind), with its strides, if it
 * covers all of that tensor, or if the sizes of both are fixed. The same is
 * true of a view of another output, if the sizes are fixed. A view of an input
 * is a copy all the same in a call whose input has other strides than it had
 * when it was traced, as is a view of an output in memory that the caller
 * gave. Everything else has memory of its own.
 *
 * DLPack's own header is used when there is one; it must come before this one
 * if it is included at all. Its layout is repeated here otherwise.
 *
\*===----------------------------------------------------------------------===*/
#ifndef ADZE_ADZE_H
#define ADZE_ADZE_H

#include <stddef.h>
#include <stdint.h>

#if !defined(DLPACK_DLPACK_H_) && defined(__has_include)
#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DLPACK_DLPACK_H_
/* DLPack 0.6 and later have this layout. */
typedef enum { kDLCPU = 1, kDLCUDA = 2 } DLDeviceType;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLComplex = 5
} DLDataTypeCode;
typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: row-major */
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;
#endif

#define ADZE_API_VERSION 1u

/*===- Values and types ---------------------------------------------------===*/

typedef enum adze_status {
  ADZE_OK = 0,
  ADZE_INVALID_ARGUMENT = 1, /* the call itself is wrong (a NULL, an index) */
  ADZE_GUARD_FAILED = 2,     /* an assumption of the program does not hold */
  ADZE_RUNTIME_ERROR = 3,    /* the data made an operator fail */
  ADZE_IO_ERROR = 4,         /* a file could not be read or written */
  ADZE_BAD_ARTIFACT = 5,     /* state or tables are damaged */
  ADZE_OUT_OF_MEMORY = 6,
  ADZE_UNSUPPORTED_CPU = 7,
  ADZE_INTERNAL_ERROR = 8
} adze_status;

/* Element types; the numbers are those of PyTorch's export format. */
typedef enum adze_dtype {
  ADZE_DTYPE_NONE = 0,
  ADZE_UINT8 = 1,
  ADZE_INT8 = 2,
  ADZE_INT16 = 3,
  ADZE_INT32 = 4,
  ADZE_INT64 = 5,
  ADZE_FLOAT16 = 6,
  ADZE_FLOAT32 = 7,
  ADZE_FLOAT64 = 8,
  ADZE_COMPLEX32 = 9,
  ADZE_COMPLEX64 = 10,
  ADZE_COMPLEX128 = 11,
  ADZE_DTYPE_BOOL = 12,
  ADZE_BFLOAT16 = 13,
  ADZE_UINT16 = 28,
  ADZE_FLOAT8_E4M3FN = 29,
  ADZE_FLOAT8_E5M2 = 30,
  ADZE_UINT32 = 34,
  ADZE_UINT64 = 35
} adze_dtype;

typedef enum adze_kind {
  ADZE_NONE = 0,
  ADZE_TENSOR = 1, /* as.tensor: borrowed */
  ADZE_INT = 2,    /* as.integer */
  ADZE_FLOAT = 3,  /* as.real */
  ADZE_BOOL = 4,   /* as.integer: 0 or 1 */
  ADZE_STRING = 5, /* as.string: UTF-8, ends with a zero byte */
  ADZE_MANAGED = 6 /* as.managed: an output, owned by the caller; may be
                        given as an input again */
} adze_kind;

/* One input or output. As an input, or to give the memory for an output, a
 * tensor is borrowed for the time of the call. */
typedef struct adze_value {
  int32_t kind;
  int32_t reserved;
  union {
    DLTensor *tensor;
    DLManagedTensor *managed;
    int64_t integer;
    double real;
    const char *string;
  } as;
} adze_value;

/* Filled by a function that fails. `guard` and `site` are indices for
 * guard_info and error_site_info, or -1. */
typedef struct adze_error {
  int32_t status;
  int32_t guard;
  int32_t site;
  int32_t reserved;
  char message[1008];
} adze_error;

/*===- Metadata -----------------------------------------------------------===*/

/* A dim that varies is -1; its text says how ("s77", "2*s0"). */
typedef struct adze_value_info {
  const char *name;
  int32_t kind; /* adze_kind */
  int32_t is_constant;
  int32_t dtype; /* adze_dtype */
  int32_t rank;
  int32_t
      alias_kind; /* outputs: 0 none, 1 input, 2 weight, 3 state, 4 output */
  int32_t alias_index; /* what it shares memory with; see the rules above */
  int32_t mutated;     /* inputs: 1 if the call writes to it */
  int32_t device_type;
} adze_value_info;

typedef struct adze_guard_info {
  const char *id;
  const char *expression;
  const char *origin;
  const char *message;
  int32_t kind; /* see docs/Guards.md */
  int32_t input;
} adze_guard_info;

typedef struct adze_weight_info {
  const char *const *names; /* tied weights have several */
  int32_t name_count;
  int32_t dtype;
  int32_t rank;
  int32_t reserved;
  const int64_t *shape;
  uint64_t bytes;
  const char *layout; /* "" when row-major */
  const void *data;
} adze_weight_info;

typedef struct adze_state_info {
  const char *name;
  int32_t dtype;
  int32_t rank;
  const int64_t *shape;
  uint64_t bytes;
} adze_state_info;

typedef struct adze_site_info {
  const char *op;
  const char *location;
  const char *message;
} adze_site_info;

typedef struct adze_model_info {
  const char *name;
  const char *producer;
  const char *target_cpu;
  int64_t input_count;
  int64_t output_count;
  int64_t weight_count;
  int64_t state_count;
  int64_t guard_count;
  int64_t error_site_count;
  int64_t threads;
  uint64_t weights_bytes;
  uint64_t weights_digest;
  uint64_t cpu_features; /* needed */
  int32_t is_random;     /* draws random numbers */
  int32_t is_stateful;
} adze_model_info;

/* What one guard said about given inputs. `verdict`: 1 holds, 0 fails, -1 not
 * tried, because what it needs is wrong already. */
typedef struct adze_guard_result {
  int32_t guard;
  int32_t verdict;
  char expected[92];
  char found[92];
} adze_guard_result;

typedef struct adze_stats {
  uint64_t weights_bytes;
  uint64_t state_bytes;
  uint64_t workspace_bytes; /* held by the session for its next calls */
  uint64_t peak_call_bytes; /* most that one call held, outputs included */
  uint64_t calls;
  uint64_t failed_calls;
  uint64_t packed_inputs; /* inputs that had to be copied: not row-major */
} adze_stats;

/*===- Options ------------------------------------------------------------===*/

/* The caller's threads: run task(arg, begin, end) over disjoint ranges that
 * cover [0, n); return when all are done. May be called from several threads
 * at once, and from inside a task. A task, and a call of a model, use up to
 * 512 KiB of the thread's stack. */
typedef void (*adze_parallel_for_fn)(void *context,
                                     void (*task)(void *arg, int64_t begin,
                                                  int64_t end),
                                     void *arg, int64_t n);

/* Zeroed memory means defaults throughout. `size` is sizeof(adze_load_options);
 * it lets old callers work with new models. */
typedef struct adze_load_options {
  size_t size;
  int32_t threads; /* 0: as many as CPUs this process may use; 1: none added */
  int32_t spin_us; /* how long idle threads spin; 0: 30, -1: not at all */
  adze_parallel_for_fn parallel_for; /* NULL: threads of the model's own */
  void *parallel_context;
  int32_t verify_weights; /* 1: digest every byte at load, not a sample */
  int32_t reserved;
} adze_load_options;

/* The caller's memory, for workspaces and outputs. `allocate` returns memory
 * aligned to `alignment` (a power of two) or NULL. */
typedef struct adze_session_options {
  size_t size;
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*deallocate)(void *context, void *memory, size_t bytes);
  void *allocator_context;
  uint64_t seed; /* of programs that draw random numbers */
} adze_session_options;

/*===- Functions ----------------------------------------------------------===*/

typedef struct adze_model adze_model;     /* code and weights, read only */
typedef struct adze_session adze_session; /* state, seed, memory */

/* Entries are only ever added at the end; `size` tells how many there are. */
typedef struct adze_api {
  uint32_t version;
  uint32_t size; /* in bytes */

  const char *(*status_name)(int32_t status);

  /* `folder` is the artifact (NULL if the weights are embedded). Maps the
   * weights, checks them by size, head and tail of each record, and checks the
   * CPU: ADZE_GUARD_FAILED, ADZE_UNSUPPORTED_CPU. */
  int32_t (*model_load)(const char *folder, const adze_load_options *options,
                        adze_model **model, adze_error *error);
  /* Memory that outputs still use stays until they are deleted. */
  void (*model_release)(adze_model *model);
  /* Digests every byte of the weights; ADZE_GUARD_FAILED if one differs. */
  int32_t (*model_verify_weights)(adze_model *model, adze_error *error);

  void (*model_info)(const adze_model *model, adze_model_info *info);
  int32_t (*input_info)(const adze_model *model, int64_t index,
                        adze_value_info *info);
  int32_t (*output_info)(const adze_model *model, int64_t index,
                         adze_value_info *info);
  /* Dim `dim` of an input or output: its value, or -1 if it varies. */
  int64_t (*input_dim)(const adze_model *model, int64_t index, int32_t dim);
  int64_t (*output_dim)(const adze_model *model, int64_t index, int32_t dim);
  int32_t (*guard_info)(const adze_model *model, int64_t index,
                        adze_guard_info *info);
  int32_t (*weight_info)(const adze_model *model, int64_t index,
                         adze_weight_info *info);
  int32_t (*state_info)(const adze_model *model, int64_t index,
                        adze_state_info *info);
  int32_t (*error_site_info)(const adze_model *model, int64_t index,
                             adze_site_info *info);

  /* The session keeps the model alive. */
  int32_t (*session_create)(adze_model *model,
                            const adze_session_options *options,
                            adze_session **session, adze_error *error);
  void (*session_release)(adze_session *session);

  /* Runs the model once. An output of kind ADZE_NONE is filled: with an
   * ADZE_MANAGED tensor that the caller deletes, or with a scalar. An output
   * of kind ADZE_TENSOR gives the memory: shape and dtype must be right,
   * strides are free, and it must overlap no input. */
  int32_t (*run)(adze_session *session, const adze_value *inputs,
                 int64_t input_count, adze_value *outputs, int64_t output_count,
                 adze_error *error);
  /* Only the guards. Fills up to `capacity` results, one per guard in order;
   * returns ADZE_OK or ADZE_GUARD_FAILED. */
  int32_t (*check)(adze_session *session, const adze_value *inputs,
                   int64_t input_count, adze_guard_result *results,
                   int64_t capacity, adze_error *error);

  /* State: buffers, seed and random offset. */
  int32_t (*state_read)(adze_session *session, int64_t index, void *data,
                        uint64_t bytes, adze_error *error);
  int32_t (*state_write)(adze_session *session, int64_t index, const void *data,
                         uint64_t bytes, adze_error *error);
  int32_t (*state_reset)(adze_session *session, adze_error *error);
  int32_t (*state_save)(adze_session *session, const char *path,
                        adze_error *error);
  int32_t (*state_load)(adze_session *session, const char *path,
                        adze_error *error);
  /* Random numbers depend on the seed and on how many were drawn since. */
  void (*seed_set)(adze_session *session, uint64_t seed);
  void (*seed_get)(adze_session *session, uint64_t *seed, uint64_t *offset);

  void (*stats)(adze_session *session, adze_stats *stats);
} adze_api;

/* NULL if the model does not have that version. */
typedef const adze_api *(*adze_get_api_fn)(uint32_t version);

/*===- Helpers ------------------------------------------------------------===*/

static inline adze_value adze_none(void) {
  adze_value value;
  value.kind = ADZE_NONE;
  value.reserved = 0;
  value.as.integer = 0;
  return value;
}

static inline adze_value adze_tensor(DLTensor *tensor) {
  adze_value value = adze_none();
  value.kind = ADZE_TENSOR;
  value.as.tensor = tensor;
  return value;
}

static inline adze_value adze_int(int64_t integer) {
  adze_value value = adze_none();
  value.kind = ADZE_INT;
  value.as.integer = integer;
  return value;
}

static inline adze_value adze_float(double real) {
  adze_value value = adze_none();
  value.kind = ADZE_FLOAT;
  value.as.real = real;
  return value;
}

static inline adze_value adze_bool(int boolean) {
  adze_value value = adze_none();
  value.kind = ADZE_BOOL;
  value.as.integer = boolean != 0;
  return value;
}

static inline adze_value adze_string(const char *string) {
  adze_value value = adze_none();
  value.kind = ADZE_STRING;
  value.as.string = string;
  return value;
}

#ifdef __cplusplus
}
#endif
#endif
