#include "views/chrome/lesson.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

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

TEST(Lesson, NamesThePanelsThatItLinksTo) {
  const auto lesson = parseLesson(
      "**Look at.** [Shared memory](#shared_memory), data[80], then\n[Banks](#banks) and [it](#banks).");
  ASSERT_EQ(lesson.size(), 1u);
  EXPECT_EQ(lesson[0].text, "Shared memory, data[80], then Banks and it.");
  EXPECT_EQ(lesson[0].panels, (std::vector<std::string>{"shared_memory", "banks"}));
}

TEST(Lesson, TakesOddTextsAsTheyAre) {
  EXPECT_TRUE(parseLesson("").empty());
  EXPECT_EQ(parseLesson("**never closed").at(0).text, "**never closed");
  EXPECT_EQ(parseLesson("**lead only**").at(0).lead, "lead only");
  for (const char* text : {"](#banks)", "[Banks](#banks", "a [b] (#c)", "]("})
    EXPECT_EQ(parseLesson(text).at(0).text, text);
}

}  // namespace
}  // namespace stridescope::views
