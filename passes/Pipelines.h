//===- Pipelines.h - All stages under their names ---------------*- C++ -*-===//

#ifndef ADZE_PASSES_PIPELINES_H
#define ADZE_PASSES_PIPELINES_H

namespace adze {

/// Makes the passes and pipelines of all stages available to adze-opt.
void registerAdzePasses();

} // namespace adze

#endif // ADZE_PASSES_PIPELINES_H
