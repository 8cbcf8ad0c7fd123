//===- GuardManifest.cpp - guards.json ------------------------------------===//

#include "Files.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace adze {

llvm::StringRef kindName(int32_t kind) {
  constexpr llvm::StringLiteral names[] = {"none",  "tensor", "int",
                                           "float", "bool",   "string"};
  return names[kind];
}

/// By adze_guard_kind.
static constexpr llvm::StringLiteral guardKinds[] = {
    "input_count",     "input_kind",     "rank",
    "dtype",           "device",         "dim_equal",
    "dim_range",       "dim_expression", "relation",
    "alignment",       "contiguous",     "stride",
    "constant_int",    "constant_float", "constant_bool",
    "constant_string", "constant_none",  "no_overlap",
    "no_self_overlap", "same_memory",    "cpu",
    "weights"};
static_assert(std::size(guardKinds) == ADZE_GUARD_WEIGHTS + 1);

namespace {
class ManifestWriter {
public:
  ManifestWriter(const ProgramInterface &program, llvm::raw_ostream &os)
      : program(program), json(os, /*IndentSize=*/2) {}
  void write();

private:
  void writeInput(const InputSpec &input);
  void writeSymbol(const SymbolSpec &symbol);
  void writeGuard(const GuardSpec &guard);
  void writeExpectation(const GuardSpec &guard);

  const ProgramInterface &program;
  llvm::json::OStream json;
};
} // namespace

static std::string hex(int64_t value) {
  return "0x" +
         llvm::utohexstr(static_cast<uint64_t>(value), /*LowerCase=*/true);
}

void ManifestWriter::writeInput(const InputSpec &input) {
  json.object([&] {
    json.attribute("name", input.name);
    json.attribute("kind", kindName(input.kind));
    json.attribute("constant", input.isConstant);
    if (input.kind != ADZE_TENSOR)
      return;
    json.attribute("dtype", getName(input.dtype));
    json.attributeArray("shape", [&] {
      for (sym::Expr dim : input.dims)
        if (auto size = sym::asConstant(dim))
          json.value(*size);
        else
          json.value(sym::toString(dim));
    });
  });
}

/// How the value of a symbol is found, as text.
static std::string sourceOf(const SymbolSpec &symbol,
                            const ProgramInterface &program) {
  switch (symbol.source) {
  case ADZE_SYMBOL_DIM: {
    std::string text = program.inputs[symbol.input].name + ".shape[" +
                       std::to_string(symbol.dim) + "]";
    if (symbol.shift != 0)
      text = "(" + text + " - " + std::to_string(symbol.shift) + ")";
    return symbol.scale == 1 ? text
                             : text + " // " + std::to_string(symbol.scale);
  }
  case ADZE_SYMBOL_STRIDE:
    return program.inputs[symbol.input].name + ".stride(" +
           std::to_string(symbol.dim) + ")";
  case ADZE_SYMBOL_SCALAR:
    return program.inputs[symbol.input].name;
  case ADZE_SYMBOL_EXPR:
    return sym::toString(symbol.value);
  default:
    return "the running program";
  }
}

void ManifestWriter::writeSymbol(const SymbolSpec &symbol) {
  json.object([&] {
    json.attribute("name", symbol.name);
    json.attribute("value", sourceOf(symbol, program));
  });
}

/// The members that depend on the kind.
void ManifestWriter::writeExpectation(const GuardSpec &guard) {
  switch (guard.kind) {
  case ADZE_GUARD_INPUT_KIND:
    return json.attribute("expected", kindName(guard.a));
  case ADZE_GUARD_DTYPE:
    return json.attribute("expected", getName(*dtypeFromPt2(guard.a)));
  case ADZE_GUARD_DIM_RANGE:
    json.attribute("dim", guard.index);
    json.attribute("min", guard.a);
    if (guard.b != INT64_MAX)
      json.attribute("max", guard.b);
    return;
  case ADZE_GUARD_DIM_EQ:
    json.attribute("dim", guard.index);
    return json.attribute("expected", guard.a);
  case ADZE_GUARD_DIM_EXPR:
  case ADZE_GUARD_STRIDE:
    json.attribute("dim", guard.index);
    [[fallthrough]];
  case ADZE_GUARD_RELATION:
    return json.attribute("holds", sym::toString(guard.expr));
  case ADZE_GUARD_CONST_FLOAT:
    return json.attribute("expected_bits", hex(guard.a));
  case ADZE_GUARD_CONST_BOOL:
    return json.attribute("expected", guard.a != 0);
  case ADZE_GUARD_CONST_STRING:
    return json.attribute("expected", guard.text);
  case ADZE_GUARD_NO_OVERLAP:
  case ADZE_GUARD_SAME_MEMORY:
    return json.attribute("other", program.inputs[guard.index].name);
  case ADZE_GUARD_CPU:
  case ADZE_GUARD_WEIGHTS:
    return json.attribute("expected", hex(guard.a));
  case ADZE_GUARD_CONTIGUOUS:
  case ADZE_GUARD_CONST_NONE:
  case ADZE_GUARD_NO_SELF_OVERLAP:
    return;
  default:
    json.attribute("expected", guard.a);
  }
}

void ManifestWriter::writeGuard(const GuardSpec &guard) {
  bool isAtLoad =
      guard.kind == ADZE_GUARD_CPU || guard.kind == ADZE_GUARD_WEIGHTS;
  json.object([&] {
    json.attribute("id", guard.id);
    json.attribute("kind", guardKinds[guard.kind]);
    json.attribute("when", isAtLoad ? "load" : "call");
    json.attribute("expression", guard.expression);
    json.attribute("origin", guard.origin);
    json.attribute("message", guard.message);
    if (guard.input >= 0)
      json.attribute("input", program.inputs[guard.input].name);
    writeExpectation(guard);
  });
}

void ManifestWriter::write() {
  json.object([&] {
    json.attribute("schema", "adze.guards");
    json.attribute("version", 1);
    json.attribute("program", program.name);
    json.attribute("producer", program.producer);
    json.attributeArray("inputs", [&] {
      for (const InputSpec &input : program.inputs)
        writeInput(input);
    });
    json.attributeArray("symbols", [&] {
      for (const SymbolSpec &symbol : program.symbols)
        writeSymbol(symbol);
    });
    json.attributeArray("guards", [&] {
      for (const GuardSpec &guard : program.guards)
        writeGuard(guard);
    });
  });
}

void writeGuards(const ProgramInterface &program, llvm::raw_ostream &os) {
  ManifestWriter(program, os).write();
  os << '\n';
}

} // namespace adze
