#include "views/chrome/lesson.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "views/panels.h"

namespace stridescope::views {
namespace {

std::vector<std::string> linkedPieces(const Paragraph& paragraph) {
  std::vector<std::string> pieces;
  for (const TextMark& mark : paragraph.marks)
    if (mark.isLink)
      pieces.push_back(paragraph.text.substr(mark.begin, mark.end - mark.begin) + " -> " + mark.target);
  return pieces;
}

TEST(Lesson, JoinsLinesAndTakesTheMarksAway) {
  const auto lesson = parseParagraphs("# A title\n\n**Look at.** One line\nand `more` of it.\n\nPlain.\n");
  ASSERT_EQ(lesson.size(), 3u);
  EXPECT_TRUE(lesson[0].heading);
  EXPECT_EQ(lesson[0].text, "A title");
  EXPECT_EQ(lesson[1].lead, "Look at.");
  EXPECT_EQ(lesson[1].text, "One line and more of it.");
  EXPECT_EQ(lesson[2].lead, "");
  EXPECT_EQ(lesson[2].text, "Plain.");
}

TEST(Lesson, MarksItsLinksWhereTheyStand) {
  const auto lesson = parseParagraphs(
      "**Look at.** [Shared `memory`](#shared_memory), data[80], then\n[Banks](#banks@8) and "
      "[it](#variant/sequential).");
  ASSERT_EQ(lesson.size(), 1u);
  EXPECT_EQ(lesson[0].text, "Shared memory, data[80], then Banks and it.");
  EXPECT_EQ(linkedPieces(lesson[0]),
            (std::vector<std::string>{"Shared memory -> shared_memory", "Banks -> banks@8",
                                      "it -> variant/sequential"}));
}

TEST(Lesson, TakesOddTextsAsTheyAre) {
  EXPECT_TRUE(parseParagraphs("").empty());
  EXPECT_EQ(parseParagraphs("**never closed").at(0).text, "**never closed");
  EXPECT_EQ(parseParagraphs("**lead only**").at(0).lead, "lead only");
  EXPECT_EQ(parseParagraphs("**lead only**").at(0).text, "");
  for (const char* text : {"](#banks)", "[Banks](#banks", "a [b] (#c)", "]("})
    EXPECT_EQ(parseParagraphs(text).at(0).text, text);
}

TEST(Paragraphs, TellTheAddressesOfTheWeb) {
  const auto text = parseParagraphs("See [the guide](https://a.b/c) and [Banks](#banks).");
  EXPECT_EQ(text.at(0).text, "See the guide (https://a.b/c) and Banks.");
  EXPECT_EQ(linkedPieces(text[0]), std::vector<std::string>{"Banks -> banks"});
}

TEST(Paragraphs, OfAListHaveADotEach) {
  const auto list = parseParagraphs("Two:\n- one\n  and more\n- **Lead.** two [it](#banks)\r\n\nEnd.\n");
  ASSERT_EQ(list.size(), 4u);
  EXPECT_FALSE(list[0].listed);
  EXPECT_TRUE(list[1].listed && list[2].listed);
  EXPECT_EQ(list[1].text, "one and more");
  EXPECT_EQ(list[2].lead, "Lead.");
  EXPECT_EQ(linkedPieces(list[2]), std::vector<std::string>{"it -> banks"});
  EXPECT_FALSE(list[3].listed);
}

TEST(Paragraphs, ADeadLinkIsATextLikeAnyOther) {
  auto text = parseParagraphs("[a](#banks) [b](#bank) [c](#predict/actve) [d](#try?type=flot)");
  dropDeadLinks(text, allPanels());
  EXPECT_EQ(text.at(0).text, "a b c d");
  EXPECT_EQ(linkedPieces(text.at(0)), std::vector<std::string>{"a -> banks"});
}

// 'n warps', then 'warp' again: the first is underlined, both tell what they mean.
TEST(Lesson, UnderlinesAWordOfTheGlossaryWhereItHasItFirst) {
  const auto lesson = lessonOf("interleaved_modulo", {});
  std::vector<bool> warps;
  for (const Paragraph& paragraph : lesson)
    for (const TextMark& mark : paragraph.marks)
      if (!mark.isLink && mark.target == "warp") warps.push_back(mark.underlined);
  ASSERT_GT(warps.size(), 1u);
  EXPECT_TRUE(warps.front());
  EXPECT_EQ(std::ranges::count(warps, true), 1);
}

TEST(Lesson, WordsOfALinkAreOfTheLinkAlone) {
  for (const Paragraph& paragraph : lessonOf("interleaved_modulo", {}))
    for (const TextMark& mark : paragraph.marks)
      for (const TextMark& other : paragraph.marks)
        EXPECT_TRUE(&mark == &other || mark.end <= other.begin || other.end <= mark.begin) << paragraph.text;
}

}  // namespace
}  // namespace stridescope::views
