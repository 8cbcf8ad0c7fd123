//===- CheckProgram.h - Is a decoded program consistent? ------------------===//

#ifndef ADZE_LIB_FRONTEND_CHECKPROGRAM_H
#define ADZE_LIB_FRONTEND_CHECKPROGRAM_H

#include "adze/Frontend/ExportedProgram.h"

namespace adze::frontend {

/// Every name is defined once, before its use, and described; specs pair up
/// with the graph's inputs and outputs, leaves with the user's. Corrects the
/// kind of list items that name symbolic values in a list of tensors.
llvm::Error checkProgram(ExportedProgram &program);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_CHECKPROGRAM_H
