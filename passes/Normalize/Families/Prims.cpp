//===- Prims.cpp - Elementwise operators of torch's namespace prims -------===//
//
// Function transforms leave them in programs. They neither promote nor
// broadcast, so what the operator of the same name in aten does is right.
//
//===----------------------------------------------------------------------===//

#include "passes/Normalize/CallContext.h"
#include "passes/Normalize/DecompositionTable.h"

using namespace mlir;
using namespace adze;
using namespace adze::normalize;

static LogicalResult decomposeAdd(CallContext &c) {
  return c.setResult(
      0, c.elementwise({c.tensor("self"), c.tensor("other")},
                       [&](ArrayRef<Value> x) { return c.b.add(x[0], x[1]); }));
}

static LogicalResult decomposeSub(CallContext &c) {
  return c.setResult(
      0, c.elementwise({c.tensor("self"), c.tensor("other")},
                       [&](ArrayRef<Value> x) { return c.b.sub(x[0], x[1]); }));
}

static LogicalResult decomposeConvert(CallContext &c) {
  return c.setResult(0, c.convert(c.tensor("a"), c.resultElement(0)));
}

/// Takes over the entry of an overload in aten, if there is one by now.
static void addSame(DecompositionTable &table, ArrayRef<StringRef> names,
                    StringRef overload) {
  for (StringRef name : names)
    if (const auto *entry =
            table.lookup(("aten." + name + "." + overload).str()))
      table.add(("prims." + name + ".default").str(), entry->function);
}

void normalize::registerPrimsDecompositions(DecompositionTable &table) {
  table.add("prims.add.default", decomposeAdd);
  table.add("prims.sub.default", decomposeSub);
  table.add("prims.convert_element_type.default", decomposeConvert);
  addSame(table,
          {"mul", "eq", "ne", "lt", "le", "gt", "ge", "bitwise_and",
           "bitwise_or", "bitwise_xor", "fmod", "remainder"},
          "Tensor");
  addSame(table,
          {"abs",        "acos",   "acosh",     "asin",        "asinh",
           "atan",       "atanh",  "ceil",      "cos",         "cosh",
           "erf",        "erfc",   "exp",       "exp2",        "expm1",
           "floor",      "log",    "log10",     "log1p",       "log2",
           "neg",        "round",  "rsqrt",     "sign",        "sin",
           "sinh",       "sqrt",   "tan",       "tanh",        "trunc",
           "reciprocal", "lgamma", "digamma",   "bitwise_not", "isfinite",
           "signbit",    "atan2",  "maximum",   "minimum",     "fmax",
           "fmin",       "hypot",  "nextafter", "clone"},
          "default");
}
