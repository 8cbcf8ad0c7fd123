//===- ReplayTest.cpp - Stored fuzzing inputs, whole and damaged ----------===//
//
// Passes if nothing crashes; the sanitizers of the asan preset see the rest.
//
//===----------------------------------------------------------------------===//

#include "FuzzTargets.h"

#include "gtest/gtest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <random>

using namespace adze::frontend;

static std::vector<std::string> corpus(const std::string &target) {
  std::vector<std::string> files;
  std::error_code code;
  std::string folder = std::string(ADZE_FUZZ_CORPUS) + "/" + target;
  for (llvm::sys::fs::directory_iterator it(folder, code), end;
       !code && it != end; it.increment(code))
    if (auto buffer = llvm::MemoryBuffer::getFile(it->path()))
      files.push_back((*buffer)->getBuffer().str());
  llvm::sort(files);
  return files;
}

/// Flips a bit, drops, doubles or overwrites a piece.
static std::string damage(std::string text, std::mt19937 &random) {
  if (text.empty())
    return text;
  size_t at = random() % text.size();
  size_t size = std::min<size_t>(1 + random() % 16, text.size() - at);
  switch (random() % 5) {
  case 0:
    text[at] ^= char(1 << (random() % 8));
    break;
  case 1:
    text.erase(at, size);
    break;
  case 2:
    text.insert(at, text.substr(at, size));
    break;
  case 3:
    text.replace(at, size, size, "\0\xff/7[{(\""[random() % 8]);
    break;
  default:
    text.resize(at);
    break;
  }
  return text;
}

static void run(FuzzTarget target, const std::string &text) {
  // A copy of exactly that size, so that reads past the end are noticed.
  std::vector<uint8_t> bytes(text.begin(), text.end());
  target(bytes);
}

class Replay : public testing::TestWithParam<std::pair<const char *, int>> {};

INSTANTIATE_TEST_SUITE_P(, Replay,
                         testing::Values(std::pair("archive", 100),
                                         std::pair("program", 300),
                                         std::pair("pickle", 1000),
                                         std::pair("expression", 1000),
                                         std::pair("arrays", 1000)));

TEST_P(Replay, DoesNotCrash) {
  auto [name, numVariants] = GetParam();
  FuzzTarget target = lookupFuzzTarget(name);
  ASSERT_NE(target, nullptr);
  std::vector<std::string> files = corpus(name);
  ASSERT_FALSE(files.empty());
  std::mt19937 random(1);
  for (const std::string &file : files) {
    run(target, file);
    for (int i = 0; i < numVariants; ++i) {
      std::string damaged = damage(file, random);
      if (i % 2)
        damaged = damage(damaged, random);
      run(target, damaged);
    }
  }
}
