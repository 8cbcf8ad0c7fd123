//===- CaptureDialect.cpp - Registration of the capture dialect -----------===//

#include "dialects/Capture/Capture.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace adze::capture;

#include "dialects/Capture/CaptureDialect.cpp.inc"
#include "dialects/Capture/CaptureEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Capture/CaptureAttrs.cpp.inc"

void CaptureDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Capture/CaptureAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Capture/CaptureOps.cpp.inc"
      >();
}
