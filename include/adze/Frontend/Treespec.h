//===- Treespec.h - Nested structure of inputs and outputs ----------------===//
//
// The pytree of a calling convention: how the flat list of leaves is nested in
// tuples, lists, dicts and classes of the user.
//
//===----------------------------------------------------------------------===//

#ifndef ADZE_FRONTEND_TREESPEC_H
#define ADZE_FRONTEND_TREESPEC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace adze::frontend {

enum class TreeKind : uint8_t {
  Leaf,
  Tuple,
  List,
  Dict,
  NamedTuple,
  Deque,
  Other
};

struct Treespec {
  TreeKind kind = TreeKind::Leaf;
  std::string type; // "builtins.dict"; empty for a leaf
  /// Dict: the keys as Python spells them ("'x'", "1"); NamedTuple: field
  /// names; Other: field names if the context lists them, else empty.
  std::vector<std::string> keys;
  std::vector<Treespec> children;

  size_t numLeaves() const;
};

/// Parses "[1, {"type": ...}]"; namedtuple fields are looked up by `fieldsOf`
/// (pairs of type name and field names).
using NamedTupleFields =
    std::vector<std::pair<std::string, std::vector<std::string>>>;
llvm::Expected<Treespec> parseTreespec(llvm::StringRef text,
                                       const NamedTupleFields &fieldsOf);

/// A path to each leaf, left to right: "[0]['x'][2]", ".field" for fields.
std::vector<std::string> leafPaths(const Treespec &spec);

/// Paths of the leaves of an in_spec as guards spell them, "L['x'][0]['k']",
/// with the names of forward's arguments: positional arguments by
/// `forwardArgNames`, keyword arguments by their key.
std::vector<std::string>
inputLeafPaths(const Treespec &inSpec,
               llvm::ArrayRef<llvm::StringRef> forwardArgNames);

/// The leaf of a path out of guards_code. A *xs is one list there,
/// "L['xs'][1]", but "xs_1" among the names of the arguments.
std::optional<size_t> findInputLeaf(llvm::ArrayRef<std::string> leafPaths,
                                    llvm::StringRef path);

} // namespace adze::frontend

#endif // ADZE_FRONTEND_TREESPEC_H
