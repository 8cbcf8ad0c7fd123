//===- Sort.cpp - Sort and top-k along rows -------------------------------===//

#include "lib/Runtime/Kernels/Ordered.h"
#include "lib/Runtime/Kernels/Rows.h"

#include <algorithm>

using namespace adze::rt;

/// Writes the first `count` entries as values and indices, either may be null.
template <typename Order>
static void store(const Entry<Order> *entries, int64_t count,
                  const typename Order::Element *in,
                  typename Order::Element *values, int64_t *indices) {
  for (int64_t i = 0; i < count; ++i) {
    if (values)
      values[i] = in[entries[i].index];
    if (indices)
      indices[i] = entries[i].index;
  }
}

template <typename Order>
static void sortRows(const int64_t *slots, int64_t begin, int64_t end) {
  using Element = typename Order::Element;
  Args args(slots);
  auto *in = args.pointer<const Element>();
  auto *values = args.pointer<Element>();
  auto *indices = args.pointer<int64_t>();
  int64_t length = args.integer();
  bool descending = args.integer();
  Scratch<Entry<Order>> entries(args, length);
  if (!entries)
    return;
  for (int64_t row = begin; row < end; ++row) {
    int64_t at = row * length;
    loadEntries<Order>(in + at, length, descending, entries);
    std::sort(+entries, entries + length, before<Order>);
    store<Order>(entries, length, in + at, values ? values + at : nullptr,
                 indices ? indices + at : nullptr);
  }
}

template <typename Order>
static void topkRows(const int64_t *slots, int64_t begin, int64_t end) {
  using Element = typename Order::Element;
  Args args(slots);
  auto *in = args.pointer<const Element>();
  auto *values = args.pointer<Element>();
  auto *indices = args.pointer<int64_t>();
  int64_t length = args.integer();
  int64_t k = args.integer();
  bool largest = args.integer();
  Scratch<Entry<Order>> entries(args, length);
  if (!entries)
    return;
  for (int64_t row = begin; row < end; ++row) {
    loadEntries<Order>(in + row * length, length, largest, entries);
    Entry<Order> *first = entries, *last = first + length;
    if (k < length)
      std::nth_element(first, first + k, last, before<Order>);
    std::sort(first, first + k, before<Order>);
    store<Order>(first, k, in + row * length,
                 values ? values + row * k : nullptr,
                 indices ? indices + row * k : nullptr);
  }
}

#define ADZE_DEFINE(T)                                                         \
  void adze_rt_sort_##T(const int64_t *args, int64_t begin, int64_t end) {     \
    sortRows<order::T>(args, begin, end);                                      \
  }                                                                            \
  void adze_rt_topk_##T(const int64_t *args, int64_t begin, int64_t end) {     \
    topkRows<order::T>(args, begin, end);                                      \
  }
ADZE_FOR_ORDERED_TYPES(ADZE_DEFINE)
