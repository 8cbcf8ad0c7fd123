//===- TargetTest.cpp - Machines that code is made for --------------------===//

#include "adze/Codegen/Target.h"

#include "lib/Runtime/Program.h"

#include <gtest/gtest.h>

using namespace adze;

namespace {

TargetDescription targetOf(llvm::StringRef cpu) {
  auto target = TargetDescription::create(cpu);
  EXPECT_TRUE(bool(target)) << llvm::toString(target.takeError());
  return target ? *target : TargetDescription();
}

std::string failureOf(llvm::StringRef cpu) {
  auto target = TargetDescription::create(cpu);
  return target ? "" : llvm::toString(target.takeError());
}

TEST(TargetTest, levels) {
  EXPECT_EQ(targetOf("x86-64-v2").cpuFeatures, ADZE_CPU_V2);
  EXPECT_EQ(targetOf("x86-64-v3").cpuFeatures, ADZE_CPU_V3);
  EXPECT_EQ(targetOf("x86-64-v4").cpuFeatures, ADZE_CPU_V4);
  EXPECT_EQ(targetOf("x86-64-v2").vectorBits, 128u);
  EXPECT_EQ(targetOf("x86-64-v3").vectorBits, 256u);
  EXPECT_EQ(targetOf("x86-64-v4").vectorBits, 512u);
}

TEST(TargetTest, featuresBeyondTheLevel) {
  TargetDescription target = targetOf("znver4");
  EXPECT_EQ(target.baseline, "x86-64-v4");
  EXPECT_EQ(target.tune, "znver4");
  EXPECT_TRUE(target.cpuFeatures & ADZE_CPU_AVX512BF16);
  EXPECT_NE(target.features.find("+avx512bf16"), std::string::npos);
  EXPECT_EQ(targetOf("haswell").baseline, "x86-64-v3");
}

TEST(TargetTest, nativeMakesAMachine) {
  EXPECT_TRUE(targetOf("native").createMachine());
}

TEST(TargetTest, refusals) {
  EXPECT_NE(failureOf("x86-64").find("less than x86-64-v2"), std::string::npos);
  EXPECT_NE(failureOf("core2").find("less than x86-64-v2"), std::string::npos);
  EXPECT_NE(failureOf("pentium-9").find("unknown target cpu 'pentium-9'"),
            std::string::npos);
}

} // namespace
