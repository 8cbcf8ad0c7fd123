//===- EmitMemory.cpp - Loads and stores of elements ----------------------===//

#include "passes/Lower/ElementEmitter.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace adze {

Index ElementEmitter::linearize(ArrayRef<Value> sizes,
                                ArrayRef<Index> indices) {
  Index linear{index().constant(0)};
  Value stride = index().constant(1);
  for (size_t i = indices.size(); i-- > 0;) {
    linear = index().add(index().mul(indices[i], stride, lanes), linear, lanes);
    if (i > 0)
      stride = index().mul(stride, sizes[i]);
  }
  return linear;
}

Indices ElementEmitter::delinearize(ArrayRef<Value> sizes, Index linear) {
  Indices indices(sizes.size());
  for (size_t i = sizes.size(); i-- > 0;) {
    bool outermost = i == 0;
    indices[i] = outermost ? linear : index().rem(linear, sizes[i], lanes);
    if (!outermost)
      linear = index().div(linear, sizes[i], lanes);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Between registers and memory
//===----------------------------------------------------------------------===//

/// bf16 is the upper half of f32: rounding to nearest even is integer
/// arithmetic, which every CPU has (a conversion instruction few have).
static Value roundBits(OpBuilder &builder, Location loc, Value value) {
  Type f32 = value.getType();
  auto like = [&](Type type) -> Type {
    if (auto vectorType = dyn_cast<VectorType>(f32))
      return VectorType::get(vectorType.getShape(), type);
    return type;
  };
  Type i32 = like(builder.getI32Type());
  auto constant = [&](int64_t number) -> Value {
    TypedAttr attr = builder.getI32IntegerAttr(int32_t(number));
    if (auto vectorType = dyn_cast<VectorType>(i32))
      attr = SplatElementsAttr::get(vectorType, Attribute(attr));
    return arith::ConstantOp::create(builder, loc, i32, attr);
  };
  Value bits = arith::BitcastOp::create(builder, loc, i32, value);
  Value odd = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, constant(16)),
      constant(1));
  Value bias = arith::AddIOp::create(builder, loc, odd, constant(0x7fff));
  Value rounded = arith::AddIOp::create(builder, loc, bits, bias);
  Value quiet = arith::OrIOp::create(builder, loc, bits, constant(0x400000));
  Value nan = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                    value, value);
  Value chosen = arith::SelectOp::create(builder, loc, nan, quiet, rounded);
  // Last, so that no constant is left to choose: LLVM would choose bf16 then,
  // which some CPUs can only convert to.
  chosen = arith::AndIOp::create(builder, loc, chosen,
                                 constant(int32_t(0xffff0000)));
  return arith::BitcastOp::create(builder, loc, f32, chosen);
}

Value ElementEmitter::roundTo(Type element, Value value) {
  if (element.isBF16())
    return roundBits(builder, getLoc(), value);
  if (!isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 32)
    return value;
  Value narrow = arith::TruncFOp::create(builder, getLoc(),
                                         typeLike(element, value), value);
  return arith::ExtFOp::create(builder, getLoc(), value.getType(), narrow);
}

Value ElementEmitter::toRegister(Value value, Type element) {
  Location loc = getLoc();
  if (element.isInteger(1)) {
    Value zero = integer(builder.getI8Type(), 0);
    Value both[] = {value, zero};
    unify(both);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                 both[0], both[1]);
  }
  Type type = registerType(element);
  if (!isa<FloatType>(element) || type == element)
    return value;
  if (!element.isBF16())
    return arith::ExtFOp::create(builder, loc, typeLike(type, value), value);
  Value bits = arith::BitcastOp::create(
      builder, loc, typeLike(builder.getI16Type(), value), value);
  Value wide = arith::ExtUIOp::create(
      builder, loc, typeLike(builder.getI32Type(), value), bits);
  Value sixteen[] = {wide, integer(builder.getI32Type(), 16)};
  unify(sixteen);
  Value shifted = arith::ShLIOp::create(builder, loc, sixteen[0], sixteen[1]);
  return arith::BitcastOp::create(builder, loc, typeLike(type, value), shifted);
}

Value ElementEmitter::toMemory(Value value, Type element) {
  Location loc = getLoc();
  if (element.isInteger(1))
    return arith::ExtUIOp::create(builder, loc,
                                  typeLike(builder.getI8Type(), value), value);
  if (!isa<FloatType>(element) || registerType(element) == element)
    return value;
  if (!element.isBF16())
    return arith::TruncFOp::create(builder, loc, typeLike(element, value),
                                   value);
  Value bits = arith::BitcastOp::create(builder, loc,
                                        typeLike(builder.getI32Type(), value),
                                        roundBits(builder, loc, value));
  Value sixteen[] = {bits, integer(builder.getI32Type(), 16)};
  unify(sixteen);
  Value high = arith::ShRUIOp::create(builder, loc, sixteen[0], sixteen[1]);
  Value narrow = arith::TruncIOp::create(
      builder, loc, typeLike(builder.getI16Type(), value), high);
  return arith::BitcastOp::create(builder, loc, typeLike(element, value),
                                  narrow);
}

//===----------------------------------------------------------------------===//
// Addresses, loads, stores
//===----------------------------------------------------------------------===//

Value ElementEmitter::addressOf(Value address, Value offset, Type memory) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::GEPOp::create(builder, getLoc(), pointer, memory, address,
                             ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(offset)));
}

static unsigned alignmentOf(Type memory) {
  return std::max(1u, memory.getIntOrFloatBitWidth() / 8);
}

Value ElementEmitter::loadPlain(Value address, Index linear, Type memory) {
  if (linear.isUniform() || lanes == 1)
    return LLVM::LoadOp::create(builder, getLoc(), memory,
                                addressOf(address, linear.base, memory),
                                alignmentOf(memory));
  if (linear.lanes || linear.step != 1)
    return gatherLanes(address, linear, memory);
  return LLVM::LoadOp::create(
      builder, getLoc(), VectorType::get({lanes}, memory),
      addressOf(address, linear.base, memory), alignmentOf(memory));
}

/// Masked lanes read nothing and give zero.
Value ElementEmitter::loadMasked(Value address, Index linear, Type memory) {
  Location loc = getLoc();
  Value zero = arith::ConstantOp::create(builder, loc, memory,
                                         builder.getZeroAttr(memory));
  if (lanes == 1) {
    auto branch =
        scf::IfOp::create(builder, loc, memory, mask, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, loadPlain(address, linear, memory));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, zero);
    return branch.getResult(0);
  }
  auto type = VectorType::get({lanes}, memory);
  if (!linear.lanes && linear.step == 1)
    return LLVM::MaskedLoadOp::create(
        builder, loc, type, addressOf(address, linear.base, memory),
        splat(mask), splat(zero), alignmentOf(memory));
  return gatherLanes(address, linear, memory);
}

Value ElementEmitter::gatherLanes(Value address, Index linear, Type memory) {
  Location loc = getLoc();
  Value offsets = splat(index().materialize(linear, lanes));
  auto pointers = VectorType::get(
      {lanes}, LLVM::LLVMPointerType::get(builder.getContext()));
  Value addresses =
      LLVM::GEPOp::create(builder, loc, pointers, memory, address,
                          ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(offsets)));
  Value all = mask ? splat(mask) : splat(integer(builder.getI1Type(), 1));
  Value zero = arith::ConstantOp::create(builder, loc, memory,
                                         builder.getZeroAttr(memory));
  auto type = VectorType::get({lanes}, memory);
  return LLVM::masked_gather::create(builder, loc, type, addresses, all,
                                     ValueRange{splat(zero)},
                                     alignmentOf(memory));
}

Element ElementEmitter::load(Value address, ArrayRef<Value> sizes,
                             ArrayRef<Index> indices, Type type) {
  Index linear = linearize(sizes, indices);
  Type memory = memoryType(type);
  auto loadAt = [&](Index where, Type part) {
    Value raw = mask ? loadMasked(address, where, memory)
                     : loadPlain(address, where, memory);
    return toRegister(raw, part);
  };
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return {loadAt(linear, type)};
  Index re = index().mul(linear, index().constant(2), lanes);
  Index im = index().add(re, Index{index().constant(1)}, lanes);
  return {loadAt(re, complex.getElementType()),
          loadAt(im, complex.getElementType())};
}

/// One element, the same for all lanes. It is written if any lane is in use.
void ElementEmitter::storeOne(Value value, Value address, Index linear,
                              Type memory) {
  Location loc = getLoc();
  OpBuilder::InsertionGuard guard(builder);
  if (mask) {
    Value any = mask;
    if (isa<VectorType>(mask.getType()))
      any = vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                        mask);
    auto branch =
        scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  LLVM::StoreOp::create(builder, loc, value,
                        addressOf(address, linear.base, memory),
                        alignmentOf(memory));
}

void ElementEmitter::storePlain(Value value, Value address, Index linear,
                                Type memory) {
  Location loc = getLoc();
  if (lanes == 1 || linear.isUniform())
    return storeOne(value, address, linear, memory);
  value = splat(value);
  if (!linear.lanes && linear.step == 1) {
    Value first = addressOf(address, linear.base, memory);
    if (mask)
      LLVM::MaskedStoreOp::create(builder, loc, value, first, splat(mask),
                                  alignmentOf(memory));
    else
      LLVM::StoreOp::create(builder, loc, value, first, alignmentOf(memory));
    return;
  }
  Value offsets = splat(index().materialize(linear, lanes));
  auto pointers = VectorType::get(
      {lanes}, LLVM::LLVMPointerType::get(builder.getContext()));
  Value addresses =
      LLVM::GEPOp::create(builder, loc, pointers, memory, address,
                          ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(offsets)));
  Value used = mask ? splat(mask) : splat(integer(builder.getI1Type(), 1));
  LLVM::masked_scatter::create(builder, loc, value, addresses, used,
                               alignmentOf(memory));
}

void ElementEmitter::store(Element element, Value address,
                           ArrayRef<Value> sizes, ArrayRef<Index> indices,
                           Type type) {
  Index linear = linearize(sizes, indices);
  Type memory = memoryType(type);
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return storePlain(toMemory(element.value, type), address, linear, memory);
  Index re = index().mul(linear, index().constant(2), lanes);
  Index im = index().add(re, Index{index().constant(1)}, lanes);
  storePlain(toMemory(element.value, complex.getElementType()), address, re,
             memory);
  storePlain(toMemory(element.imag, complex.getElementType()), address, im,
             memory);
}

} // namespace adze
