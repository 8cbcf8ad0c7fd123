/*===- Digest.h - 64-bit digests of weights ------------------------------===*\
 *
 * Shared by the runtime, which checks digests, and the compiler, which writes
 * them. They find damage and mix-ups; they are no defence against an attacker.
 *
\*===----------------------------------------------------------------------===*/
#ifndef ADZE_LIB_RUNTIME_DIGEST_H
#define ADZE_LIB_RUNTIME_DIGEST_H

#include "lib/Runtime/Program.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* XXH64 of the bytes. */
uint64_t adze_digest(const void *data, uint64_t bytes, uint64_t seed);

/* Digest of the whole set that can be checked quickly: chains offset, size,
 * first and last 64 KiB of each record. `base` is the start of weights.bin.
 * This is adze_program.weights_digest. Records must lie inside the file. */
uint64_t adze_weights_digest(const void *base, const adze_weight *records,
                             int64_t count);

#ifdef __cplusplus
}
#endif
#endif
