//===- Graphs.h - What of a program with graph breaks compiles ------------===//

#ifndef ADZE_LIB_DRIVER_GRAPHS_H
#define ADZE_LIB_DRIVER_GRAPHS_H

#include "Compilation.h"

namespace adze {

/// What became of the ops between two breaks.
struct GraphSummary {
  int64_t operators = 0;   // after normalize
  SourcePlace first, last; // empty if unknown
  int64_t kernels = 0;
  std::string failure; // why it does not compile, if it does not

  /// "12 operators, model.py:10 to model.py:14, compiles to 3 kernels"
  std::string describe() const;
};

/// True if the module, as `normalize` left it, has graph breaks.
bool hasGraphBreaks(Compilation &compilation);

/// Compiles each graph of the module up to `last`, which is `schedule` or
/// later, in memory. The module stays as it is, and nothing is reported.
std::vector<GraphSummary> compileGraphs(Compilation &compilation, Stage last);

/// Reports that the program has graph breaks, and what of it compiles: one
/// error with a note for each graph.
void reportGraphBreaks(Compilation &compilation);

/// "model.py:10"; the file alone if the line is unknown.
std::string describe(const SourcePlace &place);

} // namespace adze

#endif // ADZE_LIB_DRIVER_GRAPHS_H
