//===- Recurrent.cpp - lstm, gru, rnn and their cells ---------------------===//
//
// One loop per layer and direction; what does not depend on the state, the
// projection of the inputs, is one matrix product before the loop.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/Families/Helpers.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;
using sym::Expr;
using sym::Shape;

enum class CellKind { Lstm, Gru, Tanh, Relu };

/// Weights of one layer in one direction; null where there are none.
struct CellWeights {
  Value ih, hh, ihBias, hhBias, projection;
};

struct CellState {
  Value hidden, cell; // cell: lstm only
};

//===----------------------------------------------------------------------===//
// One step
//===----------------------------------------------------------------------===//

/// x w^T + bias; biases are added in the type of x.
static Value project(CallContext &c, Value x, Value weight, Value bias) {
  Value product = c.b.matmul(x, weight, false, /*transposeRhs=*/true);
  return bias ? c.b.add(product, bias) : product;
}

/// Gate `i` of `count`, along the last dim.
static Value gate(CallContext &c, Value gates, int64_t i, int64_t count) {
  int64_t last = c.b.rankOf(gates) - 1;
  Expr size = sym::floorDiv(c.b.shapeOf(gates)[last], c.b.expr(count));
  return c.b.slice(gates, last, sym::mul(c.b.expr(i), size), size);
}

static Value sigmoid(CallContext &c, Value x) {
  return c.b.unary<prim::SigmoidOp>(x);
}
static Value tanh(CallContext &c, Value x) {
  return c.b.unary<prim::TanhOp>(x);
}

static CellState stepLstm(CallContext &c, Value input, CellState state,
                          const CellWeights &w) {
  Value gates = c.b.add(input, project(c, state.hidden, w.hh, w.hhBias));
  Value in = sigmoid(c, gate(c, gates, 0, 4)),
        forget = sigmoid(c, gate(c, gates, 1, 4));
  Value fresh = tanh(c, gate(c, gates, 2, 4)),
        out = sigmoid(c, gate(c, gates, 3, 4));
  Value cell = c.b.add(c.b.mul(forget, state.cell), c.b.mul(in, fresh));
  Value hidden = c.b.mul(out, tanh(c, cell));
  if (w.projection)
    hidden = project(c, hidden, w.projection, Value());
  return {hidden, cell};
}

static CellState stepGru(CallContext &c, Value input, CellState state,
                         const CellWeights &w) {
  Value recurrent = project(c, state.hidden, w.hh, w.hhBias);
  Value reset =
      sigmoid(c, c.b.add(gate(c, input, 0, 3), gate(c, recurrent, 0, 3)));
  Value update =
      sigmoid(c, c.b.add(gate(c, input, 1, 3), gate(c, recurrent, 1, 3)));
  Value fresh = tanh(c, c.b.add(gate(c, input, 2, 3),
                                c.b.mul(reset, gate(c, recurrent, 2, 3))));
  Value change = c.b.mul(update, c.b.sub(state.hidden, fresh));
  return {c.b.add(fresh, change), Value()};
}

/// From the projected input to the next state.
static CellState step(CallContext &c, CellKind kind, Value input,
                      CellState state, const CellWeights &w) {
  if (kind == CellKind::Lstm)
    return stepLstm(c, input, state, w);
  if (kind == CellKind::Gru)
    return stepGru(c, input, state, w);
  Value sum = c.b.add(input, project(c, state.hidden, w.hh, w.hhBias));
  if (kind == CellKind::Tanh)
    return {tanh(c, sum), Value()};
  return {c.b.max(sum, c.b.fullLike(sum, 0)), Value()};
}

//===----------------------------------------------------------------------===//
// One layer in one direction
//===----------------------------------------------------------------------===//

struct LayerResult {
  Value sequence;
  CellState last;
};

/// A block with the carried state and one slice of the inputs.
static Block *addBody(prim::ScanOp scan, ArrayRef<Type> types) {
  Block *body = scan.getBody().empty() ? &scan.getBody().emplaceBlock()
                                       : &scan.getBody().front();
  for (Type type : types)
    body->addArgument(type, scan.getLoc());
  return body;
}

/// The types of the carried state, then of one step of a sequence.
static SmallVector<Type> stateTypes(CellState state) {
  SmallVector<Type> types = {state.hidden.getType()};
  if (state.cell)
    types.push_back(state.cell.getType());
  return types;
}

static RankedTensorType sequenceType(CallContext &c, Expr length, Value slice) {
  Shape shape = c.b.shapeOf(slice);
  shape.insert(shape.begin(), length);
  return sym::tensorType(shape, c.b.elementOf(slice));
}

static void fillBody(CallContext &c, CellKind kind, Block *body,
                     const CellWeights &w) {
  OpBuilder &builder = c.b.getBuilder();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(body);
  bool isLstm = kind == CellKind::Lstm;
  CellState state = {body->getArgument(0),
                     isLstm ? body->getArgument(1) : Value()};
  CellState next = step(c, kind, body->getArgument(isLstm ? 2 : 1), state, w);
  Value hidden = c.b.checkShape(next.hidden, c.b.shapeOf(state.hidden));
  SmallVector<Value> results = {hidden};
  if (isLstm)
    results.push_back(c.b.checkShape(next.cell, c.b.shapeOf(state.cell)));
  results.push_back(hidden);
  prim::YieldOp::create(builder, c.getLoc(), results);
}

/// `inputs` is `[length, batch, features]`.
static LayerResult runLayer(CallContext &c, CellKind kind, Value inputs,
                            CellState state, const CellWeights &w,
                            bool backwards) {
  Value projected = project(c, inputs, w.ih, w.ihBias);
  if (backwards)
    projected = c.b.reverse(projected, {0});
  Shape shape = c.b.shapeOf(projected);
  SmallVector<Type> types = stateTypes(state), arguments = types;
  arguments.push_back(
      sym::tensorType(ArrayRef(shape).drop_front(), c.b.elementOf(projected)));
  types.push_back(sequenceType(c, shape[0], state.hidden));
  SmallVector<Value> inits = {state.hidden};
  if (state.cell)
    inits.push_back(state.cell);
  auto scan = prim::ScanOp::create(c.b.getBuilder(), c.getLoc(), types, inits,
                                   ValueRange(projected));
  fillBody(c, kind, addBody(scan, arguments), w);
  Value sequence = scan.getResults().back();
  if (backwards)
    sequence = c.b.reverse(sequence, {0});
  return {sequence,
          {scan.getResult(0), state.cell ? scan.getResult(1) : Value()}};
}

//===----------------------------------------------------------------------===//
// All layers
//===----------------------------------------------------------------------===//

struct Network {
  CellKind kind;
  Value input;        // [length, batch, features]
  Value hidden, cell; // [layers * directions, batch, features]
  SmallVector<CellWeights> weights;
  int64_t layers = 1, directions = 1;
};

static FailureOr<SmallVector<CellWeights>> readWeights(CallContext &c,
                                                       int64_t count) {
  SmallVector<Value> params = c.tensors("params");
  bool hasBiases = c.flag("has_biases");
  size_t least = hasBiases ? 4 : 2;
  size_t each = count > 0 ? params.size() / count : 0;
  if (count < 1 || params.size() != each * count || each < least ||
      each > least + 1)
    return c.emitInvalid("expected " + Twine(least) + " weights for each of " +
                         Twine(count) + " layers and directions, but found " +
                         Twine(params.size()));
  for (auto [i, param] : llvm::enumerate(params)) {
    bool isBias = hasBiases && (i % each == 2 || i % each == 3);
    if (c.b.rankOf(param) != (isBias ? 1 : 2))
      return c.emitInvalid("expected weights of rank 2 and biases of rank 1");
  }
  SmallVector<CellWeights> result;
  for (int64_t i = 0; i < count; ++i) {
    ArrayRef<Value> own = ArrayRef(params).slice(i * each, each);
    CellWeights w = {own[0], own[1], Value(), Value(), Value()};
    if (hasBiases) {
      w.ihBias = own[2];
      w.hhBias = own[3];
    }
    if (each > least)
      w.projection = own.back();
    result.push_back(w);
  }
  return result;
}

static FailureOr<Network> readNetwork(CallContext &c, CellKind kind) {
  Network n;
  n.kind = kind;
  n.input = c.tensor("input");
  SmallVector<Value> states = {Value()};
  if (kind == CellKind::Lstm)
    states = c.tensors("hx");
  else
    states[0] = c.tensor("hx");
  if (states.size() != (kind == CellKind::Lstm ? 2u : 1u))
    return c.emitInvalid("expected a hidden and a cell state");
  for (Value value : {n.input, states.front(), states.back()})
    if (c.b.rankOf(value) != 3)
      return c.emitUnsupported("an input or a state that has not rank 3");
  n.hidden = states.front();
  n.cell = kind == CellKind::Lstm ? states.back() : Value();
  n.layers = c.integer("num_layers");
  n.directions = c.flag("bidirectional") ? 2 : 1;
  if (c.flag("batch_first"))
    n.input = c.b.swapDims(n.input, 0, 1);
  FailureOr<SmallVector<CellWeights>> weights =
      readWeights(c, n.layers * n.directions);
  if (failed(weights))
    return failure();
  n.weights = *weights;
  return n;
}

static Value stateOf(CallContext &c, Value states, int64_t i) {
  if (!states)
    return Value();
  return c.b.squeeze(c.b.slice(states, 0, c.b.expr(i), c.b.expr(1)), 0);
}

/// Between layers, while training.
static Value dropBetween(CallContext &c, Value x, double p) {
  Value draws =
      c.random(prim::Distribution::uniform, c.b.shapeOf(x), c.b.elementOf(x));
  Value kept = c.b.compare(prim::Comparison::ge, draws, p);
  return c.b.where(kept, c.b.mul(x, 1 / (1 - p)),
                   c.b.scalar(0, c.b.elementOf(x)));
}

static Value stack(CallContext &c, ArrayRef<Value> values) {
  auto rows = llvm::map_to_vector(
      values, [&](Value value) { return c.b.unsqueeze(value, 0); });
  return c.b.concat(rows, 0);
}

static LogicalResult runNetwork(CallContext &c, CellKind kind) {
  FailureOr<Network> n = readNetwork(c, kind);
  if (failed(n))
    return failure();
  double p = c.flag("train") ? c.number("dropout") : 0;
  Value sequence = n->input;
  SmallVector<Value> hidden, cells;
  for (int64_t layer = 0; layer < n->layers; ++layer) {
    if (layer > 0 && p > 0)
      sequence =
          p < 1 ? dropBetween(c, sequence, p) : c.b.fullLike(sequence, 0);
    SmallVector<Value> outputs;
    for (int64_t direction = 0; direction < n->directions; ++direction) {
      int64_t i = layer * n->directions + direction;
      CellState state = {stateOf(c, n->hidden, i), stateOf(c, n->cell, i)};
      LayerResult result =
          runLayer(c, kind, sequence, state, n->weights[i], direction == 1);
      outputs.push_back(result.sequence);
      hidden.push_back(result.last.hidden);
      cells.push_back(result.last.cell);
    }
    sequence = c.b.concat(outputs, 2);
  }
  if (c.flag("batch_first"))
    sequence = c.b.swapDims(sequence, 0, 1);
  (void)c.setResult(0, sequence);
  (void)c.setResult(1, stack(c, hidden));
  return kind == CellKind::Lstm ? c.setResult(2, stack(c, cells)) : success();
}

static LogicalResult decomposeLstm(CallContext &c) {
  return runNetwork(c, CellKind::Lstm);
}
static LogicalResult decomposeGru(CallContext &c) {
  return runNetwork(c, CellKind::Gru);
}
static LogicalResult decomposeRnnTanh(CallContext &c) {
  return runNetwork(c, CellKind::Tanh);
}
static LogicalResult decomposeRnnRelu(CallContext &c) {
  return runNetwork(c, CellKind::Relu);
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// Computed in f32 for half precision and rounded at the end.
static LogicalResult runCell(CallContext &c, CellKind kind) {
  Value input = c.tensor("input");
  SmallVector<Value> states = kind == CellKind::Lstm
                                  ? c.tensors("hx")
                                  : SmallVector<Value>{c.tensor("hx")};
  CellWeights w = {c.tensor("w_ih"), c.tensor("w_hh"),
                   c.optTensor("b_ih").value_or(Value()),
                   c.optTensor("b_hh").value_or(Value()), Value()};
  if (states.size() != (kind == CellKind::Lstm ? 2u : 1u))
    return c.emitInvalid("expected a hidden and a cell state");
  for (Value value : {input, states.front(), states.back(), w.ih, w.hh})
    if (c.b.rankOf(value) != 2)
      return c.emitUnsupported("an operand that is no matrix");
  Type element = c.b.elementOf(input), opmath = opmathType(element);
  for (Value *value :
       {&input, &states.front(), &w.ih, &w.hh, &w.ihBias, &w.hhBias})
    if (*value)
      *value = c.b.convert(*value, opmath);
  Value cell =
      kind == CellKind::Lstm ? c.b.convert(states.back(), opmath) : Value();
  CellState next = step(c, kind, project(c, input, w.ih, w.ihBias),
                        {states.front(), cell}, w);
  (void)c.setResult(0, c.b.convert(next.hidden, element));
  return cell ? c.setResult(1, c.b.convert(next.cell, element)) : success();
}

static LogicalResult decomposeLstmCell(CallContext &c) {
  return runCell(c, CellKind::Lstm);
}
static LogicalResult decomposeGruCell(CallContext &c) {
  return runCell(c, CellKind::Gru);
}
static LogicalResult decomposeRnnTanhCell(CallContext &c) {
  return runCell(c, CellKind::Tanh);
}
static LogicalResult decomposeRnnReluCell(CallContext &c) {
  return runCell(c, CellKind::Relu);
}

void normalize::registerRecurrentDecompositions(DecompositionTable &table) {
  table.add("aten.lstm.input", decomposeLstm);
  table.add("aten.gru.input", decomposeGru);
  table.add("aten.rnn_tanh.input", decomposeRnnTanh);
  table.add("aten.rnn_relu.input", decomposeRnnRelu);
  table.add("aten.lstm_cell.default", decomposeLstmCell);
  table.add("aten.gru_cell.default", decomposeGruCell);
  table.add("aten.rnn_tanh_cell.default", decomposeRnnTanhCell);
  table.add("aten.rnn_relu_cell.default", decomposeRnnReluCell);
}
