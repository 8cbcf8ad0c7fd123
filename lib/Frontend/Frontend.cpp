//===- Frontend.cpp - Reads a .pt2 file -----------------------------------===//

#include "adze/Frontend/Frontend.h"

namespace adze::frontend {

llvm::Expected<LoadedProgram> loadProgram(llvm::StringRef path,
                                          const LoadOptions &options) {
  llvm::Expected<std::unique_ptr<Archive>> archive = Archive::open(path);
  if (!archive)
    return archive.takeError();
  return loadProgram(std::shared_ptr<const Archive>(std::move(*archive)),
                     options);
}

llvm::Expected<LoadedProgram>
loadProgram(std::shared_ptr<const Archive> archive,
            const LoadOptions &options) {
  LoadedProgram loaded;
  loaded.archive = std::move(archive);
  llvm::Expected<std::string> model =
      loaded.archive->chooseModel(options.model);
  if (!model)
    return model.takeError();
  loaded.model = std::move(*model);

  std::string record = loaded.archive->programRecord(loaded.model);
  llvm::Expected<Bytes> json = loaded.archive->read(record, /*checkCrc=*/true);
  if (!json)
    return json.takeError();
  llvm::Expected<std::unique_ptr<ExportedProgram>> program =
      parseProgram(asText(*json));
  if (!program)
    return inFile(program.takeError(), loaded.archive->path(), record);
  loaded.program = std::move(*program);

  WeightOptions weightOptions;
  weightOptions.checkCrc = options.checkWeightCrc;
  llvm::Expected<std::unique_ptr<WeightStore>> weights = WeightStore::load(
      loaded.archive, loaded.model, *loaded.program, weightOptions);
  if (!weights)
    return weights.takeError();
  loaded.weights = std::move(*weights);
  return loaded;
}

} // namespace adze::frontend
