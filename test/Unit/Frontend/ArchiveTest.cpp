//===- ArchiveTest.cpp - Layouts and records of archives ------------------===//

#include "TestProgram.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace adze::frontend;

TEST(Archive, OpensAllLayouts) {
  for (const char *name : {"raw.pt2", "bundle.pt2", "flat.pt2"}) {
    auto archive = Archive::open(inputPath(name));
    ASSERT_TRUE(bool(archive)) << llvm::toString(archive.takeError());
    EXPECT_EQ((*archive)->models().size(), 1u);
    bool isFlat = llvm::StringRef(name) == "flat.pt2";
    EXPECT_EQ((*archive)->layout(),
              isFlat ? ArchiveLayout::Flat : ArchiveLayout::Archive);
  }
}

TEST(Archive, RecordsAreInPlaceAndAligned) {
  auto archive = llvm::cantFail(Archive::open(inputPath("raw.pt2")));
  Bytes first = llvm::cantFail(archive->read("data/weights/weight_0", true));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first.data()) % 64, 0u);
  Bytes again = llvm::cantFail(archive->read("data/weights/weight_0", true));
  EXPECT_EQ(first.data(), again.data());
}

TEST(Archive, ReadsCompressedRecords) {
  TestArchive writer;
  writer.add("models/model.json", std::string(5000, ' '), true)
      .add("archive_format", "pt2");
  std::string bytes = writer.bytes();
  auto archive = llvm::cantFail(Archive::fromBytes(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "a"));
  EXPECT_FALSE(archive->lookup("models/model.json")->isStored);
  Bytes data = llvm::cantFail(archive->read("models/model.json", true));
  EXPECT_EQ(asText(data), std::string(5000, ' '));
}

TEST(Archive, RootFolderMayBeMissing) {
  std::string json = TestProgram().json();
  TestArchive writer;
  writer.add("archive_format", "pt2").add("models/a.json", json);
  std::string bytes = writer.bytes();
  auto archive = llvm::cantFail(Archive::fromBytes(
      {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()}, "a"));
  EXPECT_EQ(llvm::cantFail(archive->chooseModel("")), "a");
}

TEST(Archive, AsksForTheModelIfThereAreSeveral) {
  TestArchive writer;
  writer.add("m/models/a.json", "{}").add("m/models/b.json", "{}");
  EXPECT_EQ(loadError(writer.bytes()),
            "model.pt2: holds several models, name one of them: 'a', 'b'");
}

static std::string onlyRecord(const std::string &name) {
  return loadError(TestArchive().add(name, "x").bytes());
}

TEST(Archive, NamesWhatUsersMixUp) {
  EXPECT_EQ(loadError(""), "model.pt2: is empty");
  EXPECT_HAS(loadError("\x80\x02}q."), "is a pickle");
  EXPECT_HAS(loadError("hello"), "is not a zip file");
  // The end record alone.
  EXPECT_HAS(loadError("PK\5\6" + std::string(18, '\0')),
             "is a zip file without records");
  EXPECT_HAS(onlyRecord("m/data.pkl"), "is a torch.save file");
  EXPECT_HAS(onlyRecord("m/constants.pkl"), "is a TorchScript file");
  EXPECT_HAS(onlyRecord("m/data/aotinductor/model/x.so"),
             "is an AOTInductor package");
  EXPECT_HAS(onlyRecord("m/archive_format"), "the export was not saved");
  EXPECT_HAS(onlyRecord("picture.png"), "neither models/*.json nor");
}

TEST(Archive, ChecksTheHeader) {
  EXPECT_EQ(loadError(testArchive().set("m/byteorder", "big").bytes()),
            "model.pt2: byteorder: expected 'little', but found 'big'");
  EXPECT_EQ(loadError(testArchive().set("m/archive_version", "7").bytes()),
            "model.pt2: archive_version: expected '0', but found '7'");
}

TEST(Archive, DistinguishesFaultsOfTheSystem) {
  auto kindOf = [](llvm::StringRef path) {
    FaultKind kind = FaultKind::Input;
    llvm::handleAllErrors(
        Archive::open(path).takeError(),
        [&](const FrontendError &error) { kind = error.kind; });
    return kind;
  };
  EXPECT_EQ(kindOf(inputPath("nothing-here.pt2")), FaultKind::Io);
  EXPECT_EQ(kindOf(inputPath("")), FaultKind::Io);
  EXPECT_EQ(kindOf(inputPath("../CMakeLists.txt")), FaultKind::Input);
}
