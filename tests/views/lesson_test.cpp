#include "views/reading/lesson.h"

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

TEST(Paragraphs, OfListsWithinListsStandFurtherIn) {
  const auto list = parseParagraphs("- a\n  - b\n\n    c\n- d\n\n3. e\n4. f\n\n> g\n");
  std::string all;
  for (const Paragraph& one : list)
    all += std::to_string(one.depth) +
           (one.number   ? std::to_string(*one.number) + "."
            : one.listed ? "-"
                         : "") +
           one.text + " ";
  EXPECT_EQ(all, "1-a 2-b 2c 1-d 13.e 14.f 1g ");
  EXPECT_LT(parseParagraphs(std::string(500, '>') + "x").at(0).depth, 10u) << "the panel is not that wide";
}

TEST(Paragraphs, ShowWhatIsMeantWithoutItsMarks) {
  const auto textOf = [](const char* markdown) { return parseParagraphs(markdown).at(0).text; };
  EXPECT_EQ(textOf("a *b* c **d** \\*e\\* f*g*h i_j_k __l__ &lt;&#955;"), "a b c d *e* fgh i_j_k l <λ");
  EXPECT_EQ(textOf("<b>bold</b> <https://a.b>"), "<b>bold</b> https://a.b");
  EXPECT_EQ(textOf("a\\\nb"), "a\nb");
  const auto code = parseParagraphs("```\nint *a;\n  b();\n```\n");
  EXPECT_TRUE(code.at(0).code);
  EXPECT_EQ(code[0].text, "int *a;\n  b();");
  EXPECT_TRUE(parseParagraphs("## Second [x](#banks)").at(0).heading);
}

TEST(Paragraphs, TellWhereALinkWouldLeadThatIsNotFollowed) {
  const auto text =
      parseParagraphs("[a](javascript:alert(1)) ![b *c*](#banks) [`d` e][f]\n\n[f]: <http://g h>");
  EXPECT_EQ(text.at(0).text, "a (javascript:alert(1)) b c (#banks) d e (http://g h)");
  EXPECT_TRUE(text[0].marks.empty());
}

TEST(Paragraphs, ALinkHasAllItsWordsAndItsEscapes) {
  const auto text =
      parseParagraphs("**Bold [a *b* `c`](#banks) too.** Not [d\ne](<#lanes> \"title\") [](#lanes)");
  EXPECT_EQ(text.at(0).lead, "") << "a lead has no link, so that it can be followed";
  EXPECT_EQ(text[0].text, "Bold a b c too. Not d e ");
  EXPECT_EQ(linkedPieces(text[0]), (std::vector<std::string>{"a b c -> banks", "d e -> lanes"}));
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
