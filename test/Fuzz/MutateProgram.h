//===- MutateProgram.h - Programs that are wrong in their meaning -*- C++ -*-=//
//
// Flipped bytes seldom get past the reader. These mutations keep the document
// well formed and change what it says: types, ranks, sizes, arguments, calls.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_TEST_FUZZ_MUTATEPROGRAM_H
#define ADZE_TEST_FUZZ_MUTATEPROGRAM_H

#include "llvm/ADT/StringRef.h"

#include <random>
#include <string>

namespace adze {

/// The program's JSON with one to four changes to its graph; as it was if it
/// is no program.
std::string mutateProgram(llvm::StringRef json, std::mt19937 &random);

} // namespace adze

#endif // ADZE_TEST_FUZZ_MUTATEPROGRAM_H
