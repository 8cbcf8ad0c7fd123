//===- Creation.cpp - Constants, counting, symbols and checks ------------===//

#include "Rules.h"

using namespace mlir;

namespace adze::interp {

static LogicalResult constant(prim::ConstantOp op, Evaluator &evaluator,
                              Operands, Results &results) {
  auto tensor = Tensor::fromAttr(op.getValue());
  if (!tensor)
    return evaluator.fail(llvm::toString(tensor.takeError()),
                          CallError::Unsupported);
  results.push_back(*tensor);
  return success();
}

static double floatOf(Attribute attr) {
  llvm::APFloat value = cast<FloatAttr>(attr).getValue();
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// The number of a `prim.full` in wide form.
template <typename T> static T numberOf(Attribute attr) {
  if constexpr (std::is_same_v<T, double>) {
    return floatOf(attr);
  } else if constexpr (std::is_same_v<T, Complex>) {
    auto parts = cast<ArrayAttr>(attr);
    return {floatOf(parts[0]), floatOf(parts[1])};
  } else {
    auto integer = cast<IntegerAttr>(attr);
    return IntFormat(cast<IntegerType>(integer.getType()))
        .wrap(int64_t(integer.getValue().getRawData()[0]));
  }
}

static LogicalResult full(prim::FullOp op, Evaluator &evaluator, Operands,
                          Results &results) {
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  visitWide(result->element(), [&]<typename T>() {
    T *out = result->mutableData<T>();
    std::fill(out, out + result->count(), numberOf<T>(op.getValue()));
  });
  results.push_back(*result);
  return success();
}

static LogicalResult iota(prim::IotaOp op, Evaluator &evaluator, Operands,
                          Results &results) {
  auto result = evaluator.allocate(op.getType());
  if (failed(result))
    return failure();
  Store store(evaluator, result->element());
  Lines lines(result->sizes(), op.getDim());
  visitWide(result->element(), [&]<typename T>() {
    T *out = result->mutableData<T>();
    lines.forEach([&](int64_t start) {
      for (int64_t i = 0; i < lines.length; ++i)
        out[start + i * lines.inner] = store(T(i));
    });
  });
  results.push_back(*result);
  return success();
}

static LogicalResult symbolValue(prim::SymbolValueOp op, Evaluator &evaluator,
                                 Operands, Results &results) {
  auto number = evaluator.evaluateNumber(op.getExpr());
  auto result = evaluator.allocate(op.getType());
  if (failed(number) || failed(result))
    return failure();
  auto *integer = std::get_if<int64_t>(&*number);
  if (result->isFloat())
    *result->mutableData<double>() =
        integer ? double(*integer) : std::get<double>(*number);
  else if (integer)
    *result->mutableData<int64_t>() =
        Store(evaluator, result->element())(*integer);
  else
    return evaluator.fail("'" + sym::toString(op.getExpr()) +
                          "' is no integer");
  results.push_back(*result);
  return success();
}

static LogicalResult bindSymbol(prim::BindSymbolOp op, Evaluator &evaluator,
                                Operands operands, Results &) {
  if (operands[0].count() != 1)
    return evaluator.fail("expects one number, but found " +
                          operands[0].describe());
  evaluator.bindSymbol(op.getSymbol(), operands[0].item<int64_t>());
  return success();
}

static LogicalResult checkShape(prim::CheckShapeOp op, Evaluator &evaluator,
                                Operands operands, Results &results) {
  auto sizes = evaluator.sizesOf(op.getType());
  if (failed(sizes))
    return failure();
  if (operands[0].sizes() != ArrayRef<int64_t>(*sizes))
    return evaluator.fail(
        "expects sizes " +
        sym::toString(sym::shapeOf(cast<RankedTensorType>(op.getType()))) +
        " = " + toString(*sizes) + ", but found " +
        toString(operands[0].sizes()));
  results.push_back(operands[0]);
  return success();
}

static LogicalResult assertOp(prim::AssertOp op, Evaluator &evaluator,
                              Operands operands, Results &) {
  if (operands[0].count() == 1 && operands[0].item<int64_t>())
    return success();
  return evaluator.fail("assertion failed: " + op.getMessage());
}

static LogicalResult assertExpr(prim::AssertExprOp op, Evaluator &evaluator,
                                Operands, Results &) {
  auto number = evaluator.evaluateNumber(op.getCondition());
  if (failed(number))
    return failure();
  bool holds = std::visit([](auto value) { return value != 0; }, *number);
  if (holds)
    return success();
  std::string values;
  sym::walkSymbols(op.getCondition(), [&](StringRef name) {
    auto value = evaluator.evaluate(sym::symbol(op.getContext(), name));
    std::string text = (name + " = " + Twine(*value)).str();
    if (values.find(text) == std::string::npos)
      values += (values.empty() ? "" : ", ") + text;
  });
  return evaluator.fail("assertion failed: " + op.getMessage() + " ('" +
                        sym::toString(op.getCondition()) + "' with " + values +
                        ")");
}

void addCreationRules(MLIRContext *context) {
  addRule<prim::ConstantOp, constant>(context);
  addRule<prim::FullOp, full>(context);
  addRule<prim::IotaOp, iota>(context);
  addRule<prim::SymbolValueOp, symbolValue>(context);
  addRule<prim::BindSymbolOp, bindSymbol>(context);
  addRule<prim::CheckShapeOp, checkShape>(context);
  addRule<prim::AssertOp, assertOp>(context);
  addRule<prim::AssertExprOp, assertExpr>(context);
}

} // namespace adze::interp
