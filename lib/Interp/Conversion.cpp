//===- Conversion.cpp - Between element types ----------------------------===//

#include "Rules.h"

#include "adze/Support/Element.h"

#include <cstring>

using namespace mlir;

namespace adze::interp {

//===----------------------------------------------------------------------===//
// By value
//===----------------------------------------------------------------------===//

namespace {
/// Converts numbers of one element type to another.
class Converter {
public:
  Converter(const Evaluator &evaluator, Type from, Type to) {
    if (auto integer = dyn_cast<IntegerType>(from))
      source = IntFormat(integer);
    if (auto integer = dyn_cast<IntegerType>(to))
      target = IntFormat(integer);
    else
      real = evaluator.floatFormat(to);
  }

  template <typename To, typename From> To convert(From value) const {
    if constexpr (std::is_same_v<To, Complex>)
      return toComplex(value);
    else if constexpr (std::is_same_v<From, Complex>)
      return target && target->isBool() ? To(value != Complex())
                                        : convert<To>(value.real());
    else if constexpr (std::is_same_v<To, double>)
      return toReal(value);
    else
      return toInteger(value);
  }

private:
  double toReal(double value) const { return real.round(value); }
  double toReal(int64_t value) const {
    return integerToFloat(value, *source, real);
  }
  Complex toComplex(Complex value) const { return real.round(value); }
  template <typename From> Complex toComplex(From value) const {
    return {toReal(value), 0};
  }
  int64_t toInteger(double value) const {
    return floatToInteger(value, *target);
  }
  int64_t toInteger(int64_t value) const {
    return target->isBool() ? value != 0 : target->wrap(value);
  }

  std::optional<IntFormat> source, target;
  FloatFormat real;
};
} // namespace

static LogicalResult convert(prim::ConvertOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  const Tensor &operand = operands[0];
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  Converter converter(evaluator, operand.element(), element);
  auto result = evaluator.allocate(element, operand.sizes());
  if (failed(result))
    return failure();
  visitWide(operand.element(), [&]<typename From>() {
    visitWide(element, [&]<typename To>() {
      const From *in = operand.data<From>();
      To *out = result->mutableData<To>();
      for (int64_t i = 0; i < operand.count(); ++i)
        out[i] = converter.convert<To>(in[i]);
    });
  });
  results.push_back(*result);
  return success();
}

//===----------------------------------------------------------------------===//
// By bits
//===----------------------------------------------------------------------===//

static LogicalResult bitcast(prim::BitcastOp op, Evaluator &evaluator,
                             Operands operands, Results &results) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  auto from = operands[0].toHost();
  auto dtype = dtypeOf(element);
  if (!from || !dtype) {
    llvm::consumeError(from.takeError());
    return evaluator.fail("an element type has no bits",
                          CallError::Unsupported);
  }
  HostTensor to = llvm::cantFail(HostTensor::create(*dtype, from->shape()));
  std::memcpy(to.data(), from->data(), to.numBytes());
  if (*dtype == DType::Bool) // any bits but zero are true
    for (int64_t i = 0; i < to.numElements(); ++i)
      to.dataAs<uint8_t>()[i] = to.dataAs<uint8_t>()[i] != 0;
  results.push_back(llvm::cantFail(Tensor::fromHost(to, op.getContext())));
  return success();
}

//===----------------------------------------------------------------------===//
// Complex numbers and their parts
//===----------------------------------------------------------------------===//

template <typename OpT, bool Imaginary>
static LogicalResult part(OpT op, Evaluator &evaluator, Operands operands,
                          Results &results) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  auto result = evaluator.allocate(element, operands[0].sizes());
  if (failed(result))
    return failure();
  const Complex *in = operands[0].data<Complex>();
  double *out = result->template mutableData<double>();
  for (int64_t i = 0; i < result->count(); ++i)
    out[i] = Imaginary ? in[i].imag() : in[i].real();
  results.push_back(*result);
  return success();
}

static LogicalResult makeComplex(prim::ComplexOp op, Evaluator &evaluator,
                                 Operands operands, Results &results) {
  Type element = cast<RankedTensorType>(op.getType()).getElementType();
  auto result = evaluator.allocate(element, operands[0].sizes());
  if (failed(result) || failed(checkEqualSizes(evaluator, operands)))
    return failure();
  const double *re = operands[0].data<double>(),
               *im = operands[1].data<double>();
  Complex *out = result->mutableData<Complex>();
  for (int64_t i = 0; i < result->count(); ++i)
    out[i] = {re[i], im[i]};
  results.push_back(*result);
  return success();
}

void addConversionRules(MLIRContext *context) {
  addRule<prim::ConvertOp, convert>(context);
  addRule<prim::BitcastOp, bitcast>(context);
  addRule<prim::RealOp, part<prim::RealOp, false>>(context);
  addRule<prim::ImagOp, part<prim::ImagOp, true>>(context);
  addRule<prim::ComplexOp, makeComplex>(context);
}

} // namespace adze::interp
