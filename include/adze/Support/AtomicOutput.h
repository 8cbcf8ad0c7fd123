//===- AtomicOutput.h - Files and folders that appear whole or not at all -===//
//
// Output is written beside its place under a temporary name and renamed at the
// end, so that nobody sees half of it and a failed run leaves what was there.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_SUPPORT_ATOMICOUTPUT_H
#define ADZE_SUPPORT_ATOMICOUTPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace adze {

/// Calls `write` with a stream and puts the result at `path`. Writes to the
/// standard output, without atomicity, for "-". When `write` fails or the disk
/// does, `path` is left as it was.
llvm::Error
writeAtomically(llvm::StringRef path,
                llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);

/// The same for a writer that wants a file name.
llvm::Error
writeAtomicallyAt(llvm::StringRef path,
                  llvm::function_ref<llvm::Error(llvm::StringRef)> write);

/// A folder under construction. Destroyed before commit() it disappears.
class AtomicDir {
public:
  /// `path` is where the folder shall be. An existing folder there may be
  /// replaced only when all its entries are among `replaceable`: a mistyped
  /// `-o` must not delete somebody's files.
  static llvm::Expected<AtomicDir>
  create(llvm::StringRef path, llvm::ArrayRef<llvm::StringRef> replaceable);

  AtomicDir(AtomicDir &&other) noexcept;
  AtomicDir &operator=(AtomicDir &&) = delete;
  ~AtomicDir();

  /// Where to write: a folder that exists and is empty at first.
  llvm::StringRef path() const { return temporary; }

  /// Puts the folder in its place, in one step for whoever looks at it.
  llvm::Error commit();

private:
  AtomicDir(std::string destination, std::string temporary)
      : destination(std::move(destination)), temporary(std::move(temporary)) {}

  std::string destination;
  std::string temporary; // empty once committed or moved from
};

} // namespace adze

#endif // ADZE_SUPPORT_ATOMICOUTPUT_H
