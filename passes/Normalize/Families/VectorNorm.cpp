//===- VectorNorm.cpp - Norms of vectors and matrices, distances ----------===//

#include "passes/Normalize/Families/Formulas.h"

#include <cmath>

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using adze::prim::Comparison;
using adze::prim::PrimBuilder;
using prim::Reduction;

/// self in the type of `dtype`; norms are of floats.
static FailureOr<Value> normed(CallContext &c) {
  Value self = c.tensor("self");
  self = c.b.convert(self, c.dtype("dtype").value_or(c.b.elementOf(self)));
  if (isIntegral(c.b.elementOf(self)))
    return c.emitInvalid(
        "expected floats to take a norm of, but found integers");
  return self;
}

/// Half precision is rounded once, at the end.
static LogicalResult setVectorNorm(CallContext &c, Value x, double order,
                                   ArrayRef<int64_t> dims) {
  Type element = c.b.elementOf(x);
  Value norm = vectorNorm(c.b, c.b.convert(x, opmathType(element)), order, dims,
                          c.flag("keepdim"));
  return c.setResult(0, c.b.convert(norm, realPartType(element)));
}

//===------------------------------------------------------===//
// Vector norms
//===------------------------------------------------------===//

static LogicalResult setVectorNormOf(CallContext &c, double order) {
  FailureOr<Value> self = normed(c);
  if (failed(self))
    return failure();
  return setVectorNorm(c, *self, order, c.dimsOrAll("dim", c.b.rankOf(*self)));
}

static LogicalResult decomposeVectorNorm(CallContext &c) {
  return setVectorNormOf(c, c.number("ord"));
}

static LogicalResult decomposeNorm(CallContext &c) {
  return setVectorNormOf(c, c.optNumber("p").value_or(2));
}

static LogicalResult decomposeFrobeniusNorm(CallContext &c) {
  return setVectorNormOf(c, 2);
}

static LogicalResult decomposeDist(CallContext &c) {
  Value difference =
      c.elementwise({c.tensor("self"), c.tensor("other")},
                    [&](Operands x) { return c.b.sub(x[0], x[1]); });
  return setVectorNorm(c, difference, c.number("p"), allDims(difference));
}

/// Scales slices along one dim down to a norm of at most `maxnorm`.
static LogicalResult decomposeRenorm(CallContext &c) {
  PrimBuilder &b = c.b;
  Value self = c.tensor("self");
  if (b.rankOf(self) < 2)
    return c.emitInvalid("expected a tensor of rank 2 or more");
  int64_t dim = c.dim("dim", b.rankOf(self));
  SmallVector<int64_t> others = allDims(self);
  others.erase(others.begin() + dim);
  double maxNorm = c.number("maxnorm");
  Type element = b.elementOf(self), real = realPartType(opmathType(element));
  Value wide = b.convert(self, opmathType(element));
  Value norm = vectorNorm(b, wide, c.number("p"), others, /*keepDims=*/true);
  Value factor = b.div(b.scalar(maxNorm, real), b.add(norm, 1e-7));
  Value isLong = b.compare(Comparison::gt, norm, maxNorm);
  factor = b.where(isLong, factor, b.fullLike(factor, 1));
  Value scaled = b.mul(wide, b.convert(factor, b.elementOf(wide)));
  return c.setResult(0, b.convert(scaled, element));
}

//===------------------------------------------------------===//
// Matrix norms
//===------------------------------------------------------===//

namespace {
/// The dims of a matrix, in the order of the argument.
struct MatrixDims {
  int64_t row, column;
};
} // namespace

static FailureOr<MatrixDims> matrixDims(CallContext &c, int64_t rank) {
  if (rank < 2)
    return c.emitInvalid("expected a matrix, but found rank " + Twine(rank));
  if (c.isNone("dim"))
    return MatrixDims{rank - 2, rank - 1};
  auto dims = c.dims("dim", rank);
  if (dims.size() != 2 || dims[0] == dims[1])
    return c.emitInvalid("expected two dims of a matrix");
  return MatrixDims{dims[0], dims[1]};
}

/// Singular values along a last dim, the matrix dims being gone.
static Value singularValues(PrimBuilder &b, Value x, MatrixDims dims) {
  SmallVector<int64_t> order;
  for (int64_t dim : allDims(x))
    if (dim != dims.row && dim != dims.column)
      order.push_back(dim);
  order.append({dims.row, dims.column});
  x = b.transpose(x, order);
  sym::Shape shape = b.shapeOf(x);
  sym::Expr columns = shape.pop_back_val(), rows = shape.pop_back_val();
  sym::Expr rank = sym::min(rows, columns);
  auto typeOf = [&](ArrayRef<sym::Expr> last) {
    sym::Shape sizes(shape);
    sizes.append(last.begin(), last.end());
    return sym::tensorType(sizes, b.elementOf(x));
  };
  return prim::SvdOp::create(b.getBuilder(), b.getLoc(), typeOf({rows, rank}),
                             typeOf({rank}), typeOf({rank, columns}), x)
      .getS();
}

/// Gives the dims of the matrices back as size 1.
static Value withMatrixDims(PrimBuilder &b, Value norm, MatrixDims dims) {
  norm = b.unsqueeze(norm, std::min(dims.row, dims.column));
  return b.unsqueeze(norm, std::max(dims.row, dims.column));
}

/// Combines singular values by a reduction.
static LogicalResult setSpectralNorm(CallContext &c, Value x, Reduction kind,
                                     MatrixDims dims) {
  PrimBuilder &b = c.b;
  if (refuseComplex(c, {x}))
    return failure();
  Type element = b.elementOf(x);
  Value values = singularValues(b, b.convert(x, opmathType(element)), dims);
  Value norm = b.reduce(kind, values, b.rankOf(values) - 1);
  if (c.flag("keepdim"))
    norm = withMatrixDims(b, norm, dims);
  return c.setResult(0, b.convert(norm, element));
}

/// The extremal sum of magnitudes of a column (order 1) or a row (infinity).
static LogicalResult setSumNorm(CallContext &c, Value x, double order,
                                MatrixDims dims) {
  PrimBuilder &b = c.b;
  Type real = realPartType(b.elementOf(x));
  int64_t summed = std::isinf(order) ? dims.column : dims.row;
  int64_t compared = std::isinf(order) ? dims.row : dims.column;
  Value sums =
      b.sum(magnitude(b, b.convert(x, opmathType(b.elementOf(x)))), summed,
            /*keepDims=*/true);
  Value norm =
      b.reduce(order > 0 ? Reduction::max : Reduction::min, sums, compared,
               /*keepDims=*/true);
  if (!c.flag("keepdim"))
    norm = dropDims(b, norm, {dims.row, dims.column});
  return c.setResult(0, b.convert(norm, real));
}

static LogicalResult setMatrixNorm(CallContext &c, Value x, double order) {
  FailureOr<MatrixDims> dims = matrixDims(c, c.b.rankOf(x));
  if (failed(dims))
    return failure();
  if (std::abs(order) == 2)
    return setSpectralNorm(c, x, order > 0 ? Reduction::max : Reduction::min,
                           *dims);
  if (std::abs(order) == 1 || std::isinf(order))
    return setSumNorm(c, x, order, *dims);
  return c.emitInvalid("expected a matrix norm of order 1, 2 or infinity");
}

static LogicalResult setNamedMatrixNorm(CallContext &c, Value x,
                                        StringRef name) {
  FailureOr<MatrixDims> dims = matrixDims(c, c.b.rankOf(x));
  if (failed(dims))
    return failure();
  if (name == "fro")
    return setVectorNorm(c, x, 2, {dims->row, dims->column});
  if (name == "nuc")
    return setSpectralNorm(c, x, Reduction::sum, *dims);
  return c.emitInvalid("expected a matrix norm 'fro' or 'nuc', but found '" +
                       name + "'");
}

static LogicalResult decomposeMatrixNorm(CallContext &c) {
  FailureOr<Value> self = normed(c);
  return failed(self) ? failure() : setMatrixNorm(c, *self, c.number("ord"));
}

static LogicalResult decomposeNamedMatrixNorm(CallContext &c) {
  FailureOr<Value> self = normed(c);
  return failed(self) ? failure() : setNamedMatrixNorm(c, *self, c.text("ord"));
}

static LogicalResult decomposeNuclearNorm(CallContext &c) {
  FailureOr<Value> self = normed(c);
  return failed(self) ? failure() : setNamedMatrixNorm(c, *self, "nuc");
}

/// A vector norm without `ord`, and of one dim; else a matrix norm.
static LogicalResult decomposeLinalgNorm(CallContext &c) {
  FailureOr<Value> self = normed(c);
  if (failed(self))
    return failure();
  int64_t rank = c.b.rankOf(*self);
  bool isMatrix = c.has("dim") ? c.integers("dim").size() == 2 : rank == 2;
  if (c.isNone("ord") || !isMatrix)
    return setVectorNorm(c, *self, c.optNumber("ord").value_or(2),
                         c.dimsOrAll("dim", rank));
  return setMatrixNorm(c, *self, c.number("ord"));
}

void normalize::registerVectorNormDecompositions(DecompositionTable &table) {
  table.add("aten.linalg_vector_norm.default", decomposeVectorNorm);
  table.add("aten.linalg_norm.default", decomposeLinalgNorm);
  table.add("aten.linalg_norm.ord_str", decomposeNamedMatrixNorm);
  table.add("aten.linalg_matrix_norm.default", decomposeMatrixNorm);
  table.add("aten.linalg_matrix_norm.str_ord", decomposeNamedMatrixNorm);
  for (StringRef overload :
       {"Scalar", "ScalarOpt_dim", "ScalarOpt_dim_dtype", "ScalarOpt_dtype"})
    table.add(("aten.norm." + overload).str(), decomposeNorm);
  table.add("aten.native_norm.default", decomposeNorm);
  table.add("aten.native_norm.ScalarOpt_dim_dtype", decomposeNorm);
  table.add("aten.frobenius_norm.dim", decomposeFrobeniusNorm);
  table.add("aten.nuclear_norm.default", decomposeNuclearNorm);
  table.add("aten.nuclear_norm.dim", decomposeNuclearNorm);
  table.add("aten.dist.default", decomposeDist);
  table.add("aten.renorm.default", decomposeRenorm);
}
