//===- PrimCost.cpp - What each prim op costs -----------------------------===//
//
// Costs count multiplications and additions; what takes longer counts as the
// number of them that take its time in vector code (exp: 0.5 cycles per
// element on a core that does 32 f32 operations per cycle). Moving data costs
// nothing here: its bytes follow from the types.
//
//===----------------------------------------------------------------------===//

#include "dialects/Prim/PrimCost.h"
#include "dialects/Prim/Prim.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace adze::prim {

static sym::Expr constant(Operation *op, int64_t value) {
  return sym::constant(op->getContext(), value);
}

static sym::Expr elementsOf(Value value) {
  return sym::product(value.getContext(), sym::shapeOf(value));
}

/// The product of the sizes but for the last `tail` dims.
static sym::Expr batchOf(Value value, unsigned tail) {
  return sym::product(value.getContext(),
                      ArrayRef(sym::shapeOf(value)).drop_back(tail));
}

static sym::Expr sizeFromEnd(Value value, unsigned dim) {
  sym::Shape shape = sym::shapeOf(value);
  return shape[shape.size() - 1 - dim];
}

/// Steps of a binary search, or comparisons per element of a sort. A size that
/// is not known counts as 2^16.
static sym::Expr logarithm(sym::Expr size) {
  int64_t known = sym::asConstant(size).value_or(1 << 16);
  return sym::constant(size.getContext(),
                       llvm::Log2_64_Ceil(std::max<int64_t>(known, 2)));
}

static sym::Expr scaled(int64_t factor, sym::Expr cost) {
  return sym::mul(sym::constant(cost.getContext(), factor), cost);
}

//===----------------------------------------------------------------------===//
// How rules are attached
//===----------------------------------------------------------------------===//

namespace {

template <typename OpT, sym::Expr (*Rule)(OpT)>
struct RuleModel : CostInterface::ExternalModel<RuleModel<OpT, Rule>, OpT> {
  sym::Expr flops(Operation *op) const { return Rule(cast<OpT>(op)); }
};

/// The same number of operations for each element of the first result; four
/// times as many for complex numbers, as for a product.
template <typename OpT, int64_t Cost>
struct ElementModel
    : CostInterface::ExternalModel<ElementModel<OpT, Cost>, OpT> {
  sym::Expr flops(Operation *op) const {
    if (Cost == 0)
      return constant(op, 0);
    Value result = op->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    bool isComplex = isa<ComplexType>(type.getElementType());
    return scaled(isComplex ? 4 * Cost : Cost, elementsOf(result));
  }
};

} // namespace

template <typename OpT, sym::Expr (*Rule)(OpT)>
static void add(MLIRContext *context) {
  OpT::template attachInterface<RuleModel<OpT, Rule>>(*context);
}

template <int64_t Cost, typename... Ops>
static void addPerElement(MLIRContext *context) {
  (Ops::template attachInterface<ElementModel<Ops, Cost>>(*context), ...);
}

//===----------------------------------------------------------------------===//
// Elementwise ops and movements
//===----------------------------------------------------------------------===//

static void addElementwiseCosts(MLIRContext *context) {
  addPerElement<1, NegOp, AbsOp, SignOp, NotOp, CeilOp, FloorOp, TruncOp,
                RoundOp, ConvertOp, AddOp, SubOp, MulOp, MaxOp, MinOp, AndOp,
                OrOp, XorOp, ShiftLeftOp, ShiftRightOp, CopysignOp, CompareOp,
                WhereOp>(context);
  addPerElement<8, SqrtOp, RsqrtOp, DivOp, IDivOp, RemOp, NextafterOp>(context);
  addPerElement<16, ExpOp, Exp2Op, Expm1Op, LogOp, Log2Op, Log10Op, Log1pOp,
                SinOp, CosOp, TanOp, AsinOp, AcosOp, AtanOp, SinhOp, CoshOp,
                TanhOp, AsinhOp, AcoshOp, AtanhOp, ErfOp, ErfcOp, SigmoidOp,
                Atan2Op>(context);
  addPerElement<32, PowOp>(context);
  addPerElement<128, SpecialUnaryOp, SpecialBinaryOp>(context);
}

static void addMovementCosts(MLIRContext *context) {
  addPerElement<0, ConstantOp, FullOp, IotaOp, SymbolValueOp, BindSymbolOp,
                ReshapeOp, CheckShapeOp, TransposeOp, BroadcastOp, SliceOp,
                UpdateSliceOp, PadOp, ConcatOp, ReverseOp, AssertOp,
                AssertExprOp, BitcastOp, ComplexOp, RealOp, ImagOp, IndexOp,
                GatherOp, YieldOp>(context);
}

template <typename OpT> static sym::Expr costOfScatter(OpT op) {
  return op.getKind() == ScatterKind::set ? constant(op, 0)
                                          : elementsOf(op.getValues());
}

//===----------------------------------------------------------------------===//
// Reductions, orders, windows
//===----------------------------------------------------------------------===//

/// One operation for each element of the operand.
template <typename OpT> static sym::Expr costOfRead(OpT op) {
  return elementsOf(op.getOperand());
}

static sym::Expr costOfCumulative(CumulativeOp op) {
  int64_t each = op.getKind() == ScanKind::logsumexp ? 33 : 1;
  return scaled(each, elementsOf(op.getOperand()));
}

static sym::Expr costOfSort(SortOp op) {
  sym::Expr size = sym::shapeOf(op.getOperand())[op.getDim()];
  return sym::mul(elementsOf(op.getOperand()), logarithm(size));
}

/// A selection, then a sort of what it gave.
static sym::Expr costOfTopk(TopkOp op) {
  sym::Expr kept = sym::shapeOf(op.getValues())[op.getDim()];
  return sym::add(elementsOf(op.getOperand()),
                  sym::mul(elementsOf(op.getValues()), logarithm(kept)));
}

static sym::Expr costOfSearchsorted(SearchsortedOp op) {
  return sym::mul(elementsOf(op.getValues()),
                  logarithm(sizeFromEnd(op.getSequence(), 0)));
}

static sym::Expr costOfUnique(UniqueOp op) {
  sym::Expr size = elementsOf(op.getOperand());
  return op.getConsecutive() ? size : sym::mul(size, logarithm(size));
}

template <typename OpT> static sym::Expr costOfPool(OpT op) {
  int64_t window = 1;
  for (int64_t size : op.getWindow())
    window *= size;
  return scaled(window, elementsOf(op.getResult()));
}

static void addReductionCosts(MLIRContext *context) {
  add<ReduceOp, costOfRead>(context);
  add<ArgReduceOp, costOfRead>(context);
  add<ArgCumulativeOp, costOfRead>(context);
  add<NonzeroOp, costOfRead>(context);
  add<CumulativeOp, costOfCumulative>(context);
  add<SortOp, costOfSort>(context);
  add<TopkOp, costOfTopk>(context);
  add<SearchsortedOp, costOfSearchsorted>(context);
  add<UniqueOp, costOfUnique>(context);
  add<PoolOp, costOfPool>(context);
  add<ArgPoolOp, costOfPool>(context);
  add<ScatterOp, costOfScatter>(context);
  add<IndexPutOp, costOfScatter>(context);
}

//===----------------------------------------------------------------------===//
// Contractions and composites
//===----------------------------------------------------------------------===//

static sym::Expr costOfMatmul(MatmulOp op) {
  sym::Expr inner = sizeFromEnd(op.getLhs(), op.getTransposeLhs() ? 1 : 0);
  return scaled(2, sym::mul(elementsOf(op.getResult()), inner));
}

/// Each element of the result meets a whole filter of its group; of a
/// transposed convolution, each element of the input does.
static sym::Expr costOfConvolution(ConvolutionOp op) {
  Value image = op.getTransposed() ? op.getInput() : op.getResult();
  sym::Shape sizes = sym::shapeOf(op.getFilter());
  ArrayRef<sym::Expr> filter = ArrayRef(sizes).drop_front();
  if (op.getLayout() == ImageLayout::channels_last) {
    // [spatial..., C/groups, O]
    if (op.getTransposed())
      sizes[sizes.size() - 2] =
          sym::floorDiv(sizes.back(), constant(op, op.getGroups()));
    filter = ArrayRef(sizes).drop_back();
  }
  return scaled(
      2, sym::mul(elementsOf(image), sym::product(op.getContext(), filter)));
}

static sym::Expr costOfAttention(AttentionOp op) {
  sym::Expr scores =
      sym::mul(batchOf(op.getQuery(), 1), sizeFromEnd(op.getKey(), 1));
  sym::Expr products =
      sym::add(sizeFromEnd(op.getQuery(), 0), sizeFromEnd(op.getValue(), 0));
  return sym::mul(scores, sym::add(scaled(2, products), constant(op, 20)));
}

static void addNeuralCosts(MLIRContext *context) {
  add<MatmulOp, costOfMatmul>(context);
  add<ConvolutionOp, costOfConvolution>(context);
  add<AttentionOp, costOfAttention>(context);
  addPerElement<20, SoftmaxOp, LogSoftmaxOp>(context);
  addPerElement<8, LayerNormOp>(context);
  addPerElement<5, RmsNormOp>(context);
}

//===----------------------------------------------------------------------===//
// Random numbers, transforms, linear algebra
//===----------------------------------------------------------------------===//

static sym::Expr costOfRandom(RandomOp op) {
  int64_t each = op.getDistribution() == Distribution::normal ? 64 : 32;
  return scaled(each, elementsOf(op.getResult()));
}

static sym::Expr costOfFft(FftOp op) {
  sym::Expr size = sym::shapeOf(op.getOperand())[op.getDim()];
  return scaled(5, sym::mul(elementsOf(op.getOperand()), logarithm(size)));
}

/// M * N * min(M, N) per matrix: the order of all dense factorizations; `each`
/// is the usual constant, in halves.
static sym::Expr costOfFactors(Value matrices, int64_t halves) {
  sym::Expr smaller =
      sym::min(sizeFromEnd(matrices, 0), sizeFromEnd(matrices, 1));
  return sym::ceilDiv(scaled(halves, sym::mul(elementsOf(matrices), smaller)),
                      sym::constant(matrices.getContext(), 2));
}

template <typename OpT, int64_t Halves>
static sym::Expr costOfFactorization(OpT op) {
  return costOfFactors(op.getOperand(), Halves);
}

static sym::Expr costOfTriangularSolve(TriangularSolveOp op) {
  return sym::mul(elementsOf(op.getRhs()), sizeFromEnd(op.getMatrix(), 0));
}

static void addScienceCosts(MLIRContext *context) {
  add<RandomOp, costOfRandom>(context);
  add<FftOp, costOfFft>(context);
  add<TriangularSolveOp, costOfTriangularSolve>(context);
  add<CholeskyOp, costOfFactorization<CholeskyOp, 1>>(context);
  add<LuOp, costOfFactorization<LuOp, 2>>(context);
  add<QrOp, costOfFactorization<QrOp, 8>>(context);
  add<EighOp, costOfFactorization<EighOp, 18>>(context);
  add<SvdOp, costOfFactorization<SvdOp, 28>>(context);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

sym::Expr flopsOf(Region &region) {
  sym::Expr sum = sym::constant(region.getContext(), 0);
  for (auto op : region.getOps<CostInterface>())
    sum = sym::add(sum, op.flops());
  return sum;
}

/// The dearer branch.
static sym::Expr costOfCond(CondOp op) {
  return sym::max(flopsOf(op.getThenRegion()), flopsOf(op.getElseRegion()));
}

/// One turn: how many there will be is not known.
static sym::Expr costOfWhile(WhileOp op) {
  return sym::add(flopsOf(op.getCondition()), flopsOf(op.getBody()));
}

static sym::Expr costOfScan(ScanOp op) {
  sym::Expr turns = sym::shapeOf(op.getSequences().front()).front();
  return sym::mul(turns, flopsOf(op.getBody()));
}

static void addControlCosts(MLIRContext *context) {
  add<CondOp, costOfCond>(context);
  add<WhileOp, costOfWhile>(context);
  add<ScanOp, costOfScan>(context);
}

void addCostRules(MLIRContext *context) {
  addElementwiseCosts(context);
  addMovementCosts(context);
  addReductionCosts(context);
  addNeuralCosts(context);
  addScienceCosts(context);
  addControlCosts(context);
}

} // namespace adze::prim
