//===- Archive.cpp - A .pt2 file as a set of records ----------------------===//

#include "adze/Frontend/Archive.h"

#include "Zip.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

namespace adze::frontend {

struct Archive::Impl {
  std::string path;
  std::optional<llvm::sys::fs::mapped_file_region> region;
  Bytes bytes;
  std::unique_ptr<Zip> zip;
  ArchiveLayout layout = ArchiveLayout::Archive;
  std::string root; // with its slash; empty if there is no root folder
  std::vector<Record> records;
  std::vector<std::string> models;

  llvm::Error map();
  llvm::Error classify();
  llvm::Error checkHeader();
  llvm::Error checkText(llvm::StringRef name, llvm::StringRef expected);
  void collectRecords();
  void collectModels();
  llvm::Error explainWithoutModel() const;
  bool has(llvm::StringRef name) const {
    return zip->lookup((root + name).str());
  }
  bool hasUnder(llvm::StringRef folder) const;
};

static constexpr llvm::StringLiteral flatProgram =
    "serialized_exported_program.json";

Archive::Archive(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Archive::~Archive() = default;

static llvm::Error ioFaultOf(std::error_code code) {
  return ioFault("", llvm::Twine("cannot be read: ") +
                         llvm::StringRef(code.message()).lower());
}

llvm::Error Archive::Impl::map() {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (std::error_code code = fs::status(path, status))
    return ioFaultOf(code);
  if (fs::is_directory(status))
    return ioFault("", "is a directory, not a file");
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return ioFaultOf(llvm::errorToErrorCode(file.takeError()));
  std::error_code code;
  if (status.getSize() > 0)
    region.emplace(*file, fs::mapped_file_region::readonly, status.getSize(), 0,
                   code);
  fs::closeFile(*file);
  if (code)
    return ioFaultOf(code);
  if (region)
    bytes = Bytes(reinterpret_cast<const uint8_t *>(region->const_data()),
                  region->size());
  return llvm::Error::success();
}

/// What a file that is no zip at all most likely is.
static llvm::Error explainNoZip(Bytes bytes) {
  llvm::StringRef text = asText(bytes);
  if (text.empty())
    return inputFault("", "is empty");
  if (text.starts_with("PK"))
    return llvm::Error::success();
  if (text[0] == '\x80')
    return inputFault("", "is a pickle (an old torch.save file?), not a "
                          "program saved by torch.export.save");
  return inputFault("", "is not a zip file, and so no program saved by "
                        "torch.export.save");
}

bool Archive::Impl::hasUnder(llvm::StringRef folder) const {
  return llvm::any_of(records, [&](const Record &record) {
    return llvm::StringRef(record.name).starts_with(folder);
  });
}

void Archive::Impl::collectRecords() {
  for (const Record &member : zip->members()) {
    llvm::StringRef name = member.name;
    if (!name.consume_front(root) || name.ends_with("/"))
      continue;
    records.push_back(member);
    records.back().name = name.str();
  }
  llvm::sort(records,
             [](const Record &a, const Record &b) { return a.name < b.name; });
}

void Archive::Impl::collectModels() {
  for (const Record &record : records) {
    llvm::StringRef name = record.name;
    if (name.consume_front("models/") && name.consume_back(".json") &&
        !name.empty() && !name.contains('/'))
      models.push_back(name.str());
  }
}

llvm::Error Archive::Impl::explainWithoutModel() const {
  if (hasUnder("data/aotinductor/"))
    return inputFault("", "is an AOTInductor package: it holds compiled code, "
                          "not a program; save the exported program with "
                          "torch.export.save");
  if (has("constants.pkl") || hasUnder("code/"))
    return inputFault("", "is a TorchScript file, not a program saved by "
                          "torch.export.save");
  if (has("data.pkl"))
    return inputFault("", "is a torch.save file, not a program saved by "
                          "torch.export.save");
  if (has("archive_format") || has(".data/version") || has("version") ||
      hasUnder("data/weights/") || hasUnder("data/constants/"))
    return inputFault("", "incomplete archive without models/*.json: the "
                          "export was not saved completely");
  return inputFault("", "is a zip file, but not a program saved by "
                        "torch.export.save: it has neither models/*.json nor " +
                            flatProgram);
}

llvm::Error Archive::Impl::checkText(llvm::StringRef name,
                                     llvm::StringRef expected) {
  const Record *record = zip->lookup((root + name).str());
  if (!record)
    return llvm::Error::success();
  llvm::Expected<Bytes> data = zip->read(*record, /*checkCrc=*/true);
  if (!data)
    return data.takeError();
  llvm::StringRef found = asText(*data).trim();
  if (found == expected)
    return llvm::Error::success();
  return inputFault(name, "expected '" + expected + "', but found '" +
                              found.take_front(40) + "'");
}

llvm::Error Archive::Impl::checkHeader() {
  if (llvm::Error error = checkText("archive_format", "pt2"))
    return error;
  if (llvm::Error error = checkText("archive_version", "0"))
    return error;
  return checkText("byteorder", "little");
}

llvm::Error Archive::Impl::classify() {
  llvm::ArrayRef<Record> members = zip->members();
  if (members.empty())
    return inputFault("", "is a zip file without records");
  if (zip->lookup(flatProgram)) {
    layout = ArchiveLayout::Flat;
    models.push_back("model");
    collectRecords();
    return llvm::Error::success();
  }
  // Some writers put the records at top level.
  bool isRootless =
      zip->lookup("archive_format") ||
      llvm::any_of(members, [](const Record &record) {
        return llvm::StringRef(record.name).starts_with("models/");
      });
  if (!isRootless) {
    auto [first, rest] = llvm::StringRef(members.front().name).split('/');
    if (!rest.empty() || members.front().name.back() == '/')
      root = first.str() + "/";
  }
  collectRecords();
  collectModels();
  return models.empty() ? explainWithoutModel() : checkHeader();
}

llvm::Expected<std::unique_ptr<Archive>>
Archive::build(std::unique_ptr<Impl> impl, const ArchiveLimits &limits) {
  if (llvm::Error error = explainNoZip(impl->bytes))
    return inFile(std::move(error), impl->path);
  llvm::Expected<std::unique_ptr<Zip>> zip = Zip::open(impl->bytes, limits);
  if (!zip)
    return inFile(zip.takeError(), impl->path);
  impl->zip = std::move(*zip);
  if (llvm::Error error = impl->classify())
    return inFile(std::move(error), impl->path);
  return std::unique_ptr<Archive>(new Archive(std::move(impl)));
}

llvm::Expected<std::unique_ptr<Archive>>
Archive::open(llvm::StringRef path, const ArchiveLimits &limits) {
  auto impl = std::make_unique<Impl>();
  impl->path = path.str();
  if (llvm::Error error = impl->map())
    return inFile(std::move(error), path);
  return build(std::move(impl), limits);
}

llvm::Expected<std::unique_ptr<Archive>>
Archive::fromBytes(Bytes bytes, llvm::StringRef name,
                   const ArchiveLimits &limits) {
  auto impl = std::make_unique<Impl>();
  impl->path = name.str();
  impl->bytes = bytes;
  return build(std::move(impl), limits);
}

llvm::StringRef Archive::path() const { return impl->path; }
ArchiveLayout Archive::layout() const { return impl->layout; }
llvm::ArrayRef<Record> Archive::records() const { return impl->records; }
llvm::ArrayRef<std::string> Archive::models() const { return impl->models; }

const Record *Archive::lookup(llvm::StringRef name) const {
  auto found = llvm::lower_bound(
      impl->records, name, [](const Record &record, llvm::StringRef name) {
        return llvm::StringRef(record.name) < name;
      });
  if (found == impl->records.end() || found->name != name)
    return nullptr;
  return &*found;
}

llvm::Expected<std::string> Archive::chooseModel(llvm::StringRef wanted) const {
  llvm::ArrayRef<std::string> models = impl->models;
  constexpr size_t maxNamed = 8;
  std::string names = "'" + llvm::join(models.take_front(maxNamed), "', '") +
                      "'" + (models.size() > maxNamed ? ", ..." : "");
  if (!wanted.empty()) {
    if (llvm::is_contained(models, wanted))
      return wanted.str();
    return tag(inputFault("", "has no model '" + wanted + "', only " + names));
  }
  if (llvm::is_contained(models, "model"))
    return "model";
  if (models.size() == 1)
    return models.front();
  return tag(
      inputFault("", "holds several models, name one of them: " + names));
}

std::string Archive::programRecord(llvm::StringRef model) const {
  if (impl->layout == ArchiveLayout::Flat)
    return flatProgram.str();
  return ("models/" + model + ".json").str();
}

llvm::Expected<Bytes> Archive::read(llvm::StringRef name, bool checkCrc) const {
  if (const Record *record = lookup(name))
    return read(*record, checkCrc);
  return tag(inputFault(name, "record is missing"));
}

llvm::Expected<Bytes> Archive::read(const Record &record, bool checkCrc) const {
  llvm::Expected<Bytes> data = impl->zip->read(record, checkCrc);
  if (!data)
    return tag(data.takeError());
  return data;
}

llvm::Error Archive::tag(llvm::Error error) const {
  return inFile(std::move(error), impl->path);
}

} // namespace adze::frontend
