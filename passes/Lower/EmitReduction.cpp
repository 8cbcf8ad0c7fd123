//===- EmitReduction.cpp - Elements that need many elements ---------------===//
//
// Nested loops over the reduced positions. Where all lanes want the same
// element and the last dim is reduced, the lanes run along that dim instead.
//
//===----------------------------------------------------------------------===//

#include "passes/Lower/Reduce.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

using prim::Reduction;

static Type elementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

using Body =
    llvm::function_ref<Element(ArrayRef<Value> positions, Element sum)>;

/// Loops over all `counts`, outermost first, with one accumulator.
static Element emitLoops(ElementEmitter &emitter, ArrayRef<Value> counts,
                         Element init, Body body,
                         SmallVectorImpl<Value> &positions) {
  if (positions.size() == counts.size())
    return body(positions, init);
  auto results = emitter.emitLoop(
      counts[positions.size()], {init},
      [&](Value iv, ArrayRef<Element> carried) {
        positions.push_back(iv);
        Element sum = emitLoops(emitter, counts, carried[0], body, positions);
        positions.pop_back();
        return SmallVector<Element>{sum};
      });
  return results[0];
}

static Element emitLoops(ElementEmitter &emitter, ArrayRef<Value> counts,
                         Element init, Body body) {
  SmallVector<Value> positions;
  bool vectors = emitter.getLanes() > 1;
  return emitLoops(
      emitter, counts, vectors ? emitter.splat(init) : init,
      [&](ArrayRef<Value> at, Element sum) {
        Element next = body(at, sum);
        return vectors ? emitter.splat(next) : next;
      },
      positions);
}

static bool allUniform(ArrayRef<Index> indices) {
  return llvm::all_of(indices,
                      [](const Index &index) { return index.isUniform(); });
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static Indices withReduced(ArrayRef<Index> kept, ArrayRef<int64_t> dims,
                           ArrayRef<Index> reduced) {
  Indices indices;
  size_t nextKept = 0, nextReduced = 0;
  for (size_t i = 0; i < kept.size() + dims.size(); ++i)
    indices.push_back(llvm::is_contained(dims, int64_t(i))
                          ? reduced[nextReduced++]
                          : kept[nextKept++]);
  return indices;
}

/// Sums along the last dim, `width` elements at once, then the rest.
static Element emitInnermost(ElementEmitter &emitter, prim::ReduceOp op,
                             Accumulator &sum, ArrayRef<Index> kept,
                             ArrayRef<Value> outer, Value size, int64_t width) {
  IndexBuilder &b = emitter.index();
  auto at = [&](Index last) {
    SmallVector<Index> reduced =
        llvm::map_to_vector(outer, [](Value v) { return Index{v}; });
    reduced.push_back(last);
    return emitter.emit(op.getOperand(),
                        withReduced(kept, op.getDims(), reduced));
  };
  Value blocks = b.div(size, b.constant(width));
  Element partial;
  {
    ElementEmitter::Scope scope(emitter);
    emitter.setLanes(width);
    Element init = emitter.splat(sum.init());
    partial = emitter.emitLoop(
        blocks, {init}, [&](Value block, ArrayRef<Element> carried) {
          emitter.setLanes(width);
          Element next = at(Index{b.mul(block, b.constant(width)), 1});
          return SmallVector<Element>{
              emitter.splat(sum.combine(carried[0], next))};
        })[0];
  }
  Element joined = sum.joinLanes(partial);
  Value done = b.mul(blocks, b.constant(width));
  return emitter.emitLoop(
      b.sub(size, done), {joined}, [&](Value iv, ArrayRef<Element> carried) {
        return SmallVector<Element>{
            sum.combine(carried[0], at(Index{b.add(done, iv)}))};
      })[0];
}

static Element emitReduce(ElementEmitter &emitter, prim::ReduceOp op,
                          ArrayRef<Index> indices) {
  Accumulator sum(emitter, op.getKind(), elementTypeOf(op.getOperand()));
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  SmallVector<Value> counts;
  for (int64_t dim : op.getDims())
    counts.push_back(sizes[dim]);
  bool lastReduced = op.getDims().back() + 1 == int64_t(sizes.size());
  int64_t width = preferredLanes(emitter.getFrame().getKernel());
  auto known = IndexBuilder::known(sizes.back());
  if (!allUniform(indices) || !lastReduced || (known && *known < width)) {
    Element result = emitLoops(
        emitter, counts, sum.init(), [&](ArrayRef<Value> at, Element carried) {
          auto reduced =
              llvm::map_to_vector(at, [](Value v) { return Index{v}; });
          Indices operand = withReduced(indices, op.getDims(), reduced);
          return sum.combine(carried, emitter.emit(op.getOperand(), operand));
        });
    return sum.finish(result);
  }
  ElementEmitter::Scope scope(emitter);
  emitter.setLanes(1);
  Value inner = counts.pop_back_val();
  Element result = emitLoops(
      emitter, counts, sum.init(), [&](ArrayRef<Value> at, Element carried) {
        return sum.combine(carried, emitInnermost(emitter, op, sum, indices, at,
                                                  inner, width));
      });
  return sum.finish(result);
}

//===----------------------------------------------------------------------===//
// arg_reduce
//===----------------------------------------------------------------------===//

/// True where `next` takes the place of `best`: it is better, or it is the
/// first NaN.
static Value emitIsBetter(ElementEmitter &emitter, bool largest, Type element,
                          Value next, Value best) {
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  Value both[] = {next, best};
  emitter.unify(both);
  if (!isa<FloatType>(element)) {
    bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
    using P = arith::CmpIPredicate;
    P predicate = largest ? (isUnsigned ? P::ugt : P::sgt)
                          : (isUnsigned ? P::ult : P::slt);
    return arith::CmpIOp::create(b, loc, predicate, both[0], both[1]);
  }
  using P = arith::CmpFPredicate;
  // Unordered or better, and the best so far is a number.
  Value better = arith::CmpFOp::create(b, loc, largest ? P::UGT : P::ULT,
                                       both[0], both[1]);
  Value isNumber = arith::CmpFOp::create(b, loc, P::ORD, both[1], both[1]);
  return arith::AndIOp::create(b, loc, better, isNumber);
}

static Element emitArgReduce(ElementEmitter &emitter, prim::ArgReduceOp op,
                             ArrayRef<Index> indices) {
  Type element = elementTypeOf(op.getOperand());
  int64_t dim = op.getDim();
  Value count = emitter.getFrame().sizes(op.getOperand())[dim];
  bool largest = op.getKind() == Reduction::max;
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  auto at = [&](Value position) {
    Index index{position};
    Element next =
        emitter.emit(op.getOperand(), withReduced(indices, dim, index));
    return emitter.getLanes() > 1 ? emitter.splat(next) : next;
  };
  // Position 0 is the first best; an empty dim is refused before.
  Value zero = emitter.index().constant(0);
  Element start{emitter.getLanes() > 1 ? emitter.splat(zero) : zero};
  auto results = emitter.emitLoop(
      count, {at(zero), start}, [&](Value iv, ArrayRef<Element> best) {
        Element next = at(iv);
        Value better =
            emitIsBetter(emitter, largest, element, next.value, best[0].value);
        Value here = emitter.getLanes() > 1 ? emitter.splat(iv) : iv;
        Value value =
            arith::SelectOp::create(b, loc, better, next.value, best[0].value);
        Value position =
            arith::SelectOp::create(b, loc, better, here, best[1].value);
        return SmallVector<Element>{{value}, {position}};
      });
  return results[1];
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

namespace {
/// The windows of a pool: where each element of one lies in the operand.
struct Windows {
  ArrayRef<int64_t> window, stride, low, dilation;
  size_t first; // first pooled dim
};
} // namespace

static SmallVector<Value> windowCounts(ElementEmitter &emitter,
                                       const Windows &w) {
  return llvm::map_to_vector(
      w.window, [&](int64_t n) { return emitter.index().constant(n); });
}

/// The operand's indices for one position in the window, and whether they lie
/// inside of the operand.
static std::pair<Indices, Value> windowIndices(ElementEmitter &emitter,
                                               const Windows &w, Value operand,
                                               ArrayRef<Index> indices,
                                               ArrayRef<Value> at) {
  IndexBuilder &b = emitter.index();
  int64_t lanes = emitter.getLanes();
  auto sizes = emitter.getFrame().sizes(operand);
  Indices inner(indices);
  Value inside;
  for (size_t i = 0; i < w.window.size(); ++i) {
    Index &index = inner[w.first + i];
    Value shift =
        b.sub(b.mul(at[i], b.constant(w.dilation[i])), b.constant(w.low[i]));
    index = b.add(b.mul(index, b.constant(w.stride[i]), lanes), Index{shift},
                  lanes);
    Value both[] = {b.materialize(index, lanes), sizes[w.first + i]};
    emitter.unify(both);
    Value fits =
        arith::CmpIOp::create(emitter.getBuilder(), emitter.getLoc(),
                              arith::CmpIPredicate::ult, both[0], both[1]);
    if (inside) {
      Value conditions[] = {inside, fits};
      emitter.unify(conditions);
      inside = arith::AndIOp::create(emitter.getBuilder(), emitter.getLoc(),
                                     conditions[0], conditions[1]);
    } else {
      inside = fits;
    }
  }
  return {inner, inside};
}

static Element emitPool(ElementEmitter &emitter, prim::PoolOp op,
                        ArrayRef<Index> indices) {
  bool last = op.getLayout() == prim::ImageLayout::channels_last;
  Windows w{op.getWindow(), op.getStride(), op.getLow(), op.getDilation(),
            indices.size() - op.getWindow().size() - (last ? 1 : 0)};
  Accumulator sum(emitter, op.getKind(), elementTypeOf(op.getOperand()));
  Element result =
      emitLoops(emitter, windowCounts(emitter, w), sum.init(),
                [&](ArrayRef<Value> at, Element carried) {
                  auto [inner, inside] =
                      windowIndices(emitter, w, op.getOperand(), indices, at);
                  Element next = emitter.emitMasked(inside, sum.init(), [&] {
                    return emitter.emit(op.getOperand(), inner);
                  });
                  return sum.combine(carried, next);
                });
  return sum.finish(result);
}

static Element emitArgPool(ElementEmitter &emitter, prim::ArgPoolOp op,
                           ArrayRef<Index> indices) {
  Windows w{op.getWindow(), op.getStride(), op.getLow(), op.getDilation(),
            indices.size() - op.getWindow().size()};
  Type element = elementTypeOf(op.getOperand());
  Accumulator largest(emitter, Reduction::max, element);
  OpBuilder &b = emitter.getBuilder();
  Location loc = emitter.getLoc();
  auto sizes = emitter.getFrame().sizes(op.getOperand());
  ArrayRef<Value> plane = ArrayRef<Value>(sizes).drop_front(w.first);
  SmallVector<Value> counts = windowCounts(emitter, w);
  // -1 stands for "nothing yet": the first element inside is always better.
  Element none{emitter.index().constant(-1)};
  SmallVector<Element> best{largest.init(), none};
  if (emitter.getLanes() > 1)
    best = {emitter.splat(best[0]), emitter.splat(best[1])};
  Value total = emitter.index().constant(1);
  for (Value count : counts)
    total = emitter.index().mul(total, count);
  auto results =
      emitter.emitLoop(total, best, [&](Value iv, ArrayRef<Element> carried) {
        Indices position = emitter.delinearize(counts, Index{iv});
        auto at = llvm::map_to_vector(
            position, [](const Index &index) { return index.base; });
        auto [inner, inside] =
            windowIndices(emitter, w, op.getOperand(), indices, at);
        Element next = emitter.emitMasked(inside, largest.init(), [&] {
          return emitter.emit(op.getOperand(), inner);
        });
        Index where = emitter.linearize(
            plane, ArrayRef<Index>(inner).drop_front(w.first));
        Value better =
            emitIsBetter(emitter, true, element, next.value, carried[0].value);
        Value first = arith::CmpIOp::create(
            b, loc, arith::CmpIPredicate::slt, carried[1].value,
            emitter.getLanes() > 1 ? emitter.splat(emitter.index().constant(0))
                                   : emitter.index().constant(0));
        Value values[] = {
            better,
            first,
            inside,
            next.value,
            carried[0].value,
            emitter.index().materialize(where, emitter.getLanes()),
            carried[1].value};
        if (emitter.getLanes() > 1)
          for (Value &value : values)
            value = emitter.splat(value);
        Value take = arith::AndIOp::create(
            b, loc, values[2],
            arith::OrIOp::create(b, loc, values[0], values[1]));
        return SmallVector<Element>{
            {arith::SelectOp::create(b, loc, take, values[3], values[4])},
            {arith::SelectOp::create(b, loc, take, values[5], values[6])}};
      });
  return results[1];
}

//===----------------------------------------------------------------------===//
// Products of matrices and convolutions, element by element
//===----------------------------------------------------------------------===//

static Element emitProduct(ElementEmitter &emitter, Element a, Element b,
                           Element sum, Type element) {
  Accumulator product(emitter, Reduction::prod, element),
      add(emitter, Reduction::sum, element);
  return add.combine(sum, product.combine(a, b));
}

static Element emitMatmul(ElementEmitter &emitter, prim::MatmulOp op,
                          ArrayRef<Index> indices) {
  size_t rank = indices.size();
  auto sizes = emitter.getFrame().sizes(op.getLhs());
  Value inner = sizes[rank - (op.getTransposeLhs() ? 2 : 1)];
  Type element = elementTypeOf(op.getLhs());
  size_t rhsRank = cast<RankedTensorType>(op.getRhs().getType()).getRank();
  Accumulator sum(emitter, Reduction::sum, element);
  Element result = emitLoops(
      emitter, {inner}, sum.init(), [&](ArrayRef<Value> at, Element carried) {
        Index k{at[0]};
        Indices lhs(indices), rhs(indices.take_back(rhsRank));
        lhs[rank - 1] = op.getTransposeLhs() ? indices[rank - 2] : k;
        lhs[rank - 2] = op.getTransposeLhs() ? k : indices[rank - 2];
        rhs[rhsRank - 2] = op.getTransposeRhs() ? indices[rank - 1] : k;
        rhs[rhsRank - 1] = op.getTransposeRhs() ? k : indices[rank - 1];
        return emitProduct(emitter, emitter.emit(op.getLhs(), lhs),
                           emitter.emit(op.getRhs(), rhs), carried, element);
      });
  return sum.finish(result);
}

namespace {
/// One output element of a convolution: its channel, and for each position of
/// the filter the input element that it meets.
class ConvolutionEmitter {
public:
  ConvolutionEmitter(ElementEmitter &emitter, prim::ConvolutionOp op)
      : emitter(emitter), op(op), b(emitter.index()),
        last(op.getLayout() == prim::ImageLayout::channels_last) {}

  Element emit(ArrayRef<Index> indices);

private:
  Element emitAt(ArrayRef<Index> indices, ArrayRef<Value> at, Element sum);
  /// Index of the input along spatial dim i, and whether it exists.
  std::pair<Index, Value> spatial(size_t i, const Index &out, Value position);
  Value compare(arith::CmpIPredicate predicate, const Index &a, Value bound) {
    Value both[] = {b.materialize(a, emitter.getLanes()), bound};
    emitter.unify(both);
    return arith::CmpIOp::create(emitter.getBuilder(), emitter.getLoc(),
                                 predicate, both[0], both[1]);
  }
  Value both(Value x, Value y) {
    Value conditions[] = {x, y};
    emitter.unify(conditions);
    return arith::AndIOp::create(emitter.getBuilder(), emitter.getLoc(),
                                 conditions[0], conditions[1]);
  }
  size_t channelDim(size_t rank) const { return last ? rank - 1 : 1; }
  size_t firstSpatial() const { return last ? 1 : 2; }
  size_t firstOfFilter() const { return last ? 0 : 2; }
  /// Dims of the filter; `inputs` are those of a group, or if the filter is
  /// swapped those of all groups, the outputs being of a group.
  bool isSwapped() { return op.getTransposed() && !last; }
  size_t outputDim(size_t rank) {
    return last ? rank - 1 : isSwapped() ? 1 : 0;
  }
  size_t inputDim(size_t rank) { return last ? rank - 2 : isSwapped() ? 0 : 1; }
  /// Channels of a group.
  Value groupSize(size_t dim, bool isOfAll) {
    Value size = emitter.getFrame().sizes(op.getFilter())[dim];
    return isOfAll ? b.div(size, b.constant(op.getGroups())) : size;
  }
  Value inputs(size_t rank) { return groupSize(inputDim(rank), isSwapped()); }
  Value outputs(size_t rank) {
    return groupSize(outputDim(rank), !isSwapped());
  }

  ElementEmitter &emitter;
  prim::ConvolutionOp op;
  IndexBuilder &b;
  bool last;
};
} // namespace

std::pair<Index, Value> ConvolutionEmitter::spatial(size_t i, const Index &out,
                                                    Value position) {
  int64_t lanes = emitter.getLanes();
  Value stride = b.constant(op.getStride()[i]),
        dilation = b.constant(op.getDilation()[i]);
  Value size = emitter.getFrame().sizes(op.getInput())[firstSpatial() + i];
  if (!op.getTransposed()) {
    Value shift = b.sub(b.mul(position, dilation), b.constant(op.getLow()[i]));
    Index in = b.add(b.mul(out, stride, lanes), Index{shift}, lanes);
    return {in, compare(arith::CmpIPredicate::ult, in, size)};
  }
  // out = in * stride - low + position * dilation
  Value shift = b.sub(b.constant(op.getLow()[i]), b.mul(position, dilation));
  Index numerator = b.add(out, Index{shift}, lanes);
  Value positive = compare(arith::CmpIPredicate::sge, numerator, b.constant(0));
  Value whole = compare(arith::CmpIPredicate::eq,
                        b.rem(numerator, stride, lanes), b.constant(0));
  Index in = b.div(numerator, stride, lanes);
  Value fits = compare(arith::CmpIPredicate::slt, in, size);
  return {in, both(both(positive, whole), fits)};
}

/// `at`: channel within the group, then the positions in the filter.
Element ConvolutionEmitter::emitAt(ArrayRef<Index> indices, ArrayRef<Value> at,
                                   Element sum) {
  int64_t lanes = emitter.getLanes();
  size_t rank = indices.size(), channel = channelDim(rank);
  Value outputCount = outputs(rank);
  Index group = b.div(indices[channel], outputCount, lanes);
  Index inChannel =
      b.add(b.mul(group, inputs(rank), lanes), Index{at[0]}, lanes);
  Indices input(indices), filter(rank);
  input[channel] = inChannel;
  filter[inputDim(rank)] = isSwapped() ? inChannel : Index{at[0]};
  filter[outputDim(rank)] = isSwapped()
                                ? b.rem(indices[channel], outputCount, lanes)
                                : indices[channel];
  Value inside;
  for (size_t i = 0; i + 2 < rank; ++i) {
    size_t dim = firstSpatial() + i;
    auto [in, exists] = spatial(i, indices[dim], at[1 + i]);
    input[dim] = in;
    filter[firstOfFilter() + i] = Index{at[1 + i]};
    inside = inside ? both(inside, exists) : exists;
  }
  Type element = elementTypeOf(op.getInput());
  Element x = emitter.emitMasked(inside, emitter.zeroOf(element), [&] {
    return emitter.emit(op.getInput(), input);
  });
  return emitProduct(emitter, x, emitter.emit(op.getFilter(), filter), sum,
                     element);
}

Element ConvolutionEmitter::emit(ArrayRef<Index> indices) {
  size_t rank = indices.size();
  auto filterSizes = emitter.getFrame().sizes(op.getFilter());
  SmallVector<Value> counts{inputs(rank)};
  for (size_t i = 0; i + 2 < rank; ++i)
    counts.push_back(filterSizes[firstOfFilter() + i]);
  Accumulator sum(emitter, Reduction::sum, elementTypeOf(op.getInput()));
  Element result = emitLoops(emitter, counts, sum.init(),
                             [&](ArrayRef<Value> at, Element carried) {
                               return emitAt(indices, at, carried);
                             });
  return sum.finish(result);
}

Element emitReduction(ElementEmitter &emitter, Operation *op,
                      ArrayRef<Index> indices) {
  return llvm::TypeSwitch<Operation *, Element>(op)
      .Case([&](prim::ReduceOp reduce) {
        return emitReduce(emitter, reduce, indices);
      })
      .Case([&](prim::ArgReduceOp reduce) {
        return emitArgReduce(emitter, reduce, indices);
      })
      .Case([&](prim::PoolOp pool) { return emitPool(emitter, pool, indices); })
      .Case([&](prim::ArgPoolOp pool) {
        return emitArgPool(emitter, pool, indices);
      })
      .Case([&](prim::MatmulOp matmul) {
        return emitMatmul(emitter, matmul, indices);
      })
      .Case([&](prim::ConvolutionOp convolution) {
        return ConvolutionEmitter(emitter, convolution).emit(indices);
      });
}

} // namespace adze
