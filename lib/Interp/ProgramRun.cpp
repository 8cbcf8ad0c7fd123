//===- ProgramRun.cpp - Calls of whole programs --------------------------===//

#include "adze/Interp/ProgramRun.h"

#include "SymbolSolver.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace adze::interp {

using capture::DescriptorAttr;
using capture::Role;

static llvm::Error callError(const Twine &message) {
  auto error = std::make_unique<CallError>();
  error->op = "call";
  error->message = message.str();
  return llvm::Error(std::move(error));
}

static SmallVector<DictionaryAttr> entriesOf(func::FuncOp function,
                                             StringRef name) {
  auto list = function->getAttrOfType<ArrayAttr>(name);
  return list ? llvm::to_vector(list.getAsRange<DictionaryAttr>())
              : SmallVector<DictionaryAttr>();
}

static StringRef kindOf(DictionaryAttr entry) {
  auto kind = entry.getAs<StringAttr>("kind");
  return kind ? kind.getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static std::string describe(const ProgramValue &value) {
  struct Visitor {
    std::string operator()(std::monostate) { return "None"; }
    std::string operator()(const HostTensor &tensor) {
      return tensor.describe();
    }
    std::string operator()(int64_t number) { return std::to_string(number); }
    std::string operator()(double number) { return std::to_string(number); }
    std::string operator()(bool flag) { return flag ? "True" : "False"; }
    std::string operator()(const std::string &text) { return "'" + text + "'"; }
  };
  return std::visit(Visitor(), value);
}

/// Whether a value is the constant that was specialised while tracing.
static bool isConstant(const ProgramValue &value, DictionaryAttr entry) {
  Attribute expected = entry.get("value");
  if (kindOf(entry) == "none")
    return std::holds_alternative<std::monostate>(value);
  if (auto text = dyn_cast_or_null<StringAttr>(expected))
    return std::holds_alternative<std::string>(value) &&
           std::get<std::string>(value) == text.getValue();
  if (auto real = dyn_cast_or_null<FloatAttr>(expected)) {
    double number = real.getValueAsDouble();
    auto *found = std::get_if<double>(&value);
    return found &&
           (*found == number || (*found != *found && number != number));
  }
  auto integer = dyn_cast_or_null<IntegerAttr>(expected);
  if (auto *flag = std::get_if<bool>(&value))
    return integer && integer.getType().isInteger(1) &&
           *flag == !integer.getValue().isZero();
  auto *number = std::get_if<int64_t>(&value);
  return integer && number && integer.getValue().getSExtValue() == *number;
}

namespace {
/// Builds the arguments of the function.
class ArgumentBinder {
public:
  ArgumentBinder(func::FuncOp function, ArrayRef<ProgramValue> inputs,
                 InterpretOptions &options)
      : function(function), inputs(inputs), options(options),
        arguments(function.getNumArguments()) {}

  llvm::Error bindInputs();
  llvm::Error bindRest(WeightLookup weights, const ProgramRunOptions &run);
  ArrayRef<Tensor> get() const { return arguments; }

private:
  llvm::Error bindInput(DictionaryAttr entry, const ProgramValue &value);
  llvm::Error bindTensor(DictionaryAttr entry, const ProgramValue &value);
  llvm::Expected<Tensor> makeArgument(DescriptorAttr descriptor,
                                      WeightLookup weights,
                                      const ProgramRunOptions &run);

  func::FuncOp function;
  ArrayRef<ProgramValue> inputs;
  InterpretOptions &options;
  std::vector<Tensor> arguments;
  SmallVector<SizeEquation> equations; // of integers
};
} // namespace

static std::string pathOf(DictionaryAttr entry) {
  auto path = entry.getAs<StringAttr>("path");
  return path ? path.str() : "?";
}

llvm::Error ArgumentBinder::bindTensor(DictionaryAttr entry,
                                       const ProgramValue &value) {
  auto number = entry.getAs<IntegerAttr>("argument");
  auto *host = std::get_if<HostTensor>(&value);
  if (!host || !number || size_t(number.getInt()) >= arguments.size())
    return callError("input '" + pathOf(entry) +
                     "' expects a tensor, but found " + describe(value));
  auto tensor = Tensor::fromHost(*host, function.getContext());
  if (!tensor)
    return tensor.takeError();
  auto type =
      dyn_cast<RankedTensorType>(function.getArgumentTypes()[number.getInt()]);
  if (!type || type.getRank() != tensor->rank() ||
      type.getElementType() != tensor->element())
    return callError("input '" + pathOf(entry) +
                     "' expects another element type or rank, but found " +
                     host->describe());
  arguments[number.getInt()] = std::move(*tensor);
  return llvm::Error::success();
}

llvm::Error ArgumentBinder::bindInput(DictionaryAttr entry,
                                      const ProgramValue &value) {
  if (kindOf(entry) == "tensor")
    return bindTensor(entry, value);
  if (auto expr = entry.getAs<sym::ExprAttr>("expr")) {
    auto *flag = std::get_if<bool>(&value);
    auto *number = std::get_if<int64_t>(&value);
    if (!number && !flag)
      return callError("input '" + pathOf(entry) +
                       "' expects an integer, but found " + describe(value));
    equations.push_back({expr, number ? *number : int64_t(*flag)});
    return llvm::Error::success();
  }
  if (isConstant(value, entry))
    return llvm::Error::success();
  return callError("input '" + pathOf(entry) +
                   "' is not the constant of the traced program, but " +
                   describe(value));
}

llvm::Error ArgumentBinder::bindInputs() {
  auto entries = entriesOf(function, "adze.inputs");
  if (entries.size() != inputs.size())
    return callError("expects " + Twine(entries.size()) +
                     " inputs, but found " + Twine(inputs.size()));
  for (auto [entry, value] : llvm::zip_equal(entries, inputs))
    if (auto error = bindInput(entry, value))
      return error;
  solveSymbols(equations, options.symbols);
  return llvm::Error::success();
}

llvm::Expected<Tensor>
ArgumentBinder::makeArgument(DescriptorAttr descriptor, WeightLookup weights,
                             const ProgramRunOptions &run) {
  switch (descriptor.getRole()) {
  case Role::parameter:
  case Role::buffer:
  case Role::constant:
    return weights(descriptor);
  case Role::rng_key: {
    Tensor key(IntegerType::get(function.getContext(), 64), {2});
    key.mutableData<int64_t>()[0] = run.seed;
    key.mutableData<int64_t>()[1] = run.call;
    return key;
  }
  default:
    return callError("no input gives argument '" +
                     descriptor.getName().getValue() + "'");
  }
}

llvm::Error ArgumentBinder::bindRest(WeightLookup weights,
                                     const ProgramRunOptions &run) {
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (argument.element())
      continue;
    auto descriptor =
        function.getArgAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    if (!descriptor)
      return callError("argument " + Twine(i) + " has no descriptor");
    auto tensor = makeArgument(descriptor, weights, run);
    if (!tensor)
      return tensor.takeError();
    argument = std::move(*tensor);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

namespace {
class OutputReader {
public:
  OutputReader(ArrayRef<Tensor> results, const Evaluator &evaluator)
      : results(results), evaluator(evaluator) {}

  llvm::Expected<ProgramValue> read(DictionaryAttr entry) const;

private:
  llvm::Expected<ProgramValue> readExpr(sym::ExprAttr expr) const;

  ArrayRef<Tensor> results;
  const Evaluator &evaluator;
};
} // namespace

llvm::Expected<ProgramValue> OutputReader::readExpr(sym::ExprAttr expr) const {
  auto value = sym::evaluateNumber(
      expr, [&](StringRef name) { return evaluator.lookupSymbol(name); });
  if (!value)
    return callError("output '" + sym::toString(expr) + "' has no value");
  if (auto *integer = std::get_if<int64_t>(&*value))
    return *integer;
  return std::get<double>(*value);
}

llvm::Expected<ProgramValue> OutputReader::read(DictionaryAttr entry) const {
  if (auto number = entry.getAs<IntegerAttr>("result")) {
    if (number.getInt() < 0 || size_t(number.getInt()) >= results.size())
      return callError("output " + Twine(number.getInt()) + " does not exist");
    auto host = results[number.getInt()].toHost();
    if (!host)
      return host.takeError();
    return std::move(*host);
  }
  if (auto expr = entry.getAs<sym::ExprAttr>("expr"))
    return readExpr(expr);
  Attribute value = entry.get("value");
  if (auto text = dyn_cast_or_null<StringAttr>(value))
    return text.str();
  if (auto real = dyn_cast_or_null<FloatAttr>(value))
    return real.getValueAsDouble();
  if (auto flag = dyn_cast_or_null<BoolAttr>(value))
    return flag.getValue();
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    return integer.getInt();
  return ProgramValue();
}

static bool isMutation(Role role) {
  return role == Role::buffer_mutation || role == Role::parameter_mutation ||
         role == Role::input_mutation;
}

static llvm::Error readMutations(func::FuncOp function,
                                 ArrayRef<Tensor> results,
                                 std::vector<Mutation> &mutations) {
  for (auto [i, tensor] : llvm::enumerate(results)) {
    auto descriptor = function.getResultAttrOfType<DescriptorAttr>(
        i, capture::descriptorName);
    if (!descriptor || !isMutation(descriptor.getRole()))
      continue;
    auto host = tensor.toHost();
    if (!host)
      return host.takeError();
    mutations.push_back({descriptor.getRole(), descriptor.getName().str(),
                         descriptor.getIndex(), std::move(*host)});
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

llvm::Expected<ProgramResult> runProgram(func::FuncOp function,
                                         ArrayRef<ProgramValue> inputs,
                                         WeightLookup weights,
                                         const ProgramRunOptions &options) {
  if (function.isExternal())
    return callError("function '" + function.getName() + "' has no body");
  InterpretOptions interpret = options.interpret;
  ArgumentBinder binder(function, inputs, interpret);
  if (auto error = binder.bindInputs())
    return error;
  if (auto error = binder.bindRest(weights, options))
    return error;
  Evaluator evaluator(interpret);
  auto results = evaluator.run(function.getBody(), binder.get());
  if (!results)
    return results.takeError();
  ProgramResult result;
  OutputReader reader(*results, evaluator);
  for (DictionaryAttr entry : entriesOf(function, "adze.outputs")) {
    auto value = reader.read(entry);
    if (!value)
      return value.takeError();
    result.outputs.push_back(std::move(*value));
  }
  if (auto error = readMutations(function, *results, result.mutations))
    return error;
  return result;
}

} // namespace adze::interp
