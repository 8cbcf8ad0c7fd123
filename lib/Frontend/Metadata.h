//===- Metadata.h - What diagnostics need of a node's metadata ------------===//

#ifndef ADZE_LIB_FRONTEND_METADATA_H
#define ADZE_LIB_FRONTEND_METADATA_H

#include "adze/Frontend/ExportedProgram.h"

namespace adze::frontend {

/// The last `File "...", line N, in f` of a Python traceback, without what
/// follows it; empty if there is none.
llvm::StringRef lastFrame(llvm::StringRef stackTrace);

/// Splits a frame as `lastFrame` returns it.
SourceLocation parseFrame(llvm::StringRef frame);

/// The path of the innermost module of "key,path,type;key,path,type".
llvm::StringRef lastModulePath(llvm::StringRef moduleStack);

/// "node 'linear' (torch.ops.aten.linear.default at model.py:12)".
std::string describeNode(const Node &node);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_METADATA_H
