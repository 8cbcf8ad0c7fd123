//===- TestProgram.h - A small program as JSON ------------------*- C++ -*-===//

#ifndef ADZE_TEST_UNIT_FRONTEND_TESTPROGRAM_H
#define ADZE_TEST_UNIT_FRONTEND_TESTPROGRAM_H

#include "TestArchive.h"

namespace adze::frontend {

/// relu(linear(x, w)) with x: float32[s0, 3] and w: float32[4, 3], in pieces
/// that tests replace.
struct TestProgram {
  std::string version = R"({"major": 8, "minor": 20})";
  std::string nodes;
  std::string inputs, outputs, inputSpecs, outputSpecs;
  std::string tensorValues, symIntValues = "{}";
  std::string inSpec, outSpec;
  std::string ranges = R"({"s0": {"min_val": 2, "max_val": 8}})";
  std::string guards = "[]";

  TestProgram();
  std::string json() const;
};

/// {"dtype": 7, "sizes": ...}; a size is a number, "s0", or JSON. Strides
/// are 1.
std::string tensorMeta(const std::vector<std::string> &sizes, int dtype = 7);
/// {"name": ..., "arg": {key: payload}, "kind": 1}.
std::string argument(const std::string &name, const std::string &key,
                     const std::string &payload);

/// An archive with this program and its weight in raw records.
TestArchive testArchive(const TestProgram &program = TestProgram());
/// The config of that weight.
std::string weightConfig(const std::string &meta,
                         const std::string &pathName = "weight_0",
                         bool usesPickle = false);

} // namespace adze::frontend

#endif // ADZE_TEST_UNIT_FRONTEND_TESTPROGRAM_H
