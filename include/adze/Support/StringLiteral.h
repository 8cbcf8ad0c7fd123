//===- StringLiteral.h - Strings as Python writes them ----------*- C++ -*-===//

#ifndef ADZE_SUPPORT_STRINGLITERAL_H
#define ADZE_SUPPORT_STRINGLITERAL_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace adze {

/// In single quotes; quotes, backslashes and control characters are escaped.
std::string toStringLiteral(llvm::StringRef text);

/// The text that toStringLiteral was given; none if it gives no such literal.
std::optional<std::string> parseStringLiteral(llvm::StringRef literal);

} // namespace adze

#endif // ADZE_SUPPORT_STRINGLITERAL_H
