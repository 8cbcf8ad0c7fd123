//===- AttentionScores.cpp - Products of queries and keys -----------------===//
//
// Many rows: keys are transposed, one panel of them after the other, so that
// the lanes of a vector are keys. Few rows: the lanes run along the elements
// of a key, and are added up at the end.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/AttentionKernel.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace adze {

//===----------------------------------------------------------------------===//
// Vectors as rows of a square
//===----------------------------------------------------------------------===//

/// Lanes of two vectors: where bit `step` of the lane is clear, those of `a`
/// at lane + from, elsewhere those of `c` at lane + from - step.
static Value interleave(OpBuilder &builder, Location loc, Value a, Value c,
                        int64_t step, int64_t from) {
  int64_t lanes = cast<VectorType>(a.getType()).getNumElements();
  SmallVector<int64_t> mask;
  for (int64_t lane = 0; lane < lanes; ++lane)
    mask.push_back(lane & step ? lanes + lane + from - step : lane + from);
  return vector::ShuffleOp::create(builder, loc, a, c, mask);
}

/// Swaps blocks of growing size beside the diagonal.
static void transposeSquare(OpBuilder &builder, Location loc,
                            MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t step = 1; step < size; step *= 2)
    for (int64_t i = 0; i < size; ++i) {
      if (i & step)
        continue;
      Value a = rows[i], c = rows[i + step];
      rows[i] = interleave(builder, loc, a, c, step, 0);
      rows[i + step] = interleave(builder, loc, a, c, step, step);
    }
}

/// A vector whose lane i is the sum of all lanes of vector i.
static Value sumRows(OpBuilder &builder, Location loc,
                     SmallVector<Value> rows) {
  for (int64_t step = 1; rows.size() > 1; step *= 2) {
    SmallVector<Value> halves;
    for (size_t i = 0; i < rows.size(); i += 2)
      halves.push_back(arith::AddFOp::create(
          builder, loc, interleave(builder, loc, rows[i], rows[i + 1], step, 0),
          interleave(builder, loc, rows[i], rows[i + 1], step, step)));
    rows = halves;
  }
  return rows.front();
}

//===----------------------------------------------------------------------===//
// What makes a score of a product
//===----------------------------------------------------------------------===//

/// The mask is added, as torch does: a score that is no number stays one.
Value AttentionKernel::scored(Value product, Value row, Value key, Value mask) {
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(tile.lanes);
  Value score = arith::MulFOp::create(
      builder, loc, product, vectorOf(op.getScale().convertToDouble()));
  if (!op.getMask())
    return score;
  Indices indices = batchIndices;
  indices.push_back(Index{row});
  indices.push_back(Index{key, 1});
  for (auto [index, size] : llvm::zip(indices, sym::shapeOf(op.getMask())))
    if (sym::isConstant(size, 1))
      index = Index{b.constant(0)};
  emitter.setMask(mask);
  Value added = emitter.splat(emitter.emit(op.getMask(), indices).value);
  if (cast<VectorType>(added.getType()).getElementType().isInteger(1))
    added = arith::SelectOp::create(
        builder, loc, added, vectorOf(0),
        vectorOf(-std::numeric_limits<double>::infinity()));
  return arith::AddFOp::create(builder, loc, score, added);
}

//===----------------------------------------------------------------------===//
// Many rows
//===----------------------------------------------------------------------===//

/// `count` elements from `depth` on of the keys, one for each lane.
void AttentionKernel::packKeyVectors(Value first, int64_t v,
                                     ArrayRef<Value> keys, Value depth,
                                     int64_t count) {
  Value mask;
  if (count < tile.lanes)
    mask = lanesBelow(b.constant(count), b.constant(0));
  SmallVector<Value> rows;
  for (Value key : keys)
    rows.push_back(tiles.loadVector(key, depth, element, mask));
  transposeSquare(builder, loc, rows);
  for (int64_t i = 0; i < count; ++i)
    store(rows[i], panel,
          b.add(b.mul(b.add(depth, b.constant(i)), b.constant(tile.width())),
                b.constant(v * tile.lanes)));
}

/// Keys beyond the last are the last one again; their scores are not used.
void AttentionKernel::packKeys(Value first) {
  Value stride = key.strides[batch.size()];
  Value last = b.sub(frame.evaluate(keyCount), b.constant(1));
  for (int64_t v = 0; v < tile.vectors; ++v) {
    SmallVector<Value> keys;
    for (int64_t lane = 0; lane < tile.lanes; ++lane) {
      Value number =
          b.min(b.add(first, b.constant(v * tile.lanes + lane)), last);
      keys.push_back(advance(keyAddress, b.mul(number, stride), element));
    }
    forVectors(width, [&](Value depth, Value, int64_t count) {
      packKeyVectors(first, v, keys, depth, count);
    });
  }
}

void AttentionKernel::tileScores(const Plan &plan, Value row, const Keys &keys,
                                 const Columns &columns) {
  Sums rows;
  for (int64_t i = 0; i < plan.tile.rows; ++i)
    rows.push_back(advance(queries,
                           b.mul(b.add(row, b.constant(i)), b.constant(width)),
                           builder.getF32Type()));
  auto products = plan.tiles->accumulate(
      plan.tiles->zeros(plan.tile.rows, tile.vectors), tile.vectors,
      b.constant(width),
      [&](int64_t i, Value k) { return loadOne(rows[i], k); },
      [&](int64_t v, Value k) {
        return load(panel, b.add(b.mul(k, b.constant(tile.width())),
                                 b.constant(v * tile.lanes)));
      });
  for (auto [n, product] : llvm::enumerate(products)) {
    int64_t v = n % tile.vectors;
    if (v >= int64_t(columns.masks.size()))
      continue;
    Value number = b.add(row, b.constant(n / tile.vectors));
    Value key = b.add(columns.first, b.constant(v * tile.lanes));
    Value at =
        b.add(b.mul(number, b.constant(keyBlock)), b.sub(key, keys.first));
    store(scored(product, rowNumber(number), key, columns.masks[v]), weights,
          at);
  }
}

void AttentionKernel::buildScores(const Plan &plan, const Keys &keys) {
  forEach(b.constant(0), keys.count, tile.width(), [&](Value offset) {
    Value first = b.add(keys.first, offset);
    packKeys(first);
    auto buildRows = [&](const Columns &columns) {
      forEach(b.constant(0), rowCount, plan.tile.rows,
              [&](Value row) { tileScores(plan, row, keys, columns); });
    };
    if (op.getMask())
      return plan.tiles->forColumns(first, keyCount, buildRows);
    buildRows({first, SmallVector<Value>(tile.vectors)});
  });
}

//===----------------------------------------------------------------------===//
// Few rows
//===----------------------------------------------------------------------===//

/// The products of a row with the keys from `firstKey` on, one in each lane.
Value AttentionKernel::products(Value row, Value firstKey) {
  Value stride = key.strides[batch.size()];
  Value last = b.sub(frame.evaluate(keyCount), b.constant(1));
  Value query =
      advance(queries, b.mul(row, b.constant(width)), builder.getF32Type());
  SmallVector<Value> keys;
  for (int64_t lane = 0; lane < tile.lanes; ++lane)
    keys.push_back(
        advance(keyAddress,
                b.mul(b.min(b.add(firstKey, b.constant(lane)), last), stride),
                element));
  auto add = [&](ArrayRef<Element> sums, Value depth, Value mask) {
    Value x = tiles.loadVector(query, depth, builder.getF32Type(), mask);
    SmallVector<Element> next;
    for (auto [key, sum] : llvm::zip(keys, sums))
      next.push_back({tiles.multiplyAdd(
          tiles.loadVector(key, depth, element, mask), x, sum.value)});
    return next;
  };
  SmallVector<Element> sums(tile.lanes, Element{vectorOf(0)});
  int64_t whole = width / tile.lanes;
  sums = emitter.emitLoop(
      b.constant(whole), sums, [&](Value n, ArrayRef<Element> carried) {
        return add(carried, b.mul(n, b.constant(tile.lanes)), {});
      });
  Value rest = b.constant(whole * tile.lanes);
  if (width % tile.lanes)
    sums = add(sums, rest, lanesBelow(b.constant(width), rest));
  return sumRows(
      builder, loc,
      llvm::map_to_vector(sums, [](const Element &sum) { return sum.value; }));
}

void AttentionKernel::buildFewScores(const Keys &keys) {
  forEach(b.constant(0), keys.count, tile.lanes, [&](Value offset) {
    Value first = b.add(keys.first, offset);
    Value mask;
    if (op.getMask())
      mask = lanesBelow(frame.evaluate(keyCount), first);
    forEach(b.constant(0), rowCount, 1, [&](Value row) {
      Value score = scored(products(row, first), rowNumber(row), first, mask);
      store(score, weights, b.add(b.mul(row, b.constant(keyBlock)), offset));
    });
  });
}

} // namespace adze
