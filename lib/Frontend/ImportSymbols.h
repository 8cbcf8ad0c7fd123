//===- ImportSymbols.h - Symbolic sizes to sym expressions ------*- C++ -*-===//

#ifndef ADZE_LIB_FRONTEND_IMPORTSYMBOLS_H
#define ADZE_LIB_FRONTEND_IMPORTSYMBOLS_H

#include "dialects/Sym/Sym.h"

#include "adze/Frontend/ExportedProgram.h"
#include "adze/Frontend/SymAst.h"

namespace adze::frontend {

/// What the leaves of a guard stand for; null if there is no such input.
using GuardLeaves = llvm::function_ref<sym::Expr(const SymAst &)>;

/// Null with a reason in `why` where the expression has no sym counterpart.
sym::Expr convertAst(mlir::MLIRContext *context, const SymAst &ast,
                     GuardLeaves leaves, std::string &why);

/// Is this the name of a symbol that holds a floating-point number?
inline bool isFloatSymbol(llvm::StringRef name) {
  return name.starts_with("z");
}

/// Is this the name of a symbol that gets its value while the program runs?
inline bool isUnbackedSymbol(llvm::StringRef name) {
  return name.starts_with("u") || name.starts_with("zu");
}

/// Converts the texts of one program; each text is parsed once.
class SymbolImporter {
public:
  explicit SymbolImporter(mlir::MLIRContext *context) : context(context) {}

  sym::Expr convert(llvm::StringRef text, std::string &why);
  /// The expression of an int, or of a bool as 0 or 1.
  sym::Expr convert(const SymScalar &scalar, ValueKind kind, std::string &why);
  /// The tensor type that the file gives a value.
  mlir::RankedTensorType convert(const TensorMeta &meta, std::string &why);

private:
  struct Converted {
    sym::Expr expr;
    std::string why;
  };

  mlir::MLIRContext *context;
  llvm::StringMap<Converted> cache;
};

mlir::Type elementType(mlir::MLIRContext *context, DType dtype);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_IMPORTSYMBOLS_H
