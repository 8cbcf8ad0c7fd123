//===- Diagnostics.h - What adze tells its user ---------------------------===//
//
// Everything a user is told passes through one DiagnosticEngine, as text or as
// JSON. Text looks like what compilers print:
//
//   model.py:12:8: error: unsupported operator 'aten.foo.default' [ADZE2001]
//   model.py:40: note: and here
//
// JSON is one object per line, keys always in this order, absent when empty:
//
//   {"id":"ADZE2001","severity":"error","message":"...","operator":"...",
//    "location":{"file":"model.py","line":12,"column":8,"function":"forward"},
//    "details":{"calls":2,"reason":"..."},
//    "notes":[{"message":"...","location":{...},"details":{...}}]}
//
// Details say what the message says, for programs; docs/Architecture.md has
// the keys.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_DIAGNOSTICS_H
#define ADZE_SUPPORT_DIAGNOSTICS_H

#include "adze/Support/ExitCode.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace adze {

enum class DiagId : uint8_t {
#define ADZE_DIAG(Name, ...) Name,
#include "adze/Support/Diagnostics.def"
};

llvm::StringRef getIdText(DiagId id);  // "ADZE2001"
llvm::StringRef getSummary(DiagId id); // "nothing in adze can run ..."
ExitCode getExitCode(DiagId id);
std::optional<DiagId> diagIdFromText(llvm::StringRef text);

enum class Severity : uint8_t { Note, Remark, Warning, Error };

/// A place in the traced program or in a file; line 0 means the whole file.
struct SourcePlace {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
  std::string function;

  bool empty() const { return file.empty(); }
};

/// A fact under its key, in the order in which they are printed.
using DiagnosticDetails =
    std::vector<std::pair<std::string, std::variant<int64_t, std::string>>>;

struct DiagnosticNote {
  std::string message;
  SourcePlace place;
  DiagnosticDetails details = {};
};

struct Diagnostic {
  DiagId id = DiagId::InternalError;
  Severity severity = Severity::Error;
  std::string message; // lower case, no full stop
  SourcePlace place;
  std::string operatorName; // "aten.foo.default" where one is at fault
  std::vector<DiagnosticNote> notes;
  DiagnosticDetails details = {};
};

enum class DiagnosticFormat : uint8_t { Text, Json };

/// Prints diagnostics as they come and counts them. May be used from several
/// threads.
class DiagnosticEngine {
public:
  explicit DiagnosticEngine(llvm::raw_ostream &os,
                            DiagnosticFormat format = DiagnosticFormat::Text)
      : os(os), format(format) {}

  void report(const Diagnostic &diagnostic);
  void error(DiagId id, const llvm::Twine &message, SourcePlace place = {});
  void warning(DiagId id, const llvm::Twine &message, SourcePlace place = {});

  /// Reports each message of `failure`, with the id it carries (DiagError) or
  /// `fallback`. Success reports nothing.
  void error(llvm::Error failure, DiagId fallback);

  unsigned errors() const { return numErrors; }
  unsigned warnings() const { return numWarnings; }

  /// Done without errors, otherwise what the first error stands for; an
  /// internal error outweighs the others.
  ExitCode exitCode() const { return worst; }

private:
  llvm::raw_ostream &os;
  DiagnosticFormat format;
  std::mutex mutex;
  unsigned numErrors = 0;
  unsigned numWarnings = 0;
  ExitCode worst = ExitCode::Done;
};

/// An llvm::Error that knows its diagnostic.
class DiagError : public llvm::ErrorInfo<DiagError> {
public:
  static char ID;
  explicit DiagError(Diagnostic diagnostic)
      : diagnostic(std::move(diagnostic)) {}

  const Diagnostic &get() const { return diagnostic; }
  void log(llvm::raw_ostream &os) const override { os << diagnostic.message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  Diagnostic diagnostic;
};

llvm::Error makeError(DiagId id, const llvm::Twine &message,
                      SourcePlace place = {});

/// `path`: what the system said; CannotRead or CannotWrite.
llvm::Error makeFileError(DiagId id, llvm::StringRef path,
                          std::error_code code);

/// One diagnostic in one of the two formats, ending in a newline.
void printText(const Diagnostic &diagnostic, llvm::raw_ostream &os);
void printJson(const Diagnostic &diagnostic, llvm::raw_ostream &os);

} // namespace adze

#endif // ADZE_SUPPORT_DIAGNOSTICS_H
