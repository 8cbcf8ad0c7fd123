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
         name == "aten.lift.default" || name == "aten.resize_.default";
}

/// Torch knows the operator, or has only its in-place form, or has it with
/// other overloads (a family adds all of one kind alike).
static bool isKnown(llvm::StringRef name) {
  auto [base, overload] = name.rsplit('.');
  auto known = [](const llvm::Twine &spelling) {
    return frontend::lookupSchemaOfTarget(spelling.str()) != nullptr;
  };
  return known(name) || known(base + "_." + overload) ||
         (overload.contains("Scalar") && known(base + ".Tensor"));
}

TEST(DecompositionTable, NamesAreThoseOfTorch) {
  for (const auto &entry : DecompositionTable::get().all())
    if (entry.getKey().starts_with("aten."))
      EXPECT_TRUE(isKnown(entry.getKey())) << entry.getKey().str();
}

TEST(DecompositionTable, ViewsAreThoseOfTorch) {
  for (const auto &entry : DecompositionTable::get().all()) {
    const auto *schema = frontend::lookupSchemaOfTarget(entry.getKey());
    if (!schema || schema->returns.empty() || mayHideAliasing(entry.getKey()))
      continue;
    const auto &alias = schema->returns[0].alias;
    bool isView = !alias.set.empty() && !alias.isWrite;
    // Some operators give their argument back without a word in the schema
    // (dropout that is off), so it may hide a MaybeView.
    if (isView)
      EXPECT_NE(entry.getValue().aliasing, Aliasing::None) << entry.getKey().str();
    else
      EXPECT_NE(entry.getValue().aliasing, Aliasing::View) << entry.getKey().str();
  }
}
