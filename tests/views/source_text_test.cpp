// Where the Source panel's text stands: lines are never broken, labels stand at their brackets, and the view
// is scrolled to what executes.
#include "views/source/source_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/fake_engine.h"
#include "support/ladder_trace.h"
#include "views/shared/linked_highlight.h"

namespace stridescope::views {
namespace {

constexpr float kGlyph = 7;

SourceTextMeasures measuresFor(float room, float scroll = 0) {
  return {.room = room,
          .scroll = scroll,
          .glyph = kGlyph,
          .lineHeight = 17,
          .labelHeight = 22,
          .furtherLabelHeight = 15,
          .between = 6,
          .figureEnd = -7,
          .figureLeft = -43,
          .wordsWidth = [](const std::string& words) { return 6.5f * float(words.size()); }};
}

SourceLabel labelAt(int column, int length, int characters) {
  return {.from = kGlyph * float(column - 1),
          .to = kGlyph * float(column - 1 + length),
          .words = std::string(std::size_t(characters), 'x'),
          .width = kGlyph * float(characters)};
}

// It begins before its bracket ends, and ends after that begins.
bool standsAtItsBracket(const SourceLabel& label) {
  return label.left < label.to && label.left + label.width > label.from;
}

void expectNoneTouch(const std::vector<SourceLabel>& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (labels[i].row != labels[j].row || labels[i].words.empty() || labels[j].words.empty()) continue;
      const SourceLabel &first = labels[i].left < labels[j].left ? labels[i] : labels[j],
                        &second = labels[i].left < labels[j].left ? labels[j] : labels[i];
      EXPECT_LE(first.left + first.width, second.left) << i << " and " << j;
    }
}

TEST(SourceLabels, StandInTheMiddleUnderTheirBracket) {
  std::vector<SourceLabel> labels{labelAt(11, 10, 2)};
  placeLabels(labels, 0, 1000, kGlyph);
  EXPECT_EQ(labels[0].left, 98);
  EXPECT_EQ(labels[0].row, 0);
}

TEST(SourceLabels, GiveWayToTheSideAsLongAsTheyBeginUnderTheirBracket) {
  std::vector<SourceLabel> labels{labelAt(1, 11, 14), labelAt(13, 11, 12)};
  placeLabels(labels, 0, 1000, kGlyph);
  EXPECT_EQ(labels[1].row, 0);
  EXPECT_EQ(labels[1].left, labels[0].left + labels[0].width + kGlyph);
  EXPECT_TRUE(standsAtItsBracket(labels[1]));
}

TEST(SourceLabels, GoBelowWhereTheyWouldLeaveTheirBracket) {
  std::vector<SourceLabel> labels{labelAt(1, 4, 24), labelAt(6, 4, 24), labelAt(11, 4, 24)};
  placeLabels(labels, 0, 1000, kGlyph);
  EXPECT_EQ(labels[0].row, 0);
  EXPECT_EQ(labels[1].row, 1);
  EXPECT_EQ(labels[2].row, 2);
  for (const SourceLabel& label : labels) EXPECT_TRUE(standsAtItsBracket(label));
}

TEST(SourceLabels, StayBesideTheMarginsFigureAndWithinTheLine) {
  std::vector<SourceLabel> labels{labelAt(1, 4, 10), labelAt(40, 4, 20)};
  placeLabels(labels, 15, 43 * kGlyph, kGlyph);
  EXPECT_EQ(labels[0].left, 15);
  EXPECT_EQ(labels[1].left + labels[1].width, 43 * kGlyph) << "it ends with the line";
}

TEST(SourceLabels, StandUnderWhatTheViewHasOfTheirBracket) {
  std::vector<SourceLabel> labels{labelAt(1, 20, 4), labelAt(28, 20, 4)};
  placeLabels(labels, 15 * kGlyph, 30 * kGlyph, kGlyph, 15 * kGlyph);
  EXPECT_EQ(labels[0].left, 16 * kGlyph - 3) << "in the middle between characters 15 and 20";
  EXPECT_EQ(labels[1].left + labels[1].width, 30 * kGlyph);
  EXPECT_EQ(labels[1].row, 0);
}

TEST(SourceLabels, OfBracketsOutsideStandAtTheViewsEdges) {
  std::vector<SourceLabel> labels{labelAt(1, 5, 8), labelAt(60, 5, 20)};
  placeLabels(labels, 15 * kGlyph, 40 * kGlyph, kGlyph, 10 * kGlyph);
  EXPECT_EQ(labels[0].left, 15 * kGlyph) << "behind the margin's figure";
  EXPECT_EQ(labels[1].left, 20 * kGlyph);
  EXPECT_EQ(labels[1].row, 1) << "beside the first there is no room";
}

TEST(SourceLabels, GoBelowTheMarginsFigureWhereTheyDoNotFitBesideIt) {
  std::vector<SourceLabel> labels{labelAt(8, 5, 28)};
  placeLabels(labels, 5 * kGlyph, 30 * kGlyph, kGlyph, 0);
  EXPECT_EQ(labels[0].row, 1);
  EXPECT_GE(labels[0].left, 0);
  EXPECT_LE(labels[0].left + labels[0].width, 30 * kGlyph);
}

TEST(SourceLabels, EndWithTheViewIfTheyAreWider) {
  std::vector<SourceLabel> labels{labelAt(2, 5, 50)};
  placeLabels(labels, 0, 30 * kGlyph, kGlyph);
  EXPECT_EQ(labels[0].left, 0);
  EXPECT_EQ(labels[0].width, 30 * kGlyph);
}

// All words of the text's labels.
std::vector<std::string> wordsIn(const SourceText& text) {
  std::vector<std::string> words;
  for (const SourceTextRow& row : text.rows)
    for (const SourceLabel& label : row.labels)
      if (!label.words.empty()) words.push_back(label.words);
  return words;
}

TEST(SourceText, NamesWhatTheViewCutsAndPointsThere) {
  support::FakeEngines engines;
  const auto session = support::sessionOf(engines, support::ladderExperiment("interleaved_contiguous"), 1);
  const session::Replay& replay = session->replay();
  const unsigned thread = shownThread(replay, LinkedHighlight(replay));
  const auto wordsWith = [&](float room, float scroll) {
    return wordsIn(layOutSource(replay, thread, measuresFor(room, scroll)));
  };
  const auto whole = wordsWith(700, 0);
  ASSERT_FALSE(whole.empty());
  for (const std::string& words : whole) EXPECT_EQ(words.find("›"), std::string::npos) << words;
  const auto has = [](const std::vector<std::string>& all, const std::string& part) {
    return std::ranges::any_of(all, [&](const std::string& words) { return words.starts_with(part); });
  };
  const auto cut = wordsWith(kGlyph * 42, 0);
  EXPECT_TRUE(has(cut, "data[index + s]: ")) << "the view ends before it";
  EXPECT_TRUE(std::ranges::any_of(cut, [](const auto& words) { return words.ends_with(" ›"); }));
  EXPECT_TRUE(has(cut, "becomes ")) << "it is in view";
  EXPECT_TRUE(has(wordsWith(kGlyph * 42, kGlyph * 26), "‹ data[index] becomes ")) << "scrolled away";
}

// Every variant, every round, in a view of any width.
TEST(SourceText, HasOneRowForEachLineAndItsLabelsAtTheirBrackets) {
  for (const std::string variant : {"interleaved_modulo", "interleaved_contiguous", "sequential"}) {
    support::FakeEngines engines;
    const auto session = support::sessionOf(engines, support::ladderExperiment(variant), 0);
    const session::Replay& replay = session->replay();
    const auto lines =
        splitLines(replay.run()->trace.preamble).size() + splitLines(replay.run()->trace.kernelText).size();
    for (unsigned round = 0; round < replay.launchAnalysis().rounds.size(); ++round) {
      session->apply(session::GoToRound{0, round});
      for (const float room : {60.0f, 240.0f, 387.0f, 600.0f, 2000.0f})
        for (const float scroll : {0.0f, 45.0f, 150.0f}) {
          const SourceText text =
              layOutSource(replay, shownThread(replay, LinkedHighlight(replay)), measuresFor(room, scroll));
          ASSERT_EQ(text.rows.size(), lines);
          const float left = std::min(scroll, std::max(0.0f, std::ceil(text.width - room)));
          float longest = 0;
          for (std::size_t row = 0; row < text.rows.size(); ++row) {
            const SourceTextRow& each = text.rows[row];
            ASSERT_EQ(each.line, int(row)) << "a line is no more than one row";
            longest = std::max(longest, kGlyph * float(text.lines[row].size()));
            expectNoneTouch(each.labels);
            for (const SourceLabel& label : each.labels) {
              const bool isInView = label.from < left + room && label.to > left;
              EXPECT_TRUE(label.words.empty() || !isInView || standsAtItsBracket(label))
                  << variant << " " << label.words;
              EXPECT_LE(label.left + label.width, text.width);
              if (label.words.empty()) continue;
              EXPECT_GE(label.left, left) << label.words;
              EXPECT_LE(label.left + label.width, left + room + 0.5f) << label.words;
            }
          }
          EXPECT_GE(text.width, longest) << "all of it can be scrolled to";
        }
    }
  }
}

// Brackets at 700 to 770 and at 70 to 140 in a text of 1000.
SourceText textWithBrackets() {
  SourceText text;
  text.width = 1000;
  text.rows.push_back({.line = 0, .labels = {labelAt(101, 10, 0), labelAt(11, 10, 0)}});
  text.rows[0].labels[0].site = 3;
  text.rows[0].labels[1].site = 4;
  return text;
}

TEST(SourceScroll, BringsTheBracketOfASiteIntoView) {
  const SourceText text = textWithBrackets();
  EXPECT_EQ(scrollToSite(text, 300, 4, 0), 0) << "it is there";
  const float right = scrollToSite(text, 300, 3, 0);
  EXPECT_LE(right, 700);
  EXPECT_GE(right + 300, 770);
  EXPECT_LE(scrollToSite(text, 300, 4, right), 70) << "and back";
  EXPECT_EQ(scrollToSite(text, 300, 99, 55), 55) << "the site has none";
}

// Forty lines of 20 pixels without a preamble, of which those from `first` to `last` execute.
SourceText textWith(int first, int last) {
  SourceText text;
  for (int line = 0; line < 40; ++line) {
    text.lines.push_back("x");
    text.rows.push_back({.line = line, .top = 20.0f * float(line), .height = 20});
    if (line < first || line > last) continue;
    text.executing[text.numberOf(line)];
    if (text.executingTop < 0) text.executingTop = text.rows.back().top;
    text.executingBottom = text.rows.back().top + 20;
  }
  text.height = 800;
  return text;
}

TEST(SourceScroll, KeepsAllExecutingLinesInViewAndCutsNoFirstLine) {
  for (const float room : {105.0f, 200.0f, 390.0f})
    for (int first = 0; first < 40; ++first)
      for (int last = first; last < 40; ++last) {
        const SourceText text = textWith(first, last);
        const float scroll = scrollToExecuting(text, room);
        ASSERT_EQ(scroll, 20.0f * float(int(scroll / 20))) << "the first row is cut";
        ASSERT_LE(scroll, greatestScroll(text, room));
        const LinesOutside outside = executingOutside(text, scroll, scroll + room);
        const int lines = last - first + 1;
        ASSERT_EQ(outside.above + outside.below, std::max(0, lines - int(room / 20)))
            << first << " " << last << " " << room;
      }
}

// Line 2 and lines 30 to 32 execute, and ten fit: the three are in view.
TEST(SourceScroll, KeepsAsManyInViewAsCanBe) {
  SourceText text = textWith(30, 32);
  text.executing[text.numberOf(2)];
  text.executingTop = 40;
  const float scroll = scrollToExecuting(text, 200);
  EXPECT_EQ(executingOutside(text, scroll, scroll + 200).above, 1);
  EXPECT_EQ(executingOutside(text, scroll, scroll + 200).below, 0);
}

TEST(SourceScroll, CountsTheExecutingLinesOutside) {
  const SourceText text = textWith(5, 14);
  EXPECT_EQ(executingOutside(text, 160, 240).above, 3);
  EXPECT_EQ(executingOutside(text, 160, 240).below, 3);
  EXPECT_EQ(executingOutside(text, 170, 800).above, 4) << "half of a line is not in view";
  EXPECT_EQ(greatestScroll(text, 105), 700) << "a row's top, though the text would end at 695";
}

}  // namespace
}  // namespace stridescope::views
