//===- StatusDiagnostics.h - Diagnostics of a status ------------*- C++ -*-===//
//
// adze and the runner in executables have the same ids, in an enum of each.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_STATUSDIAGNOSTICS_H
#define ADZE_SUPPORT_STATUSDIAGNOSTICS_H

#include "adze/adze.h"

namespace adze {

/// What adze reports when a function of the C ABI returns `status`.
template <typename DiagId> constexpr DiagId diagIdOf(int32_t status) {
  switch (status) {
  case ADZE_GUARD_FAILED:
  case ADZE_UNSUPPORTED_CPU:
    return DiagId::GuardFailed;
  case ADZE_RUNTIME_ERROR:
  case ADZE_OUT_OF_MEMORY:
    return DiagId::CallFailed;
  case ADZE_IO_ERROR:
    return DiagId::CannotRead;
  case ADZE_BAD_ARTIFACT:
    return DiagId::BadArtifact;
  case ADZE_INVALID_ARGUMENT:
    return DiagId::BadInputs;
  default:
    return DiagId::InternalError;
  }
}

} // namespace adze

#endif // ADZE_SUPPORT_STATUSDIAGNOSTICS_H
