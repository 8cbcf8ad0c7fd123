//===- DecompositionTable.cpp - All families in one table -----------------===//

#include "passes/Normalize/DecompositionTable.h"

namespace adze::normalize {

const DecompositionTable &DecompositionTable::get() {
  static const DecompositionTable table = [] {
    DecompositionTable result;
#define ADZE_FAMILY(NAME) register##NAME##Decompositions(result);
#include "passes/Normalize/Families.def"
    return result;
  }();
  return table;
}

} // namespace adze::normalize
