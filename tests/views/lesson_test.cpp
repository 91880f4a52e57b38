#include "views/chrome/lesson.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stridescope::views {
namespace {

std::vector<std::string> linkedPieces(const LessonParagraph& paragraph) {
  std::vector<std::string> pieces;
  for (const TextMark& mark : paragraph.marks)
    if (mark.isLink)
      pieces.push_back(paragraph.text.substr(mark.begin, mark.end - mark.begin) + " -> " + mark.target);
  return pieces;
}

TEST(Lesson, JoinsLinesAndTakesTheMarksAway) {
  const auto lesson = parseLesson("# A title\n\n**Look at.** One line\nand `more` of it.\n\nPlain.\n");
  ASSERT_EQ(lesson.size(), 3u);
  EXPECT_TRUE(lesson[0].heading);
  EXPECT_EQ(lesson[0].text, "A title");
  EXPECT_EQ(lesson[1].lead, "Look at.");
  EXPECT_EQ(lesson[1].text, "One line and more of it.");
  EXPECT_EQ(lesson[2].lead, "");
  EXPECT_EQ(lesson[2].text, "Plain.");
}

TEST(Lesson, MarksItsLinksWhereTheyStand) {
  const auto lesson = parseLesson(
      "**Look at.** [Shared `memory`](#shared_memory), data[80], then\n[Banks](#banks@8) and "
      "[it](#variant/sequential).");
  ASSERT_EQ(lesson.size(), 1u);
  EXPECT_EQ(lesson[0].text, "Shared memory, data[80], then Banks and it.");
  EXPECT_EQ(linkedPieces(lesson[0]),
            (std::vector<std::string>{"Shared memory -> shared_memory", "Banks -> banks@8",
                                      "it -> variant/sequential"}));
}

TEST(Lesson, TakesOddTextsAsTheyAre) {
  EXPECT_TRUE(parseLesson("").empty());
  EXPECT_EQ(parseLesson("**never closed").at(0).text, "**never closed");
  EXPECT_EQ(parseLesson("**lead only**").at(0).lead, "lead only");
  EXPECT_EQ(parseLesson("**lead only**").at(0).text, "");
  for (const char* text : {"](#banks)", "[Banks](#banks", "a [b] (#c)", "]("})
    EXPECT_EQ(parseLesson(text).at(0).text, text);
}

TEST(LessonLink, LeadsToAPanelARoundOrAVariant) {
  EXPECT_EQ(linkTarget("banks").panel, "banks");
  EXPECT_EQ(linkTarget("banks").stride, std::nullopt);
  EXPECT_EQ(linkTarget("banks@16").panel, "banks");
  EXPECT_EQ(linkTarget("banks@16").stride, std::optional<std::uint64_t>(16));
  EXPECT_EQ(linkTarget("banks@x").stride, std::nullopt);
  EXPECT_EQ(linkTarget("banks@").stride, std::nullopt);
  EXPECT_EQ(linkTarget("banks@0").stride, std::optional<std::uint64_t>(0));
  EXPECT_TRUE(linkTarget("banks@last").isLastRound);
  EXPECT_FALSE(linkTarget("banks@8").isLastRound);
  EXPECT_EQ(linkTarget("variant/sequential").variant, "sequential");
  EXPECT_EQ(linkTarget("variant/sequential").panel, "");
}

// 'n warps', then 'warp' again: the first is underlined, both tell what they mean.
TEST(Lesson, UnderlinesAWordOfTheGlossaryWhereItHasItFirst) {
  const auto lesson = lessonOf("interleaved_modulo", {});
  std::vector<bool> warps;
  for (const LessonParagraph& paragraph : lesson)
    for (const TextMark& mark : paragraph.marks)
      if (!mark.isLink && mark.target == "warp") warps.push_back(mark.underlined);
  ASSERT_GT(warps.size(), 1u);
  EXPECT_TRUE(warps.front());
  EXPECT_EQ(std::ranges::count(warps, true), 1);
}

TEST(Lesson, WordsOfALinkAreOfTheLinkAlone) {
  for (const LessonParagraph& paragraph : lessonOf("interleaved_modulo", {}))
    for (const TextMark& mark : paragraph.marks)
      for (const TextMark& other : paragraph.marks)
        EXPECT_TRUE(&mark == &other || mark.end <= other.begin || other.end <= mark.begin) << paragraph.text;
}

}  // namespace
}  // namespace stridescope::views
