//===- AtenSchemaTest.cpp - The table of operator schemas -----------------===//

#include "adze/Frontend/AtenSchema.h"

#include "gtest/gtest.h"

#include "llvm/ADT/STLExtras.h"

using namespace adze::frontend;

TEST(AtenSchema, EveryLineParsesAndIsInOrder) {
  llvm::StringRef last;
  for (llvm::StringRef line : allSchemaLines()) {
    llvm::Expected<OpSchema> schema = parseSchema(line);
    ASSERT_TRUE(bool(schema)) << llvm::toString(schema.takeError());
    EXPECT_LT(last, schema->name);
    EXPECT_NE(lookupSchema(schema->name), nullptr) << schema->name.str();
    last = schema->name;
  }
  EXPECT_GT(allSchemaLines().size(), 3000u);
}

TEST(AtenSchema, KnowsDefaultsAndKeywords) {
  const OpSchema *add = lookupSchemaOfTarget("torch.ops.aten.add.Tensor");
  ASSERT_NE(add, nullptr);
  ASSERT_EQ(add->arguments.size(), 3u);
  EXPECT_FALSE(add->arguments[0].defaultValue);
  const SchemaArgument &alpha = add->arguments[2];
  EXPECT_EQ(alpha.name, "alpha");
  EXPECT_TRUE(alpha.isKeywordOnly);
  EXPECT_EQ(alpha.type.base, SchemaBase::Scalar);
  EXPECT_EQ(alpha.defaultValue->integer, 1);
  EXPECT_FALSE(add->isMutating());
}

TEST(AtenSchema, KnowsWritesAndViews) {
  EXPECT_TRUE(lookupSchema("aten::add_.Tensor")->isMutating());
  const OpSchema *view = lookupSchema("aten::view");
  EXPECT_EQ(view, lookupSchema("aten::view.default"));
  EXPECT_EQ(view->arguments[0].alias.set, "a");
  EXPECT_FALSE(view->arguments[0].alias.isWrite);
  EXPECT_EQ(view->returns[0].alias.set, "a");
  const OpSchema *foreach = lookupSchema("aten::_foreach_add_.Scalar");
  EXPECT_TRUE(foreach->arguments[0].alias.isWrite);
  EXPECT_TRUE(foreach->arguments[0].type.isList);
  EXPECT_TRUE(foreach->returns.empty());
}

TEST(AtenSchema, ReadsListsAndOptionals) {
  auto typeOf = [](llvm::StringRef op, llvm::StringRef argument) {
    return toString(lookupSchema(op)->lookup(argument)->type);
  };
  EXPECT_EQ(typeOf("aten::index.Tensor", "indices"), "Tensor?[]");
  EXPECT_EQ(typeOf("aten::sum.dim_IntList", "dim"), "int[1]?");
  EXPECT_EQ(typeOf("aten::conv2d", "stride"), "SymInt[2]");
  const auto &stride =
      lookupSchema("aten::conv2d")->lookup("stride")->defaultValue;
  ASSERT_EQ(stride->kind, ArgKind::Ints);
  EXPECT_EQ(stride->items.size(), 2u);
  EXPECT_EQ(stride->items[1].integer, 1);
}

TEST(AtenSchema, TranslatesNumbersOfEnums) {
  // The registry says c10's Long = 4, the file format says LONG = 5.
  for (llvm::StringRef line : allSchemaLines())
    if (line.contains("ScalarType? dtype=4")) {
      OpSchema schema = llvm::cantFail(parseSchema(line));
      EXPECT_EQ(schema.lookup("dtype")->defaultValue->dtype(),
                adze::DType::Int64);
      return;
    }
  FAIL() << "no such line";
}

TEST(AtenSchema, AcceptsWhatTheSerializerWrites) {
  SchemaType tensor, list, dims;
  tensor.base = list.base = SchemaBase::Tensor;
  list.isList = list.elementsAreOptional = true;
  dims.base = SchemaBase::Int;
  dims.isList = true;
  Argument value;
  value.kind = ArgKind::Float;
  EXPECT_TRUE(accepts(tensor, value)); // a wrapped number
  EXPECT_FALSE(accepts(dims, value));
  value.kind = ArgKind::None;
  EXPECT_FALSE(accepts(tensor, value));
  Argument empty;
  empty.kind = ArgKind::Tensors; // an empty list is of any type
  EXPECT_TRUE(accepts(dims, empty));
  empty.items.push_back(value);
  EXPECT_FALSE(accepts(dims, empty));
  EXPECT_TRUE(accepts(list, empty));
}

TEST(AtenSchema, RejectsDamagedText) {
  for (const char *text : {"", "aten::f", "aten::f(", "aten::f(Tensor) -> ",
                           "aten::f(Tensor a -> Tensor", "f(Tensor a) -> ()",
                           "aten::f(int a=) -> ()"}) {
    llvm::Expected<OpSchema> schema = parseSchema(text);
    EXPECT_FALSE(bool(schema)) << text;
    llvm::consumeError(schema.takeError());
  }
}
