// The Ladder's rows, for a catalogue made by hand.
#include <gtest/gtest.h>

#include "views/lessons/ladder_panel.h"

namespace stridescope::views {
namespace {

kernels::Variant variantOf(std::string_view id, kernels::Family family) {
  kernels::Variant variant;
  variant.id = variant.title = id;
  variant.family = family;
  variant.changed = "What changed.";
  return variant;
}

// Titles of one line of 20 pixels, sentences of two lines of 16, 5 above and below, headings of 30.
LadderMeasures measures() {
  return {.titleLine = 20,
          .sentenceLine = 16,
          .inset = 5,
          .heading = 30,
          .titleLines = [](const kernels::Variant&) { return 1; },
          .sentenceLines = [](const kernels::Variant&) { return 2; }};
}
constexpr float kWithSentence = 62, kWithout = 30, kHeading = 30;

TEST(LadderLayout, OneFamilyNeedsNoHeading) {
  const std::vector<kernels::Variant> variants{variantOf("a", kernels::Family::Ladder),
                                               variantOf("b", kernels::Family::Ladder)};
  const LadderLayout layout = layOutLadder(variants, "a", measures(), 1000);
  ASSERT_EQ(layout.rows.size(), 2u);
  EXPECT_EQ(layout.height, 2 * kWithSentence);
  EXPECT_EQ(layout.rows[1].top, kWithSentence);
}

TEST(LadderLayout, FamiliesStandTogetherUnderTheirHeadings) {
  const std::vector<kernels::Variant> variants{
      variantOf("a", kernels::Family::Ladder), variantOf("w", kernels::Family::OneWarp),
      variantOf("b", kernels::Family::Ladder), variantOf("x", kernels::Family::CommonBugs)};
  const LadderLayout layout = layOutLadder(variants, "a", measures(), 1000);
  std::string order;
  for (const LadderRow& row : layout.rows)
    order += row.variant == nullptr ? "[" + std::string(kernels::titleOf(row.family)) + "]"
                                    : std::string(row.variant->id);
  EXPECT_EQ(order, "[Ladder]ab[One warp]w[Common bugs]x");
  EXPECT_EQ(layout.height, 4 * kWithSentence + 3 * kHeading);
  EXPECT_EQ(layout.find("nobody"), nullptr);
}

TEST(LadderLayout, OnlyTheChosenOneKeepsItsSentenceWhereNotAllFit) {
  std::vector<kernels::Variant> variants(25, variantOf("a", kernels::Family::Ladder));
  variants[20] = variantOf("chosen", kernels::Family::Merge);
  const float all = 25 * kWithSentence + 2 * kHeading;
  EXPECT_EQ(layOutLadder(variants, "chosen", measures(), all).height, all);
  const LadderLayout layout = layOutLadder(variants, "chosen", measures(), all - 1);
  EXPECT_EQ(layout.height, 24 * kWithout + kWithSentence + 2 * kHeading);
  EXPECT_EQ(layout.find("chosen")->sentenceLines, 2);
  EXPECT_EQ(layout.find("a")->sentenceLines, 0);
}

TEST(LadderLayout, ATimeHasALineOfItsOwnWhereThereIsOne) {
  const std::vector<kernels::Variant> variants{variantOf("timed", kernels::Family::Ladder),
                                               variantOf("not", kernels::Family::Ladder)};
  LadderMeasures timed = measures();
  timed.timeLine = 15;
  timed.hasTimeLine = [](const kernels::Variant& variant) { return variant.id == "timed"; };
  const LadderLayout layout = layOutLadder(variants, "timed", timed, 1000);
  EXPECT_TRUE(layout.find("timed")->hasTimeLine);
  EXPECT_FALSE(layout.find("not")->hasTimeLine);
  EXPECT_EQ(layout.find("not")->top, kWithSentence + 15);
  EXPECT_EQ(layout.height, 2 * kWithSentence + 15);
}

// A list of 1000 pixels of which 200 are seen.
TEST(LadderLayout, TheChosenOneIsBroughtIntoViewAndNoFurther) {
  EXPECT_EQ(scrollTo(100, 30, 50, 200, 1000), 50) << "it is in view";
  EXPECT_EQ(scrollTo(500, 30, 50, 200, 1000), 360) << "at the lower end, with a neighbour's room below";
  EXPECT_EQ(scrollTo(100, 30, 400, 200, 1000), 70) << "at the upper end, with a neighbour's room above";
  EXPECT_EQ(scrollTo(0, 30, 400, 200, 1000), 0);
  EXPECT_EQ(scrollTo(970, 30, 0, 200, 1000), 800) << "no further than the list's end";
  EXPECT_EQ(scrollTo(0, 30, 0, 200, 100), 0) << "a list that fits does not scroll";
  EXPECT_EQ(scrollTo(100, 400, 0, 200, 1000), 100)
      << "a row that is higher than the room: from its upper edge";
}

}  // namespace
}  // namespace stridescope::views
