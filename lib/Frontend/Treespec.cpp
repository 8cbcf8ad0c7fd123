//===- Treespec.cpp - Nested structure of inputs and outputs --------------===//

#include "adze/Frontend/Treespec.h"

#include "Json.h"

#include "adze/Frontend/Error.h"

#include "llvm/ADT/STLExtras.h"

namespace adze::frontend {

size_t Treespec::numLeaves() const {
  if (kind == TreeKind::Leaf)
    return 1;
  size_t count = 0;
  for (const Treespec &child : children)
    count += child.numLeaves();
  return count;
}

namespace {

class TreespecReader {
public:
  explicit TreespecReader(const NamedTupleFields &fieldsOf)
      : fieldsOf(fieldsOf) {}

  llvm::Error read(const JsonValue &json, Treespec &spec);

private:
  llvm::Error readKeys(const JsonValue *context, Treespec &spec);
  llvm::Error readJsonKeys(llvm::StringRef text, Treespec &spec);
  void readNamedTuple(llvm::StringRef type, Treespec &spec);

  const NamedTupleFields &fieldsOf;
};

} // namespace

static llvm::Error fault(const llvm::Twine &message) {
  return inputFault("", "treespec: " + message);
}

static TreeKind kindOfType(llvm::StringRef type) {
  if (type == "builtins.tuple")
    return TreeKind::Tuple;
  if (type == "builtins.list")
    return TreeKind::List;
  if (type == "builtins.dict" || type == "collections.OrderedDict" ||
      type == "collections.defaultdict")
    return TreeKind::Dict;
  if (type == "collections.namedtuple")
    return TreeKind::NamedTuple;
  if (type == "collections.deque")
    return TreeKind::Deque;
  return TreeKind::Other;
}

/// A dict key as Python spells it; lists stand for tuples.
static std::string pythonKey(const JsonValue &key) {
  switch (key.kind()) {
  case JsonValue::Kind::String:
    return ("'" + key.asString() + "'").str();
  case JsonValue::Kind::Int:
    return std::to_string(key.asInt());
  case JsonValue::Kind::Bool:
    return key.asBool() ? "True" : "False";
  case JsonValue::Kind::Null:
    return "None";
  case JsonValue::Kind::Array: {
    std::string text = "(";
    for (const JsonMember &item : key.items())
      text += (text.size() > 1 ? ", " : "") + pythonKey(item.value);
    return text + (key.items().size() == 1 ? ",)" : ")");
  }
  default:
    return key.describe();
  }
}

/// Dict: "[\"x\", 1]"; a dataclass: "[[field names], [names that were None]]".
llvm::Error TreespecReader::readJsonKeys(llvm::StringRef text, Treespec &spec) {
  llvm::Expected<std::unique_ptr<JsonDocument>> document = parseJson(text);
  bool isDict = spec.kind == TreeKind::Dict;
  if (!document) {
    // The context of a class of the user means something to that class only.
    if (isDict)
      return document.takeError();
    llvm::consumeError(document.takeError());
    return llvm::Error::success();
  }
  const JsonValue *keys = &(*document)->root;
  if (!isDict && keys->isArray() && keys->items().size() == 2)
    keys = &keys->items()[0].value;
  if (keys->isArray())
    for (const JsonMember &key : keys->items())
      spec.keys.push_back(isDict                 ? pythonKey(key.value)
                          : key.value.isString() ? key.value.asString().str()
                                                 : "");
  return llvm::Error::success();
}

void TreespecReader::readNamedTuple(llvm::StringRef type, Treespec &spec) {
  spec.type = type.str();
  auto fields = llvm::find_if(
      fieldsOf, [&](const auto &entry) { return entry.first == type; });
  if (fields != fieldsOf.end())
    spec.keys = fields->second;
}

llvm::Error TreespecReader::readKeys(const JsonValue *context, Treespec &spec) {
  if (!context)
    return llvm::Error::success();
  // defaultdict: an object with the keys inside.
  if (const JsonValue *keys = context->lookup("dict_context")) {
    if (keys->isArray())
      for (const JsonMember &key : keys->items())
        spec.keys.push_back(pythonKey(key.value));
    else if (keys->isString())
      return readJsonKeys(keys->asString(), spec);
    return llvm::Error::success();
  }
  if (!context->isString())
    return llvm::Error::success();
  if (spec.kind == TreeKind::NamedTuple)
    readNamedTuple(context->asString(), spec);
  else if (spec.kind == TreeKind::Dict || spec.kind == TreeKind::Other)
    return readJsonKeys(context->asString(), spec);
  return llvm::Error::success();
}

llvm::Error TreespecReader::read(const JsonValue &json, Treespec &spec) {
  const JsonValue *type = json.lookup("type");
  const JsonValue *children = json.lookup("children_spec");
  if (!type || !children || !children->isArray())
    return fault("expected an object with type and children_spec, but found " +
                 json.describe());
  if (type->isNull()) {
    if (!children->items().empty())
      return fault("a leaf has children");
    return llvm::Error::success();
  }
  if (!type->isString())
    return fault("expected a type name, but found " + type->describe());
  spec.type = type->asString().str();
  spec.kind = kindOfType(spec.type);
  for (const JsonMember &child : children->items())
    if (llvm::Error error = read(child.value, spec.children.emplace_back()))
      return error;
  if (llvm::Error error = readKeys(json.lookup("context"), spec))
    return error;
  if (spec.kind == TreeKind::Dict && spec.keys.size() != spec.children.size())
    return fault("a dict of " + llvm::Twine(spec.children.size()) +
                 " children has " + llvm::Twine(spec.keys.size()) + " keys");
  if (spec.keys.size() != spec.children.size())
    spec.keys.clear();
  return llvm::Error::success();
}

llvm::Expected<Treespec> parseTreespec(llvm::StringRef text,
                                       const NamedTupleFields &fieldsOf) {
  llvm::Expected<std::unique_ptr<JsonDocument>> document = parseJson(text);
  if (!document)
    return document.takeError();
  const JsonValue &root = (*document)->root;
  if (!root.isArray() || root.items().size() != 2 ||
      !root.items()[0].value.isInt())
    return fault("expected [protocol, spec], but found " + root.describe());
  if (int64_t protocol = root.items()[0].value.asInt(); protocol != 1)
    return fault("expected protocol 1, but found " + llvm::Twine(protocol));
  Treespec spec;
  if (llvm::Error error =
          TreespecReader(fieldsOf).read(root.items()[1].value, spec))
    return error;
  return spec;
}

static std::string stepTo(const Treespec &parent, size_t child) {
  if (parent.keys.empty())
    return "[" + std::to_string(child) + "]";
  if (parent.kind == TreeKind::Dict)
    return "[" + parent.keys[child] + "]";
  return "." + parent.keys[child];
}

static void collectPaths(const Treespec &spec, const std::string &prefix,
                         std::vector<std::string> &paths) {
  if (spec.kind == TreeKind::Leaf) {
    paths.push_back(prefix);
    return;
  }
  for (size_t i = 0; i < spec.children.size(); ++i)
    collectPaths(spec.children[i], prefix + stepTo(spec, i), paths);
}

std::vector<std::string> leafPaths(const Treespec &spec) {
  std::vector<std::string> paths;
  collectPaths(spec, "", paths);
  return paths;
}

static std::string argumentRoot(llvm::ArrayRef<llvm::StringRef> names,
                                size_t position) {
  if (position >= names.size())
    return "L[" + std::to_string(position) + "]";
  return ("L['" + names[position] + "']").str();
}

std::vector<std::string>
inputLeafPaths(const Treespec &inSpec,
               llvm::ArrayRef<llvm::StringRef> forwardArgNames) {
  std::vector<std::string> paths;
  bool isCall = inSpec.children.size() == 2 &&
                inSpec.children[0].kind == TreeKind::Tuple &&
                inSpec.children[1].kind == TreeKind::Dict;
  if (!isCall) {
    collectPaths(inSpec, "L", paths);
    return paths;
  }
  const Treespec &args = inSpec.children[0], &kwargs = inSpec.children[1];
  for (size_t i = 0; i < args.children.size(); ++i)
    collectPaths(args.children[i], argumentRoot(forwardArgNames, i), paths);
  for (size_t i = 0; i < kwargs.children.size(); ++i)
    collectPaths(kwargs.children[i], "L[" + kwargs.keys[i] + "]", paths);
  return paths;
}

/// "L['xs'][1]['k']" -> "L['xs_1']['k']"; empty if there is no such prefix.
static std::string spellVarArg(llvm::StringRef path) {
  size_t first = path.find("'][");
  if (first == llvm::StringRef::npos)
    return "";
  llvm::StringRef rest = path.substr(first + 3);
  uint64_t index = 0;
  if (rest.consumeInteger(10, index) || !rest.consume_front("]"))
    return "";
  return (path.take_front(first) + "_" + llvm::Twine(index) + "']" + rest)
      .str();
}

std::optional<size_t> findInputLeaf(llvm::ArrayRef<std::string> leafPaths,
                                    llvm::StringRef path) {
  auto found = llvm::find(leafPaths, path);
  if (found == leafPaths.end())
    found = llvm::find(leafPaths, spellVarArg(path));
  if (found == leafPaths.end())
    return std::nullopt;
  return found - leafPaths.begin();
}

} // namespace adze::frontend
