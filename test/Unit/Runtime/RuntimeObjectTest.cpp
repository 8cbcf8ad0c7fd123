//===- RuntimeObjectTest.cpp - What the runtime needs and shows -----------===//

#include "adze/Runtime/RuntimeObject.h"

#include "llvm/Object/ELFObjectFile.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace llvm;

namespace {

/// Names of symbols for which `want(flags)` holds.
template <typename F> std::vector<std::string> symbolsWith(F want) {
  std::vector<std::string> names;
  auto file = object::ObjectFile::createObjectFile(
      MemoryBufferRef(adze::runtimeObject(), "runtime"));
  if (!file) {
    ADD_FAILURE() << toString(file.takeError());
    return names;
  }
  for (const object::SymbolRef &symbol : (*file)->symbols())
    if (want(cantFail(symbol.getFlags())))
      names.push_back(cantFail(symbol.getName()).str());
  return names;
}

TEST(RuntimeObject, NeedsOnlyLibcAndLibm) {
  void *libc = dlopen("libc.so.6", RTLD_LAZY);
  void *libm = dlopen("libm.so.6", RTLD_LAZY);
  ASSERT_TRUE(libc && libm);
  auto needed = symbolsWith([](uint32_t flags) {
    return (flags & object::SymbolRef::SF_Undefined) != 0;
  });
  EXPECT_GT(needed.size(), 10u);
  for (const std::string &name : needed) {
    if (name.empty() || name == "adze_generated_program" ||
        name == "_GLOBAL_OFFSET_TABLE_")
      continue;
    EXPECT_TRUE(dlsym(libc, name.c_str()) || dlsym(libm, name.c_str())) << name;
  }
}

TEST(RuntimeObject, ShowsOneSymbol) {
  auto shown = symbolsWith([](uint32_t flags) {
    constexpr uint32_t hidden =
        object::SymbolRef::SF_Hidden | object::SymbolRef::SF_Undefined;
    return (flags & object::SymbolRef::SF_Global) && !(flags & hidden);
  });
  EXPECT_EQ(shown, std::vector<std::string>{"adze_get_api"});
}

} // namespace
