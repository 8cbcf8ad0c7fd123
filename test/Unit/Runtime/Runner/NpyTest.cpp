//===- NpyTest.cpp - .npy files as the runner reads and writes them -------===//

#include "lib/Runtime/Runner/Npy.h"

#include "adze/Support/Npz.h"

#include <gtest/gtest.h>
#include <string>

using namespace adze::runner;

namespace {

const std::string Magic("\x93NUMPY", 6);

/// A file of format 1.0 with this dict and these elements.
std::string npy(const std::string &dict, const std::string &elements) {
  std::string size;
  size += static_cast<char>(dict.size() & 0xff);
  size += static_cast<char>(dict.size() >> 8);
  return Magic + std::string("\1\0", 2) + size + dict + elements;
}

std::string dict(const std::string &descr, const std::string &shape,
                 const std::string &order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order +
         ", 'shape': " + shape + ", }";
}

/// A copy of exactly that size, so that sanitizers see reads past the end.
std::string messageOf(const std::string &file, Array &array) {
  std::vector<char> copy(file.begin(), file.end());
  Failure failure;
  bool isRead = decodeNpy({copy.data(), copy.size()}, "x.npy", array, failure);
  EXPECT_EQ(isRead, !*failure.message);
  EXPECT_TRUE(isRead || failure.id == DiagId::BadArrays) << failure.message;
  return failure.message;
}

std::string messageOf(const std::string &file) {
  Array array;
  return messageOf(file, array);
}

template <typename T> std::vector<T> elements(const Array &array) {
  const T *data = reinterpret_cast<const T *>(array.memory.data());
  return std::vector<T>(data, data + elementCount(array));
}

TEST(RunnerNpy, ReadsEveryOrderOfDimsAndBytes) {
  Array array;
  std::string bytes = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(messageOf(npy(dict("|u1", "(2, 3)"), bytes), array), "");
  EXPECT_EQ(array.rank, 2);
  EXPECT_EQ(elements<uint8_t>(array), (std::vector<uint8_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(messageOf(npy(dict("|u1", "(2, 3)", "True"), bytes), array), "");
  EXPECT_EQ(elements<uint8_t>(array), (std::vector<uint8_t>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(messageOf(npy(dict(">i2", "(3,)"), bytes), array), "");
  EXPECT_EQ(elements<int16_t>(array),
            (std::vector<int16_t>{0x0102, 0x0304, 0x0506}));
  EXPECT_EQ(messageOf(npy(dict("|b1", "(6,)"), bytes), array), "");
  EXPECT_EQ(elements<uint8_t>(array), std::vector<uint8_t>(6, 1));
  EXPECT_EQ(messageOf(npy(dict("|i1", "()"), "\5"), array), "");
  EXPECT_EQ(array.rank, 0);
  EXPECT_EQ(messageOf(npy(dict("<f8", "(4, 0, 9)"), ""), array), "");
  EXPECT_EQ(elementCount(array), 0);
}

TEST(RunnerNpy, RefusesWhatIsBroken) {
  const std::string four(4, 0), good = dict("<f4", "(1,)");
  const struct {
    std::string file, message;
  } cases[] = {
      {"", "does not begin"},
      {"\x93NUMPX\1\0\0\0", "does not begin"},
      {Magic, "does not begin"},
      {Magic + std::string("\4\0\2\0{}", 6), "format 1, 2 or 3"},
      {Magic + std::string("\2\0\2\0", 4), "its header is cut off"},
      {Magic + std::string("\1\0\x10\0{}", 6), "cut off: expected 16 bytes"},
      {Magic + std::string("\2\0\xff\xff\xff\xff{}", 8), "its header is cut"},
      {npy("", four), "is no dict"},
      {npy("{}", four), "lacks descr"},
      {npy("{'descr': '<f4'}", four), "lacks descr"},
      {npy("{'descr", four), "a string without an end"},
      {npy("{'descr' '<f4'}", four), "no ':' after a key"},
      {npy("{'descr': [('a', '<f4')]}", four), "an array of records"},
      {npy("{'color': 'red'}", four), "the unknown key 'color'"},
      {npy(good + "x", four), "goes on after the dict"},
      {npy("{'descr': '<f4' 'shape': (1,)}", four), "no ',' or '}'"},
      {npy(dict("|O", "(1,)"), four), "found '|O', which adze does not read"},
      {npy(dict("<U4", "(1,)"), four), "found '<U4'"},
      {npy(dict("<M8[ns]", "(1,)"), four), "found '<M8[ns]'"},
      {npy(dict("<f16", "(1,)"), four), "found '<f16'"},
      {npy(dict("", "(1,)"), four), "found ''"},
      {npy(dict(std::string(99, 'f'), "(1,)"), four), "found 'fff"},
      {npy(dict("<f4", "(1,)", "Maybe"), four), "neither True nor False"},
      {npy(dict("<f4", "1"), four), "a shape that is no tuple"},
      {npy(dict("<f4", "(-1,)"), four), "no size"},
      {npy(dict("<f4", "(x,)"), four), "no size"},
      {npy(dict("<f4", "(1 2)"), four), "no ',' or ')'"},
      {npy(dict("<f4", "(1,"), four), "no size"},
      {npy(dict("<f4", "(99999999999999999999,)"), four), "fit 64 bits"},
      {npy(dict("<f4", "(9223372036854775807, 4)"), four), "found 4 bytes"},
      {npy(dict("<f4", "(4294967296, 4294967296)"), ""), "found 0 bytes"},
      {npy(dict(
               "<f4", "(" +
                          [] {
                            std::string ones;
                            for (int i = 0; i < 65; ++i)
                              ones += "1,";
                            return ones;
                          }() +
                          ")"),
           four),
       "more than 64 dims"},
      {npy(dict("<f4", "(2,)"), four), "float32[2], but found 4 bytes"},
      {npy(good, four + "x"), "float32[1], but found 5 bytes"},
      {npy(dict("<f4", "(0,)"), four), "float32[0], but found 4 bytes"},
  };
  for (const auto &test : cases)
    EXPECT_NE(messageOf(test.file).find(test.message), std::string::npos)
        << "expected: " << test.message << "\nfound: " << messageOf(test.file);
  EXPECT_EQ(messageOf(npy(good, four)), "");
}

TEST(RunnerNpy, EveryCutIsRefused) {
  std::string whole = npy(dict("<i8", "(2,)"), std::string(16, 7));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(messageOf(whole.substr(0, size)), "") << size;
  EXPECT_EQ(messageOf(whole), "");
}

TEST(RunnerNpy, WritesWhatAdzeWrites) {
  for (std::vector<int64_t> shape : {std::vector<int64_t>{},
                                     {3},
                                     {2, 0},
                                     {1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
    Array array;
    array.type = findByNumber(ADZE_INT16);
    array.rank = static_cast<int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), array.shape);
    ASSERT_TRUE(allocate(array));
    std::memset(array.memory.data(), 1, array.bytes);
    NpyText header = makeNpyHeader(array);
    std::string text(header.text, header.size);
    text.append(array.memory.data(), array.bytes);
    auto tensor = adze::decodeNpy(text, "x");
    ASSERT_TRUE(bool(tensor)) << llvm::toString(tensor.takeError());
    EXPECT_EQ(adze::encodeNpy(*tensor), text);
  }
}

TEST(RunnerNpy, LargestHeaderFits) {
  Array array;
  array.type = findByNumber(ADZE_COMPLEX128);
  array.rank = MaxRank;
  std::fill(std::begin(array.shape), std::end(array.shape), INT64_MAX);
  NpyText header = makeNpyHeader(array);
  NpyHeader parsed;
  Failure failure;
  EXPECT_TRUE(parseNpyHeader({header.text, header.size}, "x", parsed, failure))
      << failure.message;
  EXPECT_EQ(parsed.shape[63], INT64_MAX);
}

} // namespace
