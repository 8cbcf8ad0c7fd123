//===- InputRecipes.cpp - What inputs a program accepts -------------------===//
//
// From an exported program: its signature, ranges and examples. From an
// artifact: its guards.json.
//
//===----------------------------------------------------------------------===//

#include "adze/Driver/Artifact.h"
#include "adze/Driver/InputMaker.h"
#include "adze/Frontend/Frontend.h"
#include "adze/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>

namespace adze {

using namespace frontend;

static SymAst makeInteger(int64_t value) {
  SymAst ast;
  ast.op = SymOp::Integer;
  ast.integer = value;
  return ast;
}

//===----------------------------------------------------------------------===//
// Ranges of values
//===----------------------------------------------------------------------===//

/// Without an example: zero and one are indices into nearly everything.
static ValueRange defaultRange(const ValueSpec &spec) {
  bool isWhole = spec.kind == CallKind::Int || spec.kind == CallKind::Bool ||
                 (spec.kind == CallKind::Tensor && !isFloat(spec.dtype) &&
                  !isComplex(spec.dtype));
  return isWhole ? ValueRange{0, 1, false} : ValueRange{-1, 1, true};
}

static ValueRange rangeOf(const HostTensor &example, const ValueSpec &spec) {
  if (spec.dtype == DType::Bool || isComplex(spec.dtype))
    return defaultRange(spec);
  std::vector<double> values = example.toDoubles();
  llvm::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty())
    return defaultRange(spec);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (!isFloat(spec.dtype) || *low >= 0)
    return {*low, *high, false};
  double squares = 0;
  for (double v : values)
    squares += v * v;
  double size = std::sqrt(squares / static_cast<double>(values.size()));
  return {-size, size, true};
}

//===----------------------------------------------------------------------===//
// Exported programs
//===----------------------------------------------------------------------===//

/// The symbols that sizes of inputs name, with their size while tracing.
using SymbolHints = std::map<std::string, std::optional<int64_t>, std::less<>>;

static llvm::Expected<SymAst> makeAst(const SymScalar &scalar) {
  if (scalar.isLiteral())
    return makeInteger(scalar.integer);
  return parseSymExpr(scalar.expr);
}

static llvm::Expected<std::vector<SymAst>>
makeAsts(llvm::ArrayRef<SymScalar> scalars) {
  std::vector<SymAst> asts;
  for (const SymScalar &scalar : scalars) {
    llvm::Expected<SymAst> ast = makeAst(scalar);
    if (!ast)
      return ast.takeError();
    asts.push_back(std::move(*ast));
  }
  return asts;
}

static CallValue makeConstant(const Argument &argument) {
  switch (argument.kind) {
  case ArgKind::Int:
    return CallValue::ofInt(argument.integer);
  case ArgKind::Float:
    return CallValue::ofFloat(argument.real);
  case ArgKind::Bool:
    return CallValue::ofBool(argument.integer != 0);
  case ArgKind::String:
    return CallValue::ofString(argument.text.str());
  default:
    return CallValue();
  }
}

static void collectSymbols(const SymAst &ast, SymbolHints &hints) {
  if (ast.op == SymOp::Symbol)
    hints.try_emplace(ast.text);
  for (const SymAst &argument : ast.args)
    collectSymbols(argument, hints);
}

/// Notes the symbols of a size, and how large one was while tracing.
static void noteSize(const SymScalar &scalar, const SymAst &ast,
                     SymbolHints &hints) {
  collectSymbols(ast, hints);
  if (ast.op == SymOp::Symbol && scalar.hint)
    hints[ast.text] = static_cast<int64_t>(*scalar.hint);
}

static llvm::Error describeTensor(const TensorMeta &meta, InputRecipe &recipe,
                                  SymbolHints &hints) {
  recipe.spec.kind = CallKind::Tensor;
  recipe.spec.dtype = meta.dtype;
  llvm::Expected<std::vector<SymAst>> dims = makeAsts(meta.sizes);
  if (!dims)
    return dims.takeError();
  llvm::Expected<std::vector<SymAst>> strides = makeAsts(meta.strides);
  if (!strides)
    return strides.takeError();
  recipe.dims = std::move(*dims);
  recipe.strides = std::move(*strides);
  for (auto [size, ast] : llvm::zip_equal(meta.sizes, recipe.dims)) {
    recipe.spec.shape.push_back(size.isLiteral() ? size.integer : -1);
    noteSize(size, ast, hints);
  }
  return llvm::Error::success();
}

static llvm::Error describeValue(const ValueMeta &meta, InputRecipe &recipe,
                                 SymbolHints &hints) {
  if (meta.kind == ValueKind::Tensor)
    return describeTensor(meta.tensor, recipe, hints);
  if (meta.kind == ValueKind::CustomObj)
    return makeError(DiagId::UnsupportedFeature,
                     "cannot make an input that is an object of class '" +
                         meta.classFqn + "'");
  llvm::Expected<SymAst> value = makeAst(meta.scalar);
  if (!value)
    return value.takeError();
  recipe.value = std::move(*value);
  noteSize(meta.scalar, *recipe.value, hints);
  recipe.spec.kind = meta.kind == ValueKind::SymInt     ? CallKind::Int
                     : meta.kind == ValueKind::SymFloat ? CallKind::Float
                                                        : CallKind::Bool;
  return llvm::Error::success();
}

static llvm::Expected<InputRecipe>
makeRecipe(const InputSpec &spec, const Graph &graph, SymbolHints &hints) {
  InputRecipe recipe;
  recipe.spec.name =
      spec.arg.isValue() ? spec.arg.text.str() : spec.target.str();
  if (!spec.arg.isValue()) {
    recipe.spec.isConstant = true;
    recipe.spec.constant = makeConstant(spec.arg);
    recipe.spec.kind = recipe.spec.constant.kind;
    return recipe;
  }
  const ValueMeta *meta = graph.lookup(spec.arg.text);
  if (!meta)
    return makeError(DiagId::BadProgram,
                     "the input '" + spec.arg.text + "' has no type");
  if (llvm::Error failure = describeValue(*meta, recipe, hints))
    return std::move(failure);
  recipe.range = defaultRange(recipe.spec);
  return recipe;
}

/// Symbols of input sizes; those that the data decides are never asked for.
static std::vector<SymbolRange> makeRanges(const ExportedProgram &program,
                                           const SymbolHints &hints) {
  constexpr int64_t unbounded = int64_t(1) << 40;
  std::vector<SymbolRange> ranges;
  for (const auto &[name, hint] : hints)
    ranges.push_back({name, 1, unbounded, hint});
  for (const RangeConstraint &constraint : program.rangeConstraints) {
    llvm::Expected<SymAst> ast = parseSymExpr(constraint.expr);
    if (!ast) {
      llvm::consumeError(ast.takeError());
      continue;
    }
    for (SymbolRange &range : ranges)
      if (ast->op == SymOp::Symbol && range.name == ast->text) {
        range.min = std::max<int64_t>(constraint.min.value_or(0), 0);
        range.max = std::min(constraint.max.value_or(unbounded), unbounded);
      }
  }
  return ranges;
}

llvm::Expected<InputMaker> InputMaker::forProgram(const LoadedProgram &loaded) {
  const ExportedProgram &program = *loaded.program;
  std::vector<InputRecipe> recipes;
  SymbolHints hints;
  for (const InputSpec &spec : program.inputSpecs) {
    if (spec.kind != InputKind::UserInput &&
        spec.kind != InputKind::ConstantInput)
      continue;
    llvm::Expected<InputRecipe> recipe = makeRecipe(spec, program.graph, hints);
    if (!recipe)
      return recipe.takeError();
    recipes.push_back(std::move(*recipe));
  }
  std::vector<SampleInput> samples = loadSampleInputs(loaded);
  if (samples.size() == recipes.size())
    for (auto [sample, recipe] : llvm::zip_equal(samples, recipes))
      if (sample.kind == SampleInput::Kind::Tensor &&
          recipe.spec.kind == CallKind::Tensor)
        recipe.range = rangeOf(sample.tensor, recipe.spec);
  return InputMaker(std::move(recipes), makeRanges(program, hints));
}

//===----------------------------------------------------------------------===//
// Artifacts
//===----------------------------------------------------------------------===//

static llvm::Error malformed(llvm::StringRef path, const llvm::Twine &what) {
  return makeError(DiagId::BadArtifact, "'" + path + "': " + what);
}

/// A size: a number or an expression.
static llvm::Expected<SymAst> readSize(const llvm::json::Value &value,
                                       llvm::StringRef path) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return makeInteger(*number);
  if (std::optional<llvm::StringRef> text = value.getAsString())
    return parseSymExpr(*text);
  return malformed(path, "a size is neither a number nor an expression");
}

static llvm::Error readInput(const llvm::json::Object &input,
                             llvm::StringRef path, InputRecipe &recipe) {
  if (const llvm::json::Array *dims = input.getArray("shape"))
    for (const llvm::json::Value &dim : *dims) {
      llvm::Expected<SymAst> size = readSize(dim, path);
      if (!size)
        return size.takeError();
      recipe.dims.push_back(std::move(*size));
    }
  return llvm::Error::success();
}

/// A guard of the kind dim_range on a dim that is a symbol gives its range.
static void readRange(const llvm::json::Object &guard,
                      llvm::ArrayRef<InputRecipe> recipes,
                      std::vector<SymbolRange> &ranges) {
  std::optional<int64_t> dim = guard.getInteger("dim");
  std::optional<llvm::StringRef> input = guard.getString("input");
  for (const InputRecipe &recipe : recipes) {
    bool isMeant = input == llvm::StringRef(recipe.spec.name) && dim &&
                   static_cast<size_t>(*dim) < recipe.dims.size();
    if (!isMeant || recipe.dims[*dim].op != SymOp::Symbol)
      continue;
    for (SymbolRange &range : ranges)
      if (range.name == recipe.dims[*dim].text) {
        range.min = std::max<int64_t>(guard.getInteger("min").value_or(0), 0);
        range.max = guard.getInteger("max").value_or(range.max);
      }
  }
}

static std::vector<SymbolRange>
readSymbols(const llvm::json::Object &manifest,
            llvm::ArrayRef<InputRecipe> recipes) {
  SymbolHints symbols;
  for (const InputRecipe &recipe : recipes)
    for (const SymAst &dim : recipe.dims)
      collectSymbols(dim, symbols);
  std::vector<SymbolRange> ranges;
  for (const auto &[name, hint] : symbols)
    ranges.push_back({name, 1, 1 << 20, hint});
  if (const llvm::json::Array *guards = manifest.getArray("guards"))
    for (const llvm::json::Value &value : *guards)
      if (const llvm::json::Object *guard = value.getAsObject();
          guard && guard->getString("kind") == "dim_range")
        readRange(*guard, recipes, ranges);
  return ranges;
}

llvm::Expected<InputMaker> InputMaker::forArtifact(llvm::StringRef folder,
                                                   const Artifact &artifact) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, "guards.json");
  llvm::Expected<llvm::json::Value> value = readJson(path, DiagId::BadArtifact);
  if (!value)
    return value.takeError();
  const llvm::json::Object *guards = value->getAsObject();
  const llvm::json::Array *inputs =
      guards ? guards->getArray("inputs") : nullptr;
  const CallSignature &signature = artifact.signature();
  if (!inputs || inputs->size() != signature.inputs.size())
    return malformed(path, "it does not list the inputs of the model");
  std::vector<InputRecipe> recipes(inputs->size());
  for (auto [input, spec, recipe] :
       llvm::zip_equal(*inputs, signature.inputs, recipes)) {
    recipe.spec.name = spec.name;
    recipe.spec.kind = spec.kind;
    recipe.spec.isConstant = spec.isConstant;
    recipe.spec.constant = spec.constant.clone();
    recipe.spec.dtype = spec.dtype;
    recipe.spec.shape = spec.shape;
    recipe.range = defaultRange(spec);
    if (!input.getAsObject())
      return malformed(path, "an input is no object");
    if (llvm::Error failure = readInput(*input.getAsObject(), path, recipe))
      return std::move(failure);
  }
  std::vector<SymbolRange> ranges = readSymbols(*guards, recipes);
  InputMaker maker(std::move(recipes), std::move(ranges));
  maker.setAccept([&artifact](llvm::ArrayRef<CallValue> made) {
    return passesGuards(artifact, made);
  });
  return maker;
}

} // namespace adze
