//===- PlaceOutputs.cpp - Order of an output's dims in memory -------------===//

#include "passes/Optimize/Passes.h"

#include "dialects/Prim/PrimBuilder.h"

using namespace mlir;

namespace adze {
#define GEN_PASS_DEF_PLACEOUTPUTS
#include "passes/Optimize/Passes.h.inc"

/// The dims from the outermost in memory to the innermost: by falling strides,
/// dims of equal stride (or of size 1) in their own order. Null if the order is
/// row-major or can not be told.
static std::optional<SmallVector<int64_t>> orderOf(ArrayAttr strides,
                                                   ArrayRef<sym::Expr> shape) {
  if (!strides || strides.size() != shape.size())
    return std::nullopt;
  SmallVector<int64_t> numbers;
  // A symbolic size is taken as large, but smaller than what it is multiplied
  // with: the order is the same for all values.
  auto large = [](StringRef) -> std::optional<int64_t> { return 97; };
  for (Attribute stride : strides) {
    auto expr = dyn_cast<sym::ExprAttr>(stride);
    auto value = expr ? sym::evaluate(expr, large) : std::nullopt;
    // A stride of 0 stands for an expanded dim, which gets memory of its own.
    if (!value || *value <= 0)
      return std::nullopt;
    numbers.push_back(*value);
  }
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, shape.size()));
  SmallVector<int64_t> moving;
  for (int64_t dim : order)
    if (!sym::isConstant(shape[dim], 1))
      moving.push_back(dim);
  llvm::sort(moving, [&](int64_t a, int64_t b) {
    return std::make_pair(-numbers[a], a) < std::make_pair(-numbers[b], b);
  });
  if (llvm::is_sorted(moving))
    return std::nullopt;
  size_t next = 0;
  for (int64_t &dim : order)
    if (!sym::isConstant(shape[dim], 1))
      dim = moving[next++];
  return order;
}

namespace {
struct PlaceOutputs : impl::PlaceOutputsBase<PlaceOutputs> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    auto outputs = func->getAttrOfType<ArrayAttr>("adze.outputs");
    if (!outputs || func.isDeclaration())
      return;
    for (auto entry : outputs.getAsRange<DictionaryAttr>())
      if (auto result = entry.getAs<IntegerAttr>("result"))
        place(func, result.getInt(), entry.getAs<ArrayAttr>("strides"));
    SmallVector<Type> types(
        func.getBody().front().getTerminator()->getOperandTypes());
    func.setType(
        FunctionType::get(&getContext(), func.getArgumentTypes(), types));
  }

  void place(func::FuncOp func, int64_t number, ArrayAttr strides) {
    Operation *result = func.getBody().front().getTerminator();
    if (number >= int64_t(result->getNumOperands()) ||
        func.getResultAttr(number, orderName))
      return;
    Value value = result->getOperand(number);
    auto order = orderOf(strides, sym::shapeOf(value));
    if (!order)
      return;
    OpBuilder builder(result);
    prim::PrimBuilder b(builder, value.getLoc());
    result->setOperand(number, b.transpose(value, *order));
    func.setResultAttr(number, orderName, builder.getDenseI64ArrayAttr(*order));
  }
};
} // namespace
} // namespace adze
