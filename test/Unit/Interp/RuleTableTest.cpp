//===- RuleTableTest.cpp - Every op of prim against every rule -----------===//

#include "InterpFixture.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace adze::interp {
namespace {

using RuleTableTest = InterpFixture;

/// Prints the table op x rule. Reference evaluation and cost must
/// be complete.
TEST_F(RuleTableTest, EveryOpHasReferenceEvaluationAndCost) {
  unsigned ops = 0;
  llvm::outs() << llvm::formatv("{0,-24} eval cost vjp  batch\n", "op");
  for (RegisteredOperationName name :
       context.getRegisteredOperationsByDialect("prim")) {
    bool evaluates = name.hasInterface<prim::ReferenceEvalInterface>();
    bool hasCost = name.hasInterface<prim::CostInterface>();
    auto mark = [](bool present) { return present ? "yes" : "-"; };
    llvm::outs() << llvm::formatv(
        "{0,-24} {1,-4} {2,-4} {3,-4} {4}\n", name.getStringRef(),
        mark(evaluates), mark(hasCost),
        mark(name.hasInterface<prim::VjpInterface>()),
        mark(name.hasInterface<prim::BatchInterface>()));
    EXPECT_TRUE(evaluates) << name.getStringRef().str();
    EXPECT_TRUE(hasCost) << name.getStringRef().str();
    ++ops;
  }
  EXPECT_GT(ops, 90u);
}

} // namespace
} // namespace adze::interp
