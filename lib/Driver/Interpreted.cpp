//===- Interpreted.cpp - A program run by the reference interpreter -------===//

#include "Interpreted.h"

namespace adze {

std::unique_ptr<Callable>
makeInterpreted(std::unique_ptr<Compilation> compilation, bool) {
  compilation->getEngine().error(DiagId::UnsupportedFeature,
                                 "this build of adze has no interpreter");
  return nullptr;
}

} // namespace adze
