//===- WeightsTest.cpp - weights.bin --------------------------------------===//

#include "TestProgram.h"

#include "lib/Runtime/Digest.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace adze;
using namespace adze::test;

namespace {

/// Reverses the elements, to twice their room.
struct ReversingPacker : Packer {
  llvm::Expected<PackedLayout>
  layout(mlir::Attribute, DType dtype,
         llvm::ArrayRef<int64_t> shape) const override {
    return PackedLayout{dtype, {2, shape[0]}, "reversed"};
  }
  void pack(mlir::Attribute, DType, llvm::ArrayRef<int64_t> shape,
            llvm::ArrayRef<uint8_t> from,
            llvm::MutableArrayRef<uint8_t> packed) const override {
    for (int64_t i = 0; i < shape[0]; ++i)
      std::copy_n(from.data() + 4 * (shape[0] - 1 - i), 4,
                  packed.data() + 4 * i);
  }
};

ProgramInterface interfaceOf(TestProgram &program) {
  InterfaceOptions options;
  options.name = "tiny";
  options.target = llvm::cantFail(TargetDescription::create("x86-64-v2"));
  return llvm::cantFail(extractInterface(findProgram(*program.scheduled),
                                         *program.lowered, options));
}

std::string writeAll(TestProgram &program, ProgramInterface &interface,
                     const Packer *packer) {
  ScratchFolder folder;
  std::string path = folder.path("weights.bin");
  auto writer = WeightsWriter::plan(findProgram(*program.scheduled),
                                    *program.weights, packer, interface);
  EXPECT_TRUE(bool(writer));
  EXPECT_EQ(messageOf(writer->write(path)), "");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

TEST(WeightsTest, gathersStridedWeightsAtAlignedPlaces) {
  TestProgram program;
  ProgramInterface interface = interfaceOf(program);
  std::string bytes = writeAll(program, interface, nullptr);
  ASSERT_EQ(bytes.size(), 72u);
  EXPECT_EQ(interface.weightsBytes, 72u);
  EXPECT_EQ(interface.weights[1].offset, 64u);
  const float expected[] = {1, 2, 3, 4};
  EXPECT_EQ(memcmp(bytes.data(), expected, 16), 0);
  EXPECT_EQ(interface.weights[0].digest, adze_digest(bytes.data(), 16, 0));
}

TEST(WeightsTest, packsWhatAnArgumentAsksFor) {
  TestProgram program;
  auto func = findProgram(*program.scheduled);
  func.setArgAttr(0, packingName, mlir::UnitAttr::get(&program.context));
  ProgramInterface interface = interfaceOf(program);
  ReversingPacker packer;
  std::string bytes = writeAll(program, interface, &packer);
  const float expected[] = {4, 3, 2, 1, 0, 0, 0, 0};
  ASSERT_GE(bytes.size(), 32u);
  EXPECT_EQ(memcmp(bytes.data(), expected, 32), 0);
  EXPECT_EQ(interface.weights[0].layout, "reversed");
}

TEST(WeightsTest, tiedWeightsAreOneRecord) {
  TestProgram program;
  program.scheduled = mlir::parseSourceString<mlir::ModuleOp>(R"(
    func.func @main(
        %a: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "a", 0>},
        %b: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "b", 1>},
        %c: tensor<4xf32> {capture.descriptor = #capture.descriptor<parameter, "c", 2>})
        -> tensor<4xf32> {
      return %b : tensor<4xf32>
    })",
                                                              &program.context);
  frontend::Weight a, b, c;
  a.name = "a", b.name = "b", c.name = "c";
  a.sizes = b.sizes = c.sizes = {4};
  a.strides = b.strides = c.strides = {1};
  c.storageOffset = 1;
  c.otherNames = {"d"};
  auto *bias = reinterpret_cast<const uint8_t *>(program.bias);
  program.weights = frontend::WeightStore::create(
      {{"bias", frontend::Bytes(bias, sizeof(program.bias))}}, {a, b, c});
  markTiedWeights(findProgram(*program.scheduled), *program.weights);
  ProgramInterface interface = interfaceOf(program);
  ASSERT_EQ(interface.weights.size(), 2u);
  EXPECT_EQ(interface.weights[0].names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(writeAll(program, interface, nullptr).size(), 80u);
  EXPECT_EQ(interface.weights[1].names, (std::vector<std::string>{"c", "d"}));
}

} // namespace
