//===- CommandLineTest.cpp - From arguments to options --------------------===//

#include "adze/Driver/CommandLine.h"

#include <gtest/gtest.h>

namespace adze {

static std::variant<Command, ExitCode>
parse(std::vector<const char *> arguments) {
  arguments.insert(arguments.begin(), "adze");
  return parseCommandLine(static_cast<int>(arguments.size()), arguments.data(),
                          llvm::nulls(), llvm::nulls());
}

template <typename Options>
static Options options(std::vector<const char *> arguments) {
  auto parsed = parse(std::move(arguments));
  auto *command = std::get_if<Command>(&parsed);
  if (!command || !std::holds_alternative<Options>(command->verb)) {
    ADD_FAILURE() << "another verb, or none";
    return {};
  }
  return std::get<Options>(command->verb);
}

TEST(CommandLine, CompileTakesItsFlags) {
  auto o = options<CompileOptions>(
      {"compile", "m.pt2", "-o", "-", "--backend=aot_eager", "--stop-after",
       "normalize", "--emit=llvm", "--fullgraph", "--target-cpu=x86-64-v3",
       "--threads", "2", "--dump-stages-to=d"});
  EXPECT_EQ(o.input, "m.pt2");
  EXPECT_EQ(o.output, "-");
  EXPECT_EQ(o.backend, Backend::AotEager);
  EXPECT_EQ(o.stopAfter, Stage::Normalize);
  EXPECT_EQ(o.emit, OutputKind::Llvm);
  EXPECT_TRUE(o.build.fullgraph);
  EXPECT_EQ(o.build.targetCpu, "x86-64-v3");
  EXPECT_EQ(o.build.threads, 2);
  EXPECT_EQ(o.dumpStagesTo, "d");
}

TEST(CommandLine, ABareTimeReportTakesNoValue) {
  auto text = options<CompileOptions>({"compile", "--time-report", "m.pt2"});
  EXPECT_EQ(text.timeReport, TimeReportKind::Text);
  EXPECT_EQ(text.input, "m.pt2");
  auto json =
      options<CompileOptions>({"compile", "--time-report=json", "m.pt2"});
  EXPECT_EQ(json.timeReport, TimeReportKind::Json);
}

TEST(CommandLine, VerifyAndBench) {
  auto verify = options<VerifyOptions>(
      {"verify", "case", "--json", "--rtol", "1e-3", "--seed", "5"});
  EXPECT_TRUE(verify.json);
  EXPECT_EQ(verify.rtol, 1e-3);
  EXPECT_EQ(verify.atol, std::nullopt);
  EXPECT_EQ(verify.seed, 5u);
  auto bench = options<BenchOptions>({"bench", "m.adze", "--threads=2"});
  EXPECT_EQ(bench.threads, 2);
}

TEST(CommandLine, WrongUsageAndHelp) {
  for (std::vector<const char *> wrong : {std::vector<const char *>{},
                                          {"fly"},
                                          {"compile"},
                                          {"compile", "a", "b"},
                                          {"compile", "a", "--seed", "1"},
                                          {"bench", "a", "--threads=-1"},
                                          {"compile", "a", "-q"}}) {
    auto parsed = parse(wrong);
    ASSERT_TRUE(std::holds_alternative<ExitCode>(parsed));
    EXPECT_EQ(std::get<ExitCode>(parsed), ExitCode::Usage);
  }
  EXPECT_EQ(std::get<ExitCode>(parse({"--help"})), ExitCode::Done);
  EXPECT_EQ(std::get<ExitCode>(parse({"run", "-h"})), ExitCode::Done);
}

TEST(Options, OutputsAreNamedAfterTheInput) {
  CompileOptions o;
  o.input = "a/b/model.pt2";
  EXPECT_EQ(defaultOutput(o), "model.adze");
  o.emit = OutputKind::Asm;
  EXPECT_EQ(defaultOutput(o), "model.s");
  o.emit = OutputKind::Mlir;
  EXPECT_EQ(defaultOutput(o), "model.lower.mlir");
  o.stopAfter = Stage::Fuse;
  EXPECT_EQ(defaultOutput(o), "model.fuse.mlir");
}

TEST(Stages, NamesAndNumbers) {
  EXPECT_EQ(getDumpName(Stage::Import), "01-import.mlir");
  EXPECT_EQ(getDumpName(Stage::Lower), "08-lower.mlir");
  for (const StageInfo &info : allStages())
    EXPECT_EQ(stageFromName(info.name), info.stage);
  EXPECT_EQ(stageFromName("imports"), std::nullopt);
}

} // namespace adze
