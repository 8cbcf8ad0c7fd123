//===- EmitMovement.cpp - Creators, and ops that move elements ------------===//

#include "passes/Lower/ElementEmitter.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

static sym::Expr exprAt(ArrayAttr array, size_t i) {
  return cast<sym::ExprAttr>(array[i]);
}

//===----------------------------------------------------------------------===//
// Creators
//===----------------------------------------------------------------------===//

static Element emitIota(ElementEmitter &emitter, prim::IotaOp op,
                        ArrayRef<Index> indices) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value position =
      emitter.index().materialize(indices[op.getDim()], emitter.getLanes());
  Type element = elementTypeOf(op.getResult());
  Type type = emitter.typeLike(registerType(element), position);
  if (isa<FloatType>(element))
    return {emitter.roundTo(element,
                            arith::SIToFPOp::create(b, loc, type, position))};
  if (type == position.getType())
    return {position};
  return {arith::TruncIOp::create(b, loc, type, position)};
}

static Element emitSymbolValue(ElementEmitter &emitter,
                               prim::SymbolValueOp op) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value value = emitter.getFrame().evaluate(op.getExpr());
  Type element = elementTypeOf(op.getResult());
  if (element.isInteger(1))
    return {arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, value,
                                  emitter.index().constant(0))};
  if (element.isF64() && value.getType().isInteger(64))
    return {arith::SIToFPOp::create(b, loc, element, value)};
  return {value};
}

/// The numbers of a constant as they lie in memory.
static SmallVector<Attribute> numbersInMemory(DenseElementsAttr value,
                                              Type memory) {
  SmallVector<Attribute> numbers;
  auto add = [&](Attribute number) {
    if (auto integer = dyn_cast<IntegerAttr>(number))
      number = IntegerAttr::get(memory, integer.getValue().zextOrTrunc(
                                            memory.getIntOrFloatBitWidth()));
    numbers.push_back(number);
  };
  for (Attribute number : value.getValues<Attribute>())
    if (auto parts = dyn_cast<ArrayAttr>(number))
      llvm::for_each(parts, add);
    else
      add(number);
  return numbers;
}

/// Defines a global for a constant and returns its name.
static std::string defineGlobal(ElementEmitter &emitter,
                                DenseElementsAttr value, Type memory) {
  auto func = emitter.getFrame().getFunc();
  auto module = func->getParentOfType<ModuleOp>();
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
    name = (func.getSymName() + "_constant" + Twine(i)).str();
  auto numbers = numbersInMemory(value, memory);
  auto flat = RankedTensorType::get({int64_t(numbers.size())}, memory);
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(b, emitter.getLoc(),
                         LLVM::LLVMArrayType::get(memory, numbers.size()),
                         /*isConstant=*/true, LLVM::Linkage::Internal, name,
                         DenseElementsAttr::get(flat, numbers), 64);
  return name;
}

static Element emitConstant(ElementEmitter &emitter, prim::ConstantOp op,
                            ArrayRef<Index> indices) {
  OpBuilder &b = emitter.getBuilder();
  Type element = elementTypeOf(op.getResult());
  auto value = cast<DenseElementsAttr>(op.getValue());
  if (value.isSplat())
    return emitter.fromAttr(value.getSplatValue<Attribute>(), element);
  std::string name = defineGlobal(emitter, value, memoryType(element));
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value address = LLVM::AddressOfOp::create(b, emitter.getLoc(), pointer, name);
  return emitter.load(address, emitter.getFrame().sizes(op.getResult()),
                      indices, element);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static Element emitBroadcast(ElementEmitter &emitter, prim::BroadcastOp op,
                             ArrayRef<Index> indices) {
  sym::Shape from = sym::shapeOf(op.getOperand());
  Indices inner(indices.take_back(from.size()));
  for (auto [index, size] : llvm::zip(inner, from))
    if (sym::isConstant(size, 1))
      index = Index{emitter.index().constant(0)};
  return emitter.emit(op.getOperand(), inner);
}

/// Dims of size 1 come and go; the others keep their indices. A general
/// reshape goes through the position in row-major order.
static Element emitReshape(ElementEmitter &emitter, prim::ReshapeOp op,
                           ArrayRef<Index> indices) {
  sym::Shape from = sym::shapeOf(op.getOperand()),
             to = sym::shapeOf(op.getResult());
  auto isUnit = [](sym::Expr size) { return sym::isConstant(size, 1); };
  sym::Shape fromRest = from, toRest = to;
  llvm::erase_if(fromRest, isUnit);
  llvm::erase_if(toRest, isUnit);
  KernelFrame &frame = emitter.getFrame();
  if (fromRest != toRest) {
    Index linear = emitter.linearize(frame.sizes(op.getResult()), indices);
    return emitter.emit(
        op.getOperand(),
        emitter.delinearize(frame.sizes(op.getOperand()), linear));
  }
  Indices rest, inner;
  for (auto [index, size] : llvm::zip(indices, to))
    if (!isUnit(size))
      rest.push_back(index);
  size_t next = 0;
  for (sym::Expr size : from)
    inner.push_back(isUnit(size) ? Index{emitter.index().constant(0)}
                                 : rest[next++]);
  return emitter.emit(op.getOperand(), inner);
}

static Element emitTranspose(ElementEmitter &emitter, prim::TransposeOp op,
                             ArrayRef<Index> indices) {
  Indices inner(indices.size());
  for (auto [i, dim] : llvm::enumerate(op.getPermutation()))
    inner[dim] = indices[i];
  return emitter.emit(op.getOperand(), inner);
}

static Element emitSlice(ElementEmitter &emitter, prim::SliceOp op,
                         ArrayRef<Index> indices) {
  IndexBuilder &b = emitter.index();
  Indices inner;
  for (auto [i, index] : llvm::enumerate(indices)) {
    Index scaled =
        b.mul(index, b.constant(op.getStrides()[i]), emitter.getLanes());
    Index start{emitter.getFrame().evaluate(exprAt(op.getStarts(), i))};
    inner.push_back(b.add(scaled, start, emitter.getLanes()));
  }
  return emitter.emit(op.getOperand(), inner);
}

static Element emitReverse(ElementEmitter &emitter, prim::ReverseOp op,
                           ArrayRef<Index> indices) {
  Indices inner(indices);
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  for (int64_t dim : op.getDims())
    inner[dim] =
        emitter.index().mirror(inner[dim], sizes[dim], emitter.getLanes());
  return emitter.emit(op.getOperand(), inner);
}

//===----------------------------------------------------------------------===//
// Ops that choose between tensors by position
//===----------------------------------------------------------------------===//

static Value andAll(ElementEmitter &emitter, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  Value both[] = {a, b};
  emitter.unify(both);
  return arith::AndIOp::create(emitter.getBuilder(), emitter.getLoc(), both[0],
                               both[1]);
}

static Value compareIndex(ElementEmitter &emitter,
                          arith::CmpIPredicate predicate, const Index &a,
                          Value bound) {
  Value both[] = {emitter.index().materialize(a, emitter.getLanes()), bound};
  emitter.unify(both);
  return arith::CmpIOp::create(emitter.getBuilder(), emitter.getLoc(),
                               predicate, both[0], both[1]);
}

static Element emitPad(ElementEmitter &emitter, prim::PadOp op,
                       ArrayRef<Index> indices) {
  IndexBuilder &b = emitter.index();
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  Indices inner;
  Value inside;
  for (auto [i, index] : llvm::enumerate(indices)) {
    sym::Expr low = exprAt(op.getLow(), i), high = exprAt(op.getHigh(), i);
    if (sym::isConstant(low, 0) && sym::isConstant(high, 0)) {
      inner.push_back(index);
      continue;
    }
    Value start = b.sub(b.constant(0), emitter.getFrame().evaluate(low));
    inner.push_back(b.add(index, Index{start}, emitter.getLanes()));
    // Negative positions are large unsigned numbers.
    Value fits = compareIndex(emitter, arith::CmpIPredicate::ult, inner.back(),
                              sizes[i]);
    inside = andAll(emitter, inside, fits);
  }
  if (!inside)
    return emitter.emit(op.getOperand(), inner);
  Element outside = emitter.emit(op.getValue(), {});
  return emitter.emitMasked(
      inside, outside, [&] { return emitter.emit(op.getOperand(), inner); });
}

/// One operand after the other: the last one needs no test.
static Element emitConcatFrom(ElementEmitter &emitter, prim::ConcatOp op,
                              Indices indices, size_t operand) {
  Value value = op.getOperands()[operand];
  if (operand + 1 == op.getOperands().size())
    return emitter.emit(value, indices);
  int64_t dim = op.getDim(), lanes = emitter.getLanes();
  IndexBuilder &b = emitter.index();
  Value size = emitter.getFrame().sizes(value)[dim];
  Value here =
      compareIndex(emitter, arith::CmpIPredicate::slt, indices[dim], size);
  Indices later = indices;
  later[dim] = b.add(indices[dim], Index{b.sub(b.constant(0), size)}, lanes);
  Value one = emitter.integer(emitter.getBuilder().getI1Type(), 1);
  Value both[] = {here, one};
  emitter.unify(both);
  Value elsewhere = arith::XOrIOp::create(emitter.getBuilder(),
                                          emitter.getLoc(), both[0], both[1]);
  Type element = elementTypeOf(op.getResult());
  Element rest = emitter.emitMasked(elsewhere, emitter.zeroOf(element), [&] {
    return emitConcatFrom(emitter, op, later, operand + 1);
  });
  return emitter.emitMasked(here, rest,
                            [&] { return emitter.emit(value, indices); });
}

static Element emitUpdateSlice(ElementEmitter &emitter, prim::UpdateSliceOp op,
                               ArrayRef<Index> indices) {
  IndexBuilder &b = emitter.index();
  int64_t lanes = emitter.getLanes();
  auto sizes = emitter.getFrame().sizes(op.getUpdate());
  sym::Shape whole = sym::shapeOf(op.getOperand()),
             part = sym::shapeOf(op.getUpdate());
  Indices inner;
  Value inside;
  for (auto [i, index] : llvm::enumerate(indices)) {
    int64_t stride = op.getStrides()[i];
    sym::Expr start = exprAt(op.getStarts(), i);
    if (stride == 1 && sym::isConstant(start, 0) && whole[i] == part[i]) {
      inner.push_back(index);
      continue;
    }
    Value shift = b.sub(b.constant(0), emitter.getFrame().evaluate(start));
    Index offset = b.add(index, Index{shift}, lanes);
    Value positive =
        compareIndex(emitter, arith::CmpIPredicate::sge, offset, b.constant(0));
    inside = andAll(emitter, inside, positive);
    if (stride > 1) {
      Index rest = b.rem(offset, b.constant(stride), lanes);
      inside = andAll(
          emitter, inside,
          compareIndex(emitter, arith::CmpIPredicate::eq, rest, b.constant(0)));
      offset = b.div(offset, b.constant(stride), lanes);
    }
    inside = andAll(
        emitter, inside,
        compareIndex(emitter, arith::CmpIPredicate::slt, offset, sizes[i]));
    inner.push_back(offset);
  }
  if (!inside)
    return emitter.emit(op.getUpdate(), inner);
  Element former = emitter.emit(op.getOperand(), indices);
  return emitter.emitMasked(
      inside, former, [&] { return emitter.emit(op.getUpdate(), inner); });
}

Element emitMovement(ElementEmitter &emitter, Operation *op,
                     ArrayRef<Index> indices) {
  return llvm::TypeSwitch<Operation *, Element>(op)
      .Case([&](prim::FullOp full) {
        return emitter.fromAttr(full.getValue(),
                                elementTypeOf(full.getResult()));
      })
      .Case([&](prim::IotaOp iota) { return emitIota(emitter, iota, indices); })
      .Case([&](prim::SymbolValueOp value) {
        return emitSymbolValue(emitter, value);
      })
      .Case([&](prim::ConstantOp constant) {
        return emitConstant(emitter, constant, indices);
      })
      .Case([&](prim::BroadcastOp broadcast) {
        return emitBroadcast(emitter, broadcast, indices);
      })
      .Case([&](prim::ReshapeOp reshape) {
        return emitReshape(emitter, reshape, indices);
      })
      .Case([&](prim::CheckShapeOp check) {
        return emitter.emit(check.getOperand(), indices);
      })
      .Case([&](prim::TransposeOp transpose) {
        return emitTranspose(emitter, transpose, indices);
      })
      .Case([&](prim::SliceOp slice) {
        return emitSlice(emitter, slice, indices);
      })
      .Case([&](prim::ReverseOp reverse) {
        return emitReverse(emitter, reverse, indices);
      })
      .Case([&](prim::PadOp pad) { return emitPad(emitter, pad, indices); })
      .Case([&](prim::ConcatOp concat) {
        return emitConcatFrom(emitter, concat, Indices(indices), 0);
      })
      .Case([&](prim::UpdateSliceOp update) {
        return emitUpdateSlice(emitter, update, indices);
      })
      .Default([](Operation *) -> Element {
        llvm_unreachable("no element of this op");
      });
}

} // namespace adze
