//===- LibraryKernels.cpp - Arguments of the runtime's kernels ------------===//

#include "passes/Lower/LibraryKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

std::optional<StringRef> librarySuffix(Type element) {
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  if (element.isF32())
    return "f32";
  if (element.isF64())
    return "f64";
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer)
    return std::nullopt;
  bool isUnsigned = integer.isUnsigned();
  switch (integer.getWidth()) {
  case 1:
    return "u8";
  case 8:
    return isUnsigned ? "u8" : "i8";
  case 16:
    return isUnsigned ? "u16" : "i16";
  case 32:
    return isUnsigned ? "u32" : "i32";
  case 64:
    return isUnsigned ? "u64" : "i64";
  default:
    return std::nullopt;
  }
}

void LibraryCall::pointer(Value address) {
  slots.push_back(
      LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(), address));
}

void LibraryCall::pointers(ArrayRef<Value> addresses) {
  for (Value address : addresses)
    pointer(address);
}

void LibraryCall::number(int64_t value) {
  slots.push_back(arith::ConstantIntOp::create(builder, loc, value, 64));
}

void LibraryCall::size(Value tensor, int64_t dimFromEnd) {
  sym::Shape shape = sym::shapeOf(tensor);
  slots.push_back(evaluate(shape[shape.size() - dimFromEnd]));
}

void LibraryCall::rows(Value tensor, int64_t trailing) {
  sym::Shape shape = sym::shapeOf(tensor);
  count = evaluate(sym::product(
      tensor.getContext(), ArrayRef<sym::Expr>(shape).drop_back(trailing)));
}

void LibraryCall::begin(StringRef function, StringRef suffix,
                        ArrayRef<Value> addresses) {
  name = ("adze_rt_" + function + "_" + suffix).str();
  pointers(addresses);
}

static Type elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// One function per op
//===----------------------------------------------------------------------===//

LogicalResult LibraryCall::describe(prim::RandomOp op, Addresses operands,
                                    Addresses results) {
  Type drawn = elementOf(op.getResult());
  if (!drawn.isF32() && !drawn.isF64() && !drawn.isInteger(64))
    return failure();
  StringRef distribution = prim::stringifyDistribution(op.getDistribution());
  begin(("random_" + distribution).str(), *librarySuffix(drawn),
        {results[0], operands[0]});
  number(op.getStream());
  rows(op.getResult(), 0);
  return success();
}

LogicalResult LibraryCall::describe(prim::FftOp op, Addresses operands,
                                    Addresses results) {
  Type part = cast<ComplexType>(elementOf(op.getOperand())).getElementType();
  begin("fft", part.isF32() ? "c64" : "c128", {operands[0], results[0]});
  size(op.getOperand(), 1);
  number(op.getInverse());
  rows(op.getOperand(), 1);
  return success();
}

LogicalResult LibraryCall::describe(prim::SortOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = librarySuffix(elementOf(op.getOperand()));
  if (!suffix)
    return failure();
  begin("sort", *suffix, {operands[0], results[0], results[1]});
  size(op.getOperand(), 1);
  number(op.getDescending());
  rows(op.getOperand(), 1);
  return success();
}

LogicalResult LibraryCall::describe(prim::TopkOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = librarySuffix(elementOf(op.getOperand()));
  if (!suffix)
    return failure();
  begin("topk", *suffix, {operands[0], results[0], results[1]});
  size(op.getOperand(), 1);
  size(op.getValues(), 1);
  number(!op.getSmallest());
  rows(op.getOperand(), 1);
  return success();
}

LogicalResult LibraryCall::describe(prim::SearchsortedOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = librarySuffix(elementOf(op.getSequence()));
  if (!suffix)
    return failure();
  begin("searchsorted", *suffix, {operands[0], operands[1], results[0]});
  bool isShared = sym::shapeOf(op.getSequence()).size() == 1;
  size(op.getSequence(), 1);
  if (sym::shapeOf(op.getValues()).empty())
    number(1);
  else
    size(op.getValues(), 1);
  number(op.getRight());
  number(isShared);
  number(0);
  rows(op.getValues(), 0);
  return success();
}

/// "f32" or "f64"; linear algebra knows no other types.
static std::optional<StringRef> realSuffix(Value matrices) {
  Type element = elementOf(matrices);
  return element.isF32() || element.isF64() ? librarySuffix(element)
                                            : std::nullopt;
}

LogicalResult LibraryCall::describe(prim::LuOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = realSuffix(op.getOperand());
  if (!suffix)
    return failure();
  begin("lu", *suffix, {operands[0], results[0], results[1], results[2]});
  size(op.getOperand(), 2);
  size(op.getOperand(), 1);
  rows(op.getOperand(), 2);
  return success();
}

LogicalResult LibraryCall::describe(prim::TriangularSolveOp op,
                                    Addresses operands, Addresses results) {
  auto suffix = realSuffix(op.getMatrix());
  if (!suffix)
    return failure();
  begin("triangular_solve", *suffix, {operands[0], operands[1], results[0]});
  size(op.getMatrix(), 1);
  size(op.getRhs(), 1);
  number(op.getUpper());
  number(op.getUnitDiagonal());
  number(op.getTranspose());
  rows(op.getMatrix(), 2);
  return success();
}

LogicalResult LibraryCall::describe(prim::CholeskyOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = realSuffix(op.getOperand());
  if (!suffix)
    return failure();
  begin("cholesky", *suffix, {operands[0], results[0], results[1]});
  size(op.getOperand(), 1);
  number(0);
  rows(op.getOperand(), 2);
  return success();
}

LogicalResult LibraryCall::describe(prim::QrOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = realSuffix(op.getOperand());
  if (!suffix)
    return failure();
  begin("qr", *suffix, {operands[0], results[0], results[1]});
  size(op.getOperand(), 2);
  size(op.getOperand(), 1);
  size(op.getQ(), 1);
  rows(op.getOperand(), 2);
  return success();
}

LogicalResult LibraryCall::describe(prim::EighOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = realSuffix(op.getOperand());
  if (!suffix)
    return failure();
  begin("eigh", *suffix, {operands[0], results[0], results[1]});
  size(op.getOperand(), 1);
  number(0);
  rows(op.getOperand(), 2);
  return success();
}

LogicalResult LibraryCall::describe(prim::SvdOp op, Addresses operands,
                                    Addresses results) {
  auto suffix = realSuffix(op.getOperand());
  if (!suffix)
    return failure();
  begin("svd", *suffix, {operands[0], results[0], results[1], results[2]});
  size(op.getOperand(), 2);
  size(op.getOperand(), 1);
  number(0);
  rows(op.getOperand(), 2);
  return success();
}

LogicalResult LibraryCall::prepare(Operation *op, Addresses operands,
                                   Addresses results) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<prim::RandomOp, prim::FftOp, prim::SortOp, prim::TopkOp,
            prim::SearchsortedOp, prim::LuOp, prim::TriangularSolveOp,
            prim::CholeskyOp, prim::QrOp, prim::EighOp, prim::SvdOp>(
          [&](auto typed) { return describe(typed, operands, results); })
      .Default([](Operation *) { return failure(); });
}

} // namespace adze
