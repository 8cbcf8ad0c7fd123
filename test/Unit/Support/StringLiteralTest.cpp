//===- StringLiteralTest.cpp - Strings as Python writes them --------------===//

#include "adze/Support/StringLiteral.h"

#include "gtest/gtest.h"

using namespace adze;

TEST(StringLiteral, IsWhatPythonReads) {
  EXPECT_EQ(toStringLiteral("relu"), "'relu'");
  EXPECT_EQ(toStringLiteral("it's a \"b\"\\\n\x01"),
            "'it\\'s a \"b\"\\\\\\n\\x01'");
  EXPECT_EQ(toStringLiteral("\xc3\xa9"), "'\xc3\xa9'");
}

TEST(StringLiteral, ComesBack) {
  std::string all = "'\"\\ == \xe2\x82\xac";
  for (char c = 1; c < 127; ++c)
    all += c;
  EXPECT_EQ(parseStringLiteral(toStringLiteral(all)), all);
  EXPECT_EQ(parseStringLiteral("''"), "");
}

TEST(StringLiteral, RefusesWhatIsNone) {
  for (const char *text :
       {"", "'", "a", "\"a\"", "'a", "'\\'", "'\\x1'", "'\\q'"})
    EXPECT_EQ(parseStringLiteral(text), std::nullopt) << text;
}
