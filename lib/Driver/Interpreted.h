//===- Interpreted.h - A program run by the reference interpreter ---------===//

#ifndef ADZE_LIB_DRIVER_INTERPRETED_H
#define ADZE_LIB_DRIVER_INTERPRETED_H

#include "Compilation.h"
#include "adze/Driver/Call.h"

namespace adze {

/// Makes a module of `prim` functions callable; takes the weights from the
/// program it was made from. Null after an error, which was reported.
std::unique_ptr<Callable>
makeInterpreted(std::unique_ptr<Compilation> compilation, bool inFloat64);

} // namespace adze

#endif // ADZE_LIB_DRIVER_INTERPRETED_H
