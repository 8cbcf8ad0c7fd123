//===- Diagnostics.cpp - What adze tells its user -------------------------===//

#include "adze/Support/Diagnostics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"

namespace adze {

struct DiagInfo {
  llvm::StringRef id;
  ExitCode exitCode;
  llvm::StringRef summary;
};

static constexpr DiagInfo table[] = {
#define ADZE_DIAG(Name, id, exit, summary) {id, ExitCode::exit, summary},
#include "adze/Support/Diagnostics.def"
};

static const DiagInfo &getInfo(DiagId id) {
  return table[static_cast<unsigned>(id)];
}

llvm::StringRef getIdText(DiagId id) { return getInfo(id).id; }
llvm::StringRef getSummary(DiagId id) { return getInfo(id).summary; }
ExitCode getExitCode(DiagId id) { return getInfo(id).exitCode; }

std::optional<DiagId> diagIdFromText(llvm::StringRef text) {
  for (auto [index, info] : llvm::enumerate(table))
    if (info.id == text)
      return static_cast<DiagId>(index);
  return std::nullopt;
}

static llvm::StringRef getText(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return "note";
  case Severity::Remark:
    return "remark";
  case Severity::Warning:
    return "warning";
  case Severity::Error:
    return "error";
  }
  llvm_unreachable("no such severity");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static void printText(const SourcePlace &place, llvm::raw_ostream &os) {
  if (place.empty()) {
    os << "adze: ";
    return;
  }
  os << place.file << ':';
  if (place.line > 0)
    os << place.line << ':';
  if (place.line > 0 && place.column > 0)
    os << place.column << ':';
  os << ' ';
}

void printText(const Diagnostic &diagnostic, llvm::raw_ostream &os) {
  printText(diagnostic.place, os);
  os << getText(diagnostic.severity) << ": " << diagnostic.message << " ["
     << getIdText(diagnostic.id) << "]\n";
  for (const DiagnosticNote &note : diagnostic.notes) {
    printText(note.place, os);
    os << "note: " << note.message << '\n';
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static void printText(llvm::json::OStream &json, llvm::StringRef key,
                      llvm::StringRef value) {
  if (!value.empty())
    json.attribute(key, llvm::json::fixUTF8(value));
}

static void printJson(llvm::json::OStream &json, const SourcePlace &place) {
  if (place.empty())
    return;
  json.attributeObject("location", [&] {
    printText(json, "file", place.file);
    if (place.line > 0)
      json.attribute("line", place.line);
    if (place.column > 0)
      json.attribute("column", place.column);
    printText(json, "function", place.function);
  });
}

static void printJson(llvm::json::OStream &json,
                      const DiagnosticDetails &details) {
  if (details.empty())
    return;
  json.attributeObject("details", [&] {
    for (const auto &[key, value] : details)
      if (const auto *number = std::get_if<int64_t>(&value))
        json.attribute(key, *number);
      else
        json.attribute(key, llvm::json::fixUTF8(std::get<std::string>(value)));
  });
}

static void printJson(llvm::json::OStream &json, const DiagnosticNote &note) {
  json.object([&] {
    json.attribute("message", llvm::json::fixUTF8(note.message));
    printJson(json, note.place);
    printJson(json, note.details);
  });
}

void printJson(const Diagnostic &diagnostic, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  json.object([&] {
    json.attribute("id", getIdText(diagnostic.id));
    json.attribute("severity", getText(diagnostic.severity));
    json.attribute("message", llvm::json::fixUTF8(diagnostic.message));
    printText(json, "operator", diagnostic.operatorName);
    printJson(json, diagnostic.place);
    printJson(json, diagnostic.details);
    if (diagnostic.notes.empty())
      return;
    json.attributeArray("notes", [&] {
      for (const DiagnosticNote &note : diagnostic.notes)
        printJson(json, note);
    });
  });
  os << '\n';
}

//===----------------------------------------------------------------------===//
// Engine
//===----------------------------------------------------------------------===//

void DiagnosticEngine::report(const Diagnostic &diagnostic) {
  std::lock_guard<std::mutex> lock(mutex);
  if (format == DiagnosticFormat::Json)
    printJson(diagnostic, os);
  else
    printText(diagnostic, os);
  os.flush();
  numWarnings += diagnostic.severity == Severity::Warning;
  if (diagnostic.severity != Severity::Error)
    return;
  ExitCode code = getExitCode(diagnostic.id);
  if (numErrors++ == 0 || code == ExitCode::Internal)
    worst = code;
}

void DiagnosticEngine::error(DiagId id, const llvm::Twine &message,
                             SourcePlace place) {
  report({id, Severity::Error, message.str(), std::move(place), {}, {}, {}});
}

void DiagnosticEngine::warning(DiagId id, const llvm::Twine &message,
                               SourcePlace place) {
  report({id, Severity::Warning, message.str(), std::move(place), {}, {}, {}});
}

void DiagnosticEngine::error(llvm::Error failure, DiagId fallback) {
  llvm::handleAllErrors(
      std::move(failure), [&](const DiagError &e) { report(e.get()); },
      [&](const llvm::ErrorInfoBase &e) { error(fallback, e.message()); });
}

char DiagError::ID;

llvm::Error makeError(DiagId id, const llvm::Twine &message,
                      SourcePlace place) {
  return llvm::make_error<DiagError>(Diagnostic{
      id, Severity::Error, message.str(), std::move(place), {}, {}, {}});
}

llvm::Error makeFileError(DiagId id, llvm::StringRef path,
                          std::error_code code) {
  llvm::StringRef verb = id == DiagId::CannotWrite ? "write" : "read";
  std::string reason = code.message();
  if (!reason.empty())
    reason[0] = llvm::toLower(reason[0]);
  return makeError(id, "cannot " + verb + " '" + path + "': " + reason);
}

} // namespace adze
