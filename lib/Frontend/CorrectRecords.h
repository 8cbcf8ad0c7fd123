//===- CorrectRecords.h - Mends what torch is known to record wrongly -----===//

#ifndef ADZE_LIB_FRONTEND_CORRECTRECORDS_H
#define ADZE_LIB_FRONTEND_CORRECTRECORDS_H

#include "adze/Frontend/ExportedProgram.h"

namespace adze::frontend {

/// Sizes of results that some version of torch records otherwise than it
/// computes them. What follows from such a result stays as it was recorded.
void correctRecords(Graph &graph);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_CORRECTRECORDS_H
