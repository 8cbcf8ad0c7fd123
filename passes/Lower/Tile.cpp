//===- Tile.cpp - Register tiles of matrix products -----------------------===//

#include "passes/Lower/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace adze {

int64_t balancedRows(int64_t count, int64_t most) {
  int64_t tiles = std::max<int64_t>(1, llvm::divideCeil(count, most));
  return std::max<int64_t>(1, llvm::divideCeil(count, tiles));
}

//===----------------------------------------------------------------------===//
// Loads and sums
//===----------------------------------------------------------------------===//

/// Narrow integers are summed in 32 bits: what is beyond theirs does not reach
/// the bits that are kept.
Type TileEmitter::sumType() {
  Type element =
      registerType(cast<RankedTensorType>(anchor.getType()).getElementType());
  if (element.isInteger() && element.getIntOrFloatBitWidth() < 32)
    return IntegerType::get(element.getContext(), 32);
  return element;
}

Value TileEmitter::widen(Value value) {
  Type type = emitter.typeLike(sumType(), value);
  if (value.getType() == type)
    return value;
  return arith::ExtSIOp::create(emitter.getBuilder(), emitter.getLoc(), type,
                                value);
}

/// A sum as an element of the anchor, rounded or wrapped.
Value TileEmitter::toResult(Value sum) {
  Type element = cast<RankedTensorType>(anchor.getType()).getElementType();
  Type type = emitter.typeLike(registerType(element), sum);
  if (sum.getType() == type)
    return emitter.roundTo(element, sum);
  return arith::TruncIOp::create(emitter.getBuilder(), emitter.getLoc(), type,
                                 sum);
}

Value TileEmitter::loadScalar(Value address, Value offset, Type element) {
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(1);
  emitter.setMask({});
  return widen(emitter.load(address, {}, {Index{offset}}, element).value);
}

Value TileEmitter::loadVector(Value address, Value offset, Type element,
                              Value mask) {
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  emitter.setMask(mask);
  return widen(emitter.load(address, {}, {Index{offset, 1}}, element).value);
}

Value TileEmitter::add(Value a, Value b) {
  OpBuilder &builder = emitter.getBuilder();
  if (sumType().isInteger())
    return arith::AddIOp::create(builder, emitter.getLoc(), a, b);
  return arith::AddFOp::create(builder, emitter.getLoc(), a, b);
}

/// One rounding where the machine has such an instruction, else two.
Value TileEmitter::multiplyAdd(Value a, Value b, Value sum) {
  if (sumType().isInteger())
    return add(
        arith::MulIOp::create(emitter.getBuilder(), emitter.getLoc(), a, b),
        sum);
  return LLVM::FMulAddOp::create(emitter.getBuilder(), emitter.getLoc(), a, b,
                                 sum);
}

TileEmitter::Sums TileEmitter::zeros(int64_t rows, int64_t vectors) {
  auto type = VectorType::get({tile.lanes}, sumType());
  Value zero =
      arith::ConstantOp::create(emitter.getBuilder(), emitter.getLoc(), type,
                                emitter.getBuilder().getZeroAttr(type));
  return Sums(rows * vectors, zero);
}

TileEmitter::Sums TileEmitter::accumulate(ValueRange sums, int64_t vectors,
                                          Value count, LoadScalar scalar,
                                          LoadVector vector) {
  SmallVector<Element> inits =
      llvm::map_to_vector(sums, [](Value sum) { return Element{sum}; });
  auto results =
      emitter.emitLoop(count, inits, [&](Value k, ArrayRef<Element> carried) {
        emitter.setLanes(tile.lanes);
        SmallVector<Value> columns;
        for (int64_t v = 0; v < vectors; ++v)
          columns.push_back(vector(v, k));
        SmallVector<Element> next;
        for (size_t i = 0; i < carried.size(); i += vectors) {
          Value row = emitter.splat(scalar(i / vectors, k));
          for (int64_t v = 0; v < vectors; ++v)
            next.push_back(
                {multiplyAdd(row, columns[v], carried[i + v].value)});
        }
        return next;
      });
  return llvm::map_to_vector(results,
                             [](const Element &sum) { return sum.value; });
}

/// Products that are added up by themselves before their sum is added to the
/// others: rounding errors grow with the length of such a chain.
static constexpr int64_t chainLength = 128;

TileEmitter::Sums TileEmitter::sumChains(int64_t rows, int64_t vectors,
                                         Value count, LoadScalar scalar,
                                         LoadVector vector) {
  std::optional<int64_t> known = getConstantIntValue(count);
  bool isExact = sumType().isInteger();
  if (isExact || (known && *known <= chainLength))
    return accumulate(zeros(rows, vectors), vectors, count, scalar, vector);
  IndexBuilder &b = emitter.index();
  Value length = b.constant(chainLength);
  Value chains = b.div(b.add(count, b.constant(chainLength - 1)), length);
  SmallVector<Element> inits = llvm::map_to_vector(
      zeros(rows, vectors), [](Value v) { return Element{v}; });
  auto results = emitter.emitLoop(
      chains, inits, [&](Value chain, ArrayRef<Element> carried) {
        Value first = b.mul(chain, length);
        bool isWhole = known && *known % chainLength == 0;
        Sums part = accumulate(
            zeros(rows, vectors), vectors,
            isWhole ? length : b.min(length, b.sub(count, first)),
            [&](int64_t row, Value k) { return scalar(row, b.add(first, k)); },
            [&](int64_t v, Value k) { return vector(v, b.add(first, k)); });
        SmallVector<Element> next(carried);
        for (auto [sum, added] : llvm::zip_equal(next, part))
          sum.value = add(sum.value, added);
        return next;
      });
  return llvm::map_to_vector(results,
                             [](const Element &sum) { return sum.value; });
}

/// Rows of sums stand in groups of `steps`, which are added up.
TileEmitter::Sums TileEmitter::joinSteps(ArrayRef<Value> sums, int64_t steps) {
  Sums joined(sums.take_front(sums.size() / steps));
  size_t size = joined.size();
  for (int64_t step = 1; step < steps; ++step)
    for (size_t i = 0; i < size; ++i)
      joined[i] = add(joined[i], sums[step * size + i]);
  return joined;
}

TileEmitter::Sums TileEmitter::sumUp(int64_t rows, int64_t vectors, Value count,
                                     LoadScalar scalar, LoadVector vector) {
  int64_t steps = rows == 1 ? 4 : rows == 2 ? 2 : 1;
  if (steps == 1)
    return sumChains(rows, vectors, count, scalar, vector);
  IndexBuilder &b = emitter.index();
  Value blocks = b.div(count, b.constant(steps));
  SmallVector<Element> inits = llvm::map_to_vector(
      zeros(rows * steps, vectors), [](Value v) { return Element{v}; });
  auto results = emitter.emitLoop(
      blocks, inits, [&](Value block, ArrayRef<Element> carried) {
        emitter.setLanes(tile.lanes);
        SmallVector<Element> next(carried);
        for (int64_t i = 0; i < rows * steps * vectors; ++i) {
          Value k = b.add(b.mul(block, b.constant(steps)),
                          b.constant(i / (rows * vectors)));
          Value row = emitter.splat(scalar(i / vectors % rows, k));
          next[i].value =
              multiplyAdd(row, vector(i % vectors, k), next[i].value);
        }
        return next;
      });
  auto sums = llvm::map_to_vector(results,
                                  [](const Element &sum) { return sum.value; });
  Value done = b.mul(blocks, b.constant(steps));
  return accumulate(
      joinSteps(sums, steps), vectors, b.sub(count, done),
      [&](int64_t row, Value k) { return scalar(row, b.add(done, k)); },
      [&](int64_t v, Value k) { return vector(v, b.add(done, k)); });
}

//===----------------------------------------------------------------------===//
// What follows
//===----------------------------------------------------------------------===//

void TileEmitter::store(ArrayRef<Value> sums, ArrayRef<Indices> rows,
                        const Columns &columns) {
  Operation *yield =
      emitter.getFrame().getKernel().getBody().front().getTerminator();
  IndexBuilder &b = emitter.index();
  ElementEmitter::Scope all(emitter);
  emitter.setLanes(tile.lanes);
  size_t vectors = columns.masks.size();
  SmallVector<Index> positions;
  for (size_t v = 0; v < vectors; ++v)
    positions.push_back({b.add(columns.first, b.constant(v * tile.lanes)), 1});
  auto indicesAt = [&](size_t row, size_t v) {
    Indices indices = rows[row];
    indices.push_back(positions[v]);
    return indices;
  };
  // All values before all stores: what rows have in common is read only once.
  SmallVector<SmallVector<Element>> values(sums.size());
  for (size_t v = 0; v < vectors; ++v)
    for (size_t row = 0; row < rows.size(); ++row) {
      emitter.setMask(columns.masks[v]);
      emitter.bindEverywhere(anchor, {toResult(sums[row * vectors + v])});
      for (Value value : yield->getOperands())
        values[row * vectors + v].push_back(
            emitter.emit(value, indicesAt(row, v)));
    }
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t v = 0; v < vectors; ++v)
      for (auto [number, value] : llvm::enumerate(yield->getOperands())) {
        emitter.setMask(columns.masks[v]);
        Type type = cast<RankedTensorType>(value.getType()).getElementType();
        emitter.store(values[row * vectors + v][number],
                      emitter.getFrame().result(number),
                      emitter.getFrame().sizes(value), indicesAt(row, v), type);
      }
}

//===----------------------------------------------------------------------===//
// Panels of columns
//===----------------------------------------------------------------------===//

/// The first `width` columns of a panel exist.
Columns TileEmitter::staticColumns(Value first, int64_t width) {
  Columns columns{first, {}};
  OpBuilder &builder = emitter.getBuilder();
  for (int64_t from = 0; from < width; from += tile.lanes) {
    Value mask;
    if (width - from < tile.lanes) {
      SmallVector<bool> lanes(tile.lanes);
      for (int64_t lane = 0; lane < tile.lanes; ++lane)
        lanes[lane] = from + lane < width;
      auto type = VectorType::get({tile.lanes}, builder.getI1Type());
      mask = arith::ConstantOp::create(
          builder, emitter.getLoc(), type,
          DenseElementsAttr::get(type, ArrayRef<bool>(lanes)));
    }
    columns.masks.push_back(mask);
  }
  return columns;
}

Columns TileEmitter::dynamicColumns(Value first, Value count) {
  Columns columns{first, {}};
  OpBuilder &builder = emitter.getBuilder();
  IndexBuilder &b = emitter.index();
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  for (int64_t v = 0; v < tile.vectors; ++v) {
    Index position{b.add(first, b.constant(v * tile.lanes)), 1};
    columns.masks.push_back(arith::CmpIOp::create(
        builder, emitter.getLoc(), arith::CmpIPredicate::slt,
        emitter.splat(b.materialize(position, tile.lanes)),
        emitter.splat(count)));
  }
  return columns;
}

void TileEmitter::inBranch(Block *block, function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(emitter.getBuilder());
  emitter.getBuilder().setInsertionPointToStart(block);
  ElementEmitter::Scope scope(emitter);
  body();
}

void TileEmitter::forColumns(Value first, sym::Expr count,
                             function_ref<void(const Columns &)> body) {
  int64_t width = tile.width();
  auto known = sym::asConstant(count);
  if (known && *known % width == 0)
    return body(staticColumns(first, width));
  if (known && *known < width)
    return body(staticColumns(first, *known));
  OpBuilder &builder = emitter.getBuilder();
  IndexBuilder &b = emitter.index();
  Value size = emitter.getFrame().evaluate(count);
  Value isWhole = arith::CmpIOp::create(builder, emitter.getLoc(),
                                        arith::CmpIPredicate::sle,
                                        b.add(first, b.constant(width)), size);
  auto branch = scf::IfOp::create(builder, emitter.getLoc(), isWhole,
                                  /*withElseRegion=*/true);
  inBranch(branch.thenBlock(), [&] { body(staticColumns(first, width)); });
  inBranch(branch.elseBlock(), [&] {
    body(known ? staticColumns(first, *known % width)
               : dynamicColumns(first, size));
  });
}

} // namespace adze
