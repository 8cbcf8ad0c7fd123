//===- Pipelines.cpp - All stages under their names -----------------------===//

#include "passes/Pipelines.h"

#include "passes/Normalize/Passes.h"

void adze::registerAdzePasses() {
  normalize::registerNormalizePasses();
  normalize::registerNormalizePipeline();
}
