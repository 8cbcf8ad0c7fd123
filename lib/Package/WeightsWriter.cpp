//===- WeightsWriter.cpp - weights.bin ------------------------------------===//

#include "adze/Package/WeightsWriter.h"

#include "adze/Support/Diagnostics.h"
#include "dialects/Capture/Capture.h"
#include "lib/Runtime/Digest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;

namespace adze {

using frontend::Weight;
using frontend::WeightStore;

static constexpr uint64_t recordAlignment = 64;

static StringRef nameOf(func::FuncOp func, unsigned argument) {
  auto descriptor = func.getArgAttrOfType<capture::DescriptorAttr>(
      argument, capture::descriptorName);
  return descriptor ? descriptor.getName().getValue() : "";
}

//===----------------------------------------------------------------------===//
// Tied weights
//===----------------------------------------------------------------------===//

void markTiedWeights(func::FuncOp func, const WeightStore &store) {
  ProgramLayout layout(func);
  std::map<unsigned, SmallVector<unsigned>>
      firstOfStorage; // arguments, by storage
  Builder builder(func.getContext());
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    const Weight *weight = store.lookup(nameOf(func, i));
    if (layout.place(i).kind != ArgumentPlace::Weight || !weight)
      continue;
    SmallVector<unsigned> &others = firstOfStorage[weight->storage];
    auto same = llvm::find_if(others, [&](unsigned other) {
      return isSameTensor(*weight, *store.lookup(nameOf(func, other)));
    });
    if (same == others.end())
      others.push_back(i);
    else
      func.setArgAttr(i, tiedName, builder.getI64IntegerAttr(*same));
  }
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static llvm::Expected<uint64_t> byteSize(DType dtype, ArrayRef<int64_t> shape,
                                         const std::string &name) {
  uint64_t bytes = getSize(dtype);
  for (int64_t size : shape)
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes))
      return makeError(DiagId::BadProgram,
                       "weight '" + name + "' is too large");
  return bytes;
}

llvm::Error WeightsWriter::planRecord(func::FuncOp func, size_t index,
                                      unsigned argument) {
  WeightRecord &record = program.weights[index];
  Source &source = sources[index];
  const std::string &name = record.names.front();
  source.weight = store.lookup(name);
  source.packing = func.getArgAttr(argument, packingName);
  if (!source.weight) {
    if (!func.getArgument(argument).use_empty())
      return makeError(DiagId::BadProgram, "weight '" + name + "' has no data");
    record.shape = {0};
    for (ProgramState &state : program.states)
      if (state.initialWeight == int32_t(index))
        state.initialWeight = -1; // written before it is read
    return llvm::Error::success();
  }
  llvm::append_range(record.names, source.weight->otherNames);
  record.dtype = source.weight->dtype;
  record.shape.assign(source.weight->sizes.begin(), source.weight->sizes.end());
  if (source.packing) {
    if (!packer)
      return makeError(DiagId::InternalError,
                       "no packer for weight '" + name + "'");
    auto packed = packer->layout(source.packing, record.dtype, record.shape);
    if (!packed)
      return packed.takeError();
    record.dtype = packed->dtype;
    record.shape = packed->shape;
    record.layout = packed->text;
  }
  llvm::Expected<uint64_t> bytes = byteSize(record.dtype, record.shape, name);
  if (!bytes)
    return bytes.takeError();
  record.bytes = *bytes;
  return llvm::Error::success();
}

llvm::Expected<WeightsWriter> WeightsWriter::plan(func::FuncOp scheduled,
                                                  const WeightStore &store,
                                                  const Packer *packer,
                                                  ProgramInterface &program) {
  WeightsWriter writer(store, packer, program);
  ProgramLayout layout(scheduled);
  writer.sources.resize(program.weights.size());
  for (size_t i = 0; i < program.weights.size(); ++i) {
    int64_t state = int64_t(i) - layout.numWeights();
    unsigned argument =
        state < 0 ? layout.weightArgument(i) : layout.stateArgument(state);
    if (llvm::Error error = writer.planRecord(scheduled, i, argument))
      return std::move(error);
  }
  uint64_t end = 0;
  for (WeightRecord &record : program.weights) {
    record.offset = record.bytes ? llvm::alignTo(end, recordAlignment) : 0;
    if (record.bytes)
      end = record.offset + record.bytes;
  }
  program.weightsBytes = end;
  return writer;
}

llvm::Error WeightsWriter::writeRecord(llvm::raw_ostream &os, size_t index) {
  WeightRecord &record = program.weights[index];
  const Source &source = sources[index];
  std::vector<uint8_t> gathered, packed;
  frontend::Bytes bytes = store.contiguousBytes(*source.weight, gathered);
  if (source.packing) {
    packed.resize(record.bytes);
    packer->pack(source.packing, source.weight->dtype, source.weight->sizes,
                 bytes, packed);
    bytes = packed;
  }
  if (bytes.size() != record.bytes)
    return makeError(DiagId::BadProgram, "weight '" + record.names.front() +
                                             "' has " + Twine(bytes.size()) +
                                             " bytes, but its type needs " +
                                             Twine(record.bytes));
  record.digest = adze_digest(bytes.data(), bytes.size(), 0);
  os.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  return llvm::Error::success();
}

llvm::Error WeightsWriter::digestAll(llvm::StringRef path) {
  std::vector<adze_weight> records(program.weights.size());
  for (auto [raw, record] : llvm::zip_equal(records, program.weights)) {
    raw.offset = record.offset;
    raw.bytes = record.bytes;
  }
  if (program.weightsBytes == 0) {
    program.weightsDigest =
        adze_weights_digest(nullptr, records.data(), records.size());
    return llvm::Error::success();
  }
  llvm::Expected<llvm::sys::fs::file_t> file =
      llvm::sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  std::error_code code;
  llvm::sys::fs::mapped_file_region region(
      *file, llvm::sys::fs::mapped_file_region::readonly, program.weightsBytes,
      0, code);
  llvm::sys::fs::closeFile(*file);
  if (code)
    return makeFileError(DiagId::CannotRead, path, code);
  program.weightsDigest =
      adze_weights_digest(region.const_data(), records.data(), records.size());
  return llvm::Error::success();
}

llvm::Error WeightsWriter::writeRecords(llvm::raw_ostream &os) {
  for (size_t i = 0; i < sources.size(); ++i) {
    WeightRecord &record = program.weights[i];
    if (record.bytes == 0) {
      record.digest = adze_digest(nullptr, 0, 0);
      continue;
    }
    os.write_zeros(record.offset - os.tell());
    if (llvm::Error error = writeRecord(os, i))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error WeightsWriter::write(llvm::StringRef path) {
  if (program.weightsBytes == 0) {
    llvm::raw_null_ostream none;
    if (llvm::Error error = writeRecords(none))
      return error;
    return digestAll(path);
  }
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return makeFileError(DiagId::CannotWrite, path, code);
  llvm::Error failure = writeRecords(os);
  os.close();
  if (os.has_error() && !failure)
    failure = makeFileError(DiagId::CannotWrite, path, os.error());
  os.clear_error();
  if (failure)
    return failure;
  return digestAll(path);
}

} // namespace adze
