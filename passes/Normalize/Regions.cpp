//===- Regions.cpp - Modes, branches and loops of a graph -----------------===//

#include "passes/Normalize/Normalizer.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace adze::normalize {

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

FailureOr<Value> Normalizer::readShaped(Value captured, Type type) {
  FailureOr<Value> value = read(captured);
  if (failed(value))
    return emitError(captured.getLoc(),
                     "reads a view of memory that was written since");
  auto found = cast<RankedTensorType>(value->getType()),
       wanted = cast<RankedTensorType>(type);
  if (found.getElementType() != wanted.getElementType() ||
      found.getRank() != wanted.getRank())
    return emitError(captured.getLoc(), "expected a tensor of type ")
           << wanted << ", but found " << found;
  return prim::PrimBuilder(builder, captured.getLoc())
      .checkShape(*value, sym::shapeOf(wanted));
}

void Normalizer::bindFresh(ValueRange captured, ValueRange values) {
  for (auto [name, value] : llvm::zip(captured, values))
    memory.bind(name, memory.makeFresh(value));
}

void Normalizer::bindSame(ValueRange captured, ValueRange others) {
  for (auto [name, other] : llvm::zip(captured, others))
    memory.bind(name, memory.lookup(other));
}

/// Visits a body whose arguments are bound and yields what it returns.
LogicalResult Normalizer::fillRegion(Region &body, Block &into,
                                     ArrayRef<Type> resultTypes, bool isLoop) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&into);
  memory.enterRegion();
  loopDepth += isLoop;
  SmallVector<Value> results;
  LogicalResult done = visitBlock(body.front());
  Operation *terminator = body.front().getTerminator();
  if (succeeded(done) && !resultTypes.empty() &&
      terminator->getNumOperands() != resultTypes.size())
    done = terminator->emitError("expected ")
           << resultTypes.size() << " values, but found "
           << terminator->getNumOperands();
  for (size_t i = 0; succeeded(done) && i < terminator->getNumOperands(); ++i) {
    Value captured = terminator->getOperand(i);
    auto value = readShaped(captured, i < resultTypes.size() && resultTypes[i]
                                          ? resultTypes[i]
                                          : captured.getType());
    done = value;
    results.push_back(value.value_or(Value()));
  }
  loopDepth -= isLoop;
  memory.leaveRegion();
  if (succeeded(done))
    prim::YieldOp::create(builder, terminator->getLoc(), results);
  return done;
}

static Block &addBlock(Region &region, TypeRange types, Location loc) {
  Block &block = region.emplaceBlock();
  for (Type type : types)
    block.addArgument(type, loc);
  return block;
}

//===----------------------------------------------------------------------===//
// Modes, which are inlined
//===----------------------------------------------------------------------===//

LogicalResult Normalizer::visitInline(Operation &op, Region &body) {
  Block &block = body.front();
  if (block.getNumArguments() != op.getNumOperands())
    return op.emitError("expected as many region arguments as operands");
  bindSame(block.getArguments(), op.getOperands());
  if (failed(visitBlock(block)))
    return failure();
  Operation *terminator = block.getTerminator();
  if (terminator->getNumOperands() != op.getNumResults())
    return op.emitError("expected as many values from the region as results");
  bindSame(op.getResults(), terminator->getOperands());
  return success();
}

LogicalResult Normalizer::visitAutocast(capture::AutocastOp op) {
  AutocastState outer = autocast;
  autocast = {op.getEnabled(), op.getDtype()};
  LogicalResult done = visitInline(*op, op.getBody());
  autocast = outer;
  return done;
}

//===----------------------------------------------------------------------===//
// Control flow, which stays structured
//===----------------------------------------------------------------------===//

/// The size that a symbol, the size of a dim of some result, has in a branch.
static sym::Expr sizeInBranch(StringRef symbol, TypeRange results,
                              ValueRange yielded) {
  for (auto [type, value] : llvm::zip(results, yielded)) {
    auto sizes = sym::shapeOf(cast<RankedTensorType>(type));
    for (auto [i, size] : llvm::enumerate(sizes))
      if (size == sym::symbol(type.getContext(), symbol))
        return sym::shapeOf(value)[i];
  }
  return sym::Expr();
}

static LogicalResult setBranchSizes(prim::CondOp op, ArrayAttr symbols) {
  SmallVector<Attribute> sizes[2];
  for (Attribute symbol : symbols)
    for (unsigned i : {0u, 1u}) {
      Operation *yield = op->getRegion(i).front().getTerminator();
      sym::Expr size = sizeInBranch(cast<StringAttr>(symbol).getValue(),
                                    op.getResultTypes(), yield->getOperands());
      if (!size)
        return op.emitError("symbol ")
               << symbol << " is no size of a result of the branches";
      sizes[i].push_back(size);
    }
  OpBuilder builder(op);
  op.setDefinesAttr(symbols);
  op.setThenSizesAttr(builder.getArrayAttr(sizes[0]));
  op.setElseSizesAttr(builder.getArrayAttr(sizes[1]));
  return success();
}

/// What each branch has to give: the recorded type, unless its sizes stand for
/// those of the branch.
static SmallVector<Type> branchTypes(capture::CondOp op) {
  return llvm::map_to_vector(op.getResultTypes(), [&](Type type) {
    bool defines = false;
    for (sym::Expr size : sym::shapeOf(cast<RankedTensorType>(type)))
      sym::walkSymbols(size, [&](StringRef name) {
        defines |= llvm::is_contained(
            op.getBinds().getAsValueRange<StringAttr>(), name);
      });
    return defines ? Type() : type;
  });
}

LogicalResult Normalizer::visitCond(capture::CondOp op) {
  prim::PrimBuilder b(builder, op.getLoc());
  bool isSymbolic = op.getPredicateAttr() != nullptr;
  Value condition;
  if (isSymbolic) {
    condition =
        b.convert(b.symbolValue(op.getPredicateAttr()), builder.getI1Type());
  } else {
    FailureOr<Value> value = failure();
    if (op.getNumOperands())
      value = read(op.getOperand(0));
    if (failed(value))
      return op.emitError("expected a condition");
    condition = b.convert(b.reshape(*value, {}), builder.getI1Type());
  }
  auto cond = prim::CondOp::create(builder, op.getLoc(), op.getResultTypes(),
                                   condition);
  for (auto [from, to] : llvm::zip(op->getRegions(), cond->getRegions())) {
    Block &body = from.front();
    if (body.getNumArguments() > op.getNumOperands())
      return op.emitError(
          "expected at most as many region arguments as operands");
    bindSame(body.getArguments(),
             op.getOperands().take_back(body.getNumArguments()));
    if (failed(fillRegion(from, to.emplaceBlock(), branchTypes(op),
                          /*isLoop=*/false)))
      return failure();
  }
  bindFresh(op.getResults(), cond.getResults());
  return setBranchSizes(cond, op.getBinds());
}

LogicalResult Normalizer::visitWhile(capture::WhileOp op) {
  unsigned carried = op.getCarried();
  if (carried > op.getNumOperands() || carried != op.getNumResults() ||
      op.getCondition().getNumArguments() != op.getNumOperands() ||
      op.getBody().getNumArguments() != op.getNumOperands())
    return op.emitError("expected one region argument for each operand, one "
                        "result for each carried value");
  SmallVector<Type> types(op.getResultTypes());
  SmallVector<Value> inits;
  for (unsigned i = 0; i < carried; ++i) {
    FailureOr<Value> init = readShaped(op.getOperand(i), types[i]);
    if (failed(init))
      return failure();
    inits.push_back(*init);
  }
  auto loop = prim::WhileOp::create(builder, op.getLoc(), types, inits);
  Type flag = RankedTensorType::get({}, builder.getI1Type());
  for (auto [from, to] : llvm::zip(op->getRegions(), loop->getRegions())) {
    Block &block = addBlock(to, types, op.getLoc());
    Block &body = from.front();
    memory.enterRegion();
    bindFresh(body.getArguments().take_front(carried), block.getArguments());
    memory.leaveRegion();
    bindSame(body.getArguments().drop_front(carried),
             op.getOperands().drop_front(carried));
    bool isCondition = &from == &op.getCondition();
    if (failed(fillRegion(from, block,
                          isCondition ? ArrayRef(flag) : ArrayRef(types),
                          /*isLoop=*/true)))
      return failure();
  }
  bindFresh(op.getResults(), loop.getResults());
  return success();
}

/// The type of one slice along dim 0; null for rank 0.
static Type sliceType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getRank() == 0)
    return Type();
  return sym::tensorType(ArrayRef(sym::shapeOf(tensor)).drop_front(),
                         tensor.getElementType());
}

LogicalResult Normalizer::visitScan(capture::ScanOp op) {
  unsigned inits = op.getInits(), sequences = op.getSequences();
  if (sequences == 0 || inits + sequences > op.getNumOperands() ||
      op.getNumResults() < inits ||
      op.getBody().getNumArguments() != op.getNumOperands())
    return op.emitError("expected one region argument for each operand and at "
                        "least one sequence");
  SmallVector<Type> resultTypes(op.getResultTypes());
  SmallVector<Type> inside(ArrayRef<Type>(resultTypes).take_front(inits)),
      yielded(inside);
  SmallVector<Value> operands;
  for (unsigned i = 0; i < inits + sequences; ++i) {
    FailureOr<Value> value = readShaped(
        op.getOperand(i), i < inits ? inside[i] : op.getOperand(i).getType());
    if (failed(value))
      return failure();
    operands.push_back(*value);
    if (i >= inits)
      inside.push_back(sliceType(value->getType()));
  }
  for (Type type : ArrayRef(resultTypes).drop_front(inits))
    yielded.push_back(sliceType(type));
  if (llvm::is_contained(inside, Type()) || llvm::is_contained(yielded, Type()))
    return op.emitError("expected sequences of at least rank 1");
  auto values = ArrayRef(operands);
  auto scan =
      prim::ScanOp::create(builder, op.getLoc(), op.getResultTypes(),
                           values.take_front(inits), values.drop_front(inits));
  Block &block = addBlock(scan.getBody(), inside, op.getLoc());
  Block &body = op.getBody().front();
  memory.enterRegion();
  bindFresh(body.getArguments().take_front(inside.size()),
            block.getArguments());
  memory.leaveRegion();
  bindSame(body.getArguments().drop_front(inside.size()),
           op.getOperands().drop_front(inside.size()));
  if (failed(fillRegion(op.getBody(), block, yielded, /*isLoop=*/true)))
    return failure();
  bindFresh(op.getResults(), scan.getResults());
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

LogicalResult Normalizer::visitAssert(capture::AssertOp op) {
  if (!sym::asConstant(op.getCondition()).value_or(0))
    prim::AssertExprOp::create(builder, op.getLoc(), op.getCondition(),
                               op.getMessage());
  return success();
}

LogicalResult Normalizer::visitGraphBreak(capture::GraphBreakOp op) {
  breakGraph(op, op.getWhat(), op.getReason());
  return success();
}

} // namespace adze::normalize
