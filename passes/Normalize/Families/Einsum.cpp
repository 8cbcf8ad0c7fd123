//===- Einsum.cpp - einsum, tensordot, bilinear ---------------------------===//

#include "passes/Normalize/Families/Contraction.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

//===----------------------------------------------------------------------===//
// The equation
//===----------------------------------------------------------------------===//

/// Labels of one term of an equation; an ellipsis is -1.
static constexpr int ellipsis = -1;
/// Dim k of an ellipsis, counted from its end, has label firstOfEllipsis - k.
static constexpr int firstOfEllipsis = 10000;

static FailureOr<SmallVector<int>> parseTerm(CallContext &c, StringRef text) {
  SmallVector<int> labels;
  while (!text.empty()) {
    if (text.consume_front("...")) {
      labels.push_back(ellipsis);
      continue;
    }
    if (!llvm::isAlpha(text.front()))
      return c.emitInvalid("an equation with '" + text.take_front(1) + "'");
    labels.push_back(text.front());
    text = text.drop_front();
  }
  if (llvm::count(labels, ellipsis) > 1)
    return c.emitInvalid("an equation with several ellipses in one term");
  return labels;
}

/// Replaces the ellipsis by one label per dim that it stands for.
static SmallVector<int> expandEllipsis(ArrayRef<int> labels, int64_t covered) {
  SmallVector<int> result;
  for (int label : labels) {
    if (label != ellipsis)
      result.push_back(label);
    else
      for (int64_t k = covered; k-- > 0;)
        result.push_back(firstOfEllipsis - k);
  }
  return result;
}

/// Without an arrow: the ellipsis, then labels that occur once, in order.
static SmallVector<int> implicitOutput(ArrayRef<Labelled> factors,
                                       int64_t covered) {
  SmallVector<int> all, result = expandEllipsis({ellipsis}, covered);
  for (const Labelled &factor : factors)
    llvm::append_range(all, factor.labels);
  for (int label = 'A'; label <= 'z'; ++label)
    if (llvm::count(all, label) == 1)
      result.push_back(label);
  return result;
}

static LogicalResult checkOutput(CallContext &c, ArrayRef<Labelled> factors,
                                 ArrayRef<int> output) {
  for (int label : output) {
    bool known = llvm::any_of(factors, [&](const Labelled &factor) {
      return llvm::is_contained(factor.labels, label);
    });
    if (!known || llvm::count(output, label) != 1)
      return c.emitInvalid(
          "an equation whose result has an unknown or repeated label");
  }
  return success();
}

/// Constant sizes of one label must be 1 or equal.
static LogicalResult checkSizes(CallContext &c, ArrayRef<Labelled> factors) {
  llvm::DenseMap<int, int64_t> sizes;
  for (const Labelled &factor : factors)
    for (auto [label, size] :
         llvm::zip(factor.labels, sym::shapeOf(factor.value))) {
      auto value = sym::asConstant(size);
      if (!value || *value == 1)
        continue;
      auto [it, isNew] = sizes.try_emplace(label, *value);
      if (!isNew && it->second != *value)
        return c.emitInvalid("expected equal sizes for one label, but found " +
                             Twine(it->second) + " and " + Twine(*value));
    }
  return success();
}

static LogicalResult checkElements(CallContext &c, ArrayRef<Labelled> factors) {
  for (const Labelled &factor : factors)
    if (c.b.elementOf(factor.value) != c.b.elementOf(factors[0].value))
      return c.emitInvalid("expected operands of one element type");
  return success();
}

static LogicalResult setContraction(CallContext &c, ArrayRef<Labelled> factors,
                                    ArrayRef<int> output) {
  if (failed(checkElements(c, factors)) || failed(checkSizes(c, factors)) ||
      failed(checkOutput(c, factors, output)))
    return failure();
  return c.setResult(0, contract(c.b, factors, output));
}

/// The factors with their labels, and how many dims the longest ellipsis
/// covers.
static FailureOr<SmallVector<Labelled>>
parseInputs(CallContext &c, StringRef text, int64_t &covered) {
  SmallVector<Value> operands = c.tensors("tensors");
  SmallVector<StringRef> terms;
  text.split(terms, ',');
  if (terms.size() != operands.size() || operands.empty())
    return c.emitInvalid("an equation of " + Twine(terms.size()) +
                         " terms for " + Twine(operands.size()) + " tensors");
  SmallVector<Labelled> factors;
  for (auto [term, operand] : llvm::zip(terms, operands)) {
    FailureOr<SmallVector<int>> labels = parseTerm(c, term);
    if (failed(labels))
      return failure();
    bool hasEllipsis = llvm::is_contained(*labels, ellipsis);
    int64_t rest = c.b.rankOf(operand) - int64_t(labels->size()) + hasEllipsis;
    if (rest < 0 || (rest > 0 && !hasEllipsis))
      return c.emitInvalid(
          "an equation that does not fit the rank of a tensor");
    covered = std::max(covered, rest);
    factors.push_back({operand, expandEllipsis(*labels, rest)});
  }
  return factors;
}

static LogicalResult decomposeEinsum(CallContext &c) {
  std::string equation = c.text("equation").str();
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  int64_t covered = 0;
  FailureOr<SmallVector<Labelled>> factors = parseInputs(c, left, covered);
  if (failed(factors))
    return failure();
  if (!StringRef(equation).contains("->"))
    return setContraction(c, *factors, implicitOutput(*factors, covered));
  FailureOr<SmallVector<int>> output = parseTerm(c, right);
  if (failed(output))
    return failure();
  return setContraction(c, *factors, expandEllipsis(*output, covered));
}

//===----------------------------------------------------------------------===//
// tensordot, bilinear
//===----------------------------------------------------------------------===//

static LogicalResult decomposeTensordot(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t left = c.b.rankOf(self), right = c.b.rankOf(other);
  SmallVector<int64_t> dimsSelf = c.dims("dims_self", left),
                       dimsOther = c.dims("dims_other", right);
  if (dimsSelf.size() != dimsOther.size() ||
      int64_t(dimsSelf.size()) > std::min(left, right))
    return c.emitInvalid("expected as many contracted dims of both tensors");
  Labelled a = {self, {}}, b = {other, {}};
  SmallVector<int> output;
  for (int64_t i = 0; i < left; ++i) {
    a.labels.push_back(i);
    if (!llvm::is_contained(dimsSelf, i))
      output.push_back(i);
  }
  for (int64_t i = 0; i < right; ++i) {
    auto at = llvm::find(dimsOther, i);
    bool summed = at != dimsOther.end();
    b.labels.push_back(summed ? dimsSelf[at - dimsOther.begin()] : left + i);
    if (!summed)
      output.push_back(left + i);
  }
  return setContraction(c, {a, b}, output);
}

/// Sums over the last dims of both; a number scales.
static LogicalResult decomposeInner(CallContext &c) {
  Value self = c.tensor("self"), other = c.tensor("other");
  int64_t left = c.b.rankOf(self), right = c.b.rankOf(other);
  if (left == 0 || right == 0)
    return c.setResult(0, c.b.mul(self, other));
  SmallVector<int> rows, columns, output;
  for (int64_t i = 0; i + 1 < left; ++i)
    rows.push_back(i);
  for (int64_t i = 0; i + 1 < right; ++i)
    columns.push_back(left + i);
  llvm::append_range(output, rows);
  llvm::append_range(output, columns);
  int summed = left + right;
  rows.push_back(summed);
  columns.push_back(summed);
  return setContraction(c, {{self, rows}, {other, columns}}, output);
}

/// out[..., o] = sum over i, j of x[..., i] w[o, i, j] y[..., j] + bias[o]
static LogicalResult decomposeBilinear(CallContext &c) {
  Value x = c.tensor("input1"), y = c.tensor("input2"),
        weight = c.tensor("weight");
  int64_t rank = c.b.rankOf(x);
  if (rank == 0 || c.b.rankOf(y) != rank || c.b.rankOf(weight) != 3)
    return c.emitInvalid("expected inputs of one rank and a weight of rank 3");
  SmallVector<int> batch;
  for (int64_t i = 0; i + 1 < rank; ++i)
    batch.push_back(i);
  auto with = [&](int label) {
    SmallVector<int> labels(batch);
    labels.push_back(label);
    return labels;
  };
  int o = rank, i = rank + 1, j = rank + 2;
  SmallVector<Labelled> factors = {
      {x, with(i)}, {weight, {o, i, j}}, {y, with(j)}};
  if (failed(setContraction(c, factors, with(o))))
    return failure();
  auto bias = c.optTensor("bias");
  if (!bias)
    return success();
  return c.setResult(
      0, c.compute(c.resultElement(0), {c.result(0), *bias},
                   [&](ArrayRef<Value> v) { return c.b.add(v[0], v[1]); }));
}

/// The sum over some dims of the product of three tensors with inserted dims.
static LogicalResult decomposeTrilinear(CallContext &c) {
  SmallVector<Value> factors;
  for (auto [name, dims] :
       {std::pair("i1", "expand1"), {"i2", "expand2"}, {"i3", "expand3"}}) {
    Value factor = c.tensor(name);
    SmallVector<int64_t> expanded = c.integers(dims);
    llvm::sort(expanded);
    for (int64_t dim : expanded) {
      if (dim < 0 || dim > c.b.rankOf(factor))
        return c.emitInvalid("expected dims within the rank");
      factor = c.b.unsqueeze(factor, dim);
    }
    factors.push_back(factor);
  }
  SmallVector<int64_t> dims =
      c.dims("sumdim", c.b.rankOf(factors[0]), /*sort=*/true);
  return c.setResult(
      0, c.compute(c.resultElement(0), factors, [&](ArrayRef<Value> x) {
        return c.b.sum(c.b.mul(c.b.mul(x[0], x[1]), x[2]), dims);
      }));
}

void normalize::registerEinsumDecompositions(DecompositionTable &table) {
  table.add("aten.einsum.default", decomposeEinsum);
  table.add("aten.tensordot.default", decomposeTensordot);
  table.add("aten.inner.default", decomposeInner);
  table.add("aten.bilinear.default", decomposeBilinear);
  table.add("aten._trilinear.default", decomposeTrilinear);
}
