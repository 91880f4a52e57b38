#include "report/table.h"

#include <gtest/gtest.h>

#include "markdown/read.h"

namespace stridescope::report {
namespace {

Table sample() {
  return {.columns = {{"name", "name", ReadBy::All, true},
                      {"round", "round"},
                      {"launch", "launch", ReadBy::AllIfItVaries},
                      {"hash", "hash", ReadBy::Programs},
                      {"none", "nothing known"}},
          .rows = {{"Stride 8", "4", "0", "x", ""}, {"Write", "9", "0", "y", ""}}};
}

TEST(Table, AsTextFillsCellsToTheirWidths) {
  const std::vector<Column> columns{{.heading = "name", .isText = true, .width = 6, .gap = 2},
                                    {.heading = "way", .width = 4},
                                    {.heading = "µs", .width = 5, .gap = 2},
                                    {.heading = "text", .isText = true, .gap = 3}};
  EXPECT_EQ(headLine(columns), "  name    way     µs   text");
  EXPECT_EQ(textLine(columns, {"load", "12", "1.5", "a[i]"}), "  load     12    1.5   a[i]");
  EXPECT_EQ(textLine(columns, {"longer than it", "", "", ""}), "  longer than it               ");
}

TEST(Paragraph, KeepsWithinItsColumnsAndIndentsEveryLine) {
  EXPECT_EQ(paragraph("one two"), "one two\n");
  EXPECT_EQ(paragraph(std::string(90, 'a') + " bbbb cccc", 4),
            "    " + std::string(90, 'a') + " bbbb\n    cccc\n");
}

TEST(Table, AsHtmlHasNoMarkupOfItsCells) {
  const Table table{.columns = {{"name", "a & b", ReadBy::All, true}, {"round", "round"}},
                    .rows = {{"<i>", "4"}}};
  EXPECT_EQ(htmlOf(table),
            "<table>\n<thead><tr><th scope=\"col\">a &amp; b</th><th scope=\"col\">round</th></tr></thead>\n"
            "<tbody>\n<tr><th scope=\"row\">&lt;i&gt;</th><td>4</td></tr>\n</tbody></table>");
}

TEST(Table, AsCsvHasAllColumns) {
  EXPECT_EQ(csvOf(sample()), "name,round,launch,hash,none\nStride 8,4,0,x,\nWrite,9,0,y,\n");
}

TEST(Table, AsCsvKeepsWhatWouldBreakIt) {
  Table table = sample();
  table.rows = {{"a,b", "\"q\"", "two\nlines", "", ""}};
  EXPECT_EQ(csvOf(table), "name,round,launch,hash,none\n\"a,b\",\"\"\"q\"\"\",\"two\nlines\",,\n");
}

TEST(Table, AsCsvHasNoFormulaInATextAndLeavesNumbers) {
  Table table = sample();
  table.rows = {{"=HYPERLINK(1)", "-5", "", "", ""}, {"@x", "+1", "", "", ""}};
  EXPECT_EQ(csvOf(table), "name,round,launch,hash,none\n'=HYPERLINK(1),-5,,,\n'@x,+1,,,\n");
}

TEST(Table, AsCsvHasNoFormulaInItsHead) {
  Table table = sample();
  table.columns[1].name = "=data,x[0]";  // an array's name comes from a file
  table.columns[3].name = "@x[0]";
  EXPECT_EQ(csvOf(table).substr(0, csvOf(table).find('\n')), "name,\"'=data,x[0]\",launch,'@x[0],none");
}

TEST(Table, AsCsvHasNoFormulaAmongNumbers) {
  Table table = sample();
  table.rows = {{"a", "-5+1", "\t1", "-inf", ""}};
  EXPECT_EQ(csvOf(table), "name,round,launch,hash,none\na,'-5+1,'\t1,-inf,\n");
}

TEST(Table, ForPeopleLeavesOutWhatTellsThemNothing) {
  EXPECT_EQ(markdownOf(forPeople(sample())),
            "| name | round |\n| --- | ---: |\n| Stride 8 | 4 |\n| Write | 9 |\n");
  Table table = sample();
  table.rows[1][2] = "1";
  EXPECT_EQ(forPeople(table).columns.size(), 3u) << "the launches differ";
}

TEST(Table, AsMarkdownIsNothingButText) {
  Table table = sample();
  table.rows = {{"a|b `c` *d* <b> [e](f)", "1", "", "", ""}};
  EXPECT_NE(markdownOf(table).find("| a\\|b \\`c\\` \\*d\\* \\<b\\> \\[e\\](f) |"), std::string::npos)
      << markdownOf(table);
}

// As a reader of CommonMark takes it back in: one paragraph of plain words, the same ones.
TEST(Table, WhatIsNoMarkdownIsReadAsItStands) {
  std::string all;
  for (char c = '!'; c <= '~'; ++c) all += c;
  for (const std::string& text :
       {all, std::string("a &lt; &#955; __b__ ~~c~~ <d> [e](#f) \\* ![g](h) <http://i.j> `k` x*y*z"),
        all + all}) {
    const auto blocks = markdown::read("- " + inMarkdown(text));
    ASSERT_TRUE(blocks && blocks->size() == 1u) << text;
    EXPECT_EQ(blocks->at(0).pieces, std::vector<markdown::Piece>{{.text = text}});
  }
}

}  // namespace
}  // namespace stridescope::report
