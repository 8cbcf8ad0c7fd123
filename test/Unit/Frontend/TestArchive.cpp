//===- TestArchive.cpp - Writes zip files for tests -----------------------===//

#include "TestArchive.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <zip.h>

namespace adze::frontend {

TestArchive &TestArchive::add(const std::string &name, const std::string &data,
                              bool isDeflated) {
  members.push_back({name, data, isDeflated});
  return *this;
}

TestArchive &TestArchive::set(const std::string &name,
                              const std::string &data) {
  for (Member &member : members)
    if (member.name == name)
      member.data = data;
  return *this;
}

TestArchive &TestArchive::remove(const std::string &name) {
  llvm::erase_if(members,
                 [&](const Member &member) { return member.name == name; });
  return *this;
}

std::string TestArchive::bytes() const {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t *target = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(target);
  zip_t *archive = zip_open_from_source(target, ZIP_TRUNCATE, &error);
  for (const Member &member : members) {
    zip_source_t *source =
        zip_source_buffer(archive, member.data.data(), member.data.size(), 0);
    zip_int64_t index =
        zip_file_add(archive, member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    zip_set_file_compression(
        archive, index, member.isDeflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  EXPECT_EQ(zip_close(archive), 0);
  zip_stat_t stat;
  zip_source_stat(target, &stat);
  std::string bytes(stat.size, 0);
  zip_source_open(target);
  EXPECT_EQ(zip_source_read(target, bytes.data(), bytes.size()),
            static_cast<zip_int64_t>(bytes.size()));
  zip_source_close(target);
  zip_source_free(target);
  return bytes;
}

static llvm::Expected<LoadedProgram> load(const std::string &bytes) {
  Bytes view(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  llvm::Expected<std::unique_ptr<Archive>> archive =
      Archive::fromBytes(view, "model.pt2");
  if (!archive)
    return archive.takeError();
  return loadProgram(std::shared_ptr<const Archive>(std::move(*archive)));
}

std::string loadError(const std::string &bytes) { return errorOf(load(bytes)); }

std::unique_ptr<LoadedBytes> loadBytes(std::string bytes) {
  auto result = std::make_unique<LoadedBytes>();
  result->bytes = std::move(bytes);
  llvm::Expected<LoadedProgram> loaded = load(result->bytes);
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return nullptr;
  }
  result->loaded = std::move(*loaded);
  return result;
}

std::string inputPath(const std::string &name) {
  return std::string(ADZE_FRONTEND_INPUTS) + "/" + name;
}

std::string readInput(const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFile(inputPath(name));
  if (!buffer) {
    ADD_FAILURE() << "cannot read " << name;
    return "";
  }
  return (*buffer)->getBuffer().str();
}

} // namespace adze::frontend
