//===- Files.h - The texts of an artifact -----------------------*- C++ -*-===//

#ifndef ADZE_LIB_PACKAGE_FILES_H
#define ADZE_LIB_PACKAGE_FILES_H

#include "adze/Codegen/ProgramInterface.h"

#include "mlir/IR/BuiltinOps.h"

namespace adze {

/// model.h.
void writeHeader(const ProgramInterface &program, llvm::raw_ostream &os);
/// adze.h, as include/adze/adze.h was when adze was built.
llvm::StringRef publicHeader();
/// guards.json; docs/Guards.md has the schema.
void writeGuards(const ProgramInterface &program, llvm::raw_ostream &os);
/// report.json.
void writeReport(const ProgramInterface &program, mlir::ModuleOp scheduled,
                 llvm::raw_ostream &os);

/// "tensor", "int", ... of an adze_kind.
llvm::StringRef kindName(int32_t kind);

/// An object file that defines embeddedWeightsName as the bytes of the file
/// `weights`.
llvm::Error writeWeightsObject(llvm::StringRef weights, llvm::StringRef path);

} // namespace adze

#endif // ADZE_LIB_PACKAGE_FILES_H
