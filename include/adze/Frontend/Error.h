//===- Error.h - What can be wrong with a model file ----------------------===//
//
// Every reader of lib/Frontend reports through this one class: which file,
// which record of it, what was expected and what was found.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_ERROR_H
#define ADZE_FRONTEND_ERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace adze::frontend {

/// Whose fault it is: the content of the file (exit code 1), or the system that
/// could not open or read it (exit code 5).
enum class FaultKind { Input, Io };

class FrontendError : public llvm::ErrorInfo<FrontendError> {
public:
  static char ID;

  FrontendError(FaultKind kind, std::string file, std::string record,
                std::string message);

  /// "model.pt2: models/model.json: expected ..., but found ...".
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  FaultKind kind;
  std::string file;
  std::string record; // empty where the fault is none of a single record
  std::string message;
};

/// A fault of the content; `record` may be empty. The file name is filled in by
/// `inFile` further up.
llvm::Error inputFault(const llvm::Twine &record, const llvm::Twine &message);
llvm::Error ioFault(const llvm::Twine &record, const llvm::Twine &message);

/// Fills in the file, and the record, where the error does not name one yet.
llvm::Error inFile(llvm::Error error, const llvm::Twine &file,
                   const llvm::Twine &record = "");

} // namespace adze::frontend

#endif // ADZE_FRONTEND_ERROR_H
