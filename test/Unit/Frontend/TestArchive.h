//===- TestArchive.h - Writes zip files for tests ---------------*- C++ -*-===//

#ifndef ADZE_TEST_UNIT_FRONTEND_TESTARCHIVE_H
#define ADZE_TEST_UNIT_FRONTEND_TESTARCHIVE_H

#include "adze/Frontend/Frontend.h"

#include "gtest/gtest.h"

#include <map>
#include <string>
#include <vector>

namespace adze::frontend {

/// The members of a zip file, in order, and its bytes.
class TestArchive {
public:
  TestArchive &add(const std::string &name, const std::string &data,
                   bool isDeflated = false);
  /// Replaces or removes a member.
  TestArchive &set(const std::string &name, const std::string &data);
  TestArchive &remove(const std::string &name);

  std::string bytes() const;

private:
  struct Member {
    std::string name, data;
    bool isDeflated;
  };
  std::vector<Member> members;
};

/// Loads a program from bytes; the text of the error, or "" if there is none.
std::string loadError(const std::string &bytes);

/// The same with the bytes kept alive.
struct LoadedBytes {
  std::string bytes;
  LoadedProgram loaded;
};
std::unique_ptr<LoadedBytes> loadBytes(std::string bytes);

/// The content of a file of the folder Inputs.
std::string readInput(const std::string &name);
std::string inputPath(const std::string &name);

#define EXPECT_HAS(text, part)                                                 \
  EXPECT_NE(std::string(text).find(part), std::string::npos)                   \
      << "found: " << (text)

template <typename T> std::string errorOf(llvm::Expected<T> value) {
  return value ? std::string() : llvm::toString(value.takeError());
}

} // namespace adze::frontend

#endif // ADZE_TEST_UNIT_FRONTEND_TESTARCHIVE_H
