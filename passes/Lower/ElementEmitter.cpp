//===- ElementEmitter.cpp - Code for any element of any value -------------===//

#include "passes/Lower/ElementEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace adze {

ElementEmitter::ElementEmitter(OpBuilder &builder, KernelFrame &frame)
    : builder(builder), frame(frame),
      indexBuilder(builder, frame.getKernel().getLoc()) {
  for (auto [site, op] :
       llvm::enumerate(KernelFrame::failingOps(frame.getKernel().getBody())))
    sites[op] = site;
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

void ElementEmitter::bind(Value value, ArrayRef<Index> indices,
                          Element element) {
  memo.push_back({value, Indices(indices), mask, lanes, element});
}

void ElementEmitter::bindEverywhere(Value value, Element element) {
  memo.push_back({value, {}, mask, lanes, element, /*everywhere=*/true});
}

static bool allUniform(ArrayRef<Index> indices) {
  return llvm::all_of(indices,
                      [](const Index &index) { return index.isUniform(); });
}

/// Along dims of size 1 there is only one element, whatever the index.
static bool isSameElement(Value value, ArrayRef<Index> a, ArrayRef<Index> b) {
  if (a == b)
    return true;
  for (auto [size, x, y] : llvm::zip_equal(sym::shapeOf(value), a, b))
    if (!(x == y) && !sym::isConstant(size, 1))
      return false;
  return true;
}

Element ElementEmitter::emit(Value value, ArrayRef<Index> indices) {
  for (const Memo &known : llvm::reverse(memo))
    if (known.value == value && known.everywhere)
      return known.element;
    else if (known.value == value &&
             isSameElement(value, known.indices, indices) &&
             (known.mask == mask || !known.mask) &&
             (known.lanes == lanes || allUniform(indices)))
      return known.element;
  Element element = emitNew(value, indices);
  bind(value, indices, element);
  return element;
}

Element ElementEmitter::emitNew(Value value, ArrayRef<Index> indices) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return load(frame.operand(argument), frame.sizes(value), indices,
                cast<RankedTensorType>(value.getType()).getElementType());
  if (value != stored.value)
    return compute(value.getDefiningOp(), indices);
  auto sizes = frame.sizes(value);
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  if (stored.isComplete)
    return load(stored.buffer, sizes, indices, type);
  Element element = compute(value.getDefiningOp(), indices);
  store(element, stored.buffer, sizes, indices, type);
  return element;
}

Element ElementEmitter::compute(Operation *op, ArrayRef<Index> indices) {
  if (op->hasTrait<OpTrait::Elementwise>()) {
    SmallVector<Element> operands;
    for (Value operand : op->getOperands())
      operands.push_back(emit(operand, indices));
    return emitElementwise(*this, op, operands);
  }
  if (isa<prim::IndexOp, prim::GatherOp>(op))
    return emitIndexing(*this, op, indices);
  if (isa<prim::ReduceOp, prim::ArgReduceOp, prim::PoolOp, prim::ArgPoolOp,
          prim::MatmulOp, prim::ConvolutionOp>(op)) {
    llvm::SaveAndRestore guard(stored, stored.isComplete ? Stored() : stored);
    return emitReduction(*this, op, indices);
  }
  return emitMovement(*this, op, indices);
}

//===----------------------------------------------------------------------===//
// Control flow around elements
//===----------------------------------------------------------------------===//

static SmallVector<Value> flatten(ArrayRef<Element> elements) {
  SmallVector<Value> values;
  for (const Element &element : elements) {
    values.push_back(element.value);
    if (element.imag)
      values.push_back(element.imag);
  }
  return values;
}

static SmallVector<Element> unflatten(ArrayRef<Element> like,
                                      ValueRange values) {
  SmallVector<Element> elements;
  size_t next = 0;
  for (const Element &element : like) {
    Element result{values[next++]};
    if (element.imag)
      result.imag = values[next++];
    elements.push_back(result);
  }
  return elements;
}

Element ElementEmitter::emitMasked(Value condition, Element otherwise,
                                   function_ref<Element()> body) {
  Location loc = getLoc();
  if (!isa<VectorType>(condition.getType())) {
    // The branch may give a vector where `otherwise` is a scalar.
    Element shape = lanes > 1 ? splat(otherwise) : otherwise;
    auto types = llvm::map_to_vector(flatten(shape),
                                     [](Value v) { return v.getType(); });
    auto branch = scf::IfOp::create(builder, loc, types, condition,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    {
      Scope scope(*this);
      Element inside = body();
      scf::YieldOp::create(builder, loc,
                           flatten(lanes > 1 ? splat(inside) : inside));
    }
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, flatten(shape));
    return unflatten(shape, branch.getResults()).front();
  }
  Element inside;
  {
    Scope scope(*this);
    if (mask) {
      Value both[] = {mask, condition};
      unify(both);
      mask = arith::AndIOp::create(builder, loc, both[0], both[1]);
    } else {
      mask = condition;
    }
    inside = splat(body());
  }
  otherwise = splat(otherwise);
  Element result{arith::SelectOp::create(builder, loc, condition, inside.value,
                                         otherwise.value)};
  if (inside.imag)
    result.imag = arith::SelectOp::create(builder, loc, condition, inside.imag,
                                          otherwise.imag);
  return result;
}

SmallVector<Element> ElementEmitter::emitLoop(
    Value count, ArrayRef<Element> inits,
    function_ref<SmallVector<Element>(Value, ArrayRef<Element>)> body) {
  Location loc = getLoc();
  auto loop = scf::ForOp::create(builder, loc, index().constant(0), count,
                                 index().constant(1), flatten(inits));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Scope scope(*this);
  auto carried = unflatten(inits, loop.getRegionIterArgs());
  auto next = flatten(body(loop.getInductionVar(), carried));
  // A loop that carries nothing has its terminator already.
  if (!inits.empty())
    scf::YieldOp::create(builder, loc, next);
  return unflatten(inits, loop.getResults());
}

void ElementEmitter::failWhere(Operation *op, Value bad, Value a, Value b) {
  Location loc = getLoc();
  if (mask) {
    Value both[] = {bad, mask};
    unify(both);
    bad = arith::AndIOp::create(builder, loc, both[0], both[1]);
  }
  Value any = bad;
  if (auto type = dyn_cast<VectorType>(bad.getType()))
    any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                      bad);
  auto branch = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  // Reports the first bad lane: the least index of those that are bad.
  auto pick = [&](Value value) -> Value {
    if (!isa<VectorType>(value.getType()))
      return value;
    Value worst = splat(index().constant(INT64_MIN));
    Value chosen =
        arith::SelectOp::create(builder, loc, splat(bad), value, worst);
    return vector::ReductionOp::create(builder, loc,
                                       vector::CombiningKind::MAXSI, chosen);
  };
  frame.fail(builder, sites.lookup(op), pick(a), pick(b));
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Type ElementEmitter::typeLike(Type type, Value other) const {
  if (auto vectorType = dyn_cast<VectorType>(other.getType()))
    return VectorType::get(vectorType.getShape(), type);
  return type;
}

Value ElementEmitter::splat(Value scalar) {
  if (isa<VectorType>(scalar.getType()))
    return scalar;
  auto type = VectorType::get({lanes}, scalar.getType());
  return vector::BroadcastOp::create(builder, getLoc(), type, scalar);
}

Element ElementEmitter::splat(Element element) {
  if (lanes == 1)
    return element;
  return {splat(element.value), element.imag ? splat(element.imag) : Value()};
}

void ElementEmitter::unify(MutableArrayRef<Value> values) {
  bool vectors = llvm::any_of(
      values, [](Value v) { return v && isa<VectorType>(v.getType()); });
  for (Value &value : values)
    if (vectors && value)
      value = splat(value);
}

Value ElementEmitter::integer(Type type, int64_t value) {
  return arith::ConstantOp::create(
      builder, getLoc(), type,
      cast<TypedAttr>(prim::numberAttrInt(type, value)));
}

Value ElementEmitter::number(Type type, double value) {
  return arith::ConstantOp::create(
      builder, getLoc(), type, cast<TypedAttr>(prim::numberAttr(type, value)));
}

Element ElementEmitter::zeroOf(Type element) {
  Value zero = number(registerType(element), 0);
  return {zero, isa<ComplexType>(element) ? zero : Value()};
}

Element ElementEmitter::fromAttr(Attribute attr, Type element) {
  if (auto parts = dyn_cast<ArrayAttr>(attr)) {
    Type part = cast<ComplexType>(element).getElementType();
    return {fromAttr(parts[0], part).value, fromAttr(parts[1], part).value};
  }
  Type type = registerType(element);
  if (auto real = dyn_cast<FloatAttr>(attr)) {
    APFloat value = real.getValue();
    bool inexact;
    value.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &inexact);
    return {arith::ConstantOp::create(builder, getLoc(), type,
                                      FloatAttr::get(type, value))};
  }
  auto value = cast<IntegerAttr>(attr).getValue();
  return {arith::ConstantOp::create(builder, getLoc(), type,
                                    IntegerAttr::get(type, value))};
}

int64_t preferredLanes(kernel::FuncOp kernel) {
  int64_t widest = 1;
  kernel.walk([&](Operation *op) {
    for (Value value :
         llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                             SmallVector<Value>(op->getResults()))) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (type && !isa<prim::FullOp, prim::IotaOp>(op))
        widest = std::max<int64_t>(
            widest,
            registerType(type.getElementType()).getIntOrFloatBitWidth() / 8);
    }
  });
  return widest > 4 ? 8 : 16;
}

} // namespace adze
