//===- ExitCode.h - What the exit code of adze means ----------------------===//

#ifndef ADZE_SUPPORT_EXITCODE_H
#define ADZE_SUPPORT_EXITCODE_H

namespace adze {

enum class ExitCode : int {
  Done = 0,
  BadInput = 1,    // unreadable, unsupported, graph break under --fullgraph
  Usage = 2,       // the command line
  Differs = 3,     // verify: results differ, or there was nothing to compare
  GuardFailed = 4, // a guard, or an error that depends on the data of the call
  FileError = 5,   // a file could not be read or written
  Internal = 70,   // a bug in adze
};

} // namespace adze

#endif // ADZE_SUPPORT_EXITCODE_H
