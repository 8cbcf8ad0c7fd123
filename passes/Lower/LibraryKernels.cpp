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

LogicalResult LibraryCall::prepare(Operation *op, ArrayRef<Value> operands,
                                   ArrayRef<Value> results) {
  Value first = op->getOperand(0);
  Type element = cast<RankedTensorType>(first.getType()).getElementType();
  auto suffix = librarySuffix(element);
  bool real = element.isF32() || element.isF64();
  auto start = [&](StringRef function, ArrayRef<Value> addresses) {
    name = ("adze_rt_" + function + "_" + suffix.value_or("")).str();
    pointers(addresses);
  };
  if (auto random = dyn_cast<prim::RandomOp>(op)) {
    Type drawn = cast<RankedTensorType>(random.getType()).getElementType();
    if (!drawn.isF32() && !drawn.isF64() && !drawn.isInteger(64))
      return failure();
    name = ("adze_rt_random_" +
            prim::stringifyDistribution(random.getDistribution()) + "_" +
            *librarySuffix(drawn))
               .str();
    pointers({results[0], operands[0]});
    number(random.getStream());
    rows(random.getResult(), 0);
    return success();
  }
  if (auto fft = dyn_cast<prim::FftOp>(op)) {
    name = cast<ComplexType>(element).getElementType().isF32()
               ? "adze_rt_fft_c64"
               : "adze_rt_fft_c128";
    pointers({operands[0], results[0]});
    size(first, 1);
    number(fft.getInverse());
    rows(first, 1);
    return success();
  }
  if (!suffix)
    return failure();
  if (auto sort = dyn_cast<prim::SortOp>(op)) {
    start("sort", {operands[0], results[0], results[1]});
    size(first, 1);
    number(sort.getDescending());
    rows(first, 1);
    return success();
  }
  if (auto topk = dyn_cast<prim::TopkOp>(op)) {
    start("topk", {operands[0], results[0], results[1]});
    size(first, 1);
    size(topk.getValues(), 1);
    number(!topk.getSmallest());
    rows(first, 1);
    return success();
  }
  if (auto search = dyn_cast<prim::SearchsortedOp>(op)) {
    start("searchsorted", {operands[0], operands[1], results[0]});
    bool shared = sym::shapeOf(first).size() == 1;
    size(first, 1);
    if (sym::shapeOf(search.getValues()).empty())
      number(1);
    else
      size(search.getValues(), 1);
    number(search.getRight());
    number(shared);
    number(0);
    rows(search.getValues(), 0);
    return success();
  }
  if (!real)
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](prim::LuOp) {
        start("lu", {operands[0], results[0], results[1], results[2]});
        size(first, 2);
        size(first, 1);
        rows(first, 2);
        return success();
      })
      .Case([&](prim::TriangularSolveOp solve) {
        start("triangular_solve", {operands[0], operands[1], results[0]});
        size(first, 1);
        size(solve.getRhs(), 1);
        number(solve.getUpper());
        number(solve.getUnitDiagonal());
        number(solve.getTranspose());
        rows(first, 2);
        return success();
      })
      .Case([&](prim::CholeskyOp) {
        start("cholesky", {operands[0], results[0], results[1]});
        size(first, 1);
        number(0);
        rows(first, 2);
        return success();
      })
      .Case([&](prim::QrOp qr) {
        start("qr", {operands[0], results[0], results[1]});
        size(first, 2);
        size(first, 1);
        size(qr.getQ(), 1);
        rows(first, 2);
        return success();
      })
      .Case([&](prim::EighOp) {
        start("eigh", {operands[0], results[0], results[1]});
        size(first, 1);
        number(0);
        rows(first, 2);
        return success();
      })
      .Case([&](prim::SvdOp) {
        start("svd", {operands[0], results[0], results[1], results[2]});
        size(first, 2);
        size(first, 1);
        number(0);
        rows(first, 2);
        return success();
      })
      .Default([](Operation *) { return failure(); });
}

} // namespace adze
