//===- SymDialect.cpp - Registration of the sym dialect -------------------===//

#include "dialects/Sym/Sym.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace adze::sym;

#include "dialects/Sym/SymDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Sym/SymAttrs.cpp.inc"

void SymDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Sym/SymAttrs.cpp.inc"
      >();
}
