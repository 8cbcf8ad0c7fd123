//===- PayloadConfig.cpp - Which record holds which weight ----------------===//

#include "PayloadConfig.h"

#include "Decoder.h"

namespace adze::frontend {

static bool readEntry(Decoder &decoder, const JsonMember &member,
                      PayloadEntry &entry) {
  Decoder::Scope scope(decoder, member.key);
  const JsonValue &json = member.value;
  entry.name = decoder.save(member.key);
  if (!decoder.readMember(json, "path_name", entry.recordName,
                          decoder.asText()) ||
      !decoder.readOptionalMember(json, "is_param", entry.isParameter,
                                  decoder.asBool()) ||
      !decoder.readOptionalMember(json, "use_pickle", entry.usesPickle,
                                  decoder.asBool()) ||
      !decoder.readOptionalMember(json, "tensor_meta", entry.meta,
                                  [&](const JsonValue &json, TensorMeta &meta) {
                                    entry.hasMeta = true;
                                    return decoder.readTensorMeta(json, meta);
                                  }))
    return false;
  // The name is put behind a folder: it must stay in there.
  if (entry.recordName.empty() || entry.recordName.contains('/') ||
      entry.recordName.contains('\\') || entry.recordName == "..")
    return decoder.fail("path_name '" + entry.recordName +
                        "' is not the name of a record");
  return true;
}

llvm::Expected<std::vector<PayloadEntry>>
parsePayloadConfig(llvm::StringRef json, ExportedProgram &owner) {
  llvm::Expected<std::unique_ptr<JsonDocument>> document = parseJson(json);
  if (!document)
    return document.takeError();
  Decoder decoder(owner);
  std::vector<PayloadEntry> entries;
  auto read = [&](const JsonValue &json, auto &list) {
    if (!json.isObject())
      return decoder.failExpected("an object", json);
    return llvm::all_of(json.items(), [&](const JsonMember &member) {
      return readEntry(decoder, member, list.emplace_back());
    });
  };
  if (!decoder.readMember((*document)->root, "config", entries, read))
    return decoder.takeError();
  return entries;
}

} // namespace adze::frontend
