//===- Error.cpp - What can be wrong with a model file --------------------===//

#include "adze/Frontend/Error.h"

#include "llvm/Support/raw_ostream.h"

namespace adze::frontend {

char FrontendError::ID = 0;

FrontendError::FrontendError(FaultKind kind, std::string file,
                             std::string record, std::string message)
    : kind(kind), file(std::move(file)), record(std::move(record)),
      message(std::move(message)) {}

void FrontendError::log(llvm::raw_ostream &os) const {
  if (!file.empty())
    os << file << ": ";
  if (!record.empty())
    os << record << ": ";
  os << message;
}

std::error_code FrontendError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

llvm::Error inputFault(const llvm::Twine &record, const llvm::Twine &message) {
  return llvm::make_error<FrontendError>(FaultKind::Input, "", record.str(),
                                         message.str());
}

llvm::Error ioFault(const llvm::Twine &record, const llvm::Twine &message) {
  return llvm::make_error<FrontendError>(FaultKind::Io, "", record.str(),
                                         message.str());
}

llvm::Error inFile(llvm::Error error, const llvm::Twine &file,
                   const llvm::Twine &record) {
  if (!error)
    return error;
  return llvm::handleErrors(
      std::move(error),
      [&](std::unique_ptr<FrontendError> fault) -> llvm::Error {
        if (fault->file.empty())
          fault->file = file.str();
        if (fault->record.empty())
          fault->record = record.str();
        return llvm::Error(std::move(fault));
      });
}

} // namespace adze::frontend
