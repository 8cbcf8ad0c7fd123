//===- Json.h - Reading small JSON files ----------------------------------===//

#ifndef ADZE_SUPPORT_JSON_H
#define ADZE_SUPPORT_JSON_H

#include "adze/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace adze {

/// Reads and parses the file at `path`; a failure says where. `malformed` is
/// the id of a file that is no JSON, or nests deeper than 200 levels.
llvm::Expected<llvm::json::Value> readJson(llvm::StringRef path,
                                           DiagId malformed);

llvm::Expected<llvm::json::Value>
parseJson(llvm::StringRef text, llvm::StringRef shownAs, DiagId malformed);

} // namespace adze

#endif // ADZE_SUPPORT_JSON_H
