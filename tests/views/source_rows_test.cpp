// Long lines of the Source panel go on in rows of their own.
#include "views/source/source_rows.h"

#include <gtest/gtest.h>

#include "views/source/source_text.h"

namespace stridescope::views {
namespace {

std::vector<std::string> textsOf(const std::string& line, const std::vector<SourceRow>& rows) {
  std::vector<std::string> texts;
  for (const SourceRow& row : rows)
    texts.push_back(std::string(std::size_t(row.indent), ' ') +
                    line.substr(std::size_t(row.from), std::size_t(row.to - row.from)));
  return texts;
}

std::vector<std::string> wrappedAt(const std::string& line, int columns,
                                   const std::vector<UnbrokenPart>& parts = {}, bool halfIndent = false) {
  return textsOf(line, rowsOf(line, columns, parts, halfIndent));
}

using Texts = std::vector<std::string>;

TEST(SourceRows, AreOneWhereTheLineFits) {
  EXPECT_EQ(wrappedAt("int a;", 20), Texts{"int a;"});
  EXPECT_EQ(wrappedAt("  int a;   ", 8), Texts{"  int a;"}) << "spaces at the end are nothing to see";
  EXPECT_EQ(wrappedAt("", 20), Texts{""});
  EXPECT_EQ(wrappedAt("    ", 20), Texts{""});
}

TEST(SourceRows, BreakAtSpacesAndGoOnIndented) {
  EXPECT_EQ(wrappedAt("  one two three four", 12), (Texts{"  one two", "      three", "      four"}));
  EXPECT_EQ(wrappedAt("exactly this", 12), Texts{"exactly this"});
  EXPECT_EQ(wrappedAt("exactly this one", 12), (Texts{"exactly this", "    one"}));
}

TEST(SourceRows, PreferTheEndOfAnArgument) {
  EXPECT_EQ(wrappedAt("combine(first, second + third)", 24),
            (Texts{"combine(first,", "    second + third)"}));
  EXPECT_EQ(wrappedAt("f(a, second + third + fourth)", 24), (Texts{"f(a, second + third +", "    fourth)"}))
      << "not if little of the row would be used";
}

TEST(SourceRows, KeepAccessesWhole) {
  const std::string line = "x = y + data[index + s];";
  const std::vector<UnbrokenPart> access{{.column = 9, .length = 15}};
  EXPECT_EQ(wrappedAt(line, 20), (Texts{"x = y + data[index +", "    s];"}));
  EXPECT_EQ(wrappedAt(line, 20, access), (Texts{"x = y +", "    data[index + s];"}));
  EXPECT_EQ(wrappedAt(line, 10, access).front(), "x = y +") << "broken inside only if there is no other way";
}

TEST(SourceRows, BreakAWordThatIsTooLong) {
  EXPECT_EQ(wrappedAt("abcdefghijklmnop", 10), (Texts{"abcdefghij", "    klmnop"}));
}

TEST(SourceRows, MayBeIndentedHalf) {
  EXPECT_EQ(wrappedAt("        data[i] = 1;", 40, {}, true), Texts{"    data[i] = 1;"});
  const auto rows = rowsOf("        data[i] = 1;", 40, {}, true);
  EXPECT_EQ(rows.front().columnOf(8), 4) << "the first character of the code";
}

TEST(SourceRows, HoldEveryCharacterOnce) {
  const std::string line = "    data[index] = combine(data[index], data[index + s]); // and so on, and on";
  for (int columns = 8; columns < 90; ++columns) {
    const auto rows = rowsOf(line, columns, {{5, 11}, {27, 11}, {40, 15}});
    int seen = 0;
    for (const SourceRow& row : rows) {
      ASSERT_LE(row.indent + row.to - row.from, columns);
      for (; seen < row.from; ++seen) ASSERT_EQ(line[std::size_t(seen)], ' ') << columns;
      seen = row.to;
    }
    EXPECT_EQ(seen, int(line.size())) << columns;
  }
}

// Forty lines of 20 pixels without a preamble, of which those from `first` to `last` execute.
SourceText textWith(int first, int last) {
  SourceText text;
  for (int line = 0; line < 40; ++line) {
    text.lines.push_back("x");
    text.rows.push_back({.line = line, .part = {}, .top = 20.0f * float(line), .height = 20, .first = true});
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

// Each line takes two rows: the view begins with the first of them.
TEST(SourceScroll, BeginsWithAWholeLine) {
  SourceText text = textWith(12, 13);
  for (std::size_t row = 0; row < text.rows.size(); ++row) {
    text.rows[row].line = int(row / 2);
    text.rows[row].first = row % 2 == 0;
  }
  text.executingTop = 480, text.executingBottom = 560;
  for (const float room : {105.0f, 120.0f, 140.0f, 200.0f}) {
    EXPECT_EQ(int(scrollToExecuting(text, room)) % 40, 0) << room;
    EXPECT_EQ(int(greatestScroll(text, room)) % 40, 0) << room;
  }
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
