//===- CommandLineTest.cpp - The flags of a program -----------------------===//

#include "lib/Runtime/Runner/CommandLine.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace adze::runner;

namespace {

/// Arguments that live as long as the options parsed from them.
struct Arguments {
  explicit Arguments(std::vector<std::string> texts) : texts(std::move(texts)) {
    for (std::string &text : this->texts)
      argv.push_back(text.data());
    argv.push_back(nullptr);
    isParsed = parseCommandLine(static_cast<int>(argv.size()) - 1, argv.data(),
                                options, failure);
  }
  std::vector<std::string> files() const {
    return {options.files, options.files + options.fileCount};
  }

  std::vector<std::string> texts;
  std::vector<char *> argv;
  Options options;
  Failure failure;
  bool isParsed;
};

TEST(RunnerCommandLine, TakesFilesAndFlagsInAnyOrder) {
  Arguments a({"dir/model", "a.npy", "-o", "out", "--seed=18446744073709551615",
               "b.npy", "--threads", "3", "--", "--c.npy"});
  ASSERT_TRUE(a.isParsed) << a.failure.message;
  EXPECT_STREQ(a.options.program, "model");
  EXPECT_EQ(a.files(), (std::vector<std::string>{"a.npy", "b.npy", "--c.npy"}));
  EXPECT_STREQ(a.options.output, "out");
  EXPECT_EQ(a.options.seed, UINT64_MAX);
  EXPECT_EQ(a.options.threads, 3);
  Arguments b({"m", "--inputs=x", "--mutated=y", "--load-state", "l",
               "--save-state=s", "--output=o"});
  ASSERT_TRUE(b.isParsed) << b.failure.message;
  EXPECT_STREQ(b.options.inputs, "x");
  EXPECT_STREQ(b.options.mutated, "y");
  EXPECT_STREQ(b.options.loadState, "l");
  EXPECT_STREQ(b.options.saveState, "s");
  EXPECT_STREQ(b.options.output, "o");
}

TEST(RunnerCommandLine, RefusesWhatItDoesNotKnow) {
  for (std::vector<std::string> flags :
       std::vector<std::vector<std::string>>{{"--input", "x"},
                                             {"-x"},
                                             {"--help=1"},
                                             {"--seed", "-1"},
                                             {"--seed", "18446744073709551616"},
                                             {"--seed", "1x"},
                                             {"--seed", ""},
                                             {"--threads", "4097"},
                                             {"-o"},
                                             {"--output="}}) {
    flags.insert(flags.begin(), "m");
    Arguments arguments(flags);
    EXPECT_FALSE(arguments.isParsed) << flags[1];
    EXPECT_EQ(arguments.failure.id, DiagId::BadUsage);
  }
}

TEST(RunnerCommandLine, NeedsNoName) {
  Arguments none(std::vector<std::string>{});
  EXPECT_TRUE(none.isParsed);
  EXPECT_STREQ(none.options.program, "model");
  EXPECT_EQ(none.options.fileCount, 0);
}

} // namespace
