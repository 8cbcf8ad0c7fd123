//===- NpzTest.cpp - NumPy's files ----------------------------------------===//

#include "adze/Support/Npz.h"

#include "adze/Support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

namespace adze {

using Ints = std::vector<int64_t>;

static std::string input(llvm::StringRef name) {
  return (ADZE_TEST_INPUTS "/" + name).str();
}

static std::string contents(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

static std::string messageOf(llvm::Expected<HostTensor> tensor) {
  return tensor ? "" : llvm::toString(tensor.takeError());
}

namespace {

class Npz : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("adze-npz", folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> result = folder;
    llvm::sys::path::append(result, name);
    return std::string(result);
  }

  std::string write(llvm::StringRef name, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << bytes;
    return path(name);
  }

  llvm::SmallString<128> folder;
};

} // namespace

TEST_F(Npz, ReadsEveryTypeThatNumPyWrites) {
  NpzArrays arrays = llvm::cantFail(readNpz(input("all-types.npz")));
  for (const DTypeInfo &info : allDTypes()) {
    if (info.numpyDescr.empty())
      continue;
    const HostTensor *tensor = arrays.find(info.name);
    ASSERT_TRUE(tensor) << info.name.str();
    EXPECT_EQ(tensor->dtype(), info.dtype);
    EXPECT_EQ(tensor->toInts(), info.dtype == DType::Bool
                                    ? (Ints{0, 1, 1, 1, 1, 1})
                                    : (Ints{0, 1, 2, 3, 4, 5}));
  }
}

TEST_F(Npz, ReadsByteOrdersLayoutsAndCorners) {
  NpzArrays arrays = llvm::cantFail(readNpz(input("all-types.npz")));
  EXPECT_EQ(arrays.find("big")->toInts(), (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(arrays.find("big_complex")->toComplex()[3],
            std::complex<double>(3, 6));
  EXPECT_EQ(arrays.find("fortran")->strides(), (llvm::ArrayRef<int64_t>{1, 2}));
  EXPECT_EQ(arrays.find("fortran")->toInts(), (Ints{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(arrays.find("scalar")->rank(), 0);
  EXPECT_EQ(arrays.find("scalar")->toDoubles()[0], 2.5);
  EXPECT_EQ(arrays.find("empty")->describe(), "float32[0, 3]");
  EXPECT_EQ(arrays.find("absent"), nullptr);
}

TEST_F(Npz, ReadsCompressedFilesAndLaterFormats) {
  NpzArrays arrays = llvm::cantFail(readNpz(input("compressed.npz")));
  EXPECT_EQ(arrays.find("in_2")->toInts(), Ints(1000, 0));
  EXPECT_EQ(arrays.countNumbered("in"), 3u);
  for (llvm::StringRef name : {"format-2.npy", "format-3.npy"}) {
    HostTensor tensor = llvm::cantFail(decodeNpy(contents(input(name)), name));
    EXPECT_EQ(tensor.toInts(), (Ints{0, 1, 2, 3, 4, 5}));
  }
}

TEST_F(Npz, WritesTheSameBytesEachTimeAndReadsThemBack) {
  std::vector<NamedTensor> arrays;
  arrays.push_back(
      {"out_0", HostTensor::of<double>(DType::BFloat16, {2}, {{1.0, 2.5}})});
  arrays.push_back(
      {"out_1", llvm::cantFail(HostTensor::of<int64_t>(DType::Int16, {2, 2},
                                                       {{1, 2, 3, 4}})
                                   .withStrides({1, 2}))});
  EXPECT_FALSE(static_cast<bool>(writeNpz(path("a.npz"), arrays)));
  EXPECT_FALSE(static_cast<bool>(writeNpz(path("b.npz"), arrays)));
  EXPECT_EQ(contents(path("a.npz")), contents(path("b.npz")));
  NpzArrays back = llvm::cantFail(readNpz(path("a.npz")));
  EXPECT_EQ(back.find("out_0")->dtype(), DType::Float32);
  EXPECT_EQ(back.find("out_0")->toDoubles(), (std::vector<double>{1.0, 2.5}));
  EXPECT_EQ(back.find("out_1")->toInts(), (Ints{1, 2, 3, 4}));
  EXPECT_TRUE(back.find("out_1")->isContiguous());
}

TEST_F(Npz, WritesFilesWithoutArrays) {
  EXPECT_FALSE(static_cast<bool>(writeNpz(path("none.npz"), {})));
  EXPECT_TRUE(llvm::cantFail(readNpz(path("none.npz"))).empty());
}

TEST_F(Npz, FailsWithoutAFile) {
  DiagnosticEngine engine(llvm::nulls());
  engine.error(readNpz(path("absent.npz")).takeError(), DiagId::InternalError);
  EXPECT_EQ(engine.exitCode(), ExitCode::FileError);
  DiagnosticEngine writing(llvm::nulls());
  std::vector<NamedTensor> one(1);
  one[0].name = "out_0";
  writing.error(writeNpz(path("no/such/folder.npz"), one),
                DiagId::InternalError);
  EXPECT_EQ(writing.exitCode(), ExitCode::FileError);
}

TEST_F(Npz, RefusesBrokenFiles) {
  std::string whole = contents(input("all-types.npz"));
  for (llvm::StringRef bytes :
       {llvm::StringRef(), llvm::StringRef("no zip at all"),
        llvm::StringRef(whole).drop_back(30),
        llvm::StringRef(whole).take_front(200)}) {
    llvm::Expected<NpzArrays> arrays = readNpz(write("broken.npz", bytes));
    DiagnosticEngine engine(llvm::nulls());
    ASSERT_FALSE(static_cast<bool>(arrays));
    engine.error(arrays.takeError(), DiagId::InternalError);
    EXPECT_EQ(engine.exitCode(), ExitCode::BadInput);
  }
}

TEST_F(Npz, NoFlippedByteCrashesTheReader) {
  std::string whole = contents(input("compressed.npz"));
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string broken = whole;
    broken[i] = static_cast<char>(broken[i] ^ 0xff);
    llvm::Expected<NpzArrays> arrays = readNpz(write("flipped.npz", broken));
    if (!arrays)
      llvm::consumeError(arrays.takeError());
  }
}

TEST_F(Npz, RefusesTypesItDoesNotKnow) {
  llvm::Expected<NpzArrays> arrays = readNpz(input("strings.npz"));
  ASSERT_FALSE(static_cast<bool>(arrays));
  EXPECT_NE(llvm::toString(arrays.takeError()).find("'<U1'"),
            std::string::npos);
}

TEST_F(Npz, ChecksSizesBeforeItTakesMemory) {
  auto header = [](llvm::StringRef dict) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dict.size());
    bytes += '\0';
    return bytes + dict.str();
  };
  EXPECT_NE(messageOf(decodeNpy(header("{'descr': '<f4', 'fortran_order': "
                                       "False, 'shape': (1000000000000,), }"),
                                "x"))
                .find("but 0 bytes"),
            std::string::npos);
  EXPECT_NE(
      messageOf(decodeNpy(header("{'descr': '<f4', 'shape': (1,), }"), "x"))
          .find("lacks"),
      std::string::npos);
  EXPECT_NE(messageOf(decodeNpy(header("{'descr': [('a', '<f4')], "
                                       "'fortran_order': False, 'shape': ()}"),
                                "x"))
                .find("records"),
            std::string::npos);
}

} // namespace adze
