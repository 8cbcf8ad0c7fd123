/*===- Program.h - What generated code gives the runtime, and gets -------===*\
 *
 * The contract between lib/Codegen and lib/Runtime. Plain C: lib/Codegen
 * builds these tables as LLVM constants, field by field, in the order below
 * (natural alignment; no bit-fields, no unions). A change of any layout here
 * raises ADZE_PROGRAM_ABI.
 *
 * Generated code defines one hidden global, `adze_generated_program`, and may
 * call the adze_rt_* functions at the end of this file and the kernels declared
 * in Kernels/Kernels.h; nothing else.
 *
 * How one call runs:
 *   1. guards that look at inputs alone, in table order;
 *   2. symbols are solved from input dims, in table order;
 *   3. guards over symbols, in table order;
 *   4. inputs that are not row-major are packed, the workspace is taken;
 *   5. `main`;
 *   6. if nothing failed: results are written back to mutated inputs and
 *      states, and outputs are handed out. Otherwise nothing is written.
 *
\*===----------------------------------------------------------------------===*/
#ifndef ADZE_LIB_RUNTIME_PROGRAM_H
#define ADZE_LIB_RUNTIME_PROGRAM_H

#include "adze/adze.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ADZE_PROGRAM_ABI 1

/*===- Expressions --------------------------------------------------------===*/

/* Postfix code over int64: words [begin, begin + length) of the program's
 * `code`. Evaluates to exactly one value. An overflow, a division by zero or
 * a negative exponent makes the evaluation fail (the guard or call fails; it
 * never traps). Deepest stack: ADZE_EXPR_STACK. */
typedef struct adze_expr {
  uint32_t begin;
  uint32_t length;
} adze_expr;

#define ADZE_EXPR_STACK 64

enum {
  ADZE_EXPR_CONST = 0,  /* followed by one word: the value */
  ADZE_EXPR_SYMBOL = 1, /* followed by one word: index into `symbols` */
  ADZE_EXPR_DIM = 2,    /* followed by two words: input, dim */
  ADZE_EXPR_SCALAR = 3, /* followed by one word: an int or bool input */
  ADZE_EXPR_ADD = 4,    /* the rest take their operands from the stack, */
  ADZE_EXPR_SUB = 5,    /* left operand pushed first */
  ADZE_EXPR_MUL = 6,
  ADZE_EXPR_FLOORDIV = 7, /* Python's //: rounds to minus infinity */
  ADZE_EXPR_CEILDIV = 8,  /* rounds to plus infinity */
  ADZE_EXPR_MOD = 9,      /* Python's %: sign of the divisor */
  ADZE_EXPR_MAX = 10,
  ADZE_EXPR_MIN = 11,
  ADZE_EXPR_POW = 12, /* exponent >= 0 */
  ADZE_EXPR_EQ = 13,  /* relations give 0 or 1 */
  ADZE_EXPR_NE = 14,
  ADZE_EXPR_LT = 15,
  ADZE_EXPR_LE = 16,
  ADZE_EXPR_GT = 17,
  ADZE_EXPR_GE = 18,
  ADZE_EXPR_AND = 19, /* of truth values; both sides are evaluated */
  ADZE_EXPR_OR = 20,
  ADZE_EXPR_NOT = 21,
  ADZE_EXPR_NEG = 22,
  ADZE_EXPR_ABS = 23,
  ADZE_EXPR_SELECT = 24 /* condition, then, else */
};

/*===- Tables -------------------------------------------------------------===*/

/* One user input, in call order. `kind` is an adze_kind: ADZE_TENSOR, a scalar
 * that may vary (ADZE_INT, ADZE_FLOAT, ADZE_BOOL) or a constant of the trace
 * (any scalar kind, ADZE_STRING, ADZE_NONE with `is_constant` 1; its value
 * stands in its guard). */
typedef struct adze_input {
  const char *name;
  int32_t kind;
  int32_t is_constant;
  int32_t dtype; /* adze_dtype; ADZE_DTYPE_NONE unless a tensor */
  int32_t rank;
  const adze_expr *dims;    /* rank of them */
  const adze_expr *strides; /* as traced, in elements; NULL: row-major */
  int32_t device_type;      /* DLPack number; 1 is the CPU */
  int32_t device_id;
} adze_input;

/* A buffer that `main` fills: slot k of adze_rt_output. User outputs and
 * write-backs refer to slots. `order` lists the dims from the outermost in
 * memory to the innermost (NULL: row-major); the buffer is always dense. Dims
 * may use symbols that `main` itself sets before it asks for the slot. */
typedef struct adze_result {
  int32_t dtype;
  int32_t rank;
  const adze_expr *dims;
  const int32_t *order;
} adze_result;

enum adze_output_source {
  ADZE_FROM_RESULT = 0,  /* index: result slot */
  ADZE_FROM_INPUT = 1,   /* a view of input `index` */
  ADZE_FROM_WEIGHT = 2,  /* a view of weight `index` */
  ADZE_FROM_STATE = 3,   /* a view of state `index` */
  ADZE_FROM_EXPR = 4,    /* an int or bool: `value` over symbols */
  ADZE_FROM_LITERAL = 5, /* int, bool: literal; float: its bits; string: text */
  ADZE_FROM_SLOT = 6,    /* an int, float or bool scalar: 8 bytes that `main`
                            wrote to result slot `index` (rank 0) */
  ADZE_FROM_OUTPUT = 7   /* a view of result slot `index`, which is row-major
                            and an output too */
};

/* One user output, in order. Two outputs may name one result slot; they then
 * share memory. A view has the `dims` at `strides` from element `offset` of
 * its base, both counted in the base's traced layout; it shares memory with
 * the base when the base is laid out so, else it is a copy. */
typedef struct adze_output {
  const char *name;
  int32_t kind;   /* adze_kind */
  int32_t source; /* adze_output_source */
  int32_t index;
  int32_t dtype; /* of tensors; the three below too */
  int32_t rank;
  int32_t reserved;
  const adze_expr *dims;
  const adze_expr *strides; /* views; NULL: row-major */
  adze_expr offset;         /* views; length 0: zero */
  adze_expr value;          /* ADZE_FROM_EXPR */
  int64_t literal;
  const char *text;
} adze_output;

/* One record of weights.bin (or of `embedded_weights`). Tied parameters are
 * one record with several names. `shape` is the shape of the data as `main`
 * reads it; `layout` describes a packed record for people (NULL: row-major).
 * `digest` is adze_digest of its bytes with seed 0. */
typedef struct adze_weight {
  const char *const *names;
  int32_t name_count;
  int32_t dtype;
  int32_t rank;
  int32_t reserved;
  const int64_t *shape;
  uint64_t offset; /* a multiple of 64 */
  uint64_t bytes;
  uint64_t digest;
  const char *layout;
} adze_weight;

/* A buffer that lives as long as the session. */
typedef struct adze_state {
  const char *name;
  int32_t dtype;
  int32_t rank;
  const int64_t *shape;
  int32_t initial_weight; /* index of the weight it starts as; -1: zeros */
  int32_t reserved;
} adze_state;

/* Result slot `result` replaces an input's values (target_kind
 * ADZE_FROM_INPUT) or a state's (ADZE_FROM_STATE) once the call succeeded. */
typedef struct adze_mutation {
  int32_t result;
  int32_t target_kind;
  int32_t target;
  int32_t reserved;
} adze_mutation;

enum adze_symbol_source {
  ADZE_SYMBOL_DIM = 0,    /* scale * s + shift == inputs[input].shape[dim] */
  ADZE_SYMBOL_SCALAR = 1, /* s == the int or bool input `input` */
  ADZE_SYMBOL_MAIN = 2,   /* unbacked: `main` stores it in call->symbols */
  ADZE_SYMBOL_EXPR = 3,   /* s == value(earlier symbols) */
  ADZE_SYMBOL_STRIDE = 4  /* s == stride `dim` of input `input` */
};

/* scale > 0. If the dim is no such number, s is rounded down; a guard
 * ADZE_GUARD_DIM_EXPR on the same dim then reports it. */
typedef struct adze_symbol {
  const char *name;
  int32_t source;
  int32_t input;
  int32_t dim;
  int32_t reserved;
  int64_t scale;
  int64_t shift;
  adze_expr value;
} adze_symbol;

enum adze_guard_kind {
  ADZE_GUARD_INPUT_COUNT = 0,   /* a: number of inputs */
  ADZE_GUARD_INPUT_KIND = 1,    /* a: adze_kind of `input` */
  ADZE_GUARD_RANK = 2,          /* a: rank of `input` */
  ADZE_GUARD_DTYPE = 3,         /* a: adze_dtype */
  ADZE_GUARD_DEVICE = 4,        /* a: device type, b: device id (-1: any) */
  ADZE_GUARD_DIM_EQ = 5,        /* shape[index] == a */
  ADZE_GUARD_DIM_RANGE = 6,     /* a <= shape[index] <= b */
  ADZE_GUARD_DIM_EXPR = 7,      /* shape[index] == expr */
  ADZE_GUARD_RELATION = 8,      /* expr != 0 */
  ADZE_GUARD_ALIGNMENT = 9,     /* data address is a multiple of a */
  ADZE_GUARD_CONTIGUOUS = 10,   /* `input` is row-major */
  ADZE_GUARD_STRIDE = 11,       /* stride[index] == expr (dims of size > 1) */
  ADZE_GUARD_CONST_INT = 12,    /* value == a */
  ADZE_GUARD_CONST_FLOAT = 13,  /* same bits as a; any NaN equals any NaN */
  ADZE_GUARD_CONST_BOOL = 14,   /* value == a */
  ADZE_GUARD_CONST_STRING = 15, /* value == text */
  ADZE_GUARD_CONST_NONE = 16,
  ADZE_GUARD_NO_OVERLAP = 17,      /* address ranges of `input` and `index` are
                                      disjoint */
  ADZE_GUARD_NO_SELF_OVERLAP = 18, /* no two elements share an address (not
                                      recognised for interleaved dims) */
  ADZE_GUARD_SAME_MEMORY = 19,     /* `input` and `index`: same address, shape
                                      and strides (traced as one tensor) */
  ADZE_GUARD_CPU = 20,             /* a: ADZE_CPU_* bits (checked at load) */
  ADZE_GUARD_WEIGHTS = 21          /* a: weights_digest (checked at load) */
};

/* One assumption. Guards are tried in table order, those over symbols
 * (DIM_EXPR, RELATION, STRIDE) after all others; the table must put the count,
 * kind, rank and dtype of an input before what reads its dims. */
typedef struct adze_guard {
  const char *id;         /* stable, for example "g12" */
  const char *expression; /* as text: "x.shape[0] <= 512" */
  const char *origin;     /* "program" with source line, or a pass */
  const char *message;    /* what it means for the caller; may be "" */
  int32_t kind;
  int32_t input; /* -1: none */
  int32_t index; /* dim, or the second input */
  int32_t reserved;
  int64_t a;
  int64_t b;
  adze_expr expr;
  const char *text;
} adze_guard;

/* A place whose failure depends on data. In `message`, {0} and {1} stand for
 * the two values given to adze_rt_fail. */
typedef struct adze_error_site {
  const char *op;       /* "aten.embedding.default" */
  const char *location; /* "model.py:31"; "" when unknown */
  const char *message;  /* "index {0} is out of range for size {1}" */
} adze_error_site;

/* Bits of `cpu_features` and of ADZE_GUARD_CPU. */
#define ADZE_CPU_SSE42 (1ull << 0) /* with POPCNT, SSSE3, CX16: x86-64-v2 */
#define ADZE_CPU_AVX (1ull << 1)
#define ADZE_CPU_AVX2 (1ull << 2)
#define ADZE_CPU_FMA (1ull << 3)
#define ADZE_CPU_F16C (1ull << 4)
#define ADZE_CPU_BMI1 (1ull << 5)
#define ADZE_CPU_BMI2 (1ull << 6)
#define ADZE_CPU_LZCNT (1ull << 7)
#define ADZE_CPU_MOVBE (1ull << 8)
#define ADZE_CPU_AVX512F (1ull << 9)
#define ADZE_CPU_AVX512BW (1ull << 10)
#define ADZE_CPU_AVX512CD (1ull << 11)
#define ADZE_CPU_AVX512DQ (1ull << 12)
#define ADZE_CPU_AVX512VL (1ull << 13)
#define ADZE_CPU_AVX512VNNI (1ull << 14)
#define ADZE_CPU_AVX512BF16 (1ull << 15)
#define ADZE_CPU_AVX512FP16 (1ull << 16)
#define ADZE_CPU_AVXVNNI (1ull << 17)
#define ADZE_CPU_AVX512VBMI (1ull << 18)
#define ADZE_CPU_AMX_BF16 (1ull << 19)
#define ADZE_CPU_AMX_INT8 (1ull << 20)
#define ADZE_CPU_V2 ADZE_CPU_SSE42
#define ADZE_CPU_V3                                                            \
  (ADZE_CPU_V2 | ADZE_CPU_AVX | ADZE_CPU_AVX2 | ADZE_CPU_FMA | ADZE_CPU_F16C | \
   ADZE_CPU_BMI1 | ADZE_CPU_BMI2 | ADZE_CPU_LZCNT | ADZE_CPU_MOVBE)
#define ADZE_CPU_V4                                                            \
  (ADZE_CPU_V3 | ADZE_CPU_AVX512F | ADZE_CPU_AVX512BW | ADZE_CPU_AVX512CD |    \
   ADZE_CPU_AVX512DQ | ADZE_CPU_AVX512VL)

/* Bits of adze_program.flags. */
#define ADZE_PROGRAM_RANDOM (1ull << 0) /* main calls adze_rt_rng_reserve */

struct adze_call;

typedef struct adze_program {
  int64_t abi; /* ADZE_PROGRAM_ABI */
  const char *name;
  const char *producer;   /* "adze 0.1.0" */
  const char *target_cpu; /* for people: "x86-64-v3" */
  uint64_t flags;
  uint64_t cpu_features;        /* ADZE_CPU_*: refused at load when missing */
  uint64_t weights_digest;      /* adze_weights_digest of all records */
  uint64_t weights_bytes;       /* size of weights.bin */
  const void *embedded_weights; /* NULL: they are in weights.bin */
  const int64_t *code;
  int64_t code_length;
  const adze_input *inputs;
  int64_t input_count;
  const adze_result *results;
  int64_t result_count;
  const adze_output *outputs;
  int64_t output_count;
  const adze_weight *weights;
  int64_t weight_count;
  const adze_state *states;
  int64_t state_count;
  const adze_mutation *mutations;
  int64_t mutation_count;
  const adze_symbol *symbols;
  int64_t symbol_count;
  const adze_guard *guards;
  int64_t guard_count;
  const adze_error_site *error_sites;
  int64_t error_site_count;
  adze_expr workspace; /* bytes; length 0: none */
  int32_t (*main)(struct adze_call *call);
} adze_program;

/*===- One running call ---------------------------------------------------===*/

/* What `main` sees; offsets are part of the ABI (8 bytes each, in order).
 * Everything pointed to is 64-byte aligned, except an input that is row-major
 * already: it is used in place at the caller's address.
 *   inputs[i]   tensors: row-major data. Scalars: address of an int64_t (int,
 *               bool) or double. Strings and None: NULL.
 *   weights[i]  read only.
 *   states[i]   values before the call; read only.
 *   symbols[i]  solved; `main` stores the unbacked ones.
 *   status      0 while nothing has failed. */
typedef struct adze_call {
  void *const *inputs;
  const void *const *weights;
  void *const *states;
  int64_t *symbols;
  void *workspace;
  uint64_t seed;
  int64_t status;
  void *internal;
} adze_call;

/* The one kernel ABI. args[0] is the adze_call, then buffer addresses, then
 * values (doubles and floats by their bits), all 64-bit slots. Works on the
 * iterations [begin, end). */
typedef void (*adze_kernel)(const int64_t *args, int64_t begin, int64_t end);

/*===- What generated code may call ---------------------------------------===*/

/* Runs kernel(args, b, e) over disjoint ranges that cover [0, n) and returns
 * when all are done. Each b is a multiple of `grain` (>= 1), which is the
 * smallest range worth a thread; with one thread a single range covers all.
 * From inside a kernel the inner loop runs on the calling thread. */
void adze_rt_parallel_for(adze_call *call, adze_kernel kernel,
                          const int64_t *args, int64_t n, int64_t grain);

/* Allocates result slot `slot` with the dims that its expressions give now and
 * returns its data (uninitialised, dense in the slot's order), the same each
 * time in a call. NULL and a failed call if it cannot: main must return. */
void *adze_rt_output(adze_call *call, int64_t slot);

/* Extra scratch, 64-byte aligned, freed when the call ends. NULL and a failed
 * call if there is none: main must return. Call it from main only. */
void *adze_rt_alloc(adze_call *call, int64_t bytes);

/* `site` for a kernel that got no memory. */
#define ADZE_SITE_OUT_OF_MEMORY (-1)

/* Records a failure that depends on data; the first one wins. Safe from any
 * kernel on any thread. main looks at call->status before it uses values that
 * a failed kernel left undefined, and may return at any time. */
void adze_rt_fail(adze_call *call, int64_t site, int64_t a, int64_t b);

/* Takes `count` Philox counters for one random op and returns the first. With
 * call->seed it defines all its numbers (see adze/Support/Philox.h). Call it
 * from main only.
 */
int64_t adze_rt_rng_reserve(adze_call *call, int64_t count);

/* For the exported NAME_get_api that lib/Codegen emits. */
const struct adze_api *adze_rt_get_api(uint32_t version);

/* The program of this artifact; defined by generated code. */
extern const adze_program adze_generated_program;

#ifdef __cplusplus
}
#endif
#endif
