//===- ProgramTables.h - The tables of a program as constants ---*- C++ -*-===//

#ifndef ADZE_CODEGEN_PROGRAMTABLES_H
#define ADZE_CODEGEN_PROGRAMTABLES_H

#include "adze/Codegen/ProgramInterface.h"

#include "llvm/IR/Module.h"

#include <memory>

namespace adze {

/// A module that defines `adze_generated_program` and exports NAME_get_api.
/// With `embedWeights` the weights are the hidden symbol embeddedWeightsName.
/// Fails for an expression that the runtime cannot evaluate.
llvm::Expected<std::unique_ptr<llvm::Module>>
buildTables(const ProgramInterface &program, llvm::LLVMContext &context,
            bool embedWeights = false);

inline constexpr llvm::StringLiteral embeddedWeightsName =
    "adze_embedded_weights";

/// The name as it can stand in C: "my-model.v2" -> "my_model_v2".
std::string identifierOf(llvm::StringRef name);

} // namespace adze

#endif // ADZE_CODEGEN_PROGRAMTABLES_H
