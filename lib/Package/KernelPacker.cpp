//===- KernelPacker.cpp - Weights as the kernels of adze read them --------===//

#include "adze/Package/KernelPacker.h"

#include "adze/Support/Diagnostics.h"
#include "dialects/Kernel/Kernel.h"

#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <numeric>

using namespace mlir;

namespace adze {

using kernel::PackingAttr;
using kernel::PackingKind;

namespace {
/// All packings but one are panels: [groups][panels][taps][inputs][width], from
/// a weight in which output, input and tap have these strides.
struct Panels {
  int64_t groups = 1, outputs = 0, inputs = 0, taps = 1,
          width = 0; // of a group
  int64_t outputStride = 0, inputStride = 0, tapStride = 0, groupStride = 0;
  int64_t panels() const { return llvm::divideCeil(outputs, width); }
};
} // namespace

static int64_t productOf(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1),
                         std::multiplies<>());
}

static Panels panelsOf(PackingAttr packing, ArrayRef<int64_t> shape) {
  Panels p;
  p.width = packing.getPanel();
  if (packing.getKind() == PackingKind::rhs) {
    p.inputs = shape[0];
    p.outputs = shape[1];
    p.inputStride = shape[1];
    p.outputStride = 1;
  } else if (packing.getKind() == PackingKind::transposed_rhs) {
    p.outputs = shape[0];
    p.inputs = shape[1];
    p.outputStride = shape[1];
    p.inputStride = 1;
  } else {
    bool isSwapped = packing.getKind() == PackingKind::transposed_filter;
    p.groups = packing.getGroups();
    p.taps = productOf(shape.drop_front(2));
    p.outputs = isSwapped ? shape[1] : shape[0] / p.groups;
    p.inputs = isSwapped ? shape[0] / p.groups : shape[1];
    p.outputStride = isSwapped ? p.taps : p.inputs * p.taps;
    p.inputStride = isSwapped ? p.outputs * p.taps : p.taps;
    p.tapStride = 1;
    p.groupStride = p.outputs * p.inputs * p.taps;
  }
  return p;
}

static llvm::Error checkShape(PackingAttr packing, ArrayRef<int64_t> shape) {
  bool isMatrix = packing.getKind() == PackingKind::rhs ||
                  packing.getKind() == PackingKind::transposed_rhs;
  bool fits = isMatrix ? shape.size() == 2
                       : shape.size() >= 3 && packing.getGroups() > 0 &&
                             shape[0] % packing.getGroups() == 0;
  if (packing.getKind() == PackingKind::depthwise_filter)
    fits &= shape[1] == 1;
  if (fits && packing.getPanel() > 0)
    return llvm::Error::success();
  return makeError(DiagId::InternalError,
                   "a weight does not have the shape that its packing, '" +
                       kernel::stringifyPackingKind(packing.getKind()) +
                       "', expects");
}

llvm::Expected<PackedLayout>
KernelPacker::layout(Attribute attribute, DType dtype,
                     ArrayRef<int64_t> shape) const {
  auto packing = dyn_cast<PackingAttr>(attribute);
  if (!packing)
    return makeError(DiagId::InternalError,
                     "a weight has a packing of an unknown kind");
  if (llvm::Error error = checkShape(packing, shape))
    return std::move(error);
  PackedLayout layout;
  layout.dtype = dtype;
  if (packing.getKind() == PackingKind::depthwise_filter) {
    layout.shape = {productOf(shape.drop_front(2)), shape[0]};
    layout.text = "channels last";
    return layout;
  }
  Panels p = panelsOf(packing, shape);
  layout.shape = {p.groups, p.panels(), p.taps, p.inputs, p.width};
  layout.text = "panels of " + std::to_string(p.width) + " columns";
  return layout;
}

/// The bytes of an archive need not be aligned.
template <typename T> static T readAt(const uint8_t *from, int64_t index) {
  T value;
  std::memcpy(&value, from + index * int64_t(sizeof(T)), sizeof(T));
  return value;
}

/// One panel: rows of `width` elements, of which the last may lie beyond the
/// outputs and stay zero.
template <typename T>
static void packPanel(const Panels &p, int64_t group, int64_t panel,
                      const uint8_t *from, T *to) {
  int64_t first = panel * p.width;
  int64_t count = std::min(p.width, p.outputs - first);
  int64_t base = group * p.groupStride + first * p.outputStride;
  for (int64_t tap = 0; tap < p.taps; ++tap)
    for (int64_t input = 0; input < p.inputs; ++input, to += p.width)
      for (int64_t i = 0; i < count; ++i)
        to[i] = readAt<T>(from, base + i * p.outputStride +
                                    input * p.inputStride + tap * p.tapStride);
}

template <typename T>
static void packAll(PackingAttr packing, ArrayRef<int64_t> shape,
                    const uint8_t *from, uint8_t *packed) {
  auto *to = reinterpret_cast<T *>(packed);
  if (packing.getKind() == PackingKind::depthwise_filter) {
    int64_t channels = shape[0], taps = productOf(shape.drop_front(2));
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t channel = 0; channel < channels; ++channel)
        to[tap * channels + channel] = readAt<T>(from, channel * taps + tap);
    return;
  }
  Panels p = panelsOf(packing, shape);
  int64_t size = p.taps * p.inputs * p.width;
  for (int64_t group = 0; group < p.groups; ++group)
    for (int64_t panel = 0; panel < p.panels(); ++panel, to += size)
      packPanel(p, group, panel, from, to);
}

void KernelPacker::pack(Attribute attribute, DType dtype,
                        ArrayRef<int64_t> shape, ArrayRef<uint8_t> rowMajor,
                        MutableArrayRef<uint8_t> packed) const {
  auto packing = cast<PackingAttr>(attribute);
  switch (getSize(dtype)) {
  case 1:
    return packAll<uint8_t>(packing, shape, rowMajor.data(), packed.data());
  case 2:
    return packAll<uint16_t>(packing, shape, rowMajor.data(), packed.data());
  case 4:
    return packAll<uint32_t>(packing, shape, rowMajor.data(), packed.data());
  case 8:
    return packAll<uint64_t>(packing, shape, rowMajor.data(), packed.data());
  default:
    llvm_unreachable("only real numbers are packed");
  }
}

} // namespace adze
