//===- MlirDiagnostics.cpp - MLIR's diagnostics through our engine --------===//

#include "MlirDiagnostics.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace adze {

SourcePlace getPlace(Location location) {
  return llvm::TypeSwitch<LocationAttr, SourcePlace>(location)
      .Case([](FileLineColLoc loc) {
        SourcePlace place;
        place.file = loc.getFilename().str();
        place.line = loc.getLine();
        place.column = loc.getColumn();
        return place;
      })
      .Case([](NameLoc loc) { return getPlace(loc.getChildLoc()); })
      .Case([](CallSiteLoc loc) { return getPlace(loc.getCallee()); })
      .Case([](FusedLoc loc) {
        for (Location part : loc.getLocations())
          if (SourcePlace place = getPlace(part); !place.empty())
            return place;
        return SourcePlace();
      })
      .Default([](LocationAttr) { return SourcePlace(); });
}

static Severity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return Severity::Note;
  case DiagnosticSeverity::Warning:
    return Severity::Warning;
  case DiagnosticSeverity::Error:
    return Severity::Error;
  case DiagnosticSeverity::Remark:
    return Severity::Remark;
  }
  llvm_unreachable("no such severity");
}

/// "unsupported operator aten.foo.default (2 calls): ..." names the operator.
static llvm::StringRef getOperator(llvm::StringRef message) {
  if (!message.consume_front("unsupported operator "))
    return "";
  message.consume_front("'");
  return message.take_while(
      [](char c) { return c != ' ' && c != '\'' && c != ':'; });
}

/// The dictionaries that a pass attached as metadata.
static DiagnosticDetails getDetails(mlir::Diagnostic &diagnostic) {
  DiagnosticDetails details;
  for (const DiagnosticArgument &data : diagnostic.getMetadata()) {
    if (data.getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto dictionary = dyn_cast<DictionaryAttr>(data.getAsAttribute());
    for (NamedAttribute entry :
         dictionary ? dictionary.getValue() : ArrayRef<NamedAttribute>())
      if (auto number = dyn_cast<IntegerAttr>(entry.getValue()))
        details.emplace_back(entry.getName().str(), number.getInt());
      else if (auto text = dyn_cast<StringAttr>(entry.getValue()))
        details.emplace_back(entry.getName().str(), text.str());
  }
  return details;
}

adze::Diagnostic
ScopedMlirDiagnostics::convert(mlir::Diagnostic &diagnostic) const {
  adze::Diagnostic result;
  result.message = diagnostic.str();
  result.severity = getSeverity(diagnostic.getSeverity());
  result.place = getPlace(diagnostic.getLocation());
  result.operatorName = getOperator(result.message).str();
  result.details = getDetails(diagnostic);
  llvm::StringRef message = result.message;
  result.id = !result.operatorName.empty()         ? DiagId::UnsupportedOperator
              : message.starts_with("unsupported") ? DiagId::UnsupportedFeature
                                                   : errorId;
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    result.notes.push_back({note.str(), getPlace(note.getLocation()), {}});
  return result;
}

ScopedMlirDiagnostics::ScopedMlirDiagnostics(MLIRContext *context,
                                             DiagnosticEngine &engine)
    : engine(engine), handler(context, [this](mlir::Diagnostic &diagnostic) {
        this->engine.report(convert(diagnostic));
      }) {}

} // namespace adze
