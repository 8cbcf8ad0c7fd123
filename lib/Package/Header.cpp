//===- Header.cpp - model.h -----------------------------------------------===//
//
// A header for C and C++ with one function that runs this very model, written
// over the general interface of adze.h.
//
//===----------------------------------------------------------------------===//

#include "Files.h"

#include "adze/Codegen/ProgramTables.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

namespace adze {

static const char publicHeaderText[] = {
#include "adze_h.inc"
};

llvm::StringRef publicHeader() {
  return {publicHeaderText, sizeof(publicHeaderText)};
}

/// The C type whose array holds elements of this type.
static llvm::StringRef elementType(DType dtype) {
  switch (dtype) {
  case DType::Int8:
    return "int8_t";
  case DType::Int16:
    return "int16_t";
  case DType::Int32:
    return "int32_t";
  case DType::Int64:
    return "int64_t";
  case DType::UInt16:
  case DType::Float16:
  case DType::BFloat16:
    return "uint16_t";
  case DType::UInt32:
    return "uint32_t";
  case DType::UInt64:
    return "uint64_t";
  case DType::Float32:
  case DType::Complex64: // pairs
    return "float";
  case DType::Float64:
  case DType::Complex128: // pairs
    return "double";
  default:
    return "uint8_t";
  }
}

static llvm::StringRef scalarType(int32_t kind) {
  return kind == ADZE_FLOAT ? "double" : kind == ADZE_BOOL ? "int" : "int64_t";
}

static bool isKeyword(llvm::StringRef word) {
  static const llvm::StringSet<> words = {
      "alignas",  "alignof",  "and",      "asm",      "auto",      "bool",
      "break",    "case",     "catch",    "char",     "class",     "const",
      "continue", "default",  "delete",   "do",       "double",    "else",
      "enum",     "error",    "explicit", "export",   "extern",    "false",
      "float",    "for",      "friend",   "goto",     "if",        "inline",
      "int",      "long",     "model",    "mutable",  "namespace", "new",
      "not",      "nullptr",  "operator", "or",       "private",   "protected",
      "public",   "register", "requires", "restrict", "return",    "short",
      "signed",   "sizeof",   "static",   "struct",   "switch",    "template",
      "this",     "throw",    "true",     "try",      "typedef",   "typename",
      "union",    "unsigned", "using",    "virtual",  "void",      "volatile",
      "while",    "xor",      "inputs_",  "outputs_", "concept",   "constexpr",
      "tensors_", "shapes_",  "status_",  "NULL",     "typeof"};
  return words.contains(word);
}

namespace {
/// An input or output as the typed function takes it.
struct Parameter {
  std::string name;              // empty: the caller does not give it
  std::vector<std::string> dims; // one per dim: a number or a parameter
  bool isTensor = false;
};

class HeaderWriter {
public:
  HeaderWriter(const ProgramInterface &program, llvm::raw_ostream &os)
      : program(program), os(os), name(identifierOf(program.name)) {}
  void write();

private:
  std::string uniqueName(llvm::StringRef wanted);
  Parameter makeParameter(llvm::StringRef wanted,
                          llvm::ArrayRef<sym::Expr> dims, bool isTensor);
  void nameParameters();
  bool isMutated(size_t input) const;
  std::string describe(llvm::StringRef what, int32_t kind, DType dtype,
                       llvm::ArrayRef<sym::Expr> dims) const;

  void writeBanner();
  void writeHandle();
  void writeSignature();
  void writeTensor(const Parameter &parameter, DType dtype, size_t &tensors);
  void writeConstant(size_t input);
  void writeInputs();
  void writeOutputs();
  void writeRun();
  void writeScalarResults();

  const ProgramInterface &program;
  llvm::raw_ostream &os;
  std::string name;
  llvm::StringSet<> used;
  std::vector<Parameter> inputs, outputs;
  size_t tensorCount = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string HeaderWriter::uniqueName(llvm::StringRef wanted) {
  std::string base;
  for (char c : wanted)
    if (llvm::isAlnum(c) || (!base.empty() && base.back() != '_'))
      base += llvm::isAlnum(c) ? c : '_';
  while (!base.empty() && base.back() == '_')
    base.pop_back();
  if (base.empty() || llvm::isDigit(base.front()))
    base = "x" + base;
  if (isKeyword(base))
    base += "_";
  std::string unique = base;
  for (int i = 2; !used.insert(unique).second; ++i)
    unique = base + "_" + std::to_string(i);
  return unique;
}

Parameter HeaderWriter::makeParameter(llvm::StringRef wanted,
                                      llvm::ArrayRef<sym::Expr> dims,
                                      bool isTensor) {
  Parameter parameter;
  parameter.name = uniqueName(wanted);
  parameter.isTensor = isTensor;
  tensorCount += isTensor;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto size = sym::asConstant(dim);
    parameter.dims.push_back(
        size ? std::to_string(*size)
             : uniqueName(parameter.name + "_dim" + std::to_string(i)));
  }
  return parameter;
}

void HeaderWriter::nameParameters() {
  for (const InputSpec &input : program.inputs)
    inputs.push_back(
        input.isConstant
            ? Parameter()
            : makeParameter(input.name, input.dims, input.kind == ADZE_TENSOR));
  for (const OutputSpec &output : program.outputs) {
    bool isGiven = output.kind != ADZE_NONE && output.kind != ADZE_STRING;
    outputs.push_back(isGiven ? makeParameter(output.name, output.dims,
                                              output.kind == ADZE_TENSOR)
                              : Parameter());
  }
}

bool HeaderWriter::isMutated(size_t input) const {
  return llvm::any_of(program.mutations, [&](const MutationSpec &mutation) {
    return mutation.targetKind == ADZE_FROM_INPUT &&
           size_t(mutation.target) == input;
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string HeaderWriter::describe(llvm::StringRef what, int32_t kind,
                                   DType dtype,
                                   llvm::ArrayRef<sym::Expr> dims) const {
  if (kind != ADZE_TENSOR)
    return (what + ": " + kindName(kind)).str();
  return (what + ": " + getName(dtype) + sym::toString(dims)).str();
}

/// Text that does not end the comment it stands in.
static std::string inComment(std::string text) {
  for (size_t at; (at = text.find("*/")) != std::string::npos;)
    text.replace(at, 2, "* /");
  for (char &c : text)
    if (!llvm::isPrint(c))
      c = '?';
  return text;
}

void HeaderWriter::writeBanner() {
  os << "/* model.h: the C interface of the compiled model '"
     << inComment(program.name) << "'.\n * Written by " << program.producer
     << ", for " << program.target.name << ". Works in C99 and C++11.\n *\n";
  for (auto [i, input] : llvm::enumerate(program.inputs))
    os << " *   input " << i << "  "
       << inComment(describe(input.name, input.kind, input.dtype, input.dims))
       << (input.isConstant ? " (constant)"
           : isMutated(i)   ? " (written to)"
                            : "")
       << '\n';
  for (auto [i, output] : llvm::enumerate(program.outputs))
    os << " *   output " << i << " "
       << inComment(
              describe(output.name, output.kind, output.dtype, output.dims))
       << '\n';
  os << " *\n * Tensors are row-major arrays. Complex numbers are pairs; "
        "float16 and\n"
        " * bfloat16 are their 16 bits. Sizes that vary are parameters, of "
        "outputs too:\n"
        " * a size that is not what the model computes is an error. For other "
        "strides,\n"
        " * or outputs whose sizes are not known before, use "
     << name << "_model.api.\n */\n";
}

/// A model with one session, found at link time or by dlsym.
static constexpr llvm::StringLiteral handleText = R"(
#ifdef __cplusplus
extern "C" {
#endif

/* Exported by model.so (soname NAME.so). */
const adze_api *NAME_get_api(uint32_t version);

typedef struct NAME_model {
  const adze_api *api;
  adze_model *model;
  adze_session *session;
} NAME_model;

/* `folder` is the artifact. `get_api` is NAME_get_api, or the address of
 * "adze_get_api" that dlsym gave. Returns an adze_status. */
static inline int NAME_open(NAME_model *model, adze_get_api_fn get_api, const char *folder,
                            adze_error *error) {
  int status;
  model->model = 0;
  model->session = 0;
  model->api = get_api(ADZE_API_VERSION);
  if (!model->api)
    return ADZE_BAD_ARTIFACT;
  status = model->api->model_load(folder, 0, &model->model, error);
  if (!status)
    status = model->api->session_create(model->model, 0, &model->session, error);
  if (status)
    model->api->model_release(model->model);
  return status;
}

static inline void NAME_close(NAME_model *model) {
  model->api->session_release(model->session);
  model->api->model_release(model->model);
}
)";

static std::string replaceName(llvm::StringRef text, llvm::StringRef name) {
  std::string out;
  llvm::raw_string_ostream os(out);
  while (!text.empty()) {
    auto [before, after] = text.split("NAME");
    os << before;
    if (before.size() != text.size())
      os << name;
    text = after;
  }
  return out;
}

void HeaderWriter::writeHandle() { os << replaceName(handleText, name); }

void HeaderWriter::writeSignature() {
  os << "\n/* Runs the model once. Returns an adze_status; when it is not "
        "ADZE_OK, nothing\n"
        " * was written and error->message says why. */\n"
     << "static inline int " << name << "_run(" << name << "_model *model";
  auto addDims = [&](const Parameter &parameter) {
    for (const std::string &dim : parameter.dims)
      if (!llvm::isDigit(dim.front()))
        os << ", int64_t " << dim;
  };
  for (auto [i, input] : llvm::enumerate(program.inputs)) {
    const Parameter &parameter = inputs[i];
    if (parameter.name.empty())
      continue;
    if (!parameter.isTensor)
      os << ", " << scalarType(input.kind) << ' ' << parameter.name;
    else
      os << ", " << (isMutated(i) ? "" : "const ") << elementType(input.dtype)
         << " *" << parameter.name;
    addDims(parameter);
  }
  for (auto [i, output] : llvm::enumerate(program.outputs)) {
    const Parameter &parameter = outputs[i];
    if (parameter.name.empty())
      continue;
    os << ", "
       << (parameter.isTensor ? elementType(output.dtype)
                              : scalarType(output.kind))
       << " *" << parameter.name;
    addDims(parameter);
  }
  os << ", adze_error *error) {\n";
}

/// Fills the next of tensors_ and leaves its number in `tensors` - 1.
void HeaderWriter::writeTensor(const Parameter &parameter, DType dtype,
                               size_t &tensors) {
  const DTypeInfo &info = getInfo(dtype);
  std::string tensor = "tensors_[" + std::to_string(tensors) + "]";
  std::string shape = "shapes_[" + std::to_string(tensors) + "]";
  ++tensors;
  for (auto [i, dim] : llvm::enumerate(parameter.dims))
    os << "  " << shape << '[' << i << "] = " << dim << ";\n";
  os << "  " << tensor << ".data = (void *)" << parameter.name << ";\n  "
     << tensor << ".device.device_type = kDLCPU;\n  " << tensor
     << ".device.device_id = 0;\n  " << tensor
     << ".ndim = " << parameter.dims.size() << ";\n  " << tensor
     << ".dtype.code = " << unsigned(info.dlpackCode) << ";\n  " << tensor
     << ".dtype.bits = " << unsigned(info.bits) << ";\n  " << tensor
     << ".dtype.lanes = 1;\n  " << tensor << ".shape = " << shape << ";\n  "
     << tensor << ".strides = 0;\n  " << tensor << ".byte_offset = 0;\n";
}

void HeaderWriter::writeConstant(size_t input) {
  auto guard = llvm::find_if(program.guards, [&](const GuardSpec &one) {
    return one.input == int32_t(input) && one.kind >= ADZE_GUARD_CONST_INT &&
           one.kind <= ADZE_GUARD_CONST_NONE;
  });
  os << "  inputs_[" << input << "] = ";
  if (guard == program.guards.end() || guard->kind == ADZE_GUARD_CONST_NONE) {
    os << "adze_none();\n";
  } else if (guard->kind == ADZE_GUARD_CONST_STRING) {
    os << "adze_string(\"";
    for (unsigned char c : guard->text)
      os << llvm::format("\\%03o", c);
    os << "\");\n";
  } else if (guard->kind == ADZE_GUARD_CONST_FLOAT) {
    // By its bits: NaN and infinity have no literals.
    os << "adze_int((int64_t)" << llvm::format_hex(uint64_t(guard->a), 18)
       << "ull);\n  inputs_[" << input << "].kind = ADZE_FLOAT;\n";
  } else if (guard->kind == ADZE_GUARD_CONST_BOOL) {
    os << "adze_bool(" << guard->a << ");\n";
  } else {
    os << "adze_int((int64_t)" << llvm::format_hex(uint64_t(guard->a), 18)
       << "ull);\n";
  }
}

void HeaderWriter::writeInputs() {
  size_t tensors = 0;
  for (auto [i, input] : llvm::enumerate(program.inputs)) {
    const Parameter &parameter = inputs[i];
    if (parameter.name.empty()) {
      writeConstant(i);
    } else if (parameter.isTensor) {
      writeTensor(parameter, input.dtype, tensors);
      os << "  inputs_[" << i << "] = adze_tensor(&tensors_[" << tensors - 1
         << "]);\n";
    } else {
      os << "  inputs_[" << i << "] = adze_" << kindName(input.kind) << '('
         << parameter.name << ");\n";
    }
  }
  for (auto [i, output] : llvm::enumerate(program.outputs)) {
    const Parameter &parameter = outputs[i];
    if (!parameter.isTensor) {
      os << "  outputs_[" << i << "] = adze_none();\n";
      continue;
    }
    writeTensor(parameter, output.dtype, tensors);
    os << "  outputs_[" << i << "] = adze_tensor(&tensors_[" << tensors - 1
       << "]);\n";
  }
}

void HeaderWriter::writeScalarResults() {
  for (auto [i, output] : llvm::enumerate(program.outputs)) {
    const Parameter &parameter = outputs[i];
    if (parameter.name.empty() || parameter.isTensor)
      continue;
    llvm::StringRef type = scalarType(output.kind);
    os << "  if (!status_ && " << parameter.name << ")\n    *" << parameter.name
       << " = (" << type << ")outputs_[" << i << "].as."
       << (output.kind == ADZE_FLOAT ? "real" : "integer") << ";\n";
  }
}

void HeaderWriter::writeRun() {
  size_t rank = 1;
  for (const std::vector<Parameter> *list : {&inputs, &outputs})
    for (const Parameter &parameter : *list)
      rank = std::max(rank, parameter.dims.size());
  writeSignature();
  os << "  adze_value inputs_[" << inputs.size() + 1 << "], outputs_["
     << outputs.size() + 1 << "];\n";
  if (tensorCount > 0)
    os << "  DLTensor tensors_[" << tensorCount << "];\n  int64_t shapes_["
       << tensorCount << "][" << rank << "];\n";
  os << "  int status_;\n";
  writeInputs();
  os << "  status_ = model->api->run(model->session, inputs_, " << inputs.size()
     << ", outputs_, " << outputs.size() << ", error);\n";
  writeScalarResults();
  os << "  return status_;\n}\n";
}

void HeaderWriter::write() {
  nameParameters();
  std::string guard = "ADZE_MODEL_" + llvm::StringRef(name).upper() + "_H";
  writeBanner();
  os << "#ifndef " << guard << "\n#define " << guard
     << "\n\n#include \"adze.h\"\n\n#define " << name << "_INPUT_COUNT "
     << inputs.size() << "\n#define " << name << "_OUTPUT_COUNT "
     << outputs.size() << '\n';
  writeHandle();
  writeRun();
  os << "\n#ifdef __cplusplus\n}\n#endif\n#endif\n";
}

void writeHeader(const ProgramInterface &program, llvm::raw_ostream &os) {
  HeaderWriter(program, os).write();
}

} // namespace adze
