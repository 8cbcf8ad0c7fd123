//===- AtomicOutputTest.cpp - Output appears whole or not at all ----------===//

#include "adze/Support/AtomicOutput.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace adze {

namespace fs = llvm::sys::fs;

static std::string contents(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "absent";
}

static void put(const llvm::Twine &path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream(path.str(), code) << text;
}

static unsigned countEntries(llvm::StringRef folder) {
  unsigned count = 0;
  std::error_code code;
  for (fs::directory_iterator it(folder, code), end; it != end;
       it.increment(code))
    ++count;
  return count;
}

namespace {

class AtomicOutput : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(fs::createUniqueDirectory("adze-atomic", folder));
  }
  void TearDown() override { fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) { return (folder + "/" + name).str(); }

  llvm::SmallString<128> folder;
};

} // namespace

TEST_F(AtomicOutput, AFailedWriterLeavesTheOldFile) {
  put(path("f"), "old");
  llvm::Error failure = writeAtomically(path("f"), [](llvm::raw_ostream &os) {
    os << "half";
    return llvm::createStringError("failed");
  });
  EXPECT_TRUE(static_cast<bool>(failure));
  llvm::consumeError(std::move(failure));
  EXPECT_EQ(contents(path("f")), "old");
  EXPECT_EQ(countEntries(folder), 1u);
}

TEST_F(AtomicOutput, AGoodWriterReplacesIt) {
  put(path("f"), "old");
  llvm::cantFail(writeAtomically(path("f"), [](llvm::raw_ostream &os) {
    os << "new";
    return llvm::Error::success();
  }));
  EXPECT_EQ(contents(path("f")), "new");
  EXPECT_EQ(countEntries(folder), 1u);
}

TEST_F(AtomicOutput, DevicesAndPipesAreNotReplaced) {
  std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  // Both ends in this process: a few bytes fit.
  int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  llvm::cantFail(writeAtomically(pipe, [](llvm::raw_ostream &os) {
    os << "text";
    return llvm::Error::success();
  }));
  char text[5] = {};
  EXPECT_EQ(read(reader, text, 4), 4);
  EXPECT_STREQ(text, "text");
  close(reader);
  fs::file_status status;
  ASSERT_FALSE(fs::status(pipe, status));
  EXPECT_EQ(status.type(), fs::file_type::fifo_file);
}

TEST_F(AtomicOutput, LinksStayLinks) {
  put(path("f"), "old");
  ASSERT_FALSE(fs::create_link(path("f"), path("link")));
  llvm::cantFail(writeAtomically(path("link"), [](llvm::raw_ostream &os) {
    os << "new";
    return llvm::Error::success();
  }));
  EXPECT_EQ(contents(path("f")), "new");
  EXPECT_TRUE(fs::is_symlink_file(path("link")));
}

TEST_F(AtomicOutput, AFolderAppearsAtCommit) {
  {
    AtomicDir dir = llvm::cantFail(AtomicDir::create(path("m"), {"a"}));
    put(dir.path() + "/a", "new");
    EXPECT_FALSE(fs::exists(path("m")));
    llvm::cantFail(dir.commit());
  }
  EXPECT_EQ(contents(path("m") + "/a"), "new");
  EXPECT_EQ(countEntries(folder), 1u);
}

TEST_F(AtomicOutput, AFolderIsReplacedAsAWhole) {
  ASSERT_FALSE(fs::create_directory(path("m")));
  put(path("m") + "/a", "old");
  put(path("m") + "/b", "old");
  {
    AtomicDir dir = llvm::cantFail(AtomicDir::create(path("m/"), {"a", "b"}));
    put(dir.path() + "/a", "new");
    llvm::cantFail(dir.commit());
  }
  EXPECT_EQ(contents(path("m") + "/a"), "new");
  EXPECT_FALSE(fs::exists(path("m") + "/b"));
  EXPECT_EQ(countEntries(folder), 1u);
}

TEST_F(AtomicOutput, WithoutCommitTheOldFolderStays) {
  ASSERT_FALSE(fs::create_directory(path("m")));
  put(path("m") + "/a", "old");
  {
    AtomicDir dir = llvm::cantFail(AtomicDir::create(path("m"), {"a"}));
    put(dir.path() + "/a", "new");
  }
  EXPECT_EQ(contents(path("m") + "/a"), "old");
  EXPECT_EQ(countEntries(folder), 1u);
}

TEST_F(AtomicOutput, ForeignFilesAreNotReplaced) {
  ASSERT_FALSE(fs::create_directory(path("m")));
  put(path("m") + "/thesis.tex", "years of work");
  llvm::Expected<AtomicDir> dir = AtomicDir::create(path("m"), {"a"});
  ASSERT_FALSE(static_cast<bool>(dir));
  EXPECT_NE(llvm::toString(dir.takeError()).find("thesis.tex"),
            std::string::npos);
  EXPECT_EQ(contents(path("m") + "/thesis.tex"), "years of work");
}

} // namespace adze
