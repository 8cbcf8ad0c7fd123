//===- Search.cpp - Search, unique values and masks -----------------------===//

#include "lib/Runtime/Kernels/Ordered.h"
#include "lib/Runtime/Kernels/Rows.h"

#include <algorithm>

using namespace adze::rt;

//===- Binary search --------------------------------------------------------//

/// First place in the sorted sequence whose key is not less than (right:
/// greater than) `key`.
template <typename Order>
static int64_t bound(const typename Order::Element *sequence,
                     const int64_t *sorter, int64_t length,
                     typename Order::Key key, bool right) {
  int64_t low = 0, high = length;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    auto at = Order::key(sequence[sorter ? sorter[middle] : middle]);
    bool goRight = right ? at <= key : at < key;
    (goRight ? low : high) = goRight ? middle + 1 : middle;
  }
  return low;
}

template <typename Order>
static void searchValues(const int64_t *slots, int64_t begin, int64_t end) {
  using Element = typename Order::Element;
  Args args(slots);
  auto *sequences = args.pointer<const Element>();
  auto *values = args.pointer<const Element>();
  auto *out = args.pointer<int64_t>();
  int64_t length = args.integer();
  int64_t perSequence = args.integer();
  bool right = args.integer();
  bool shared = args.integer();
  auto *sorter = args.pointer<const int64_t>();
  for (int64_t i = begin; i < end; ++i) {
    int64_t start = shared ? 0 : i / perSequence * length;
    out[i] = bound<Order>(sequences + start, sorter ? sorter + start : nullptr,
                          length, Order::key(values[i]), right);
  }
}

//===- Unique values --------------------------------------------------------//

/// Numbers the runs of equal values of `in` taken in the order of `place`.
template <typename Order, typename Place>
static int64_t numberRuns(const typename Order::Element *in, int64_t n,
                          typename Order::Element *values, int64_t *inverse,
                          int64_t *counts, Place place) {
  int64_t runs = 0;
  for (int64_t i = 0; i < n; ++i) {
    auto value = in[place(i)];
    bool same = i && !Order::isNan(value) &&
                Order::key(value) == Order::key(in[place(i - 1)]);
    if (!same) {
      values[runs++] = value;
      if (counts)
        counts[runs - 1] = 0;
    }
    if (counts)
      ++counts[runs - 1];
    if (inverse)
      inverse[place(i)] = runs - 1;
  }
  return runs;
}

template <typename Order>
static int64_t unique(const int64_t *slots, bool sort) {
  using Element = typename Order::Element;
  Args args(slots);
  auto *in = args.pointer<const Element>();
  auto *values = args.pointer<Element>();
  auto *inverse = args.pointer<int64_t>();
  auto *counts = args.pointer<int64_t>();
  int64_t n = args.integer();
  if (!sort)
    return numberRuns<Order>(in, n, values, inverse, counts,
                             [](int64_t i) { return i; });
  Scratch<Entry<Order>> entries(args, n);
  if (!entries)
    return -1;
  loadEntries<Order>(in, n, false, entries);
  std::sort(+entries, entries + n, before<Order>);
  Entry<Order> *sorted = entries;
  return numberRuns<Order>(in, n, values, inverse, counts,
                           [=](int64_t i) { return sorted[i].index; });
}

#define ADZE_DEFINE(T)                                                         \
  void adze_rt_searchsorted_##T(const int64_t *args, int64_t begin,            \
                                int64_t end) {                                 \
    searchValues<order::T>(args, begin, end);                                  \
  }                                                                            \
  int64_t adze_rt_unique_##T(const int64_t *args) {                            \
    return unique<order::T>(args, true);                                       \
  }                                                                            \
  int64_t adze_rt_unique_consecutive_##T(const int64_t *args) {                \
    return unique<order::T>(args, false);                                      \
  }
ADZE_FOR_ORDERED_TYPES(ADZE_DEFINE)

//===- Masks ----------------------------------------------------------------//

int64_t adze_rt_count_true(const int64_t *slots) {
  Args args(slots);
  auto *mask = args.pointer<const uint8_t>();
  int64_t n = args.integer(), count = 0;
  for (int64_t i = 0; i < n; ++i)
    count += mask[i] != 0;
  return count;
}

int64_t adze_rt_nonzero(const int64_t *slots) {
  Args args(slots);
  auto *mask = args.pointer<const uint8_t>();
  int64_t n = args.integer(), rank = args.integer(), count = 0;
  auto *shape = args.pointer<const int64_t>();
  auto *out = args.pointer<int64_t>();
  for (int64_t i = 0; i < n; ++i) {
    if (!mask[i])
      continue;
    int64_t rest = i;
    for (int64_t d = rank - 1; d >= 0; rest /= shape[d--])
      out[count * rank + d] = rest % shape[d];
    ++count;
  }
  return count;
}

int64_t adze_rt_masked_select(const int64_t *slots) {
  Args args(slots);
  auto *mask = args.pointer<const uint8_t>();
  int64_t n = args.integer(), count = 0;
  auto *in = args.pointer<const char>();
  auto *out = args.pointer<char>();
  int64_t width = args.integer();
  for (int64_t i = 0; i < n; ++i)
    if (mask[i])
      memcpy(out + count++ * width, in + i * width, static_cast<size_t>(width));
  return count;
}
