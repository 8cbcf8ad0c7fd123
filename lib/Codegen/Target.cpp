//===- Target.cpp - The machine that code is made for ---------------------===//

#include "adze/Codegen/Target.h"

#include "adze/Support/Diagnostics.h"
#include "lib/Runtime/Program.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <mutex>

namespace adze {

static constexpr llvm::StringLiteral tripleText = "x86_64-unknown-linux-gnu";

namespace {
struct Feature {
  llvm::StringLiteral name; // as LLVM spells it
  uint64_t bit;             // ADZE_CPU_*
};
struct Level {
  llvm::StringLiteral name;
  uint64_t bits;
  unsigned vectorBits;
};
} // namespace

static constexpr Feature knownFeatures[] = {
    {"sse4.2", ADZE_CPU_SSE42},
    {"avx", ADZE_CPU_AVX},
    {"avx2", ADZE_CPU_AVX2},
    {"fma", ADZE_CPU_FMA},
    {"f16c", ADZE_CPU_F16C},
    {"bmi", ADZE_CPU_BMI1},
    {"bmi2", ADZE_CPU_BMI2},
    {"lzcnt", ADZE_CPU_LZCNT},
    {"movbe", ADZE_CPU_MOVBE},
    {"avx512f", ADZE_CPU_AVX512F},
    {"avx512bw", ADZE_CPU_AVX512BW},
    {"avx512cd", ADZE_CPU_AVX512CD},
    {"avx512dq", ADZE_CPU_AVX512DQ},
    {"avx512vl", ADZE_CPU_AVX512VL},
    {"avx512vnni", ADZE_CPU_AVX512VNNI},
    {"avx512bf16", ADZE_CPU_AVX512BF16},
    {"avx512fp16", ADZE_CPU_AVX512FP16},
    {"avxvnni", ADZE_CPU_AVXVNNI},
    {"avx512vbmi", ADZE_CPU_AVX512VBMI}};

static constexpr Level levels[] = {{"x86-64-v4", ADZE_CPU_V4, 512},
                                   {"x86-64-v3", ADZE_CPU_V3, 256},
                                   {"x86-64-v2", ADZE_CPU_V2, 128}};

static uint64_t bitsOf(const llvm::StringSet<> &names) {
  uint64_t bits = 0;
  for (const Feature &feature : knownFeatures)
    if (names.contains(feature.name))
      bits |= feature.bit;
  if (!names.contains("popcnt") || !names.contains("ssse3") ||
      !names.contains("cx16"))
    bits &= ~ADZE_CPU_SSE42;
  return bits;
}

static llvm::StringSet<> hostFeatures() {
  llvm::StringSet<> names;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    if (feature.second)
      names.insert(feature.first());
  return names;
}

static llvm::Expected<llvm::StringSet<>> featuresOf(llvm::StringRef cpu) {
  if (llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) == llvm::X86::CK_None)
    return makeError(
        DiagId::BadUsage,
        "unknown target cpu '" + cpu +
            "': expected native, x86-64-v2, x86-64-v3, x86-64-v4 or a "
            "cpu that LLVM knows");
  llvm::SmallVector<llvm::StringRef> list;
  llvm::X86::getFeaturesForCPU(cpu, list);
  llvm::StringMap<bool> implied;
  for (llvm::StringRef name : list) {
    implied[name] = true;
    llvm::X86::updateImpliedFeatures(name, /*Enabled=*/true, implied);
  }
  llvm::StringSet<> names;
  for (const auto &feature : implied)
    if (feature.second)
      names.insert(feature.first());
  return names;
}

/// The highest level that `bits` covers, and what goes beyond it.
static llvm::Error chooseLevel(TargetDescription &target, uint64_t bits) {
  for (const Level &level : levels) {
    if ((bits & level.bits) != level.bits)
      continue;
    target.baseline = level.name.str();
    target.vectorBits = level.vectorBits;
    target.cpuFeatures = level.bits;
    for (const Feature &feature : knownFeatures) {
      bool isExtra = (bits & feature.bit) && !(level.bits & feature.bit);
      bool needsLevel4 =
          feature.bit >= ADZE_CPU_AVX512F && feature.bit != ADZE_CPU_AVXVNNI;
      if (!isExtra || (needsLevel4 && level.vectorBits < 512))
        continue;
      target.cpuFeatures |= feature.bit;
      target.features +=
          (target.features.empty() ? "+" : ",+") + feature.name.str();
    }
    return llvm::Error::success();
  }
  return makeError(DiagId::UnsupportedFeature,
                   "target cpu '" + target.name + "' is less than x86-64-v2");
}

llvm::Expected<TargetDescription>
TargetDescription::create(llvm::StringRef cpu) {
  TargetDescription target;
  llvm::StringSet<> names;
  if (cpu.empty() || cpu == "native") {
    target.name = llvm::sys::getHostCPUName().str();
    names = hostFeatures();
  } else {
    target.name = cpu.str();
    llvm::Expected<llvm::StringSet<>> known = featuresOf(cpu);
    if (!known)
      return known.takeError();
    names = std::move(*known);
  }
  target.tune = target.name;
  if (llvm::Error error = chooseLevel(target, bitsOf(names)))
    return std::move(error);
  return target;
}

static const llvm::Target *findTarget(const llvm::Triple &triple) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
  });
  std::string ignored;
  return llvm::TargetRegistry::lookupTarget(triple, ignored);
}

std::unique_ptr<llvm::TargetMachine> TargetDescription::createMachine() const {
  llvm::Triple triple(tripleText);
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  const llvm::Target *target = findTarget(triple);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, baseline, features, options, llvm::Reloc::PIC_,
      llvm::CodeModel::Small, llvm::CodeGenOptLevel::Aggressive));
}

void TargetDescription::apply(llvm::Module &module,
                              const llvm::TargetMachine &machine) const {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : module) {
    function.addFnAttr("target-cpu", baseline);
    function.addFnAttr("tune-cpu", tune);
    if (!features.empty())
      function.addFnAttr("target-features", features);
    if (function.isDeclaration())
      continue;
    function.addFnAttr("prefer-vector-width", std::to_string(vectorBits));
    function.addFnAttr(llvm::Attribute::NoUnwind);
  }
}

} // namespace adze
