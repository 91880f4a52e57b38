// Texts that are made to take long: each ends in moments, read or refused.
#include <gtest/gtest.h>

#include "markdown/read.h"

namespace stridescope::markdown {
namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;  // as large as a tour may be

std::string repeated(std::string_view piece, std::size_t bytes = kMebibyte) {
  std::string text;
  while (text.size() + piece.size() <= bytes) text += piece;
  return text;
}

std::string errorOf(const std::string& text) {
  const auto blocks = read(text);
  return blocks ? "none" : blocks.error().sentence;
}

// Each blank line is held against each open list: here a quarter of a million against half a million.
TEST(MarkdownLimits, WhatIsNestedTooDeeplyIsRefusedWithItsLine) {
  const std::string lists = repeated("- ", kMebibyte / 2) + "a\n" + repeated("\n", kMebibyte / 2);
  EXPECT_EQ(errorOf("a\r\n" + lists).find("Line 2 begins with more than 1000 bytes"), 0u);
  for (const char* marks : {">", "> ", "1) ", "* + "})
    EXPECT_NE(errorOf(repeated(marks, kMaxLineMarks + 8) + "a"), "none") << marks;
}

TEST(MarkdownLimits, WhatIsNestedLessIsRead) {
  const auto blocks = read(repeated("- ", kMaxLineMarks) + "a\n" + repeated("\n"));
  ASSERT_TRUE(blocks);
  EXPECT_EQ(blocks->at(0).lists, kMaxLineMarks / 2);
  EXPECT_EQ(errorOf(std::string(kMebibyte, ' ')), "none") << "an empty line opens nothing";
  EXPECT_EQ(errorOf(std::string(kMebibyte, 'a')), "none");
}

// Half a mebibyte of target, a hundred thousand times.
TEST(MarkdownLimits, ReferencesThatRepeatALongDefinitionAreRefused) {
  for (const char* target : {"#", "#\\_", "# '"}) {
    const std::string quote = std::string_view(target).ends_with('\'') ? "'" : "";
    const std::string text = "[a]: " + std::string(target) + std::string(kMebibyte / 2, 'x') + quote +
                             "\n\n" + repeated("[a] ", kMebibyte / 2);
    EXPECT_EQ(errorOf(text).find("The targets and titles of all links together"), 0u) << target;
  }
  EXPECT_EQ(errorOf("[a]: #" + std::string(1000, 'x') + "\n\n" + repeated("[a] ", 40000)), "none");
}

// A hundred thousand links in one line, each with its column.
TEST(MarkdownLimits, ManyLinksInALineHaveTheirColumns) {
  const std::string text = repeated("[a](#b) ");
  const auto blocks = read(text);
  ASSERT_TRUE(blocks);
  ASSERT_EQ(blocks->at(0).links.size(), text.size() / 8);
  EXPECT_EQ(blocks->at(0).links.back().column, text.size() - 3);
}

TEST(MarkdownLimits, MarksWithoutAnEndAreText) {
  for (const char* marks :
       {"[", "![[]()", "[a](", "*a ", "*a _b ", "`", "`a ``b ", "<", "<a:", "&", "\\", "](b"})
    EXPECT_EQ(errorOf(repeated(marks)), "none") << marks;
  EXPECT_EQ(errorOf(std::string(kMebibyte, '\0')), "none");
  EXPECT_EQ(errorOf(std::string(kMebibyte, '\xff')), "none");
}

}  // namespace
}  // namespace stridescope::markdown
