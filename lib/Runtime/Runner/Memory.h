//===- Memory.h - Memory that frees itself --------------------------------===//
#ifndef ADZE_LIB_RUNTIME_RUNNER_MEMORY_H
#define ADZE_LIB_RUNTIME_RUNNER_MEMORY_H

#include <new>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace adze::runner {

/// Bytes of somebody else.
struct Bytes {
  const char *data = nullptr;
  uint64_t size = 0;
};

/// A block that can hold tensors: aligned to 64 bytes.
class Memory {
public:
  Memory() = default;
  Memory(Memory &&other) noexcept : block(other.block) {
    other.block = nullptr;
  }
  Memory &operator=(Memory &&other) noexcept {
    char *old = block;
    block = other.block;
    other.block = nullptr;
    free(old);
    return *this;
  }
  ~Memory() { free(block); }

  /// False if there is no memory. What was there before is lost.
  bool allocate(uint64_t bytes) {
    free(block);
    block = nullptr;
    void *made = nullptr;
    if (bytes > PTRDIFF_MAX || posix_memalign(&made, 64, bytes ? bytes : 1))
      return false;
    block = static_cast<char *>(made);
    return true;
  }
  char *data() { return block; }
  const char *data() const { return block; }

private:
  char *block = nullptr;
};

/// A number of values that is known when the table is made.
template <typename T> class Table {
public:
  Table() = default;
  Table(const Table &) = delete;
  Table &operator=(const Table &) = delete;
  ~Table() {
    for (int64_t i = 0; i < count; ++i)
      values[i].~T();
    free(values);
  }

  bool allocate(int64_t size) {
    values = static_cast<T *>(calloc(static_cast<size_t>(size) + 1, sizeof(T)));
    for (; values && count < size; ++count)
      new (&values[count]) T();
    return values;
  }
  int64_t size() const { return count; }
  T *data() { return values; }
  T &operator[](int64_t i) { return values[i]; }
  const T &operator[](int64_t i) const { return values[i]; }

private:
  T *values = nullptr;
  int64_t count = 0;
};

} // namespace adze::runner

#endif
