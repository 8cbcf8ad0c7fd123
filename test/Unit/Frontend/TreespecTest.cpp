//===- TreespecTest.cpp - Nested structure of inputs and outputs ----------===//

#include "TestArchive.h"

using namespace adze::frontend;

static const std::string leaf =
    R"({"type": null, "context": null, "children_spec": []})";

static std::string tree(const std::string &type, const std::string &context,
                        const std::string &children) {
  return "{\"type\": \"" + type + "\", \"context\": " + context +
         ", \"children_spec\": [" + children + "]}";
}

static Treespec parse(const std::string &node) {
  return llvm::cantFail(
      parseTreespec("[1, " + node + "]", {{"P", {"left", "right"}}}));
}

TEST(Treespec, NamesLeaves) {
  Treespec spec = parse(tree(
      "builtins.tuple", "\"null\"",
      tree("builtins.list", "\"null\"", leaf) + ", " +
          tree("builtins.dict", R"("[\"k\", 1, [2, 3]]")",
               leaf + ", " + leaf + ", " + leaf) +
          ", " + tree("collections.namedtuple", "\"P\"", leaf + ", " + leaf)));
  EXPECT_EQ(spec.numLeaves(), 6u);
  EXPECT_EQ(leafPaths(spec),
            (std::vector<std::string>{"[0][0]", "[1]['k']", "[1][1]",
                                      "[1][(2, 3)]", "[2].left", "[2].right"}));
}

TEST(Treespec, SpellsPathsOfGuards) {
  Treespec spec =
      parse(tree("builtins.tuple", "\"null\"",
                 tree("builtins.tuple", "\"null\"",
                      leaf + ", " + tree("builtins.list", "\"null\"", leaf)) +
                     ", " + tree("builtins.dict", R"("[\"y\"]")", leaf)));
  std::vector<std::string> paths = inputLeafPaths(spec, {"x", "args_0", "y"});
  EXPECT_EQ(paths,
            (std::vector<std::string>{"L['x']", "L['args_0'][0]", "L['y']"}));
  EXPECT_EQ(findInputLeaf(paths, "L['y']"), 2u);
  EXPECT_EQ(findInputLeaf(paths, "L['args'][0][0]"), 1u);
  EXPECT_EQ(findInputLeaf(paths, "L['z']"), std::nullopt);
}

TEST(Treespec, KeepsKeysOfOtherContainers) {
  EXPECT_EQ(
      parse(tree("collections.defaultdict", R"({"dict_context": ["a"]})", leaf))
          .keys,
      std::vector<std::string>{"'a'"});
  Treespec data = parse(tree("my.Data", R"("[[\"f\"], [\"g\"]]")", leaf));
  EXPECT_EQ(data.kind, TreeKind::Other);
  EXPECT_EQ(leafPaths(data), std::vector<std::string>{".f"});
  EXPECT_EQ(leafPaths(parse(tree("my.Opaque", "\"whatever\"", leaf))),
            std::vector<std::string>{"[0]"});
}

TEST(Treespec, RejectsWhatIsNone) {
  auto error = [](const std::string &text) {
    return errorOf(parseTreespec(text, {}));
  };
  EXPECT_HAS(error("[2, " + leaf + "]"), "expected protocol 1, but found 2");
  EXPECT_HAS(error("{}"), "expected [protocol, spec]");
  EXPECT_HAS(error("[1, {\"type\": null}]"), "expected an object with type");
  EXPECT_HAS(error("[1, " + tree("builtins.dict", "\"[]\"", leaf) + "]"),
             "a dict of 1 children has 0 keys");
  std::string deep = leaf;
  for (int i = 0; i < 400; ++i)
    deep = tree("builtins.list", "\"null\"", deep);
  EXPECT_HAS(error("[1, " + deep + "]"), "nested deeper than");
}
