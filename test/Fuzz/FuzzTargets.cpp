//===- FuzzTargets.cpp - The readers, fed with arbitrary bytes ------------===//

#include "FuzzTargets.h"

#include "adze/Frontend/Importer.h"
#include "adze/Frontend/Pickle.h"
#include "adze/Frontend/SymAst.h"
#include "lib/Runtime/Runner/Npy.h"
#include "lib/Runtime/Runner/Zip.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSwitch.h"

namespace adze::frontend {

static void importQuietly(const ExportedProgram &program) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {});
  auto module = importProgram(program, &context);
  if (!module)
    llvm::consumeError(module.takeError());
}

static void fuzzArchive(Bytes bytes) {
  auto archive = Archive::fromBytes(bytes, "fuzz.pt2");
  if (!archive)
    return llvm::consumeError(archive.takeError());
  auto loaded =
      loadProgram(std::shared_ptr<const Archive>(std::move(*archive)));
  if (!loaded)
    return llvm::consumeError(loaded.takeError());
  std::vector<uint8_t> scratch;
  for (const Weight &weight : loaded->weights->weights())
    // What a stride of zero blows up is legal, but not worth the time here.
    if (weight.numElements() < (1 << 20))
      (void)loaded->weights->contiguousBytes(weight, scratch);
  loadSampleInputs(*loaded);
  importQuietly(*loaded->program);
}

static void fuzzProgram(Bytes bytes) {
  auto program = parseProgram(asText(bytes));
  if (!program)
    return llvm::consumeError(program.takeError());
  importQuietly(**program);
}

static void fuzzPickle(Bytes bytes) {
  auto pickle = parsePickle(bytes);
  if (!pickle)
    llvm::consumeError(pickle.takeError());
}

static void fuzzExpression(Bytes bytes) {
  for (auto parse : {parseSymExpr, parseGuard}) {
    auto ast = parse(asText(bytes));
    if (ast)
      toString(*ast);
    else
      llvm::consumeError(ast.takeError());
  }
}

/// The files of a compiled program: one array, or an archive of them.
static void fuzzArrays(Bytes bytes) {
  runner::Failure failure;
  runner::Bytes file = {reinterpret_cast<const char *>(bytes.data()),
                        bytes.size()};
  runner::Array array;
  runner::decodeNpy(file, "fuzz.npy", array, failure);
  runner::ZipReader zip(file, "fuzz.npz", failure);
  for (bool isRead = zip.open(); isRead && !zip.isAtEnd();) {
    runner::ZipEntry entry;
    runner::Bytes content;
    isRead = zip.next(entry);
    if (isRead && zip.read(entry, content))
      runner::decodeNpy(content, "fuzz.npz:entry", array, failure);
  }
}

FuzzTarget lookupFuzzTarget(llvm::StringRef name) {
  return llvm::StringSwitch<FuzzTarget>(name)
      .Case("archive", fuzzArchive)
      .Case("program", fuzzProgram)
      .Case("pickle", fuzzPickle)
      .Case("expression", fuzzExpression)
      .Case("arrays", fuzzArrays)
      .Default(nullptr);
}

} // namespace adze::frontend
