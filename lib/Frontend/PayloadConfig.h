//===- PayloadConfig.h - Which record holds which weight ------------------===//

#ifndef ADZE_LIB_FRONTEND_PAYLOADCONFIG_H
#define ADZE_LIB_FRONTEND_PAYLOADCONFIG_H

#include "adze/Frontend/ExportedProgram.h"

namespace adze::frontend {

struct PayloadEntry {
  llvm::StringRef name;       // fully qualified, of the weight
  llvm::StringRef recordName; // without the folder
  bool isParameter = false;
  bool usesPickle = false;
  bool hasMeta = false; // false for custom objects
  TensorMeta meta;
};

/// Parses `*_weights_config.json`; text is kept in `owner`.
llvm::Expected<std::vector<PayloadEntry>>
parsePayloadConfig(llvm::StringRef json, ExportedProgram &owner);

} // namespace adze::frontend

#endif // ADZE_LIB_FRONTEND_PAYLOADCONFIG_H
