//===- ZipTest.cpp - Archives as the runner reads and writes them ---------===//

#include "lib/Runtime/Runner/Zip.h"
#include "lib/Runtime/Runner/Npy.h"

#include "adze/Support/Npz.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

using namespace adze::runner;

namespace {

std::string little(uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i));
  return text;
}

/// One entry, with what its directory says about it open to lies.
struct TestZip {
  std::string name = "in_0.npy", content = "content";
  uint64_t bytes = 7, storedBytes = 7, place = 0;
  uint32_t crc = crc32(0, {"content", 7});
  unsigned method = 0, flags = 0;
  std::string extra, before, comment;
  bool isLarge = false; // a zip64 end record

  std::string header() const {
    return "PK\3\4" + little(20, 2) + little(flags, 2) + little(method, 2) +
           little(0, 4) + little(crc, 4) + little(storedBytes, 4) +
           little(bytes, 4) + little(name.size(), 2) + little(0, 2) + name +
           content;
  }
  std::string directory() const {
    return "PK\1\2" + little(20, 2) + little(20, 2) + little(flags, 2) +
           little(method, 2) + little(0, 4) + little(crc, 4) +
           little(storedBytes, 4) + little(bytes, 4) + little(name.size(), 2) +
           little(extra.size(), 2) + little(0, 2) + little(0, 8) +
           little(place, 4) + name + extra;
  }
  std::string largeEnd(uint64_t at) const {
    std::string record = "PK\6\6" + little(44, 8) + little(0, 12) +
                         little(1, 8) + little(1, 8) +
                         little(directory().size(), 8) + little(at, 8);
    return record + "PK\6\7" + little(0, 4) +
           little(at + directory().size(), 8) + little(1, 4);
  }
  std::string file() const {
    std::string text = before + header();
    uint64_t at = text.size();
    text += directory();
    if (isLarge)
      text += largeEnd(at);
    return text + "PK\5\6" + little(0, 4) + little(isLarge ? 0xffff : 1, 2) +
           little(isLarge ? 0xffff : 1, 2) +
           little(isLarge ? 0xffffffff : directory().size(), 4) +
           little(isLarge ? 0xffffffff : at, 4) + little(comment.size(), 2) +
           comment;
  }
};

using Entries = std::map<std::string, std::string>;

/// The message, or the entries.
std::string read(const std::string &file, Entries &entries) {
  std::vector<char> copy(file.begin(), file.end()); // of exactly that size
  Failure failure;
  ZipReader zip({copy.data(), copy.size()}, "x.npz", failure);
  bool isRead = zip.open();
  while (isRead && !zip.isAtEnd()) {
    ZipEntry entry;
    Bytes content;
    isRead = zip.next(entry) && zip.read(entry, content);
    if (isRead)
      entries[std::string(entry.name.data, entry.name.size)] =
          std::string(content.data, content.size);
  }
  EXPECT_EQ(isRead, !*failure.message);
  return failure.message;
}

std::string messageOf(const std::string &file) {
  Entries entries;
  return read(file, entries);
}

std::string messageOf(const TestZip &zip) { return messageOf(zip.file()); }

void expectMessage(const TestZip &zip, const std::string &message) {
  EXPECT_NE(messageOf(zip).find(message), std::string::npos)
      << "expected: " << message << "\nfound: " << messageOf(zip);
}

TEST(RunnerZip, ReadsStoredEntries) {
  const Entries wanted = {{"in_0.npy", "content"}};
  Entries entries;
  EXPECT_EQ(read(TestZip().file(), entries), "");
  EXPECT_EQ(entries, wanted);
  TestZip zip;
  zip.comment = "a comment with PK\5\6 and more than 22 bytes in it";
  EXPECT_EQ(messageOf(zip), "");
}

TEST(RunnerZip, ReadsLargeSizes) {
  TestZip zip;
  zip.isLarge = true;
  EXPECT_EQ(messageOf(zip), "");
  zip.bytes = zip.storedBytes = zip.place = 0xffffffff;
  zip.extra = little(0x7777, 2) + little(2, 2) + "ab" + little(1, 2) +
              little(24, 2) + little(7, 8) + little(7, 8) + little(0, 8);
  Entries entries;
  EXPECT_EQ(read(zip.file(), entries), "");
  EXPECT_EQ(entries, (Entries{{"in_0.npy", "content"}}));
  zip.extra.resize(zip.extra.size() - 8);
  zip.extra[8] = 16; // the record says that the place is not there
  expectMessage(zip, "'x.npz:in_0.npy': its zip64 record is too short");
}

/// Sums of sizes and places that do not fit 64 bits.
TEST(RunnerZip, RefusesSizesThatOverflow) {
  auto zip = [](uint64_t bytes, uint64_t place) {
    TestZip zip;
    zip.bytes = zip.storedBytes = zip.place = 0xffffffff;
    zip.extra = little(1, 2) + little(24, 2) + little(bytes, 8) +
                little(bytes, 8) + little(place, 8);
    return zip;
  };
  expectMessage(zip(UINT64_MAX - 8, 0), "longer than the file");
  expectMessage(zip(UINT64_MAX, 0), "longer than the file");
  expectMessage(zip(7, UINT64_MAX - 8), "not where");
  TestZip large;
  large.isLarge = true;
  std::string file = large.file();
  size_t end = file.find("PK\6\6"), locator = file.find("PK\6\7");
  for (size_t at : {end + 40, end + 48, locator + 8}) {
    std::string damaged = file;
    damaged.replace(at, 8, little(UINT64_MAX - 8, 8));
    EXPECT_NE(messageOf(damaged), "") << at;
  }
}

TEST(RunnerZip, RefusesWhatLies) {
  auto with = [](auto change) {
    TestZip zip;
    change(zip);
    return zip;
  };
  expectMessage(with([](TestZip &z) { z.method = 8; }),
                "'x.npz:in_0.npy': expected an array as numpy.savez stores it");
  expectMessage(with([](TestZip &z) { z.method = 12; }), "an unknown way");
  expectMessage(with([](TestZip &z) { z.flags = 1; }), "encrypted");
  expectMessage(with([](TestZip &z) { z.bytes = 6; }), "has two sizes");
  expectMessage(with([](TestZip &z) { z.bytes = z.storedBytes = 600; }),
                "longer than the file");
  expectMessage(with([](TestZip &z) { z.bytes = z.storedBytes = 0xffffffff; }),
                "longer than the file");
  expectMessage(with([](TestZip &z) { z.place = 1; }), "not where");
  expectMessage(with([](TestZip &z) { z.place = 0xfffffffe; }), "not where");
  expectMessage(with([](TestZip &z) { z.crc ^= 1; }), "checksum");
  expectMessage(with([](TestZip &z) { z.before = "x"; }), "not where");
}

TEST(RunnerZip, EveryCutAndFlipEndsWell) {
  for (bool isLarge : {false, true}) {
    TestZip zip;
    zip.isLarge = isLarge;
    std::string whole = zip.file();
    for (size_t size = 0; size < whole.size(); ++size)
      EXPECT_NE(messageOf(whole.substr(0, size)), "") << size;
    for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] ^= static_cast<char>(1 << (bit % 8));
      messageOf(flipped);
    }
  }
}

TEST(RunnerZip, KnowsTheChecksum) {
  EXPECT_EQ(crc32(0, {"123456789", 9}), 0xcbf43926u);
  EXPECT_EQ(crc32(crc32(0, {"1234", 4}), {"56789", 5}), 0xcbf43926u);
  EXPECT_EQ(crc32(0, {}), 0u);
}

/// Every type and layout that NumPy writes, read by both readers of adze.
TEST(RunnerZip, ReadsWhatAdzeReads) {
  std::string path = ADZE_TEST_INPUTS "/all-types.npz";
  auto wanted = adze::readNpz(path);
  ASSERT_TRUE(bool(wanted)) << llvm::toString(wanted.takeError());
  Entries entries;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_EQ(read((*buffer)->getBuffer().str(), entries), "");
  EXPECT_EQ(entries.size(), wanted->size());
  for (const auto &[name, content] : entries) {
    Array array;
    Failure failure;
    ASSERT_TRUE(
        decodeNpy({content.data(), content.size()}, "x", array, failure))
        << name << ": " << failure.message;
    const adze::HostTensor *tensor =
        wanted->find(llvm::StringRef(name).drop_back(4));
    ASSERT_TRUE(tensor) << name;
    adze::HostTensor plain = tensor->contiguous();
    EXPECT_EQ(describe(array.type, array.shape, array.rank).text,
              plain.describe());
    EXPECT_EQ(std::string(array.memory.data(), array.bytes),
              std::string(plain.data(), plain.numBytes()))
        << name;
  }
}

TEST(RunnerZip, WritesWhatAdzeReads) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("adze-zip", folder));
  std::string path = (folder + "/out.npz").str();
  auto tensor =
      adze::HostTensor::of<int64_t>(adze::DType::Int32, {3}, {1, 2, 3});
  std::string npy = adze::encodeNpy(tensor);
  {
    Failure failure;
    AtomicFile file;
    ASSERT_TRUE(file.open(path.c_str(), failure)) << failure.message;
    ZipWriter zip(file, failure);
    for (int i = 0; i < 40; ++i)
      ASSERT_TRUE(zip.add(("out_" + std::to_string(i) + ".npy").c_str(),
                          {npy.data(), 64}, {npy.data() + 64, npy.size() - 64}))
          << failure.message;
    ASSERT_TRUE(zip.finish() && file.close(failure) && file.commit(failure))
        << failure.message;
  }
  auto arrays = adze::readNpz(path);
  ASSERT_TRUE(bool(arrays)) << llvm::toString(arrays.takeError());
  EXPECT_EQ(arrays->size(), 40u);
  EXPECT_EQ(arrays->find("out_39")->toInts(), tensor.toInts());
  Entries entries;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_EQ(read((*buffer)->getBuffer().str(), entries), "");
  EXPECT_EQ(entries["out_7.npy"], npy);
  llvm::sys::fs::remove_directories(folder);
}

TEST(RunnerFiles, WhatIsNotCommittedDisappears) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("adze-file", folder));
  std::string path = (folder + "/out").str();
  auto contents = [&] {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "none";
  };
  Failure failure;
  for (bool isCommitted : {false, true, false}) {
    std::string before = contents();
    AtomicFile file;
    ASSERT_TRUE(file.open(path.c_str(), failure) &&
                file.write({"new", 3}, failure) && file.close(failure));
    EXPECT_EQ(contents(), before);
    if (isCommitted) {
      EXPECT_TRUE(file.commit(failure));
    }
  }
  EXPECT_EQ(contents(), "new");
  std::error_code code;
  int files = 0;
  for (llvm::sys::fs::directory_iterator it(folder, code), end; it != end;
       it.increment(code))
    ++files;
  EXPECT_EQ(files, 1);
  llvm::sys::fs::remove_directories(folder);
}

} // namespace
