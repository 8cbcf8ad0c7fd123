//===- SymbolSolver.h - Symbols from the sizes of arguments ----*- C++ -*-===//

#ifndef ADZE_LIB_INTERP_SYMBOLSOLVER_H
#define ADZE_LIB_INTERP_SYMBOLSOLVER_H

#include "dialects/Sym/Sym.h"

#include "llvm/ADT/StringMap.h"

namespace adze::interp {

struct SizeEquation {
  sym::Expr expr;
  int64_t value;
};

/// Adds every symbol that an equation determines: one that is linear in it
/// once the other symbols are known. Checks nothing; what does not hold shows
/// when the sizes are evaluated.
void solveSymbols(llvm::ArrayRef<SizeEquation> equations,
                  llvm::StringMap<int64_t> &symbols);

} // namespace adze::interp

#endif // ADZE_LIB_INTERP_SYMBOLSOLVER_H
