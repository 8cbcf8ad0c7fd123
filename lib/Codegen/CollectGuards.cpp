//===- CollectGuards.cpp - What must hold for a call to be right ----------===//
//
// The ids of guards say what they are about ("rank:x", "dim:x.0"), so that they
// stay the same when a program gains or loses others.
//
//===----------------------------------------------------------------------===//

#include "InterfaceBuilder.h"

#include "adze/Support/StringLiteral.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>

using namespace mlir;

namespace adze {

static std::string shapeText(StringRef input, int32_t dim) {
  return (input + ".shape[" + Twine(dim) + "]").str();
}

GuardSpec &InterfaceBuilder::addGuard(int32_t kind, int32_t input, StringRef id,
                                      const Twine &expression,
                                      const Twine &message) {
  GuardSpec guard;
  guard.kind = kind;
  guard.input = input;
  guard.id = id.str();
  if (input >= 0)
    guard.id += ":" + program.inputs[input].name;
  guard.expression = expression.str();
  guard.message = message.str();
  guard.origin = "program";
  return program.guards.emplace_back(std::move(guard));
}

/// The expression in terms of what the caller gives: "x.shape[0] + 1".
std::string InterfaceBuilder::display(sym::Expr expr) {
  MLIRContext *context = func.getContext();
  return sym::toString(sym::substitute(expr, [&](StringRef name) -> sym::Expr {
    for (const SymbolSpec &symbol : program.symbols) {
      if (symbol.name != name)
        continue;
      if (symbol.source == ADZE_SYMBOL_SCALAR)
        return sym::symbol(context, program.inputs[symbol.input].name);
      if (symbol.source == ADZE_SYMBOL_DIM && symbol.scale == 1 &&
          symbol.shift == 0)
        return sym::symbol(
            context, shapeText(program.inputs[symbol.input].name, symbol.dim));
    }
    return {};
  }));
}

SymbolBounds InterfaceBuilder::boundsOf(StringRef symbol) {
  SymbolBounds bounds;
  auto list = func->getAttrOfType<ArrayAttr>("adze.symbols");
  if (!list)
    return bounds;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    if (entry.getAs<StringAttr>("name").getValue() != symbol)
      continue;
    if (auto min = entry.getAs<IntegerAttr>("min"))
      bounds.min = min.getInt();
    if (auto max = entry.getAs<IntegerAttr>("max"))
      bounds.max = max.getInt();
  }
  return bounds;
}

//===----------------------------------------------------------------------===//
// One input
//===----------------------------------------------------------------------===//

/// As short as it can be and still be this number: callers read it.
static std::string shortest(double real) {
  char text[32];
  auto [end, code] = std::to_chars(text, text + sizeof(text), real);
  return std::string(text, end);
}

void InterfaceBuilder::addConstantGuard(int32_t index) {
  const InputSpec &input = program.inputs[index];
  Attribute value = inputEntries[index].get("value");
  constexpr llvm::StringLiteral why = "its value is part of the compiled code";
  auto add = [&](int32_t kind, const Twine &shown) -> GuardSpec & {
    return addGuard(kind, index, "value", Twine(input.name) + " == " + shown,
                    why);
  };
  switch (input.kind) {
  case ADZE_INT:
    add(ADZE_GUARD_CONST_INT, Twine(cast<IntegerAttr>(value).getInt())).a =
        cast<IntegerAttr>(value).getInt();
    break;
  case ADZE_BOOL: {
    bool truth = cast<IntegerAttr>(value).getValue().getBoolValue();
    add(ADZE_GUARD_CONST_BOOL, truth ? "True" : "False").a = truth;
    break;
  }
  case ADZE_FLOAT: {
    double real = cast<FloatAttr>(value).getValueAsDouble();
    add(ADZE_GUARD_CONST_FLOAT, shortest(real)).a =
        llvm::bit_cast<int64_t>(real);
    break;
  }
  case ADZE_STRING: {
    StringRef text = cast<StringAttr>(value).getValue();
    add(ADZE_GUARD_CONST_STRING, toStringLiteral(text)).text = text.str();
    break;
  }
  default:
    addGuard(ADZE_GUARD_CONST_NONE, index, "value",
             Twine(input.name) + " is None", why);
  }
}

static StringRef kindText(int32_t kind) {
  constexpr llvm::StringLiteral names[] = {"None",    "a tensor", "an int",
                                           "a float", "a bool",   "a string"};
  return names[kind];
}

void InterfaceBuilder::addInputGuards(int32_t index) {
  const InputSpec &input = program.inputs[index];
  if (input.isConstant)
    return addConstantGuard(index);
  addGuard(ADZE_GUARD_INPUT_KIND, index, "kind",
           Twine(input.name) + " is " + kindText(input.kind))
      .a = input.kind;
  if (input.kind != ADZE_TENSOR)
    return;
  addGuard(ADZE_GUARD_RANK, index, "rank",
           Twine(input.name) + ".ndim == " + Twine(input.dims.size()))
      .a = input.dims.size();
  addGuard(ADZE_GUARD_DTYPE, index, "dtype",
           Twine(input.name) + ".dtype == " + getName(input.dtype))
      .a = getInfo(input.dtype).pt2ScalarType;
  GuardSpec &device = addGuard(ADZE_GUARD_DEVICE, index, "device",
                               Twine(input.name) + ".device == cpu",
                               "the model was compiled for the cpu");
  device.a = kDLCPU;
  device.b = -1;
}

//===----------------------------------------------------------------------===//
// Dims
//===----------------------------------------------------------------------===//

void InterfaceBuilder::addRangeGuard(int32_t index, int32_t dim,
                                     const SymbolSpec &symbol) {
  SymbolBounds bounds = boundsOf(symbol.name);
  bool hasMin = bounds.min && *bounds.min > 0;
  if (!hasMin && !bounds.max)
    return;
  std::string size = shapeText(program.inputs[index].name, dim), text = size;
  if (hasMin)
    text = (Twine(*bounds.min) + " <= " + text).str();
  if (bounds.max)
    text += (" <= " + Twine(*bounds.max)).str();
  GuardSpec &guard = addGuard(ADZE_GUARD_DIM_RANGE, index, "range", text,
                              "the range of '" + symbol.name +
                                  "' that the program was exported for");
  guard.id += "." + std::to_string(dim);
  guard.index = dim;
  guard.a = bounds.min.value_or(0);
  guard.b = bounds.max.value_or(INT64_MAX);
}

void InterfaceBuilder::addDimGuard(int32_t index, int32_t dim) {
  const InputSpec &input = program.inputs[index];
  sym::Expr expr = input.dims[dim];
  std::string size = shapeText(input.name, dim);
  if (auto value = sym::asConstant(expr)) {
    GuardSpec &guard =
        addGuard(ADZE_GUARD_DIM_EQ, index, "dim", size + " == " + Twine(*value),
                 "the size was fixed when the program was exported");
    guard.id += "." + std::to_string(dim);
    guard.index = dim;
    guard.a = *value;
    return;
  }
  auto solved = llvm::find_if(program.symbols, [&](const SymbolSpec &symbol) {
    return symbol.source == ADZE_SYMBOL_DIM && symbol.input == index &&
           symbol.dim == dim;
  });
  if (solved != program.symbols.end() && solved->scale == 1 &&
      solved->shift == 0)
    return addRangeGuard(index, dim, *solved);
  GuardSpec &guard =
      addGuard(ADZE_GUARD_DIM_EXPR, index, "dim", size + " == " + display(expr),
               "the size depends on other sizes of the inputs");
  guard.id += "." + std::to_string(dim);
  guard.index = dim;
  guard.expr = expr;
}

//===----------------------------------------------------------------------===//
// Symbols and relations
//===----------------------------------------------------------------------===//

void InterfaceBuilder::addRelation(sym::Expr holds, const Twine &id,
                                   StringRef text, StringRef origin) {
  GuardSpec &guard = addGuard(ADZE_GUARD_RELATION, -1, "", text);
  guard.id = id.str();
  guard.expr = holds;
  guard.origin = origin.empty() ? "program" : ("program: " + origin).str();
}

/// The range of a symbol that no size is equal to.
void InterfaceBuilder::addSymbolGuards(const SymbolSpec &symbol) {
  bool isPlainDim = symbol.source == ADZE_SYMBOL_DIM && symbol.scale == 1 &&
                    symbol.shift == 0;
  if (isPlainDim || symbol.source == ADZE_SYMBOL_MAIN ||
      symbol.source == ADZE_SYMBOL_EXPR)
    return;
  MLIRContext *context = func.getContext();
  SymbolBounds bounds = boundsOf(symbol.name);
  sym::Expr value = sym::symbol(context, symbol.name);
  if (bounds.min)
    addRelation(sym::make(sym::ExprKind::Le,
                          {sym::constant(context, *bounds.min), value}),
                "min:" + symbol.name,
                (Twine(symbol.name) + " >= " + Twine(*bounds.min)).str(),
                "range_constraints");
  if (bounds.max)
    addRelation(sym::make(sym::ExprKind::Le,
                          {value, sym::constant(context, *bounds.max)}),
                "max:" + symbol.name,
                (Twine(symbol.name) + " <= " + Twine(*bounds.max)).str(),
                "range_constraints");
}

/// A scalar input that no symbol was solved from must be what it was traced as.
void InterfaceBuilder::addScalarGuard(int32_t index) {
  auto expr = inputEntries[index].getAs<sym::ExprAttr>("expr");
  if (!expr || program.inputs[index].isConstant)
    return;
  bool isSource = llvm::any_of(program.symbols, [&](const SymbolSpec &symbol) {
    return symbol.source == ADZE_SYMBOL_SCALAR && symbol.input == index;
  });
  if (isSource)
    return;
  GuardSpec &guard =
      addGuard(ADZE_GUARD_RELATION, index, "value",
               Twine(program.inputs[index].name) + " == " + display(expr));
  guard.expr = expr;
  guard.equalsScalar = index;
}

void InterfaceBuilder::addRelations() {
  for (const SymbolSpec &symbol : program.symbols)
    addSymbolGuards(symbol);
  for (size_t i = 0; i < program.inputs.size(); ++i)
    addScalarGuard(i);
  auto list = func->getAttrOfType<ArrayAttr>("adze.guards");
  if (!list)
    return;
  for (auto [i, entry] : llvm::enumerate(list.getAsRange<DictionaryAttr>())) {
    auto expr = entry.getAs<sym::ExprAttr>("expr");
    auto text = entry.getAs<StringAttr>("text"),
         origin = entry.getAs<StringAttr>("origin");
    if (expr && !sym::isConstant(expr, 1))
      addRelation(expr, "relation:" + Twine(i),
                  text ? text.getValue().str() : display(expr),
                  origin ? origin.getValue() : "");
  }
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Writing to an input gives what the program says only if it shares memory
/// with no other input, and no two of its elements share a place.
void InterfaceBuilder::addOverlapGuards() {
  llvm::SmallDenseSet<int32_t> done;
  for (const MutationSpec &mutation : program.mutations) {
    if (mutation.targetKind != ADZE_FROM_INPUT ||
        !done.insert(mutation.target).second)
      continue;
    const std::string &name = program.inputs[mutation.target].name;
    addGuard(ADZE_GUARD_NO_SELF_OVERLAP, mutation.target, "self-overlap",
             name + " has no two elements at one address",
             "the call writes to it")
        .origin = "normalize";
    for (auto [other, input] : llvm::enumerate(program.inputs)) {
      if (input.kind != ADZE_TENSOR || done.contains(other))
        continue;
      GuardSpec &guard =
          addGuard(ADZE_GUARD_NO_OVERLAP, mutation.target, "overlap",
                   name + " shares no memory with " + input.name,
                   "the call writes to '" + name + "'");
      guard.id += "," + input.name;
      guard.index = other;
      guard.origin = "normalize";
    }
  }
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

void InterfaceBuilder::collectGuards() {
  if (options.target.cpuFeatures) {
    GuardSpec &cpu =
        addGuard(ADZE_GUARD_CPU, -1, "cpu",
                 "cpu has the features of " + options.target.name,
                 "the model was compiled for " + options.target.name);
    cpu.a = options.target.cpuFeatures;
    cpu.origin = "codegen";
  }
  addGuard(ADZE_GUARD_INPUT_COUNT, -1, "inputs",
           "len(inputs) == " + Twine(program.inputs.size()))
      .a = program.inputs.size();
  for (int32_t i = 0; size_t(i) < program.inputs.size(); ++i)
    addInputGuards(i);
  for (int32_t i = 0; size_t(i) < program.inputs.size(); ++i)
    for (int32_t dim = 0; size_t(dim) < program.inputs[i].dims.size(); ++dim)
      addDimGuard(i, dim);
  addOverlapGuards();
  addRelations();
}

void addWeightsGuard(ProgramInterface &program) {
  if (program.weights.empty())
    return;
  GuardSpec guard;
  guard.kind = ADZE_GUARD_WEIGHTS;
  guard.id = "weights";
  guard.expression =
      "digest of weights.bin == " +
      llvm::utohexstr(program.weightsDigest, /*LowerCase=*/true, /*Width=*/16);
  guard.message = "model.so and weights.bin belong together";
  guard.origin = "package";
  guard.a = static_cast<int64_t>(program.weightsDigest);
  program.guards.insert(program.guards.begin(), std::move(guard));
}

} // namespace adze
