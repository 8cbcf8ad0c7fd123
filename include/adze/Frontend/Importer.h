//===- Importer.h - Exported program to capture dialect ---------*- C++ -*-===//

#ifndef ADZE_FRONTEND_IMPORTER_H
#define ADZE_FRONTEND_IMPORTER_H

#include "adze/Frontend/Frontend.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace adze::frontend {

/// A module with one `capture.graph @main` that says what the program says. Its
/// weights are arguments: find their data by the names in the descriptors.
///
/// Operators that adze does not know become calls like all others; a later
/// stage reports them all together. What the dialect cannot express is an
/// error. Guards of the file that cannot be read are reported as warnings.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importProgram(const ExportedProgram &program, mlir::MLIRContext *context);

/// The same; errors name the file.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importProgram(const LoadedProgram &loaded, mlir::MLIRContext *context);

/// Marks the weights of an imported program whose memory overlaps by the
/// attributes below, for `normalize`.
void markSharedMemory(mlir::ModuleOp module, const WeightStore &weights);

/// Attribute of an argument whose memory other arguments share too: the number
/// of that memory.
inline constexpr llvm::StringLiteral memoryName = "adze.storage";
/// Of an argument that is the same tensor as an earlier one: the number of
/// that.
inline constexpr llvm::StringLiteral sameAsName = "adze.same_as";

/// The name of the graph in the module.
inline constexpr llvm::StringLiteral mainGraphName = "main";

/// Of a call with several results some of which are lists, or no tensors: one
/// entry for each result of the schema, the length of a list, or one of these.
inline constexpr llvm::StringLiteral resultListsName = "result_lists";
inline constexpr int64_t singleTensorResult = -1;
inline constexpr int64_t noTensorResult = -2;

} // namespace adze::frontend

#endif // ADZE_FRONTEND_IMPORTER_H
