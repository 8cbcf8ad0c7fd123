//===- Rows.h - What library kernels share --------------------------------===//

#ifndef ADZE_LIB_RUNTIME_KERNELS_ROWS_H
#define ADZE_LIB_RUNTIME_KERNELS_ROWS_H

#include "lib/Runtime/Kernels/Kernels.h"

#include <cstdlib>
#include <cstring>

namespace adze::rt {

/// Reads the 64-bit slots of a kernel in order.
class Args {
public:
  explicit Args(const int64_t *args)
      : call(reinterpret_cast<adze_call *>(args[0])), next(args + 1) {}
  template <typename T> T *pointer() { return reinterpret_cast<T *>(*next++); }
  int64_t integer() { return *next++; }
  uint64_t bits() { return static_cast<uint64_t>(*next++); }
  double real() {
    double value;
    memcpy(&value, next++, sizeof(value));
    return value;
  }
  adze_call *call;

private:
  const int64_t *next;
};

/// Memory of one run of a kernel. A failure is reported to the call; the
/// kernel then returns.
template <typename T> class Scratch {
public:
  Scratch(const Args &args, int64_t count)
      : memory(static_cast<T *>(
            malloc(sizeof(T) * static_cast<size_t>(count > 0 ? count : 1)))) {
    if (!memory)
      adze_rt_fail(args.call, ADZE_SITE_OUT_OF_MEMORY, count, 0);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() { free(memory); }
  explicit operator bool() const { return memory; }
  operator T *() const { return memory; }

private:
  T *memory;
};

} // namespace adze::rt

#endif
