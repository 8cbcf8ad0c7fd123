//===- LinkTest.cpp - What an artifact may need ---------------------------===//

#include "adze/Codegen/Link.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace adze;

namespace {

/// What stands for a program: its table, which keeps @f, and @f for x86-64-v2.
std::vector<ObjectFile> compile(llvm::StringRef function) {
  std::vector<ObjectFile> objects;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::string text =
      ("@adze_generated_program = hidden global ptr @f\n" + function).str();
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  auto target = TargetDescription::create("x86-64-v2");
  if (!module || !target) {
    ADD_FAILURE() << diagnostic.getMessage().str();
    return objects;
  }
  auto object = compileTables(*module, *target);
  if (object)
    objects.push_back(std::move(*object));
  else
    ADD_FAILURE() << llvm::toString(object.takeError());
  return objects;
}

/// The messages of all three ways to link, each "" for success.
std::vector<std::string> link(llvm::StringRef function) {
  std::vector<ObjectFile> objects = compile(function);
  llvm::SmallString<128> path;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("adze-link", "o", path));
  llvm::FileRemover remover(path);
  return {llvm::toString(linkShared(objects, path, "model.so")),
          llvm::toString(linkProgram(objects, {}, path)),
          llvm::toString(linkRelocatable(objects, {}, {"f"}, path))};
}

std::vector<std::string> everywhere(const std::string &message) {
  return {message, message, message};
}

TEST(LinkTest, conversionsOfSmallFloats) {
  EXPECT_EQ(link("define float @f(half %a) {\n"
                 "  %b = fpext half %a to float\n"
                 "  ret float %b\n}\n"),
            everywhere(""));
  for (const char *small : {"half", "bfloat"})
    for (const char *wide : {"float", "double"})
      EXPECT_EQ(link(llvm::formatv("define {0} @f({1} %a) {{\n"
                                   "  %b = fptrunc {1} %a to {0}\n"
                                   "  ret {0} %b\n}\n",
                                   small, wide)
                         .str()),
                everywhere(""));
}

TEST(LinkTest, functionsOfTheMathLibrary) {
  EXPECT_EQ(link("declare double @erf(double)\n"
                 "define double @f(double %a) {\n"
                 "  %b = call double @erf(double %a)\n"
                 "  ret double %b\n}\n"),
            everywhere(""));
}

TEST(LinkTest, refusesWhatNoLibraryHas) {
  EXPECT_EQ(link("define i128 @f(i128 %a, i128 %b) {\n"
                 "  %c = sdiv i128 %a, %b\n"
                 "  ret i128 %c\n}\n"),
            everywhere("cannot link the artifact: undefined symbol: __divti3"));
}

} // namespace
