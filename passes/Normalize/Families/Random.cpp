//===- Random.cpp - Random tensors ----------------------------------------===//
//
// In-place draws (`normal_`) are looked up without the underscore; their result
// has the type of the tensor that is written.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Distribution;

/// The type random numbers are drawn in, for a result of some float type.
static FailureOr<Type> drawnType(CallContext &c) {
  Type element = c.resultElement(0);
  if (!isFloat(element))
    return c.emitUnsupported("random numbers that are no floats");
  return opmathType(element);
}

/// Result 0 := f of fresh numbers of its shape, in f32 for half precision.
static LogicalResult setDrawn(CallContext &c, Distribution distribution,
                              function_ref<Value(Value)> f) {
  FailureOr<Type> type = drawnType(c);
  if (failed(type))
    return failure();
  Value drawn = c.random(distribution, c.resultShape(0), *type);
  return c.setResult(0, c.b.convert(f(drawn), c.resultElement(0)));
}

static LogicalResult setUniform(CallContext &c, function_ref<Value(Value)> f) {
  return setDrawn(c, Distribution::uniform, f);
}

static LogicalResult setNormal(CallContext &c, function_ref<Value(Value)> f) {
  return setDrawn(c, Distribution::normal, f);
}

//===----------------------------------------------------------------------===//
// Uniform and normal
//===----------------------------------------------------------------------===//

/// Directly in the result's type: rounding up would give 1.
static LogicalResult decomposeRand(CallContext &c) {
  if (!isFloat(c.resultElement(0)))
    return c.emitUnsupported("random numbers that are no floats");
  return c.setResult(
      0, c.random(Distribution::uniform, c.resultShape(0), c.resultElement(0)));
}

static LogicalResult decomposeRandn(CallContext &c) {
  return setNormal(c, [](Value x) { return x; });
}

static LogicalResult decomposeUniform(CallContext &c) {
  double from = c.number("from"), to = c.number("to");
  return setUniform(
      c, [&](Value u) { return c.b.add(c.b.mul(u, to - from), from); });
}

/// `mean` and `std` are tensors or numbers.
static LogicalResult decomposeNormal(CallContext &c) {
  Value mean = c.tensor("mean"), deviation = c.tensor("std");
  return setNormal(c, [&](Value x) {
    Type type = c.b.elementOf(x);
    return c.b.add(c.b.mul(x, c.convert(deviation, type)),
                   c.convert(mean, type));
  });
}

static LogicalResult decomposeLogNormal(CallContext &c) {
  double mean = c.number("mean"), deviation = c.number("std");
  return setNormal(c, [&](Value x) {
    return c.b.exp(c.b.add(c.b.mul(x, deviation), mean));
  });
}

//===----------------------------------------------------------------------===//
// By inversion of a uniform number
//===----------------------------------------------------------------------===//

/// log(1 - u), of which minus is exponential.
static Value logOfRest(PrimBuilder &b, Value u) {
  return b.unary<prim::Log1pOp>(b.neg(u));
}

static LogicalResult decomposeExponential(CallContext &c) {
  double lambda = c.number("lambd");
  return setUniform(
      c, [&](Value u) { return c.b.div(c.b.neg(logOfRest(c.b, u)), lambda); });
}

static LogicalResult decomposeCauchy(CallContext &c) {
  double median = c.number("median"), sigma = c.number("sigma");
  return setUniform(c, [&](Value u) {
    Value tangent = c.b.unary<prim::TanOp>(c.b.mul(c.b.sub(u, 0.5), M_PI));
    return c.b.add(c.b.mul(tangent, sigma), median);
  });
}

/// How often to try until the first success, at least once.
static LogicalResult decomposeGeometric(CallContext &c) {
  PrimBuilder &b = c.b;
  double p = c.number("p");
  if (!(p > 0 && p < 1))
    return c.emitInvalid("expected a probability between 0 and 1, but found " +
                         std::to_string(p));
  Type type = isFloat(c.resultElement(0)) ? opmathType(c.resultElement(0))
                                          : Type(b.getBuilder().getF64Type());
  Value u = c.random(Distribution::uniform, c.resultShape(0), type);
  Value tries = b.unary<prim::CeilOp>(b.div(logOfRest(b, u), std::log1p(-p)));
  return c.setResult(0, b.convert(clampMin(b, tries, 1), c.resultElement(0)));
}

/// True with a probability, which is a tensor or a number.
static LogicalResult setBernoulli(CallContext &c, Value probability) {
  PrimBuilder &b = c.b;
  bool isDouble = b.elementOf(probability).isF64();
  Type type = isDouble ? b.getBuilder().getF64Type()
                       : Type(b.getBuilder().getF32Type());
  Value u = c.random(Distribution::uniform, c.resultShape(0), type);
  Value drawn = b.compare(Comparison::lt, u, c.convert(probability, type));
  return c.setResult(0, b.convert(drawn, c.resultElement(0)));
}

static LogicalResult decomposeBernoulli(CallContext &c) {
  return setBernoulli(c, c.tensor("self"));
}

static LogicalResult decomposeBernoulliP(CallContext &c) {
  return setBernoulli(c, c.tensor("p"));
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Random bits modulo the number of values.
static LogicalResult setIntegers(CallContext &c, Value low, Value high) {
  PrimBuilder &b = c.b;
  Value bits = c.random(Distribution::bits, c.resultShape(0),
                        b.getBuilder().getI64Type());
  Value offset = b.binary<prim::RemOp>(bits, b.sub(high, low));
  return c.setResult(0, b.convert(b.add(offset, low), c.resultElement(0)));
}

static LogicalResult decomposeRandint(CallContext &c) {
  sym::Expr low = c.has("low") ? c.size("low") : c.b.expr(0);
  return setIntegers(c, c.b.symbolValue(low), c.b.symbolValue(c.size("high")));
}

/// The bound is a rank-0 tensor.
static LogicalResult decomposeRandintTensor(CallContext &c) {
  Value high = c.b.convert(c.tensor("high"), c.b.getBuilder().getI64Type());
  return setIntegers(c, c.b.symbolValue(c.b.expr(0)), high);
}

static LogicalResult decomposeRandomFromTo(CallContext &c) {
  if (c.has("from") && c.isNone("to"))
    return c.emitUnsupported("random integers without an upper bound");
  Type index = c.b.getBuilder().getI64Type();
  Value low = c.b.scalarInt(c.has("from") ? c.integer("from") : 0, index);
  return setIntegers(c, low, c.b.scalarInt(c.integer("to"), index));
}

/// The order that sorts random numbers.
static LogicalResult decomposeRandperm(CallContext &c) {
  PrimBuilder &b = c.b;
  Value bits =
      c.random(Distribution::bits, {c.size("n")}, b.getBuilder().getI64Type());
  auto sort = prim::SortOp::create(b.getBuilder(), c.getLoc(), bits, 0,
                                   /*descending=*/false);
  return c.setResult(0, b.convert(sort.getIndices(), c.resultElement(0)));
}

//===----------------------------------------------------------------------===//
// multinomial
//===----------------------------------------------------------------------===//

/// For each of k uniform numbers the first class whose cumulative share exceeds
/// it.
static Value drawWithReplacement(CallContext &c, Value weights,
                                 sym::Expr count) {
  PrimBuilder &b = c.b;
  int64_t last = b.rankOf(weights) - 1;
  sym::Shape shape = b.shapeOf(weights);
  sym::Expr classes = shape[last];
  Value sums = prim::CumulativeOp::create(b.getBuilder(), c.getLoc(),
                                          prim::ScanKind::sum, weights, last);
  Value total = b.slice(sums, last, sym::sub(classes, b.expr(1)), b.expr(1));
  shape[last] = count;
  Value u = b.mul(c.random(Distribution::uniform, shape, b.elementOf(weights)),
                  total);
  Value drawn = prim::SearchsortedOp::create(b.getBuilder(), c.getLoc(), sums,
                                             u, /*right=*/true);
  return b.min(drawn, b.symbolValue(sym::sub(classes, b.expr(1))));
}

/// The largest of weights over exponential numbers.
static Value drawWithoutReplacement(CallContext &c, Value weights,
                                    sym::Expr count) {
  PrimBuilder &b = c.b;
  int64_t last = b.rankOf(weights) - 1;
  sym::Shape shape = b.shapeOf(weights);
  Value u = c.random(Distribution::uniform, shape, b.elementOf(weights));
  Value waiting = clampMin(b, b.neg(logOfRest(b, u)), 1e-30);
  Value keys = b.div(weights, waiting);
  shape[last] = count;
  return prim::TopkOp::create(
             b.getBuilder(), c.getLoc(),
             sym::tensorType(shape, b.elementOf(keys)),
             sym::tensorType(shape, b.getBuilder().getI64Type()), keys, last,
             /*smallest=*/false)
      .getIndices();
}

static LogicalResult decomposeMultinomial(CallContext &c) {
  Value self = c.tensor("self");
  Type element = c.b.elementOf(self);
  int64_t rank = c.b.rankOf(self);
  if (!isFloat(element) || rank < 1 || rank > 2)
    return c.emitInvalid("expected weights of rank 1 or 2");
  Value weights = c.b.convert(self, opmathType(element));
  sym::Expr count = c.size("num_samples");
  return c.setResult(0, c.flag("replacement")
                            ? drawWithReplacement(c, weights, count)
                            : drawWithoutReplacement(c, weights, count));
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

static void addAll(DecompositionTable &table, StringRef name,
                   std::initializer_list<StringRef> overloads,
                   Decomposition function) {
  for (StringRef overload : overloads)
    table.add(("aten." + name + "." + overload).str(), function);
}

void normalize::registerRandomDecompositions(DecompositionTable &table) {
  addAll(table, "rand", {"default", "generator"}, decomposeRand);
  addAll(table, "rand_like", {"default", "generator"}, decomposeRand);
  addAll(table, "randn", {"default", "generator"}, decomposeRandn);
  addAll(table, "randn_like", {"default", "generator"}, decomposeRandn);
  addAll(table, "uniform", {"default"}, decomposeUniform);
  addAll(table, "normal",
         {"default", "Tensor_Tensor", "Tensor_float", "float_Tensor",
          "float_float"},
         decomposeNormal);
  addAll(table, "normal_functional", {"default"}, decomposeNormal);
  addAll(table, "log_normal", {"default"}, decomposeLogNormal);
  addAll(table, "exponential", {"default"}, decomposeExponential);
  addAll(table, "cauchy", {"default"}, decomposeCauchy);
  addAll(table, "geometric", {"default"}, decomposeGeometric);
  addAll(table, "bernoulli", {"default"}, decomposeBernoulli);
  addAll(table, "bernoulli", {"p", "Tensor", "float"}, decomposeBernoulliP);
  addAll(table, "randint", {"default", "generator", "low", "low_generator"},
         decomposeRandint);
  addAll(table, "randint_like",
         {"default", "generator", "low_dtype", "low_generator_dtype"},
         decomposeRandint);
  addAll(table, "randint_like", {"Tensor", "Tensor_generator"},
         decomposeRandintTensor);
  addAll(table, "random", {"from", "to"}, decomposeRandomFromTo);
  addAll(table, "randperm", {"default", "generator"}, decomposeRandperm);
  addAll(table, "multinomial", {"default"}, decomposeMultinomial);
}
