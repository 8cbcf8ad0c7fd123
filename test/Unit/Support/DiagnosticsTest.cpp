//===- DiagnosticsTest.cpp - What users are told --------------------------===//

#include "adze/Support/Diagnostics.h"

#include "adze/Support/Json.h"
#include "llvm/ADT/StringSet.h"

#include <gtest/gtest.h>

namespace adze {

static Diagnostic unsupported() {
  Diagnostic diagnostic;
  diagnostic.id = DiagId::UnsupportedOperator;
  diagnostic.message = "unsupported operator 'aten.foo.default'";
  diagnostic.operatorName = "aten.foo.default";
  diagnostic.place = {"model.py", 12, 8, "forward"};
  diagnostic.notes.push_back({"and here", {"model.py", 40, 0, ""}});
  return diagnostic;
}

static std::string print(DiagnosticFormat format,
                         const Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DiagnosticEngine(os, format).report(diagnostic);
  return text;
}

TEST(Diagnostics, TextLooksLikeThatOfCompilers) {
  EXPECT_EQ(print(DiagnosticFormat::Text, unsupported()),
            "model.py:12:8: error: unsupported operator 'aten.foo.default' "
            "[ADZE2001]\n"
            "model.py:40: note: and here\n");
}

TEST(Diagnostics, TextWithoutAPlaceNamesTheProgram) {
  Diagnostic diagnostic;
  diagnostic.id = DiagId::BadUsage;
  diagnostic.message = "unknown flag '--x'";
  EXPECT_EQ(print(DiagnosticFormat::Text, diagnostic),
            "adze: error: unknown flag '--x' [ADZE5001]\n");
}

TEST(Diagnostics, JsonIsOneObjectPerLine) {
  EXPECT_EQ(
      print(DiagnosticFormat::Json, unsupported()),
      R"({"id":"ADZE2001","severity":"error","message":"unsupported operator 'aten.foo.default'","operator":"aten.foo.default","location":{"file":"model.py","line":12,"column":8,"function":"forward"},"notes":[{"message":"and here","location":{"file":"model.py","line":40}}]})"
      "\n");
}

TEST(Diagnostics, JsonHasTheDetailsThatTextLeavesOut) {
  Diagnostic diagnostic = unsupported();
  diagnostic.details = {{"calls", int64_t(2)}, {"reason", std::string("none")}};
  diagnostic.notes[0].details = {{"kernels", int64_t(3)}};
  std::string text = print(DiagnosticFormat::Json, diagnostic);
  llvm::StringRef json = text;
  EXPECT_TRUE(
      json.contains(R"(},"details":{"calls":2,"reason":"none"},"notes")"));
  EXPECT_TRUE(json.contains(R"("details":{"kernels":3}}]})"));
  EXPECT_EQ(print(DiagnosticFormat::Text, diagnostic),
            print(DiagnosticFormat::Text, unsupported()));
}

TEST(Diagnostics, JsonStaysValidForAnyBytes) {
  Diagnostic diagnostic = unsupported();
  diagnostic.message = "quote \" newline \n and \xff";
  std::string text = print(DiagnosticFormat::Json, diagnostic);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 1u);
  EXPECT_TRUE(static_cast<bool>(llvm::json::parse(text)));
}

TEST(Diagnostics, TheFirstErrorDecidesTheExitCode) {
  DiagnosticEngine engine(llvm::nulls());
  engine.warning(DiagId::ResultsDiffer, "only a warning");
  EXPECT_EQ(engine.exitCode(), ExitCode::Done);
  engine.error(DiagId::CannotRead, "first");
  engine.error(DiagId::BadProgram, "second");
  EXPECT_EQ(engine.exitCode(), ExitCode::FileError);
  EXPECT_EQ(engine.errors(), 2u);
  EXPECT_EQ(engine.warnings(), 1u);
  engine.error(DiagId::InternalError, "outweighs");
  EXPECT_EQ(engine.exitCode(), ExitCode::Internal);
}

TEST(Diagnostics, ErrorsCarryTheirId) {
  DiagnosticEngine engine(llvm::nulls());
  engine.error(makeError(DiagId::GuardFailed, "no"), DiagId::InternalError);
  EXPECT_EQ(engine.exitCode(), ExitCode::GuardFailed);
  DiagnosticEngine other(llvm::nulls());
  other.error(llvm::createStringError("plain"), DiagId::BadArchive);
  EXPECT_EQ(other.exitCode(), ExitCode::BadInput);
}

TEST(Diagnostics, IdsAreUnique) {
  llvm::StringSet<> seen;
#define ADZE_DIAG(Name, id, ...)                                               \
  EXPECT_TRUE(seen.insert(id).second);                                         \
  EXPECT_EQ(diagIdFromText(id), DiagId::Name);
#include "adze/Support/Diagnostics.def"
  EXPECT_EQ(diagIdFromText("ADZE0000"), std::nullopt);
}

TEST(Json, RefusesDeepNestingAndNonsense) {
  std::string deep(100000, '[');
  for (llvm::StringRef text :
       {llvm::StringRef(deep), llvm::StringRef("{"), llvm::StringRef("")}) {
    llvm::Expected<llvm::json::Value> value =
        parseJson(text, "case.json", DiagId::BadCase);
    EXPECT_FALSE(static_cast<bool>(value));
    llvm::consumeError(value.takeError());
  }
  EXPECT_TRUE(static_cast<bool>(
      parseJson(R"({"a":["[[[[", {}]})", "case.json", DiagId::BadCase)));
}

} // namespace adze
