//===- ProgramInterface.cpp - What a program asks of its callers ----------===//

#include "InterfaceBuilder.h"

#include "adze/Support/Diagnostics.h"
#include "dialects/Capture/Capture.h"
#include "passes/Optimize/Passes.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace adze {

using capture::DescriptorAttr;
using capture::Role;

//===----------------------------------------------------------------------===//
// Types and strides
//===----------------------------------------------------------------------===//

std::optional<DType> dtypeOf(Type element) {
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return dtypeFromMLIR(text);
}

sym::Shape rowMajorStrides(MLIRContext *context, ArrayRef<sym::Expr> dims) {
  sym::Shape strides(dims.size());
  sym::Expr step = sym::constant(context, 1);
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = step;
    step = sym::mul(step, dims[i]);
  }
  return strides;
}

bool isRowMajor(ArrayRef<sym::Expr> dims, ArrayRef<sym::Expr> strides) {
  if (dims.empty())
    return true;
  sym::Shape expected = rowMajorStrides(dims.front().getContext(), dims);
  for (auto [dim, stride, rowMajor] : llvm::zip_equal(dims, strides, expected))
    if (stride != rowMajor && !sym::isConstant(dim, 1))
      return false;
  return true;
}

static llvm::Expected<DType> requireDType(RankedTensorType type,
                                          const Twine &what) {
  if (std::optional<DType> dtype = dtypeOf(type.getElementType()))
    return *dtype;
  std::string text;
  llvm::raw_string_ostream(text) << type.getElementType();
  return makeError(DiagId::UnsupportedFeature,
                   what + " has the element type " + text +
                       ", which the artifact cannot hold");
}

/// Null if the entry has no such array.
static std::optional<sym::Shape> exprsOf(DictionaryAttr entry, StringRef name) {
  auto list = entry.getAs<ArrayAttr>(name);
  if (!list)
    return std::nullopt;
  sym::Shape exprs;
  for (Attribute item : list) {
    if (auto expr = dyn_cast<sym::ExprAttr>(item))
      exprs.push_back(expr);
    else if (auto integer = dyn_cast<IntegerAttr>(item))
      exprs.push_back(sym::constant(entry.getContext(), integer.getInt()));
    else
      return std::nullopt;
  }
  return exprs;
}

static StringRef textOf(DictionaryAttr entry, StringRef name) {
  auto text = entry.getAs<StringAttr>(name);
  return text ? text.getValue() : StringRef();
}

static int32_t kindOf(StringRef kind) {
  return llvm::StringSwitch<int32_t>(kind)
      .Case("tensor", ADZE_TENSOR)
      .Cases({"symint", "int"}, ADZE_INT)
      .Cases({"symfloat", "float"}, ADZE_FLOAT)
      .Cases({"symbool", "bool"}, ADZE_BOOL)
      .Case("string", ADZE_STRING)
      .Default(ADZE_NONE);
}

static bool isSymbolic(StringRef kind) { return kind.starts_with("sym"); }

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

llvm::Error InterfaceBuilder::readInput(DictionaryAttr entry) {
  StringRef kind = textOf(entry, "kind");
  InputSpec input;
  input.name = textOf(entry, "path").str();
  input.kind = kindOf(kind);
  input.isConstant = input.kind != ADZE_TENSOR && !isSymbolic(kind);
  if (kind == "symfloat")
    return makeError(DiagId::UnsupportedFeature,
                     "input '" + input.name +
                         "' is a float that varies, which is not supported");
  if (auto argument = entry.getAs<IntegerAttr>("argument");
      argument && kind == "tensor") {
    auto type =
        cast<RankedTensorType>(func.getArgumentTypes()[argument.getInt()]);
    llvm::Expected<DType> dtype =
        requireDType(type, "input '" + input.name + "'");
    if (!dtype)
      return dtype.takeError();
    input.dtype = *dtype;
    input.dims = sym::shapeOf(type);
    if (auto strides = exprsOf(entry, "strides"))
      if (strides->size() == input.dims.size() &&
          !isRowMajor(input.dims, *strides))
        input.strides = std::move(strides);
  }
  program.inputs.push_back(std::move(input));
  inputEntries.push_back(entry);
  return llvm::Error::success();
}

/// Functions written by hand may have no adze.inputs: each tensor of the caller
/// is an input.
static ArrayAttr defaultInputs(func::FuncOp func) {
  Builder builder(func.getContext());
  SmallVector<Attribute> entries;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto descriptor =
        func.getArgAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    if (descriptor && descriptor.getRole() != Role::user_input)
      continue;
    std::string path =
        descriptor ? descriptor.getName().str() : "input" + std::to_string(i);
    entries.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("argument", builder.getI64IntegerAttr(i)),
         builder.getNamedAttr("kind", builder.getStringAttr("tensor")),
         builder.getNamedAttr("path", builder.getStringAttr(path))}));
  }
  return builder.getArrayAttr(entries);
}

llvm::Error InterfaceBuilder::readInputs() {
  auto entries = func->getAttrOfType<ArrayAttr>("adze.inputs");
  if (!entries)
    entries = defaultInputs(func);
  for (auto entry : entries.getAsRange<DictionaryAttr>())
    if (llvm::Error error = readInput(entry))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Results and outputs
//===----------------------------------------------------------------------===//

/// The type of a result that is stored in another order is that of the memory:
/// gives the dims back their places.
static void readOrder(func::FuncOp func, unsigned number, ResultSpec &result) {
  auto order = func.getResultAttrOfType<DenseI64ArrayAttr>(number, orderName);
  if (!order)
    return;
  sym::Shape stored = result.dims;
  for (auto [place, dim] : llvm::enumerate(order.asArrayRef())) {
    result.order.push_back(dim);
    result.dims[dim] = stored[place];
  }
}

llvm::Error InterfaceBuilder::readResults() {
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    llvm::Expected<DType> dtype = requireDType(tensor, "result " + Twine(i));
    if (!dtype)
      return dtype.takeError();
    program.results.push_back({*dtype, sym::shapeOf(tensor), {}});
    readOrder(func, i, program.results.back());
  }
  return llvm::Error::success();
}

/// The strides that the base of a view had when it was traced.
std::optional<sym::Shape>
InterfaceBuilder::tracedStrides(const ArgumentPlace &place) {
  MLIRContext *context = func.getContext();
  if (place.kind == ArgumentPlace::Input) {
    const InputSpec &input = program.inputs[place.number];
    return input.strides ? *input.strides
                         : rowMajorStrides(context, input.dims);
  }
  if (place.kind == ArgumentPlace::RngKey)
    return std::nullopt;
  bool isState = place.kind == ArgumentPlace::State;
  unsigned argument = isState ? layout.stateArgument(place.number)
                              : layout.weightArgument(place.number);
  StringRef name = isState
                       ? StringRef(program.states[place.number].name)
                       : StringRef(program.weights[place.number].names.front());
  bool isPacked = func.getArgAttr(argument, packingName) != nullptr;
  if (isPacked || (options.isRowMajor && !options.isRowMajor(name)))
    return std::nullopt;
  return rowMajorStrides(context, sym::shapeOf(func.getArgument(argument)));
}

/// One more than the offset of the last element.
static sym::Expr spanOf(ArrayRef<sym::Expr> dims, ArrayRef<sym::Expr> strides,
                        MLIRContext *context) {
  sym::Expr span = sym::constant(context, 1), one = span;
  for (auto [dim, stride] : llvm::zip_equal(dims, strides))
    span = sym::add(span, sym::mul(sym::sub(dim, one), stride));
  return span;
}

/// Makes the output a view of what the caller or the session owns. Where a view
/// begins is recorded, or follows because it covers its base. If neither is so,
/// the output stays a tensor of its own.
bool InterfaceBuilder::readAlias(DictionaryAttr entry, OutputSpec &output) {
  auto alias = entry.getAs<IntegerAttr>("alias");
  auto strides = exprsOf(entry, "strides");
  if (!alias || !strides || alias.getInt() >= func.getNumArguments())
    return false;
  const ArgumentPlace &place = layout.place(alias.getInt());
  auto type = cast<RankedTensorType>(func.getArgumentTypes()[alias.getInt()]);
  auto base = tracedStrides(place);
  if (!base || dtypeOf(type.getElementType()) != output.dtype ||
      strides->size() != output.dims.size())
    return false;
  MLIRContext *context = func.getContext();
  if (auto offset = entry.getAs<sym::ExprAttr>("offset"))
    output.offset = offset;
  else if (spanOf(output.dims, *strides, context) !=
           spanOf(sym::shapeOf(type), *base, context))
    return false;
  output.source = place.kind == ArgumentPlace::Input    ? ADZE_FROM_INPUT
                  : place.kind == ArgumentPlace::Weight ? ADZE_FROM_WEIGHT
                                                        : ADZE_FROM_STATE;
  output.index = place.number;
  if (!isRowMajor(output.dims, *strides))
    output.strides = std::move(strides);
  return true;
}

/// Makes the output a view of another one, of which all places are known.
bool InterfaceBuilder::readSibling(DictionaryAttr entry, OutputSpec &output) {
  auto sibling = entry.getAs<IntegerAttr>("alias_result");
  auto offset = entry.getAs<sym::ExprAttr>("offset");
  auto strides = exprsOf(entry, "strides");
  if (!sibling || !offset || !strides ||
      size_t(sibling.getInt()) >= program.results.size() ||
      strides->size() != output.dims.size())
    return false;
  const ResultSpec &base = program.results[sibling.getInt()];
  if (!base.order.empty() || base.dtype != output.dtype)
    return false;
  output.source = ADZE_FROM_OUTPUT;
  output.index = sibling.getInt();
  output.offset = offset;
  if (!isRowMajor(output.dims, *strides))
    output.strides = std::move(strides);
  return true;
}

llvm::Error InterfaceBuilder::readTensorOutput(DictionaryAttr entry,
                                               OutputSpec &output) {
  auto result = entry.getAs<IntegerAttr>("result");
  if (!result || size_t(result.getInt()) >= program.results.size())
    return makeError(DiagId::BadProgram, "output " +
                                             Twine(program.outputs.size()) +
                                             " names no result");
  const ResultSpec &slot = program.results[result.getInt()];
  output.index = result.getInt();
  output.dtype = slot.dtype;
  output.dims = slot.dims;
  if (!readAlias(entry, output))
    readSibling(entry, output);
  return llvm::Error::success();
}

llvm::Error InterfaceBuilder::readSymbolicOutput(sym::Expr value,
                                                 OutputSpec &output) {
  if (!value ||
      (sym::isFloat(value) && value.getKind() != sym::ExprKind::FloatConst))
    return makeError(DiagId::UnsupportedFeature,
                     "output " + Twine(program.outputs.size()) +
                         " is a float that depends on sizes, which "
                         "is not supported");
  output.source = ADZE_FROM_EXPR;
  output.value = value;
  if (value.getKind() == sym::ExprKind::FloatConst) {
    output.source = ADZE_FROM_LITERAL;
    output.kind = ADZE_FLOAT;
    output.literal = value.getValue(); // the bits of a double
    output.value = {};
  }
  return llvm::Error::success();
}

static void readLiteral(Attribute value, OutputSpec &output) {
  output.source = ADZE_FROM_LITERAL;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(value))
    output.literal = integer.getType().isInteger(1)
                         ? integer.getValue().getBoolValue()
                         : integer.getInt();
  if (auto real = dyn_cast_or_null<FloatAttr>(value))
    output.literal = real.getValue().bitcastToAPInt().getSExtValue();
  if (auto text = dyn_cast_or_null<StringAttr>(value))
    output.text = text.getValue().str();
}

llvm::Error InterfaceBuilder::readOutput(DictionaryAttr entry) {
  StringRef kind = textOf(entry, "kind"), path = textOf(entry, "path");
  OutputSpec output;
  output.name = path.empty() ? "output" + std::to_string(program.outputs.size())
                             : path.str();
  output.kind = kindOf(kind);
  if (kind == "tensor") {
    if (llvm::Error error = readTensorOutput(entry, output))
      return error;
  } else if (isSymbolic(kind)) {
    if (llvm::Error error =
            readSymbolicOutput(entry.getAs<sym::ExprAttr>("expr"), output))
      return error;
  } else {
    readLiteral(entry.get("value"), output);
  }
  program.outputs.push_back(std::move(output));
  return llvm::Error::success();
}

llvm::Error InterfaceBuilder::readOutputs() {
  if (auto entries = func->getAttrOfType<ArrayAttr>("adze.outputs")) {
    for (auto entry : entries.getAsRange<DictionaryAttr>())
      if (llvm::Error error = readOutput(entry))
        return error;
    return llvm::Error::success();
  }
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    auto descriptor =
        func.getResultAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    if (descriptor && descriptor.getRole() != Role::user_output)
      continue;
    OutputSpec output;
    output.name = "output" + std::to_string(program.outputs.size());
    output.index = i;
    output.dtype = program.results[i].dtype;
    output.dims = program.results[i].dims;
    program.outputs.push_back(std::move(output));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Weights, states, mutations
//===----------------------------------------------------------------------===//

static StringRef nameOf(func::FuncOp func, unsigned argument) {
  auto descriptor =
      func.getArgAttrOfType<DescriptorAttr>(argument, capture::descriptorName);
  return descriptor ? descriptor.getName().getValue() : "";
}

/// Names only: the writer of weights knows how each lies in the file.
void InterfaceBuilder::readWeights() {
  program.weights.resize(layout.numWeights() + layout.numStates());
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    const ArgumentPlace &place = layout.place(i);
    if (place.kind == ArgumentPlace::Weight)
      program.weights[place.number].names.push_back(nameOf(func, i).str());
  }
  for (int64_t i = 0; i < layout.numStates(); ++i)
    program.weights[layout.numWeights() + i].names = {
        nameOf(func, layout.stateArgument(i)).str()};
}

llvm::Error InterfaceBuilder::readStates() {
  for (int64_t i = 0; i < layout.numStates(); ++i) {
    unsigned argument = layout.stateArgument(i);
    auto type = cast<RankedTensorType>(func.getArgumentTypes()[argument]);
    ProgramState state;
    state.name = nameOf(func, argument).str();
    llvm::Expected<DType> dtype =
        requireDType(type, "state '" + state.name + "'");
    if (!dtype)
      return dtype.takeError();
    if (!type.hasStaticShape())
      return makeError(DiagId::UnsupportedFeature,
                       "state '" + state.name +
                           "' has sizes that vary, which is not supported");
    state.dtype = *dtype;
    state.shape.assign(type.getShape().begin(), type.getShape().end());
    state.initialWeight = layout.numWeights() + i;
    program.states.push_back(std::move(state));
  }
  return llvm::Error::success();
}

llvm::Error InterfaceBuilder::readMutations() {
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    auto descriptor =
        func.getResultAttrOfType<DescriptorAttr>(i, capture::descriptorName);
    if (!descriptor)
      continue;
    StringRef name = descriptor.getName();
    MutationSpec mutation;
    mutation.result = i;
    mutation.target = -1;
    if (descriptor.getRole() == Role::buffer_mutation ||
        descriptor.getRole() == Role::parameter_mutation) {
      auto state = llvm::find_if(program.states,
                                 [&](auto &one) { return one.name == name; });
      if (state != program.states.end())
        mutation.target = state - program.states.begin();
    } else if (descriptor.getRole() == Role::input_mutation) {
      mutation.targetKind = ADZE_FROM_INPUT;
      auto input = llvm::find_if(program.inputs,
                                 [&](auto &one) { return one.name == name; });
      if (input != program.inputs.end() && input->kind == ADZE_TENSOR)
        mutation.target = input - program.inputs.begin();
    } else {
      continue;
    }
    if (mutation.target < 0)
      return makeError(DiagId::BadProgram, "result " + Twine(i) +
                                               " replaces '" + name +
                                               "', which does not exist");
    program.mutations.push_back(mutation);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

void InterfaceBuilder::readErrorSites(ModuleOp lowered) {
  auto sites = lowered->getAttrOfType<ArrayAttr>(errorSitesName);
  if (!sites)
    return;
  for (auto site : sites.getAsRange<DictionaryAttr>())
    program.errorSites.push_back({textOf(site, "op").str(),
                                  textOf(site, "location").str(),
                                  textOf(site, "message").str()});
}

bool InterfaceBuilder::drawsRandomNumbers() {
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (layout.place(i).kind == ArgumentPlace::RngKey)
      return true;
  return false;
}

llvm::Error InterfaceBuilder::build(ModuleOp lowered) {
  program.name = options.name;
  program.producer = "adze " ADZE_VERSION;
  program.target = options.target;
  program.workspace = func->getAttrOfType<sym::ExprAttr>(arenaBytesName);
  if (drawsRandomNumbers())
    program.flags |= ADZE_PROGRAM_RANDOM;
  readErrorSites(lowered);
  readWeights();
  if (llvm::Error error = readInputs())
    return error;
  if (llvm::Error error = readStates())
    return error;
  if (llvm::Error error = readResults())
    return error;
  if (llvm::Error error = readOutputs())
    return error;
  if (llvm::Error error = readMutations())
    return error;
  if (llvm::Error error = solveSymbols())
    return error;
  collectGuards();
  return llvm::Error::success();
}

llvm::Expected<ProgramInterface>
extractInterface(func::FuncOp scheduled, ModuleOp lowered,
                 const InterfaceOptions &options) {
  InterfaceBuilder builder(scheduled, options);
  if (llvm::Error error = builder.build(lowered))
    return std::move(error);
  return std::move(builder.program);
}

} // namespace adze
