//===- RuntimeObjectTest.cpp - What the runtime needs and shows -----------===//

#include "adze/Runtime/RuntimeObject.h"

#include "llvm/Object/ELFObjectFile.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace llvm;

namespace {

/// Names of an object's symbols for which `want(flags)` holds.
template <typename F>
std::vector<std::string> symbolsWith(StringRef bytes, F want) {
  std::vector<std::string> names;
  auto file =
      object::ObjectFile::createObjectFile(MemoryBufferRef(bytes, "object"));
  if (!file) {
    ADD_FAILURE() << toString(file.takeError());
    return names;
  }
  for (const object::SymbolRef &symbol : (*file)->symbols())
    if (want(cantFail(symbol.getFlags())))
      names.push_back(cantFail(symbol.getName()).str());
  return names;
}

std::vector<std::string> undefinedIn(StringRef bytes) {
  return symbolsWith(bytes, [](uint32_t flags) {
    return (flags & object::SymbolRef::SF_Undefined) != 0;
  });
}

std::vector<std::string> shownBy(StringRef bytes) {
  return symbolsWith(bytes, [](uint32_t flags) {
    constexpr uint32_t hidden =
        object::SymbolRef::SF_Hidden | object::SymbolRef::SF_Undefined;
    return (flags & object::SymbolRef::SF_Global) && !(flags & hidden);
  });
}

/// All that is undefined but `given` is in the C library.
void expectOnlyLibcAndLibm(StringRef bytes, StringRef given) {
  void *libc = dlopen("libc.so.6", RTLD_LAZY);
  void *libm = dlopen("libm.so.6", RTLD_LAZY);
  ASSERT_TRUE(libc && libm);
  auto needed = undefinedIn(bytes);
  EXPECT_GT(needed.size(), 10u);
  for (const std::string &name : needed) {
    if (name.empty() || name == given || name == "_GLOBAL_OFFSET_TABLE_")
      continue;
    EXPECT_TRUE(dlsym(libc, name.c_str()) || dlsym(libm, name.c_str())) << name;
  }
}

TEST(RuntimeObject, NeedsOnlyLibcAndLibm) {
  expectOnlyLibcAndLibm(adze::runtimeObject(), "adze_generated_program");
  expectOnlyLibcAndLibm(adze::runnerObject(), "adze_get_api");
}

TEST(RuntimeObject, ShowsOneSymbol) {
  EXPECT_EQ(shownBy(adze::runtimeObject()),
            std::vector<std::string>{"adze_get_api"});
  EXPECT_EQ(shownBy(adze::runnerObject()), std::vector<std::string>());
}

} // namespace
