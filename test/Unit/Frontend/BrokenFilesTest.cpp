//===- BrokenFilesTest.cpp - Damaged and hostile files --------------------===//
//
// Whatever happens to a file: one error, no crash, little memory.
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include <random>

using namespace adze::frontend;
using namespace std::string_literals;

TEST(BrokenFiles, Truncated) {
  std::string bytes = readInput("raw.pt2");
  for (size_t size = 0; size < bytes.size(); size += 97) {
    std::string error = loadError(bytes.substr(0, size));
    EXPECT_HAS(error, "model.pt2: ");
  }
  EXPECT_HAS(loadError(bytes.substr(0, 5000)),
             "truncated or damaged zip file: its central directory is missing");
}

/// A flipped bit of the content is found by a checksum.
TEST(BrokenFiles, DamagedContent) {
  std::string bytes = testArchive().bytes();
  for (const char *part : {"\1\1\1\1\1\1", "graph_module", "fc.weight"}) {
    std::string damaged = bytes;
    damaged[damaged.find(part)] ^= 4;
    EXPECT_HAS(loadError(damaged), "damaged: expected checksum");
  }
}

/// Anywhere else it may also be harmless, but is never worse than an error.
TEST(BrokenFiles, FlippedBits) {
  std::mt19937 random(7);
  for (const char *name : {"raw.pt2", "bundle.pt2", "flat.pt2"}) {
    std::string bytes = readInput(name);
    for (int i = 0; i < 400; ++i) {
      std::string damaged = bytes;
      for (int flips = 0; flips < 1 + i % 3; ++flips)
        damaged[random() % damaged.size()] ^= char(1 << (random() % 8));
      loadError(damaged);
    }
  }
}

TEST(BrokenFiles, PathTraversal) {
  for (const char *name :
       {"../evil", "m/../../evil", "/etc/passwd", "C:/evil", "m\\evil"})
    EXPECT_HAS(loadError(testArchive().add(name, "x").bytes()),
               "leads out of the archive");
}

TEST(BrokenFiles, ZipBomb) {
  TestArchive archive = testArchive();
  archive.add("m/data/weights/weight_1", std::string(40 << 20, '\0'), true);
  EXPECT_HAS(loadError(archive.bytes()), "exceed the limit of 1:100");
}

TEST(BrokenFiles, LyingDirectory) {
  std::string bytes = testArchive().bytes();
  // The size of the first record in the central directory.
  size_t central = bytes.find("PK\1\2");
  std::string damaged = bytes;
  damaged[central + 20] = damaged[central + 24] = '\xff';
  damaged[central + 23] = damaged[central + 27] = '\x7f';
  EXPECT_HAS(loadError(damaged), "exceed the file of");
  // Its offset.
  damaged = bytes;
  damaged[central + 45] = '\x7f';
  EXPECT_HAS(loadError(damaged), "exceed the file of");
  // The number of records.
  damaged = bytes;
  size_t end = damaged.rfind("PK\5\6");
  damaged[end + 10] = '\x50';
  EXPECT_HAS(loadError(damaged), "bytes claims 80 records");
}

TEST(BrokenFiles, RecordsThatOverlap) {
  std::string bytes = testArchive().bytes();
  size_t first = bytes.find("PK\1\2");
  size_t second = bytes.find("PK\1\2", first + 4);
  // Let the second record start where the first one does.
  for (int i = 0; i < 4; ++i)
    bytes[second + 42 + i] = bytes[first + 42 + i];
  EXPECT_HAS(loadError(bytes), "overlaps record");
}

TEST(BrokenFiles, DuplicateRecords) {
  std::string bytes = testArchive().bytes();
  for (size_t at = 0;
       (at = bytes.find("archive_version", at)) != std::string::npos; ++at)
    bytes.replace(at, 15, "archive_format2");
  EXPECT_EQ(loadError(bytes), "");
  bytes = TestArchive()
              .add("m/models/a.json", "{}")
              .add("m/models/b.json", "{}")
              .bytes();
  for (size_t at = 0; (at = bytes.find("b.json", at)) != std::string::npos;
       ++at)
    bytes[at] = 'a';
  EXPECT_HAS(loadError(bytes), "record occurs twice");
}

TEST(BrokenFiles, HostileBundles) {
  auto bundle = [](const std::string &pickle) {
    std::string saved = TestArchive().add("a/data.pkl", pickle).bytes();
    TestArchive archive = testArchive();
    archive.remove("m/data/weights/model_weights_config.json")
        .remove("m/data/weights/weight_0")
        .add("m/data/weights/model.pt", saved);
    return loadError(archive.bytes());
  };
  EXPECT_HAS(bundle("\x80\2N."), "model.pt: expected a dict of tensors");
  EXPECT_HAS(bundle("\x80\2ios\nsystem\n."), "opcode 0x69 is not allowed");
  EXPECT_HAS(bundle("\x80\2}X\x09\0\0\0fc.weightcos\nsystem\n)Rs."s),
             "'fc.weight' is an object of the class 'os system'");
}

/// A damaged weight in a torch.save file is found by its own checksum, too.
TEST(BrokenFiles, DamagedBundle) {
  std::string bytes = readInput("bundle.pt2");
  std::string damaged = bytes;
  size_t at = damaged.find(std::string("\0\0\x80\x3f\0\0\0\x40", 8));
  ASSERT_NE(at, std::string::npos); // 1.0f, 2.0f
  damaged[at + 3] ^= 1;
  EXPECT_HAS(loadError(damaged), "damaged: expected checksum");
}
