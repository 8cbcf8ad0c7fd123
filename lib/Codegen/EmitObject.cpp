//===- EmitObject.cpp - LLVM dialect to machine code ----------------------===//

#include "adze/Codegen/EmitObject.h"

#include "SplitModule.h"

#include "adze/Codegen/ProgramLayout.h"
#include "adze/Support/Diagnostics.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/ThreadPool.h"

#include <chrono>
#include <mutex>

using namespace mlir;

namespace adze {

namespace {
/// A machine, and a context for each module that it compiles.
class Compiler {
public:
  explicit Compiler(const TargetDescription &target)
      : target(target), machine(target.createMachine()) {}

  /// Null if the translation fails, which it reports.
  std::unique_ptr<llvm::Module> translate(ModuleOp module,
                                          llvm::LLVMContext &context) const {
    auto translated = translateModuleToLLVMIR(module, context, "adze");
    if (translated)
      target.apply(*translated, *machine);
    return translated;
  }

  void optimise(llvm::Module &module) const;
  llvm::Error emit(llvm::Module &module, llvm::CodeGenFileType type,
                   llvm::SmallVectorImpl<char> &out) const;

private:
  const TargetDescription &target;
  std::unique_ptr<llvm::TargetMachine> machine;
};
} // namespace

void Compiler::optimise(llvm::Module &module) const {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(machine.get());
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

llvm::Error Compiler::emit(llvm::Module &module, llvm::CodeGenFileType type,
                           llvm::SmallVectorImpl<char> &out) const {
  llvm::raw_svector_ostream os(out);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type))
    return makeError(DiagId::InternalError,
                     "the target cannot write this kind of file");
  passes.run(module);
  return llvm::Error::success();
}

static llvm::Error cannotTranslate(StringRef name) {
  return makeError(DiagId::InternalError,
                   "kernel '" + name + "' has no translation to LLVM IR");
}

/// Each part has a copy of what it needs, which only constants survive.
static llvm::Error checkGlobals(ModuleOp lowered) {
  for (auto global : lowered.getOps<LLVM::GlobalOp>())
    if (!global.getConstant())
      return makeError(DiagId::InternalError,
                       "lowered module has a variable '" + global.getSymName() +
                           "'");
  if (!lowered.lookupSymbol<LLVM::LLVMFuncOp>(mainName))
    return makeError(DiagId::InternalError,
                     "lowered module has no function '" + mainName + "'");
  return llvm::Error::success();
}

static void registerTranslations(ModuleOp module) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

namespace {
/// Compiles parts on several threads. Translation reads the MLIR context, whose
/// locks may be off, so it is done by one thread at a time.
class ParallelCompiler {
public:
  ParallelCompiler(std::vector<ModulePart> parts,
                   const TargetDescription &target, TimeReport *times)
      : parts(std::move(parts)), target(target), times(times) {}

  llvm::Expected<std::vector<ObjectFile>> run(unsigned threads);

private:
  llvm::Error compile(const Compiler &compiler, size_t index);
  void work();

  std::vector<ModulePart> parts;
  const TargetDescription &target;
  TimeReport *times;
  std::vector<ObjectFile> objects;
  std::vector<double> seconds;
  std::mutex translating, failing;
  std::atomic<size_t> next = 0;
  llvm::Error failure = llvm::Error::success();
};
} // namespace

llvm::Error ParallelCompiler::compile(const Compiler &compiler, size_t index) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  {
    std::lock_guard<std::mutex> lock(translating);
    module = compiler.translate(*parts[index].module, context);
    parts[index].module = nullptr;
  }
  if (!module)
    return cannotTranslate(parts[index].name);
  auto start = std::chrono::steady_clock::now();
  compiler.optimise(*module);
  objects[index].name = parts[index].name;
  llvm::Error error = compiler.emit(*module, llvm::CodeGenFileType::ObjectFile,
                                    objects[index].bytes);
  seconds[index] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  return error;
}

void ParallelCompiler::work() {
  Compiler compiler(target);
  for (size_t index; (index = next++) < parts.size();) {
    llvm::Error error = compile(compiler, index);
    std::lock_guard<std::mutex> lock(failing);
    failure = llvm::joinErrors(std::move(failure), std::move(error));
  }
}

llvm::Expected<std::vector<ObjectFile>>
ParallelCompiler::run(unsigned threads) {
  objects.resize(parts.size());
  seconds.resize(parts.size());
  llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(threads);
  unsigned workers =
      std::min<size_t>(strategy.compute_thread_count(), parts.size());
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(workers));
  for (unsigned i = 0; i < workers; ++i)
    pool.async([this] { work(); });
  pool.wait();
  if (failure)
    return std::move(failure);
  for (size_t i = 0; times && i < objects.size(); ++i)
    times->addKernel(objects[i].name, seconds[i]);
  return std::move(objects);
}

llvm::Expected<std::vector<ObjectFile>>
compileModule(ModuleOp lowered, const TargetDescription &target,
              unsigned threads, TimeReport *times) {
  if (llvm::Error error = checkGlobals(lowered))
    return std::move(error);
  registerTranslations(lowered);
  return ParallelCompiler(splitModule(lowered, mainName), target, times)
      .run(threads);
}

llvm::Expected<ObjectFile> compileTables(llvm::Module &module,
                                         const TargetDescription &target) {
  Compiler compiler(target);
  ObjectFile object;
  object.name = "tables";
  if (llvm::Error error = compiler.emit(
          module, llvm::CodeGenFileType::ObjectFile, object.bytes))
    return std::move(error);
  return object;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Keeps what the texts are for from being inlined and removed.
static void keepKernels(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (function.hasLocalLinkage() && function.hasAddressTaken()) {
      function.setLinkage(llvm::GlobalValue::ExternalLinkage);
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
}

llvm::Expected<std::string>
printCode(ModuleOp lowered, const TargetDescription &target, CodeText kind) {
  if (llvm::Error error = checkGlobals(lowered))
    return std::move(error);
  registerTranslations(lowered);
  Compiler compiler(target);
  llvm::LLVMContext context;
  auto module = compiler.translate(lowered, context);
  if (!module)
    return cannotTranslate(mainName);
  keepKernels(*module);
  compiler.optimise(*module);
  std::string text;
  if (kind == CodeText::LlvmIr) {
    llvm::raw_string_ostream os(text);
    module->print(os, nullptr);
    return text;
  }
  llvm::SmallVector<char, 0> assembly;
  if (llvm::Error error =
          compiler.emit(*module, llvm::CodeGenFileType::AssemblyFile, assembly))
    return std::move(error);
  return std::string(assembly.begin(), assembly.end());
}

} // namespace adze
