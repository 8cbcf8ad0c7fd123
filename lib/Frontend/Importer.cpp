//===- Importer.cpp - Exported program to capture dialect -----------------===//

#include "adze/Frontend/Importer.h"

#include "ImportSignature.h"

#include "adze/Frontend/Error.h"

#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace adze::frontend {

static capture::GraphOp createGraph(OpBuilder &builder, Location location,
                                    const SignatureImporter &signature,
                                    ArrayAttr guards) {
  auto graph = capture::GraphOp::create(
      builder, location, builder.getStringAttr(mainGraphName),
      TypeAttr::get(signature.type),
      builder.getArrayAttr(signature.argumentAttrs),
      builder.getArrayAttr(signature.resultAttrs));
  for (NamedAttribute attribute : signature.attributes)
    graph->setAttr(attribute.getName(), attribute.getValue());
  graph->setAttr("adze.guards", guards);
  return graph;
}

static LogicalResult importBody(ImportContext &shared, capture::GraphOp graph,
                                Location location) {
  OpBuilder builder(shared.context);
  Block *block = builder.createBlock(&graph.getBody());
  for (Type type : graph.getFunctionType().getInputs())
    block->addArgument(type, location);
  GraphImporter importer(shared, shared.program.graph, builder);
  if (failed(importer.bindInputs(block->getArguments())) ||
      failed(importer.importNodes()))
    return failure();
  FailureOr<SmallVector<Value>> outputs = importer.tensorOutputs();
  if (failed(outputs))
    return failure();
  capture::ReturnOp::create(builder, location, *outputs);
  return success();
}

static LogicalResult importModule(ImportContext &shared, ModuleOp module) {
  Location location = module.getLoc();
  SignatureImporter signature(shared);
  if (failed(signature.import()))
    return failure();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  capture::GraphOp graph =
      createGraph(builder, location, signature,
                  importGuards(shared, signature.leafPaths, location));
  if (failed(importBody(shared, graph, location)))
    return failure();
  if (failed(verify(module)))
    return shared.fail("the imported program does not verify");
  return success();
}

llvm::Expected<OwningOpRef<ModuleOp>>
importProgram(const ExportedProgram &program, MLIRContext *context) {
  context->getOrLoadDialect<capture::CaptureDialect>();
  ImportContext shared(program, context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context));
  if (failed(importModule(shared, *module)))
    return inputFault("", shared.error);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>> importProgram(const LoadedProgram &loaded,
                                                    MLIRContext *context) {
  llvm::Expected<OwningOpRef<ModuleOp>> module =
      importProgram(*loaded.program, context);
  if (module) {
    markSharedMemory(**module, *loaded.weights);
    return module;
  }
  return inFile(module.takeError(), loaded.archive->path(),
                loaded.archive->programRecord(loaded.model));
}

} // namespace adze::frontend
