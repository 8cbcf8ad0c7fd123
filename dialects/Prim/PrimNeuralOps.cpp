//===- PrimNeuralOps.cpp - Contractions and neural networks ---------------===//

#include "dialects/Prim/PrimVerify.h"

using namespace mlir;
using namespace adze;
using namespace adze::prim;
using sym::Expr;
using sym::Shape;

#define GET_OP_CLASSES
#include "dialects/Prim/PrimNeuralOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Matmul
//===----------------------------------------------------------------------===//

static bool isMatmul(ArrayRef<Expr> lhs, ArrayRef<Expr> rhs) {
  return lhs.size() >= 2 && (rhs.size() == lhs.size() || rhs.size() == 2);
}

LogicalResult
MatmulOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                           ValueRange operands, DictionaryAttr attributes,
                           OpaqueProperties properties, RegionRange regions,
                           SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  Shape lhs = sym::shapeOf(operands[0]), rhs = sym::shapeOf(operands[1]);
  size_t rank = lhs.size();
  if (!isMatmul(lhs, rhs)) // verify() says so
    return failure();
  Shape shape(lhs.begin(), lhs.end() - 2);
  shape.push_back(lhs[rank - (adaptor.getTransposeLhs() ? 1 : 2)]);
  shape.push_back(rhs[rhs.size() - (adaptor.getTransposeRhs() ? 2 : 1)]);
  types.push_back(
      sym::tensorType(shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult MatmulOp::verify() {
  if (failed(verifySameElementType(*this, getLhs(), getRhs())))
    return failure();
  Shape lhs = sym::shapeOf(getLhs()), rhs = sym::shapeOf(getRhs());
  size_t rank = lhs.size();
  // (C1)
  if (!isMatmul(lhs, rhs))
    return emitOpError(
               "expects a lhs of rank 2 or more and a rhs of its rank or "
               "of rank 2, but found ranks ")
           << rank << " and " << rhs.size();
  // (C2)
  for (size_t i = 0; i + 2 < rhs.size(); ++i)
    if (!mayBeEqual(lhs[i], rhs[i]))
      return emitOpError("expects equal leading sizes, but found ")
             << sym::toString(lhs) << " and " << sym::toString(rhs);
  // (C3)
  Expr left = lhs[rank - (getTransposeLhs() ? 2 : 1)];
  Expr right = rhs[rhs.size() - (getTransposeRhs() ? 1 : 2)];
  if (!mayBeEqual(left, right))
    return emitOpError("expects equal inner sizes, but found ")
           << sym::toString(left) << " and " << sym::toString(right);
  return success();
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// (size + low + high - dilation * (window - 1) - 1) / stride + 1
static Expr windowCount(Expr size, Expr window, int64_t stride, int64_t low,
                        int64_t high, int64_t dilation) {
  MLIRContext *context = size.getContext();
  auto number = [&](int64_t value) { return sym::constant(context, value); };
  Expr reach = sym::add(sym::mul(number(dilation), sym::sub(window, number(1))),
                        number(1));
  Expr span = sym::sub(sym::add(size, number(low + high)), reach);
  return sym::add(sym::floorDiv(span, number(stride)), number(1));
}

/// (size - 1) * stride - low - high + dilation * (window - 1) + extra + 1
static Expr transposedCount(Expr size, Expr window, int64_t stride, int64_t low,
                            int64_t high, int64_t dilation, int64_t extra) {
  MLIRContext *context = size.getContext();
  auto number = [&](int64_t value) { return sym::constant(context, value); };
  Expr body = sym::mul(sym::sub(size, number(1)), number(stride));
  Expr reach = sym::mul(number(dilation), sym::sub(window, number(1)));
  return sym::add(sym::add(body, reach), number(extra + 1 - low - high));
}

static LogicalResult checkConvolution(ConvolutionOp::Adaptor adaptor,
                                      std::optional<Location> loc) {
  Shape input = sym::shapeOf(adaptor.getInput());
  Shape filter = sym::shapeOf(adaptor.getFilter());
  // (C1)
  if (input.size() < 3 || input.size() != filter.size())
    return emitOptionalError(
        loc, "expects input and filter of one rank of at least 3");
  // (C2)
  size_t spatial = input.size() - 2;
  for (ArrayRef<int64_t> list :
       {adaptor.getStride(), adaptor.getLow(), adaptor.getHigh(),
        adaptor.getDilation(), adaptor.getOutputPadding()})
    if (list.size() != spatial)
      return emitOptionalError(loc, "expects ", spatial,
                               " entries per attribute, but found ",
                               list.size());
  // (C3)
  for (int64_t value :
       llvm::concat<const int64_t>(adaptor.getStride(), adaptor.getDilation()))
    if (value < 1)
      return emitOptionalError(loc, "expects positive strides and dilations");
  if (adaptor.getGroups() < 1)
    return emitOptionalError(loc, "expects at least one group");
  return success();
}

LogicalResult ConvolutionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc, ValueRange operands,
    DictionaryAttr attributes, OpaqueProperties properties, RegionRange regions,
    SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  if (failed(checkConvolution(adaptor, loc)))
    return failure();
  Shape input = sym::shapeOf(operands[0]), filter = sym::shapeOf(operands[1]);
  bool last = adaptor.getLayout() == ImageLayout::channels_last;
  size_t first = last ? 1 : 2, firstOfFilter = last ? 0 : 2;
  Expr channels = last ? filter.back() : filter[0];
  if (adaptor.getTransposed() && !last)
    channels = sym::mul(filter[1], sym::constant(context, adaptor.getGroups()));
  Shape shape = input;
  shape[last ? input.size() - 1 : 1] = channels;
  for (size_t i = 0; i + 2 < input.size(); ++i) {
    int64_t stride = adaptor.getStride()[i], low = adaptor.getLow()[i],
            high = adaptor.getHigh()[i], dilation = adaptor.getDilation()[i];
    Expr window = filter[firstOfFilter + i];
    shape[first + i] =
        adaptor.getTransposed()
            ? transposedCount(input[first + i], window, stride, low, high,
                              dilation, adaptor.getOutputPadding()[i])
            : windowCount(input[first + i], window, stride, low, high,
                          dilation);
  }
  types.push_back(
      sym::tensorType(shape, tensorTypeOf(operands[0]).getElementType()));
  return success();
}

LogicalResult ConvolutionOp::verify() {
  // Types are inferred after this, so ranks and groups are checked here too.
  if (failed(verifySameElementType(*this, getInput(), getFilter())) ||
      failed(checkConvolution(Adaptor(*this), getLoc())))
    return failure();
  // (C4)
  Shape input = sym::shapeOf(getInput()), filter = sym::shapeOf(getFilter());
  bool last = getLayout() == ImageLayout::channels_last;
  size_t dim = last ? input.size() - 1 : 1;
  // A transposed filter, channels first, has the inputs of all groups.
  bool isSwapped = getTransposed() && !last;
  Expr groups = sym::constant(getContext(), getGroups());
  Expr expected = isSwapped
                      ? filter[0]
                      : sym::mul(filter[last ? filter.size() - 2 : 1], groups);
  if (!mayBeEqual(input[dim], expected))
    return emitOpError("expects ")
           << sym::toString(expected) << " input channels, but found "
           << sym::toString(input[dim]);
  auto outputs = sym::asConstant(last ? filter.back() : filter[0]);
  if (!isSwapped && outputs && *outputs % getGroups() != 0)
    return emitOpError("expects output channels divisible by ")
           << getGroups() << " groups, but found " << *outputs;
  auto inputs = sym::asConstant(input[dim]);
  if (isSwapped && inputs && *inputs % getGroups() != 0)
    return emitOpError("expects input channels divisible by ")
           << getGroups() << " groups, but found " << *inputs;
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

template <typename AdaptorT>
static LogicalResult inferPool(AdaptorT adaptor, bool last,
                               std::optional<Location> loc, Type element,
                               SmallVectorImpl<Type> &types) {
  Shape shape = sym::shapeOf(adaptor.getOperand());
  size_t pooled = adaptor.getWindow().size();
  // (C1)
  for (ArrayRef<int64_t> list : {adaptor.getStride(), adaptor.getLow(),
                                 adaptor.getHigh(), adaptor.getDilation()})
    if (list.size() != pooled || pooled + (last ? 1 : 0) > shape.size())
      return emitOptionalError(loc, "expects ", pooled,
                               " entries per attribute and at most the rank");
  // (C2)
  for (size_t i = 0; i < pooled; ++i)
    if (adaptor.getWindow()[i] < 1 || adaptor.getStride()[i] < 1 ||
        adaptor.getDilation()[i] < 1)
      return emitOptionalError(
          loc, "expects positive windows, strides and dilations");
  size_t first = shape.size() - pooled - (last ? 1 : 0);
  for (size_t i = 0; i < pooled; ++i)
    shape[first + i] =
        windowCount(shape[first + i],
                    sym::constant(element.getContext(), adaptor.getWindow()[i]),
                    adaptor.getStride()[i], adaptor.getLow()[i],
                    adaptor.getHigh()[i], adaptor.getDilation()[i]);
  types.push_back(sym::tensorType(shape, element));
  return success();
}

LogicalResult
PoolOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                         ValueRange operands, DictionaryAttr attributes,
                         OpaqueProperties properties, RegionRange regions,
                         SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferPool(adaptor, adaptor.getLayout() == ImageLayout::channels_last,
                   loc, tensorTypeOf(operands[0]).getElementType(), types);
}

LogicalResult PoolOp::verify() {
  // (C3)
  if (getKind() == Reduction::sum || getKind() == Reduction::max ||
      getKind() == Reduction::min)
    return success();
  return emitOpError("expects `sum`, `max` or `min`, but found `")
         << stringifyReduction(getKind()) << "`";
}

LogicalResult
ArgPoolOp::inferReturnTypes(MLIRContext *context, std::optional<Location> loc,
                            ValueRange operands, DictionaryAttr attributes,
                            OpaqueProperties properties, RegionRange regions,
                            SmallVectorImpl<Type> &types) {
  Adaptor adaptor(operands, attributes, properties, regions);
  return inferPool(adaptor, false, loc, IntegerType::get(context, 64), types);
}

LogicalResult ArgPoolOp::verify() { return success(); }

//===----------------------------------------------------------------------===//
// Softmax and norms
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxOp::verify() {
  return verifyDim(*this, getDim(), tensorTypeOf(getOperand()).getRank());
}

LogicalResult LogSoftmaxOp::verify() {
  return verifyDim(*this, getDim(), tensorTypeOf(getOperand()).getRank());
}

/// `axes` last dims, and a parameter that has their sizes.
static LogicalResult verifyNorm(Operation *op, Value operand, int64_t axes,
                                ArrayRef<Value> parameters) {
  Shape shape = sym::shapeOf(operand);
  // (C1)
  if (axes < 1 || axes > int64_t(shape.size()))
    return op->emitOpError("expects 1 to ")
           << shape.size() << " axes, but found " << axes;
  // (C2)
  ArrayRef<Expr> expected = ArrayRef<Expr>(shape).take_back(axes);
  for (Value parameter : parameters) {
    if (!parameter)
      continue;
    Shape found = sym::shapeOf(parameter);
    bool fits = found.size() == expected.size();
    for (size_t i = 0; fits && i < expected.size(); ++i)
      fits = mayBeEqual(found[i], expected[i]);
    if (!fits)
      return op->emitOpError("expects a parameter of sizes ")
             << sym::toString(expected) << ", but found "
             << sym::toString(found);
  }
  return success();
}

LogicalResult LayerNormOp::verify() {
  if (failed(
          verifyNorm(*this, getOperand(), getAxes(), {getWeight(), getBias()})))
    return failure();
  // (C3)
  Shape expected = sym::shapeOf(getOperand()), found = sym::shapeOf(getMean());
  std::fill(expected.end() - getAxes(), expected.end(),
            sym::constant(getContext(), 1));
  bool fits = found.size() == expected.size();
  for (size_t i = 0; fits && i < expected.size(); ++i)
    fits = mayBeEqual(found[i], expected[i]);
  if (!fits)
    return emitOpError("expects a mean of sizes ")
           << sym::toString(expected) << ", but found " << sym::toString(found);
  return success();
}

LogicalResult RmsNormOp::verify() {
  return verifyNorm(*this, getOperand(), getAxes(), {getWeight()});
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::verify() {
  Shape q = sym::shapeOf(getQuery()), k = sym::shapeOf(getKey());
  Shape v = sym::shapeOf(getValue());
  size_t rank = q.size();
  // (C1)
  if (rank < 3 || k.size() != rank || v.size() != rank)
    return emitOpError(
        "expects query, key and value of one rank of at least 3");
  if (failed(verifySameElementType(*this, getQuery(), getKey())) ||
      failed(verifySameElementType(*this, getQuery(), getValue())))
    return failure();
  // (C2)
  bool fits = mayBeEqual(q[rank - 1], k[rank - 1]) &&
              mayBeEqual(k[rank - 2], v[rank - 2]);
  for (size_t i = 0; fits && i + 2 < rank; ++i)
    fits = mayBeEqual(q[i], k[i]) && mayBeEqual(q[i], v[i]);
  if (!fits)
    return emitOpError("expects sizes that fit, but found ")
           << sym::toString(q) << ", " << sym::toString(k) << " and "
           << sym::toString(v);
  Shape expected = q;
  expected[rank - 1] = v[rank - 1];
  if (failed(verifyInferred(*this, getResult(), expected,
                            tensorTypeOf(getQuery()).getElementType())))
    return failure();
  // (C3)
  if (!getMask())
    return success();
  Shape scores = q, mask = sym::shapeOf(getMask());
  scores[rank - 1] = k[rank - 2];
  bool broadcasts = mask.size() == rank;
  for (size_t i = 0; broadcasts && i < rank; ++i)
    broadcasts = sym::isConstant(mask[i], 1) || mayBeEqual(mask[i], scores[i]);
  if (!broadcasts)
    return emitOpError("expects a mask that broadcasts to ")
           << sym::toString(scores) << ", but found " << sym::toString(mask);
  return success();
}
