//===- PickleTest.cpp - The closed unpickler ------------------------------===//

#include "adze/Frontend/Pickle.h"

#include "TestArchive.h"

using namespace adze::frontend;
using namespace std::string_literals;

static llvm::Expected<std::unique_ptr<Pickle>> parse(const std::string &bytes) {
  return parsePickle(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
}

static std::string error(const std::string &bytes) {
  return errorOf(parse(bytes));
}

/// X, length, text.
static std::string text(const std::string &value) {
  std::string size(4, '\0');
  size[0] = static_cast<char>(value.size());
  return "X" + size + value;
}

static std::string storage(const std::string &type, char numElements) {
  return "(" + text("storage") + "c" + type + "\n" + text("0") + text("cpu") +
         "K" + numElements + "tQ";
}

/// float32[2, 3] with strides 3, 1.
static std::string tensor(const std::string &type = "torch\nFloatStorage") {
  return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage(type, 6) +
         "K\0K\2K\3\x86K\3K\1\x86\x89"s + "ccollections\nOrderedDict\n)RtR";
}

TEST(Pickle, ReadsPlainValues) {
  auto pickle = llvm::cantFail(
      parse("\x80\2(K\7J\xff\xff\xff\xffM\1\1\x8a\2\0\x80G?\xf0\0\0\0\0\0\0"
            "N\x88\x89"s +
            text("hi") + "](K\1K\2e}" + text("k") + "K\5st."s));
  const PickleValue &root = *pickle->root;
  ASSERT_EQ(root.kind, PickleKind::Tuple);
  ASSERT_EQ(root.items.size(), 11u);
  EXPECT_EQ(root.items[0]->integer, 7);
  EXPECT_EQ(root.items[1]->integer, -1);
  EXPECT_EQ(root.items[2]->integer, 257);
  EXPECT_EQ(root.items[3]->integer, -32768);
  EXPECT_EQ(root.items[4]->real, 1.0);
  EXPECT_EQ(root.items[5]->kind, PickleKind::None);
  EXPECT_EQ(root.items[6]->integer, 1);
  EXPECT_EQ(root.items[8]->text, "hi");
  EXPECT_EQ(root.items[9]->items.size(), 2u);
  EXPECT_EQ(root.items[10]->lookup("k")->integer, 5);
}

TEST(Pickle, ReadsTensors) {
  auto pickle = llvm::cantFail(parse("\x80\2" + tensor() + "."));
  const PickleValue &root = *pickle->root;
  ASSERT_EQ(root.kind, PickleKind::Tensor);
  EXPECT_EQ(root.dtype, adze::DType::Float32);
  EXPECT_EQ(root.sizes, (llvm::SmallVector<int64_t, 4>{2, 3}));
  EXPECT_EQ(root.strides, (llvm::SmallVector<int64_t, 4>{3, 1}));
  EXPECT_EQ(root.storageKey, "0");
}

TEST(Pickle, KeepsSharedValuesByMemo) {
  auto pickle = llvm::cantFail(parse("\x80\2]q\1h\1\x86."s));
  EXPECT_EQ(pickle->root->items[0], pickle->root->items[1]);
}

TEST(Pickle, RunsNothing) {
  auto pickle = llvm::cantFail(
      parse("\x80\2cposix\nsystem\n" + text("echo hacked") + "\x85R."s));
  EXPECT_EQ(pickle->root->kind, PickleKind::Object);
  EXPECT_EQ(pickle->root->text, "posix system");
  // A subclass keeps its own name, so that it can be reported.
  pickle = llvm::cantFail(
      parse("\x80\2ctorch._tensor\n_rebuild_from_type_v2\n(cf\ng\ncmy.lib\nT\n)"
            "}tR."s));
  EXPECT_EQ(pickle->root->kind, PickleKind::Object);
  EXPECT_EQ(pickle->root->text, "my.lib T");
}

TEST(Pickle, RefusesBrokenStreams) {
  EXPECT_HAS(error(""), "pickle at byte 0: ends 1 bytes too early");
  EXPECT_HAS(error("\x80\2"), "too early");
  EXPECT_HAS(error("\x80\1."), "expected protocol 2 to 5, but found 1");
  EXPECT_HAS(error("\x80\2."), "stack is empty");
  EXPECT_HAS(error("\x80\2h\5."), "memo 5 is not set");
  EXPECT_HAS(error("\x80\2t."), "there is no mark");
  EXPECT_HAS(error("\x80\2(0."), "stack is empty");
  EXPECT_HAS(error("\x80\2X\xff\xff\xff\xff"), "too early");
  EXPECT_HAS(error("\x80\2ios\nsystem\n."), "opcode 0x69 is not allowed");
  EXPECT_HAS(error("\x80\2cos\nsystem"), "line does not end");
  EXPECT_HAS(error("\x80\2K\1K\2a."), "what is no container");
  EXPECT_HAS(error("\x80\2}(K\1u."), "a key has no value");
  EXPECT_HAS(error("\x80\2NQ."), "expected a persistent id of a storage");
  EXPECT_HAS(error("\x80\2\x8a\x09\1\2\3\4\5\6\7\x08\x09."s),
             "integer does not fit 64 bits");
}

TEST(Pickle, RefusesBadTensors) {
  std::string negative = tensor();
  negative.replace(negative.find("K\0K\2"s), 4, "K\0\x8a\1\xff"s);
  EXPECT_HAS(error("\x80\2" + negative + "."), "not negative integers");
  EXPECT_HAS(error("\x80\2"
                   "ctorch._utils\n_rebuild_tensor_v2\n(tR."),
             "expected the parts of a tensor");
}

TEST(Pickle, LimitsMemory) {
  std::string many = "\x80\2";
  many += std::string(size_t(2) << 20, ']');
  EXPECT_HAS(error(many), "more than 1048576 values");
  many = "\x80\2" + std::string(size_t(2) << 20, '(');
  EXPECT_HAS(error(many), "too many marks");
  EXPECT_HAS(error("\x80\2Nr\xff\xff\xff\x7f."), "memo 2147483647 exceeds");
}
