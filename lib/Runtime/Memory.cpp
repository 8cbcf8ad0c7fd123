//===- Memory.cpp - Buffers and the storage of outputs --------------------===//

#include "lib/Runtime/Internal.h"

#include <cstdlib>
#include <new>

using namespace adze::rt;

static void *allocateAligned(void *, size_t bytes, size_t alignment) {
  void *memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) ? nullptr : memory;
}

static void freeAligned(void *, void *memory, size_t) { free(memory); }

Allocator adze::rt::defaultAllocator() {
  return {allocateAligned, freeAligned, nullptr};
}

bool adze::rt::reserve(const Allocator &allocator, Block &block,
                       uint64_t bytes) {
  if (block.data && bytes <= block.capacity)
    return true;
  release(allocator, block);
  uint64_t capacity = bytes ? bytes : BufferAlignment;
  block.data = allocator.allocate(allocator.context, capacity, BufferAlignment);
  block.capacity = block.data ? capacity : 0;
  return block.data;
}

void adze::rt::release(const Allocator &allocator, Block &block) {
  if (block.data)
    allocator.deallocate(allocator.context, block.data, block.capacity);
  block = Block();
}

Storage *adze::rt::newStorage(const Allocator &allocator, uint64_t bytes) {
  uint64_t total;
  if (__builtin_add_overflow(bytes, sizeof(Storage), &total))
    return nullptr;
  void *memory = allocator.allocate(allocator.context, total, BufferAlignment);
  return memory ? new (memory) Storage{{1}, allocator, total} : nullptr;
}

void adze::rt::retain(Storage *storage) {
  storage->references.fetch_add(1, std::memory_order_relaxed);
}

void adze::rt::release(Storage *storage) {
  if (storage->references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  Allocator allocator = storage->allocator;
  allocator.deallocate(allocator.context, storage, storage->bytes);
}
