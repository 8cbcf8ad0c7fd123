//===- ProgramTables.cpp - The tables of a program as constants -----------===//
//
// Builds the structs of lib/Runtime/Program.h field by field. Their layout in
// LLVM is that of C, as all fields are naturally aligned.
//
//===----------------------------------------------------------------------===//

#include "adze/Codegen/ProgramTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace adze {

namespace {
class TableBuilder {
public:
  TableBuilder(const ProgramInterface &program, Module &module)
      : program(program), module(module), context(module.getContext()),
        pointer(PointerType::get(context, 0)), i32(Type::getInt32Ty(context)),
        i64(Type::getInt64Ty(context)) {
    for (auto [i, symbol] : enumerate(program.symbols))
      symbolNumbers[symbol.name] = i;
  }

  Error build(bool embedWeights);

private:
  using Fields = SmallVector<Constant *, 32>;

  // Values.
  Constant *int32(int64_t value) { return ConstantInt::getSigned(i32, value); }
  Constant *int64(uint64_t value) { return ConstantInt::get(i64, value); }
  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *text(StringRef string);
  Constant *record(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(context, fields);
  }
  Constant *array(StringRef name, ArrayRef<Constant *> items);
  Constant *global(StringRef name, Constant *initializer);

  // Expressions; a failure is kept in `failure`.
  std::pair<uint32_t, uint32_t> addCode(sym::Expr value,
                                        int32_t equalsScalar = -1);
  Constant *expr(sym::Expr value, int32_t equalsScalar = -1);
  Constant *exprs(ArrayRef<sym::Expr> values);
  Constant *strides(const std::optional<sym::Shape> &values) {
    return values ? exprs(*values) : null();
  }
  Constant *sizes(ArrayRef<int64_t> values);

  // Tables.
  template <typename T, typename Make>
  void addTable(Fields &fields, StringRef name, const std::vector<T> &items,
                Make make);
  Constant *make(const InputSpec &input);
  Constant *make(const ResultSpec &result);
  Constant *make(const OutputSpec &output);
  Constant *make(const WeightRecord &weight);
  Constant *make(const ProgramState &state);
  Constant *make(const MutationSpec &mutation);
  Constant *make(const SymbolSpec &symbol);
  Constant *make(const GuardSpec &guard);
  Constant *make(const ErrorSite &site);
  void addTables(Fields &fields);
  void addGetApi();

  const ProgramInterface &program;
  Module &module;
  LLVMContext &context;
  PointerType *pointer;
  Type *i32, *i64;
  StringMap<int64_t> symbolNumbers;
  StringMap<Constant *> texts;
  std::vector<uint64_t> code;
  DenseMap<std::pair<void *, int32_t>, std::pair<uint32_t, uint32_t>> knownCode;
  Error failure = Error::success();
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Constant *TableBuilder::global(StringRef name, Constant *initializer) {
  auto *variable =
      new GlobalVariable(module, initializer->getType(), /*isConstant=*/true,
                         GlobalValue::PrivateLinkage, initializer, name);
  variable->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return variable;
}

Constant *TableBuilder::text(StringRef string) {
  Constant *&known = texts[string];
  if (!known)
    known = global("text", ConstantDataArray::getString(context, string));
  return known;
}

Constant *TableBuilder::array(StringRef name, ArrayRef<Constant *> items) {
  if (items.empty())
    return null();
  auto *type = ArrayType::get(items.front()->getType(), items.size());
  return global(name, ConstantArray::get(type, items));
}

Constant *TableBuilder::sizes(ArrayRef<int64_t> values) {
  SmallVector<Constant *> items;
  for (int64_t value : values)
    items.push_back(int64(value));
  return array("sizes", items);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::pair<uint32_t, uint32_t> TableBuilder::addCode(sym::Expr value,
                                                    int32_t equalsScalar) {
  Expected<std::vector<int64_t>> words =
      encodeExpr(value, [&](StringRef name) -> std::optional<int64_t> {
        auto found = symbolNumbers.find(name);
        if (found == symbolNumbers.end())
          return std::nullopt;
        return found->second;
      });
  if (!words) {
    failure = joinErrors(std::move(failure), words.takeError());
    return {0, 0};
  }
  if (equalsScalar >= 0)
    words->insert(words->end(), {ADZE_EXPR_SCALAR, equalsScalar, ADZE_EXPR_EQ});
  std::pair<uint32_t, uint32_t> place(code.size(), words->size());
  code.insert(code.end(), words->begin(), words->end());
  return place;
}

Constant *TableBuilder::expr(sym::Expr value, int32_t equalsScalar) {
  std::pair<uint32_t, uint32_t> place(0, 0);
  if (value) {
    auto [known, isNew] = knownCode.try_emplace(
        {const_cast<void *>(value.getAsOpaquePointer()), equalsScalar});
    if (isNew)
      known->second = addCode(value, equalsScalar);
    place = known->second;
  }
  return record({int32(place.first), int32(place.second)});
}

Constant *TableBuilder::exprs(ArrayRef<sym::Expr> values) {
  SmallVector<Constant *> items;
  for (sym::Expr value : values)
    items.push_back(expr(value));
  return array("exprs", items);
}

//===----------------------------------------------------------------------===//
// Entries of the tables
//===----------------------------------------------------------------------===//

static int32_t numberOf(DType dtype) { return getInfo(dtype).pt2ScalarType; }

Constant *TableBuilder::make(const InputSpec &input) {
  bool isTensor = input.kind == ADZE_TENSOR;
  return record({text(input.name), int32(input.kind), int32(input.isConstant),
                 int32(isTensor ? numberOf(input.dtype) : ADZE_DTYPE_NONE),
                 int32(input.dims.size()), exprs(input.dims),
                 strides(input.strides), int32(isTensor ? kDLCPU : 0),
                 int32(0)});
}

Constant *TableBuilder::make(const ResultSpec &result) {
  SmallVector<Constant *> order;
  for (int32_t dim : result.order)
    order.push_back(int32(dim));
  return record({int32(numberOf(result.dtype)), int32(result.dims.size()),
                 exprs(result.dims), array("order", order)});
}

Constant *TableBuilder::make(const OutputSpec &output) {
  bool isTensor = output.kind == ADZE_TENSOR;
  return record({text(output.name), int32(output.kind), int32(output.source),
                 int32(output.index),
                 int32(isTensor ? numberOf(output.dtype) : ADZE_DTYPE_NONE),
                 int32(output.dims.size()), int32(0), exprs(output.dims),
                 strides(output.strides), expr(output.offset),
                 expr(output.value), int64(output.literal), text(output.text)});
}

Constant *TableBuilder::make(const WeightRecord &weight) {
  SmallVector<Constant *> names;
  for (const std::string &name : weight.names)
    names.push_back(text(name));
  return record({array("names", names), int32(names.size()),
                 int32(numberOf(weight.dtype)), int32(weight.shape.size()),
                 int32(0), sizes(weight.shape), int64(weight.offset),
                 int64(weight.bytes), int64(weight.digest),
                 weight.layout.empty() ? null() : text(weight.layout)});
}

Constant *TableBuilder::make(const ProgramState &state) {
  return record({text(state.name), int32(numberOf(state.dtype)),
                 int32(state.shape.size()), sizes(state.shape),
                 int32(state.initialWeight), int32(0)});
}

Constant *TableBuilder::make(const MutationSpec &mutation) {
  return record({int32(mutation.result), int32(mutation.targetKind),
                 int32(mutation.target), int32(0)});
}

Constant *TableBuilder::make(const SymbolSpec &symbol) {
  return record({text(symbol.name), int32(symbol.source), int32(symbol.input),
                 int32(symbol.dim), int32(0), int64(symbol.scale),
                 int64(symbol.shift), expr(symbol.value)});
}

Constant *TableBuilder::make(const GuardSpec &guard) {
  return record(
      {text(guard.id), text(guard.expression), text(guard.origin),
       text(guard.message), int32(guard.kind), int32(guard.input),
       int32(guard.index), int32(0), int64(guard.a), int64(guard.b),
       expr(guard.expr, guard.equalsScalar),
       guard.kind == ADZE_GUARD_CONST_STRING ? text(guard.text) : null()});
}

Constant *TableBuilder::make(const ErrorSite &site) {
  return record({text(site.op), text(site.location), text(site.message)});
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

template <typename T, typename Make>
void TableBuilder::addTable(Fields &fields, StringRef name,
                            const std::vector<T> &items, Make make) {
  SmallVector<Constant *> entries;
  for (const T &item : items)
    entries.push_back(make(item));
  fields.push_back(array(name, entries));
  fields.push_back(int64(entries.size()));
}

void TableBuilder::addTables(Fields &fields) {
  auto makeEntry = [this](const auto &item) { return make(item); };
  addTable(fields, "inputs", program.inputs, makeEntry);
  addTable(fields, "results", program.results, makeEntry);
  addTable(fields, "outputs", program.outputs, makeEntry);
  addTable(fields, "weights", program.weights, makeEntry);
  addTable(fields, "states", program.states, makeEntry);
  addTable(fields, "mutations", program.mutations, makeEntry);
  addTable(fields, "symbols", program.symbols, makeEntry);
  addTable(fields, "guards", program.guards, makeEntry);
  addTable(fields, "sites", program.errorSites, makeEntry);
}

/// const struct adze_api *NAME_get_api(uint32_t version)
void TableBuilder::addGetApi() {
  auto *type = FunctionType::get(pointer, {i32}, /*isVarArg=*/false);
  auto *target = Function::Create(type, GlobalValue::ExternalLinkage,
                                  "adze_rt_get_api", module);
  target->setVisibility(GlobalValue::HiddenVisibility);
  auto *function =
      Function::Create(type, GlobalValue::ExternalLinkage,
                       identifierOf(program.name) + "_get_api", module);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  CallInst *call = builder.CreateCall(target, {function->getArg(0)});
  call->setTailCall();
  builder.CreateRet(call);
}

Error TableBuilder::build(bool embedWeights) {
  auto declare = [&](StringRef name, Type *type) -> Constant * {
    auto *variable =
        new GlobalVariable(module, type, /*isConstant=*/true,
                           GlobalValue::ExternalLinkage, nullptr, name);
    variable->setVisibility(GlobalValue::HiddenVisibility);
    return variable;
  };
  auto *mainType = FunctionType::get(i32, {pointer}, /*isVarArg=*/false);
  auto *main = Function::Create(mainType, GlobalValue::ExternalLinkage,
                                mainName, module);
  main->setVisibility(GlobalValue::HiddenVisibility);
  Fields tables;
  addTables(tables);
  Constant *workspace = expr(program.workspace);
  if (failure)
    return std::move(failure);
  Constant *codeTable =
      code.empty() ? null()
                   : global("code", ConstantDataArray::get(context, code));
  Fields fields = {int64(ADZE_PROGRAM_ABI),
                   text(program.name),
                   text(program.producer),
                   text(program.target.name),
                   int64(program.flags),
                   int64(program.target.cpuFeatures),
                   int64(program.weightsDigest),
                   int64(program.weightsBytes),
                   embedWeights
                       ? declare(embeddedWeightsName, Type::getInt8Ty(context))
                       : null(),
                   codeTable,
                   int64(code.size())};
  fields.append(tables);
  fields.append({workspace, main});
  auto *table = new GlobalVariable(
      module, record(fields)->getType(), /*isConstant=*/true,
      GlobalValue::ExternalLinkage, record(fields), "adze_generated_program");
  table->setVisibility(GlobalValue::HiddenVisibility);
  addGetApi();
  return Error::success();
}

std::string identifierOf(StringRef name) {
  std::string identifier;
  for (char c : name)
    identifier += isAlnum(c) ? c : '_';
  if (identifier.empty() || isDigit(identifier.front()))
    identifier = "model_" + identifier;
  return identifier;
}

Expected<std::unique_ptr<Module>> buildTables(const ProgramInterface &program,
                                              LLVMContext &context,
                                              bool embedWeights) {
  auto module = std::make_unique<Module>("adze", context);
  TableBuilder builder(program, *module);
  if (Error error = builder.build(embedWeights))
    return std::move(error);
  std::unique_ptr<TargetMachine> machine = program.target.createMachine();
  program.target.apply(*module, *machine);
  return std::move(module);
}

} // namespace adze
