//===- TableTest.cpp - Every decomposition is one of an operator ----------===//

#include "passes/Normalize/DecompositionTable.h"

#include "adze/Frontend/AtenSchema.h"

#include "gtest/gtest.h"

using namespace adze;
using normalize::Aliasing;
using normalize::DecompositionTable;

/// Operators whose schema hides that they may give their argument itself.
static bool mayHideAliasing(llvm::StringRef name) {
  return name.starts_with("aten.atleast_") || name == "aten.type_as.default" ||
         name == "aten.lift.default" || name == "aten.resize_.default" ||
         name == "aten.sum_to_size.default" ||
         name.ends_with("dropout.default");
}

/// "aten.normal.default" -> "aten.normal_.default": an in-place operator runs
/// the decomposition of the functional one, which torch need not have.
static std::string inPlaceName(llvm::StringRef name) {
  auto [base, overload] = name.rsplit('.');
  return (base + "_." + overload).str();
}

TEST(DecompositionTable, NamesAreThoseOfTorch) {
  for (const auto &entry : DecompositionTable::get().all())
    if (entry.getKey().starts_with("aten.")) {
      EXPECT_TRUE(frontend::lookupSchemaOfTarget(entry.getKey()) ||
                  frontend::lookupSchemaOfTarget(inPlaceName(entry.getKey())))
          << entry.getKey().str();
    }
}

TEST(DecompositionTable, ViewsAreThoseOfTorch) {
  for (const auto &entry : DecompositionTable::get().all()) {
    const auto *schema = frontend::lookupSchemaOfTarget(entry.getKey());
    if (!schema || schema->returns.empty() || mayHideAliasing(entry.getKey()))
      continue;
    const auto &alias = schema->returns[0].alias;
    bool isView = !alias.set.empty() && !alias.isWrite;
    EXPECT_EQ(entry.getValue().aliasing != Aliasing::None, isView)
        << entry.getKey().str();
  }
}
