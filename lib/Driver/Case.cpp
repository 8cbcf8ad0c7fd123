//===- Case.cpp - A program with saved inputs and answers -----------------===//

#include "adze/Driver/Case.h"

#include "adze/Support/Json.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace adze {

namespace json = llvm::json;
namespace fs = llvm::sys::fs;

static std::string join(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

bool isCaseFolder(llvm::StringRef path) {
  return fs::is_directory(path) && fs::exists(join(path, "model.pt2"));
}

//===----------------------------------------------------------------------===//
// case.json
//===----------------------------------------------------------------------===//

static llvm::Error malformed(llvm::StringRef path, const llvm::Twine &what) {
  return makeError(DiagId::BadCase, "'" + path + "': " + what);
}

/// A list with null or a list of integers for each tensor.
static llvm::Expected<std::vector<std::optional<Dims>>>
readStrides(const json::Object &object, llvm::StringRef key,
            llvm::StringRef path) {
  std::vector<std::optional<Dims>> all;
  const json::Array *lists = object.getArray(key);
  if (!lists)
    return all;
  for (const json::Value &list : *lists) {
    all.emplace_back();
    if (list.getAsNull())
      continue;
    if (!list.getAsArray())
      return malformed(path, key + " holds something that is no list");
    all.back().emplace();
    for (const json::Value &stride : *list.getAsArray()) {
      std::optional<int64_t> number = stride.getAsInteger();
      if (!number)
        return malformed(path, key + " holds something that is no integer");
      all.back()->push_back(*number);
    }
  }
  return all;
}

/// "bfloat16[8, 32]" -> bfloat16; scalars and None have no type.
static std::vector<std::optional<DType>> readTypes(const json::Object &object) {
  std::vector<std::optional<DType>> types;
  if (const json::Array *outputs = object.getArray("outputs"))
    for (const json::Value &output : *outputs)
      types.push_back(
          dtypeFromName(output.getAsString().value_or("").split('[').first));
  return types;
}

static llvm::Expected<Tolerance> readTolerance(const json::Object &object,
                                               llvm::StringRef path) {
  std::optional<double> rtol = object.getNumber("rtol");
  if (!rtol || *rtol < 0)
    return malformed(path, "expected a number 'rtol'");
  return Tolerance{*rtol, object.getNumber("atol").value_or(0),
                   object.getNumber("atol_rms").value_or(0),
                   object.getNumber("noise_rms").value_or(0)};
}

static llvm::Error readInfo(Case &result) {
  std::string path = join(result.folder, "case.json");
  llvm::Expected<json::Value> value = readJson(path, DiagId::BadCase);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return malformed(path, "it is no JSON object");
  llvm::Expected<Tolerance> tolerance = readTolerance(*object, path);
  if (!tolerance)
    return tolerance.takeError();
  result.tolerance = *tolerance;
  llvm::StringRef compare = object->getString("compare").value_or("values");
  if (compare != "values" && compare != "statistics")
    return malformed(path, "'compare' is neither 'values' nor 'statistics'");
  result.isStatistical = compare == "statistics";
  result.outputTypes = readTypes(*object);
  for (auto [key, strides] :
       {std::pair("input_strides", &result.inputStrides),
        std::pair("output_strides", &result.outputStrides)}) {
    auto read = readStrides(*object, key, path);
    if (!read)
      return read.takeError();
    *strides = std::move(*read);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

static llvm::Error readInto(NpzArrays &arrays, llvm::StringRef path) {
  llvm::Expected<NpzArrays> read = readNpz(path);
  if (!read)
    return read.takeError();
  arrays = std::move(*read);
  return llvm::Error::success();
}

static llvm::Error readIfThere(NpzArrays &arrays, llvm::StringRef path) {
  return fs::exists(path) ? readInto(arrays, path) : llvm::Error::success();
}

static llvm::Error readFirstCall(Case &result) {
  CaseCall &call = result.calls.emplace_back();
  call.name = "inputs.npz";
  auto path = [&](llvm::StringRef name) { return join(result.folder, name); };
  return llvm::joinErrors(
      llvm::joinErrors(readInto(call.inputs, path("inputs.npz")),
                       readInto(call.expected, path("expected.npz"))),
      llvm::joinErrors(readIfThere(call.exact, path("expected64.npz")),
                       readIfThere(call.mutated, path("mutated.npz"))));
}

/// more_inputs_0.npz, more_inputs_1.npz, ... as long as there is either file of
/// a pair; one without the other is an error.
static llvm::Error readMoreCalls(Case &result) {
  for (unsigned k = 0;; ++k) {
    std::string name = "more_inputs_" + std::to_string(k) + ".npz";
    std::string inputs = join(result.folder, name);
    std::string expected =
        join(result.folder, "more_expected_" + llvm::Twine(k) + ".npz");
    if (!fs::exists(inputs) && !fs::exists(expected))
      return llvm::Error::success();
    CaseCall &call = result.calls.emplace_back();
    call.name = name;
    call.isFirst = false;
    if (llvm::Error failure = llvm::joinErrors(
            readInto(call.inputs, inputs), readInto(call.expected, expected)))
      return failure;
  }
}

llvm::Expected<Case> loadCase(llvm::StringRef folder) {
  Case result;
  result.folder = folder.str();
  result.program = join(folder, "model.pt2");
  result.hasGradients = fs::exists(join(folder, "grads.npz"));
  if (llvm::Error failure = readInfo(result))
    return std::move(failure);
  if (llvm::Error failure = readFirstCall(result))
    return std::move(failure);
  if (llvm::Error failure = readMoreCalls(result))
    return std::move(failure);
  return result;
}

} // namespace adze
