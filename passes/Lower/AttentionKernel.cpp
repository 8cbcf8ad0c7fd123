//===- AttentionKernel.cpp - Attention in blocks of queries and keys ------===//

#include "passes/Lower/AttentionKernel.h"

#include "passes/Fuse/OpClass.h"
#include "passes/Lower/KernelBuilders.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace adze {

/// Keys per block: their values stay in the cache while all rows are weighed.
static constexpr int64_t mostKeys = 128;
/// Rows per block: keys are packed once for all of them.
static constexpr int64_t mostRows = 64;
/// Elements of queries, or of sums of values, in a block.
static constexpr int64_t mostElements = 64 * 128;
/// Up to here rows are computed one by one, without packing keys.
static constexpr int64_t fewRows = 2;

static constexpr double infinity = std::numeric_limits<double>::infinity();

static int64_t lastSize(Value value) {
  return *sym::asConstant(sym::shapeOf(value).back());
}

/// A row of sums stays in registers.
static Tile tileOfRow(const Tile &tile, int64_t columns) {
  Tile row = tile;
  row.rows = 1;
  row.vectors = std::min<int64_t>(8, llvm::divideCeil(columns, tile.lanes));
  return row;
}

AttentionKernel::AttentionKernel(OpBuilder &builder, kernel::FuncOp kernel,
                                 prim::AttentionOp op, int64_t vectorBits)
    : builder(builder), loc(kernel.getLoc()), op(op), frame(builder, kernel),
      emitter(builder, frame), b(emitter.index()),
      element(cast<RankedTensorType>(op.getType()).getElementType()),
      tile(tileFor(element, vectorBits)),
      rowTile(tileOfRow(tile, lastSize(op.getValue()))),
      tiles(emitter, op.getResult(), tile),
      rowTiles(emitter, op.getResult(), rowTile),
      batch(sym::shapeOf(op.getQuery())), width(lastSize(op.getQuery())),
      values(lastSize(op.getValue())) {
  batch.pop_back();
  queryCount = batch.pop_back_val();
  keyCount = sym::shapeOf(op.getKey())[batch.size()];
  measure();
}

/// Blocks of about equal size.
void AttentionKernel::measure() {
  int64_t most = mostElements / std::max(width, values);
  queryBlock = std::min(std::max(most, tile.rows), mostRows);
  if (auto known = sym::asConstant(queryCount)) {
    queryBlock = balancedRows(*known, queryBlock);
    tile.rows = balancedRows(queryBlock, tile.rows);
  }
  queryBlock = llvm::alignTo(queryBlock, tile.rows);
  keyBlock = mostKeys;
  if (auto known = sym::asConstant(keyCount))
    keyBlock = balancedRows(*known, keyBlock);
  keyBlock = llvm::alignTo(keyBlock, tile.width());
  paddedValues = llvm::alignTo(values, tile.lanes);
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Value AttentionKernel::vectorOf(double value) {
  auto type = VectorType::get({tile.lanes}, builder.getF32Type());
  return arith::ConstantOp::create(
      builder, loc, type,
      SplatElementsAttr::get(type, builder.getF32FloatAttr(value)));
}

Value AttentionKernel::advance(Value address, Value elements, Type type) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::GEPOp::create(builder, loc, pointer, memoryType(type), address,
                             ArrayRef<LLVM::GEPArg>(LLVM::GEPArg(elements)));
}

Value AttentionKernel::scratch(int64_t count) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  return LLVM::AllocaOp::create(builder, loc, pointer, builder.getF32Type(),
                                b.constant(count), /*alignment=*/64);
}

void AttentionKernel::store(Value value, Value address, Value offset,
                            Value mask) {
  ElementEmitter::Scope scope(emitter);
  bool isVector = isa<VectorType>(value.getType());
  emitter.setLanes(isVector ? tile.lanes : 1);
  emitter.setMask(mask);
  emitter.store({value}, address, {}, {Index{offset, isVector ? 1 : 0}},
                builder.getF32Type());
}

Value AttentionKernel::lanesBelow(Value limit, Value position) {
  SmallVector<int32_t> numbers;
  for (int64_t lane = 0; lane < tile.lanes; ++lane)
    numbers.push_back(lane);
  auto type = VectorType::get({tile.lanes}, builder.getI32Type());
  Value lanes = arith::ConstantOp::create(
      builder, loc, type,
      DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  Value distance = arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                           b.sub(limit, position));
  Value bound = vector::BroadcastOp::create(builder, loc, type, distance);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lanes,
                               bound);
}

/// `b` where `a` is not a number: NaN takes no part in the largest score, but
/// comes back with its exponential.
Value AttentionKernel::larger(Value a, Value b) {
  Value isLarger =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT, a, b);
  return arith::SelectOp::create(builder, loc, isLarger, a, b);
}

void AttentionKernel::forEach(Value begin, Value end, int64_t step,
                              function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc, begin, end, b.constant(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ElementEmitter::Scope scope(emitter);
  body(loop.getInductionVar());
}

void AttentionKernel::forVectors(
    int64_t count, function_ref<void(Value, Value, int64_t)> body) {
  int64_t whole = count / tile.lanes * tile.lanes;
  if (whole)
    forEach(b.constant(0), b.constant(whole), tile.lanes,
            [&](Value offset) { body(offset, {}, tile.lanes); });
  if (whole == count)
    return;
  Value mask = lanesBelow(b.constant(count), b.constant(whole));
  body(b.constant(whole), mask, count - whole);
}

Value AttentionKernel::roundUp(Value count, int64_t step) {
  Value size = b.constant(step);
  return b.mul(b.div(b.add(count, b.constant(step - 1)), size), size);
}

Value AttentionKernel::rowNumber(Value row) {
  Value last = b.sub(frame.evaluate(queryCount), b.constant(1));
  return b.min(b.add(firstRow, row), last);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Scores of a row; beyond `limit`, where that is not null, minus infinity.
Value AttentionKernel::scoresOf(Value row, Value position, Value limit) {
  Value at = b.add(b.mul(row, b.constant(keyBlock)), position);
  Value scores = load(weights, at);
  if (!limit)
    return scores;
  return arith::SelectOp::create(builder, loc, lanesBelow(limit, position),
                                 scores, vectorOf(-infinity));
}

Value AttentionKernel::largestOf(Value row, const Keys &keys, Value limit) {
  Value panels =
      b.div(roundUp(keys.count, tile.width()), b.constant(tile.width()));
  SmallVector<Element> inits(tile.vectors, Element{vectorOf(-infinity)});
  auto partial =
      emitter.emitLoop(panels, inits, [&](Value n, ArrayRef<Element> carried) {
        SmallVector<Element> next;
        for (int64_t v = 0; v < tile.vectors; ++v) {
          Value position = b.add(b.mul(n, b.constant(tile.width())),
                                 b.constant(v * tile.lanes));
          next.push_back(
              {larger(scoresOf(row, position, limit), carried[v].value)});
        }
        return next;
      });
  Value joined = partial[0].value;
  for (const Element &other : llvm::drop_begin(partial))
    joined = larger(other.value, joined);
  return vector::ReductionOp::create(builder, loc,
                                     vector::CombiningKind::MAXNUMF, joined,
                                     arith::FastMathFlags::nnan);
}

/// Replaces scores by exp(score - shift) and gives sums of these.
Value AttentionKernel::powersOf(Value row, const Keys &keys, Value limit,
                                Value shift) {
  Value panels =
      b.div(roundUp(keys.count, tile.width()), b.constant(tile.width()));
  SmallVector<Element> inits(tile.vectors, Element{vectorOf(0)});
  auto partial =
      emitter.emitLoop(panels, inits, [&](Value n, ArrayRef<Element> carried) {
        emitter.setLanes(tile.lanes);
        SmallVector<Element> next;
        for (int64_t v = 0; v < tile.vectors; ++v) {
          Value position = b.add(b.mul(n, b.constant(tile.width())),
                                 b.constant(v * tile.lanes));
          Value distance = arith::SubFOp::create(builder, loc,
                                                 scoresOf(row, position, limit),
                                                 emitter.splat(shift));
          Value power = math::ExpOp::create(builder, loc, distance);
          store(power, weights,
                b.add(b.mul(row, b.constant(keyBlock)), position));
          next.push_back(
              {arith::AddFOp::create(builder, loc, carried[v].value, power)});
        }
        return next;
      });
  Value joined = partial[0].value;
  for (const Element &other : llvm::drop_begin(partial))
    joined = arith::AddFOp::create(builder, loc, joined, other.value);
  return joined;
}

/// A row that has seen no key yet has the largest score -inf; its weights are
/// exp(-inf - 0).
void AttentionKernel::weighRow(Value row, const Keys &keys) {
  Value limit;
  if (op.getCausal())
    limit = b.min(keys.count,
                  b.sub(b.add(rowNumber(row), b.constant(1)), keys.first));
  else if (auto known = sym::asConstant(keyCount);
           !known || *known % tile.width())
    limit = keys.count;
  Value former = loadOne(largest, row);
  Value next = larger(largestOf(row, keys, limit), former);
  Value isUnseen = arith::CmpFOp::create(
      builder, loc, arith::CmpFPredicate::OEQ, next, number(-infinity));
  Value shift =
      arith::SelectOp::create(builder, loc, isUnseen, number(0), next);
  Value factor = math::ExpOp::create(
      builder, loc, arith::SubFOp::create(builder, loc, former, shift));
  Value sum = powersOf(row, keys, limit, shift);
  store(next, largest, row);
  store(factor, factors, row);
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  Value at = b.mul(row, b.constant(tile.lanes));
  store(tiles.multiplyAdd(load(totals, at), emitter.splat(factor), sum), totals,
        at);
}

void AttentionKernel::weigh(const Keys &keys) {
  forEach(b.constant(0), rowCount, 1, [&](Value row) { weighRow(row, keys); });
}

//===----------------------------------------------------------------------===//
// Weighted values
//===----------------------------------------------------------------------===//

void AttentionKernel::forValueColumns(
    const Plan &plan, function_ref<void(const Columns &)> body) {
  forEach(b.constant(0), b.constant(values), plan.tile.width(),
          [&](Value column) {
            plan.tiles->forColumns(
                column, sym::constant(builder.getContext(), values), body);
          });
}

/// sums = sums * factor + weights * values
void AttentionKernel::addValuesTo(const Plan &plan, Value row, const Keys &keys,
                                  const Columns &columns) {
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  int64_t vectors = columns.masks.size();
  Value stride = value.strides[batch.size()];
  Value first = advance(valueAddress, b.mul(keys.first, stride), element);
  Sums rows, former;
  for (int64_t i = 0; i < plan.tile.rows; ++i) {
    Value number = b.add(row, b.constant(i));
    rows.push_back(advance(weights, b.mul(number, b.constant(keyBlock)),
                           builder.getF32Type()));
    Value factor = emitter.splat(loadOne(factors, number));
    for (int64_t v = 0; v < vectors; ++v) {
      Value at =
          b.add(b.add(b.mul(number, b.constant(paddedValues)), columns.first),
                b.constant(v * tile.lanes));
      former.push_back(
          arith::MulFOp::create(builder, loc, load(sums, at), factor));
    }
  }
  auto added = plan.tiles->accumulate(
      former, vectors, keys.count,
      [&](int64_t i, Value k) { return loadOne(rows[i], k); },
      [&](int64_t v, Value k) {
        Value column = b.add(columns.first, b.constant(v * tile.lanes));
        return tiles.loadVector(first, b.add(b.mul(k, stride), column), element,
                                columns.masks[v]);
      });
  for (auto [i, sum] : llvm::enumerate(added)) {
    Value number = b.add(row, b.constant(i / vectors));
    store(sum, sums,
          b.add(b.add(b.mul(number, b.constant(paddedValues)), columns.first),
                b.constant(i % vectors * tile.lanes)));
  }
}

void AttentionKernel::addValues(const Plan &plan, const Keys &keys) {
  forValueColumns(plan, [&](const Columns &columns) {
    forEach(b.constant(0), rowCount, plan.tile.rows,
            [&](Value row) { addValuesTo(plan, row, keys, columns); });
  });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Without the index of the column. What follows may permute the other dims.
Indices AttentionKernel::resultIndices(Value row) {
  Indices indices = batchIndices;
  indices.push_back(Index{rowNumber(row)});
  auto transpose = op->hasOneUse()
                       ? dyn_cast<prim::TransposeOp>(*op->user_begin())
                       : prim::TransposeOp();
  if (!transpose)
    return indices;
  Indices permuted;
  for (int64_t dim : transpose.getPermutation().drop_back())
    permuted.push_back(indices[dim]);
  return permuted;
}

void AttentionKernel::storeRows(const Plan &plan, Value row,
                                const Columns &columns) {
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  Sums quotients;
  SmallVector<Indices> rows;
  for (int64_t i = 0; i < plan.tile.rows; ++i) {
    Value number = b.add(row, b.constant(i));
    Value total = emitter.splat(loadOne(factors, number));
    for (size_t v = 0; v < columns.masks.size(); ++v) {
      Value at =
          b.add(b.add(b.mul(number, b.constant(paddedValues)), columns.first),
                b.constant(v * tile.lanes));
      quotients.push_back(
          arith::DivFOp::create(builder, loc, load(sums, at), total));
    }
    rows.push_back(resultIndices(number));
  }
  plan.tiles->store(quotients, rows, columns);
}

/// The sum of weights is 0 only in a row that sees no key: it gives zeros.
void AttentionKernel::finish(const Plan &plan) {
  forEach(b.constant(0), rowCount, 1, [&](Value row) {
    Value total = vector::ReductionOp::create(
        builder, loc, vector::CombiningKind::ADD,
        load(totals, b.mul(row, b.constant(tile.lanes))),
        arith::FastMathFlags::reassoc);
    Value isZero = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OEQ, total, number(0));
    store(arith::SelectOp::create(builder, loc, isZero, number(1), total),
          factors, row);
  });
  forValueColumns(plan, [&](const Columns &columns) {
    forEach(b.constant(0), rowCount, plan.tile.rows,
            [&](Value row) { storeRows(plan, row, columns); });
  });
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void AttentionKernel::reserveScratch() {
  queries = scratch(queryBlock * width);
  panel = scratch(width * tile.width());
  weights = scratch(queryBlock * keyBlock);
  sums = scratch(queryBlock * paddedValues);
  largest = scratch(queryBlock);
  totals = scratch(queryBlock * tile.lanes);
  factors = scratch(queryBlock);
}

/// Rows lie close together, and are numbers of f32.
void AttentionKernel::copyQueries() {
  Value stride = query.strides[batch.size()];
  forEach(b.constant(0), rowCount, 1, [&](Value row) {
    Value from = advance(queryAddress, b.mul(rowNumber(row), stride), element);
    Value to =
        advance(queries, b.mul(row, b.constant(width)), builder.getF32Type());
    forVectors(width, [&](Value offset, Value mask, int64_t) {
      store(tiles.loadVector(from, offset, element, mask), to, offset, mask);
    });
  });
}

void AttentionKernel::clearSums() {
  forEach(b.constant(0), rowCount, 1, [&](Value row) {
    store(number(-infinity), largest, row);
    store(vectorOf(0), totals, b.mul(row, b.constant(tile.lanes)));
    Value first = b.mul(row, b.constant(paddedValues));
    forEach(
        b.constant(0), b.constant(paddedValues), tile.lanes,
        [&](Value column) { store(vectorOf(0), sums, b.add(first, column)); });
  });
}

void AttentionKernel::buildKeys(const Plan &plan, const Keys &keys) {
  if (plan.isFew)
    buildFewScores(keys);
  else
    buildScores(plan, keys);
  weigh(keys);
  addValues(plan, keys);
}

/// Causal rows see no key after the last of them.
void AttentionKernel::buildBlock(const Plan &plan) {
  copyQueries();
  clearSums();
  Value end = frame.evaluate(keyCount);
  if (op.getCausal())
    end = b.min(end, b.add(firstRow, rowCount));
  forEach(b.constant(0), end, keyBlock, [&](Value first) {
    Value count = b.min(b.sub(end, first), b.constant(keyBlock));
    buildKeys(plan, {first, count});
  });
  finish(plan);
}

void AttentionKernel::findOperands() {
  auto address = [&](const StridedView &view) {
    Value offset = view.offset;
    for (auto [index, stride] : llvm::zip(batchIndices, view.strides))
      offset = b.add(offset, b.mul(index.base, stride));
    return advance(view.address, offset, element);
  };
  queryAddress = address(query);
  keyAddress = address(key);
  valueAddress = address(value);
}

void AttentionKernel::buildIteration(Value iteration) {
  Value blocks = frame.evaluate(sym::ceilDiv(
      queryCount, sym::constant(builder.getContext(), queryBlock)));
  auto sizes = llvm::map_to_vector(
      batch, [&](sym::Expr size) { return frame.evaluate(size); });
  batchIndices = emitter.delinearize(sizes, Index{b.div(iteration, blocks)});
  findOperands();
  firstRow = b.mul(b.rem(iteration, blocks), b.constant(queryBlock));
  Value count = b.min(b.sub(frame.evaluate(queryCount), firstRow),
                      b.constant(queryBlock));
  Plan whole{&tiles, tile, /*isFew=*/false},
      few{&rowTiles, rowTile, /*isFew=*/true};
  auto build = [&](const Plan &plan) {
    rowCount = roundUp(count, plan.tile.rows);
    buildBlock(plan);
  };
  if (auto known = sym::asConstant(queryCount))
    return build(*known <= fewRows ? few : whole);
  Value isFew = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                      count, b.constant(fewRows));
  auto branch = scf::IfOp::create(builder, loc, isFew, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  build(few);
  builder.setInsertionPointToStart(branch.elseBlock());
  build(whole);
}

void AttentionKernel::build() {
  query = stridedView(frame, b, op.getQuery());
  key = stridedView(frame, b, op.getKey());
  value = stridedView(frame, b, op.getValue());
  reserveScratch();
  forEach(frame.begin(), frame.end(), 1,
          [&](Value iteration) { buildIteration(iteration); });
  auto expr = [&](int64_t number) {
    return sym::constant(builder.getContext(), number);
  };
  sym::Expr rows = expr(queryBlock);
  sym::Expr iterations = sym::mul(sym::product(builder.getContext(), batch),
                                  sym::ceilDiv(queryCount, rows));
  // A vector of products takes the time of one element of other kernels.
  int64_t perKey = llvm::divideCeil(width + values, tile.lanes);
  frame.finish(
      builder, iterations,
      sym::mul(sym::mul(sym::min(queryCount, rows), keyCount), expr(perKey)));
}

bool buildAttentionKernel(OpBuilder &builder, kernel::FuncOp kernel,
                          int64_t vectorBits) {
  auto ops = kernel.getBody().getOps<prim::AttentionOp>();
  if (ops.empty() || !suitsAttentionKernel(*ops.begin()))
    return false;
  OpBuilder::InsertionGuard guard(builder);
  AttentionKernel(builder, kernel, *ops.begin(), vectorBits).build();
  return true;
}

} // namespace adze
