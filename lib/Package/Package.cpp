//===- Package.cpp - From a lowered program to files ----------------------===//

#include "adze/Package/Package.h"

#include "Files.h"

#include "adze/Codegen/EmitObject.h"
#include "adze/Codegen/Link.h"
#include "adze/Codegen/ProgramTables.h"
#include "adze/Support/AtomicOutput.h"
#include "adze/Support/Diagnostics.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <thread>

using namespace mlir;

namespace adze {

static constexpr llvm::StringRef artifactFiles[] = {
    "model.so",    "model.h",     "adze.h",
    "weights.bin", "guards.json", "report.json"};

std::string modelNameOf(llvm::StringRef output) {
  while (output.size() > 1 && output.ends_with("/"))
    output = output.drop_back();
  llvm::StringRef stem = llvm::sys::path::stem(output);
  return stem.empty() || stem == "-" || stem == "." || stem == ".."
             ? "model"
             : stem.str();
}

func::FuncOp findProgram(ModuleOp module) {
  if (auto main = module.lookupSymbol<func::FuncOp>("main"))
    return main;
  auto functions = module.getOps<func::FuncOp>();
  return functions.empty() ? func::FuncOp() : *functions.begin();
}

namespace {
class Packager {
public:
  Packager(ModuleOp scheduled, ModuleOp lowered,
           const frontend::WeightStore &weights, const PackageOptions &options)
      : scheduled(scheduled), lowered(lowered), weights(weights),
        options(options) {}

  llvm::Error writeFolder();
  llvm::Error writeObject();
  llvm::Error writeProgram();
  llvm::Error writeText(CodeText kind);

private:
  llvm::Error readInterface();
  llvm::Expected<std::vector<ObjectFile>> compile(llvm::StringRef weightsPath,
                                                  bool embedWeights);
  llvm::Error writeTexts(llvm::StringRef folder);

  using Link = llvm::function_ref<llvm::Error(
      llvm::ArrayRef<ObjectFile> objects, llvm::ArrayRef<std::string> more,
      llvm::StringRef path)>;
  llvm::Error writeWithWeights(Link link);

  ModuleOp scheduled, lowered;
  const frontend::WeightStore &weights;
  const PackageOptions &options;
  func::FuncOp func;
  ProgramInterface program;
};
} // namespace

llvm::Error Packager::readInterface() {
  func = findProgram(scheduled);
  if (!func)
    return makeError(DiagId::InternalError, "scheduled module has no function");
  InterfaceOptions interfaceOptions;
  interfaceOptions.name = options.modelName.empty()
                              ? modelNameOf(options.output)
                              : options.modelName;
  interfaceOptions.target = options.target;
  interfaceOptions.isRowMajor = [&](llvm::StringRef name) {
    const frontend::Weight *weight = weights.lookup(name);
    return weight && weight->isContiguous();
  };
  auto read = extractInterface(func, lowered, interfaceOptions);
  if (!read)
    return read.takeError();
  program = std::move(*read);
  return llvm::Error::success();
}

/// Kernels are compiled while the weights are written, which mostly waits for
/// the disk; then come the tables, which hold the digests.
llvm::Expected<std::vector<ObjectFile>>
Packager::compile(llvm::StringRef weightsPath, bool embedWeights) {
  auto writer = WeightsWriter::plan(func, weights, options.packer, program);
  if (!writer)
    return writer.takeError();
  llvm::Error written = llvm::Error::success();
  llvm::consumeError(std::move(written));
  std::thread writing([&] { written = writer->write(weightsPath); });
  auto objects =
      compileModule(lowered, options.target, options.threads, options.times);
  writing.join();
  if (!objects)
    return llvm::joinErrors(std::move(written), objects.takeError());
  if (written)
    return std::move(written);
  addWeightsGuard(program);
  llvm::LLVMContext context;
  auto tables =
      buildTables(program, context, embedWeights && program.weightsBytes > 0);
  if (!tables)
    return tables.takeError();
  auto object = compileTables(**tables, options.target);
  if (!object)
    return object.takeError();
  objects->push_back(std::move(*object));
  return objects;
}

static std::string join(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return std::string(path);
}

static llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<void(llvm::raw_ostream &)> write) {
  return writeAtomically(path, [&](llvm::raw_ostream &os) {
    write(os);
    return llvm::Error::success();
  });
}

llvm::Error Packager::writeTexts(llvm::StringRef folder) {
  auto add = [&](llvm::StringRef name, auto write, llvm::Error before) {
    if (before)
      return before;
    return writeFile(join(folder, name), write);
  };
  llvm::Error error = llvm::Error::success();
  error = add(
      "model.h", [&](auto &os) { writeHeader(program, os); }, std::move(error));
  error =
      add("adze.h", [&](auto &os) { os << publicHeader(); }, std::move(error));
  error = add(
      "guards.json", [&](auto &os) { writeGuards(program, os); },
      std::move(error));
  return add(
      "report.json", [&](auto &os) { writeReport(program, scheduled, os); },
      std::move(error));
}

llvm::Error Packager::writeFolder() {
  if (llvm::Error error = readInterface())
    return error;
  auto folder = AtomicDir::create(options.output, artifactFiles);
  if (!folder)
    return folder.takeError();
  auto objects =
      compile(join(folder->path(), "weights.bin"), /*embedWeights=*/false);
  if (!objects)
    return objects.takeError();
  if (llvm::Error error = linkShared(*objects, join(folder->path(), "model.so"),
                                     identifierOf(program.name) + ".so"))
    return error;
  if (llvm::Error error = writeTexts(folder->path()))
    return error;
  return folder->commit();
}

/// One file that holds the weights too. Beside it lie, while it is made, files
/// that go away with their folder.
llvm::Error Packager::writeWithWeights(Link link) {
  if (llvm::Error error = readInterface())
    return error;
  return writeAtomicallyAt(
      options.output == "-" ? "/dev/stdout" : options.output,
      [&](llvm::StringRef path) -> llvm::Error {
        auto scratch = AtomicDir::create((path + ".parts").str(), {});
        if (!scratch)
          return scratch.takeError();
        std::string weightsPath = join(scratch->path(), "weights.bin");
        auto objects = compile(weightsPath, /*embedWeights=*/true);
        if (!objects)
          return objects.takeError();
        std::vector<std::string> more;
        if (program.weightsBytes > 0) {
          more.push_back(join(scratch->path(), "weights.o"));
          if (llvm::Error error = writeWeightsObject(weightsPath, more.front()))
            return error;
        }
        return link(*objects, more, path);
      });
}

llvm::Error Packager::writeObject() {
  return writeWithWeights([&](llvm::ArrayRef<ObjectFile> objects,
                              llvm::ArrayRef<std::string> more,
                              llvm::StringRef path) {
    return linkRelocatable(objects, more,
                           {identifierOf(program.name) + "_get_api"}, path);
  });
}

llvm::Error Packager::writeProgram() { return writeWithWeights(linkProgram); }

llvm::Error Packager::writeText(CodeText kind) {
  auto text = printCode(lowered, options.target, kind);
  if (!text)
    return text.takeError();
  return writeFile(options.output, [&](llvm::raw_ostream &os) { os << *text; });
}

llvm::Error writeArtifact(ModuleOp scheduled, ModuleOp lowered,
                          const frontend::WeightStore &weights,
                          const PackageOptions &options) {
  Packager packager(scheduled, lowered, weights, options);
  switch (options.kind) {
  case PackageKind::Artifact:
    return packager.writeFolder();
  case PackageKind::Object:
    return packager.writeObject();
  case PackageKind::Program:
    return packager.writeProgram();
  case PackageKind::LlvmIr:
    return packager.writeText(CodeText::LlvmIr);
  case PackageKind::Assembly:
    return packager.writeText(CodeText::Assembly);
  }
  return llvm::Error::success();
}

} // namespace adze
