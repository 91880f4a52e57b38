// What is read of each construct. "Example" numbers are those of CommonMark 0.30, which says what it is.
#include "markdown/read.h"

#include <gtest/gtest.h>

namespace stridescope::markdown {
namespace {

std::vector<Block> blocksOf(std::string_view text) {
  auto blocks = read(text);
  EXPECT_TRUE(blocks) << (blocks ? "" : blocks.error().sentence);
  return blocks ? *blocks : std::vector<Block>();
}

// "e{..}", "s{..}", "c{..}", "a0{..}": emphasis, strong, code, the words of the first link.
std::string sketchOf(const Piece& piece) {
  std::string text = piece.text;
  if (piece.code) text = "c{" + text + "}";
  if (piece.strong) text = "s{" + text + "}";
  if (piece.emphasis) text = "e{" + text + "}";
  if (piece.link) text = "a" + std::to_string(*piece.link) + "{" + text + "}";
  return text;
}

// "h2 ", "p ", "code " with "q" for each quote and "l" for each list, "- " or "7. " where an item begins, and
// the pieces; a block each line.
std::string sketch(std::string_view text) {
  std::string all;
  for (const Block& block : blocksOf(text)) {
    all += block.kind == BlockKind::Heading ? "h" + std::to_string(block.level)
           : block.kind == BlockKind::Code  ? "code"
                                            : "p";
    all += std::string(block.quotes, 'q') + std::string(block.lists, 'l') + " ";
    if (block.beginsItem) all += block.number ? std::to_string(*block.number) + ". " : "- ";
    for (const Piece& piece : block.pieces) all += sketchOf(piece);
    all += "\n";
  }
  return all;
}

// "#banks 3:9", and " words" where the place is that of the words, " image" of an image.
std::vector<std::string> linksOf(std::string_view text) {
  std::vector<std::string> links;
  for (const Block& block : blocksOf(text))
    for (const Link& link : block.links)
      links.push_back(link.target + " " + std::to_string(link.line) + ":" + std::to_string(link.column) +
                      (link.verbatim ? "" : " words") + (link.image ? " image" : ""));
  return links;
}
using Links = std::vector<std::string>;

TEST(Markdown, HasHeadingsAndParagraphs) {
  EXPECT_EQ(sketch("# A `b`\n\none\ntwo\n\n## C ##\nthree\n"), "h1 A c{b}\np one two\nh2 C\np three\n");
  EXPECT_EQ(sketch("Over\nlines\n===\nSecond\n---\n"), "h1 Over lines\nh2 Second\n") << "example 80, 81";
  EXPECT_EQ(sketch("#no\n\n#######  no\n\n    # code\n"), "p #no\np #######  no\ncode c{# code}\n");
  EXPECT_EQ(sketch(""), "");
  EXPECT_EQ(sketch("\n \n#\n***\n"), "") << "an empty heading and a rule have no words";
  EXPECT_EQ(sketch(std::string_view()), "");
}

TEST(Markdown, ABackslashTakesTheMeaningOfAMark) {
  EXPECT_EQ(sketch("\\*no\\* \\[no](#a) \\`no\\` 1\\. \\# \\&amp;"), "p *no* [no](#a) `no` 1. # &amp;\n")
      << "example 14";
  EXPECT_EQ(sketch("\\a `\\*`"), "p \\a c{\\*}\n") << "no mark, and within code";
}

TEST(Markdown, HasEmphasisWithinWordsByStarsAlone) {
  EXPECT_EQ(sketch("un*frigging*believable foo_bar_baz __x__"),
            "p une{frigging}believable foo_bar_baz s{x}\n")
      << "examples 356, 361";
  EXPECT_EQ(sketch("***both*** **a *b* c** 2 * 3 * 4"), "p e{s{both}} s{a }e{s{b}}s{ c} 2 * 3 * 4\n");
  EXPECT_EQ(sketch("**never closed"), "p **never closed\n");
}

TEST(Markdown, KnowsEntities) {
  EXPECT_EQ(sketch("&amp;&lt;&#955;&#x3BB; &times; &nosuch; &#0;&#xD800; `&amp;`"),
            "p &<λλ × &nosuch; \ufffd\ufffd c{&amp;}\n")
      << "examples 25 to 28";
  EXPECT_EQ(sketch("&#42;a&#42; &#91;x](#b)"), "p *a* [x](#b)\n") << "example 37: they are no marks";
}

TEST(Markdown, CodeHasNoMarksWithin) {
  EXPECT_EQ(sketch("`` a`b `` `*c* [d](#e)`"), "p c{a`b} c{*c* [d](#e)}\n");
  EXPECT_EQ(sketch("```cpp\nint *a;\n  ## no\n\n> no\n```\nend\n"),
            "code c{int *a;\n  ## no\n\n> no}\np end\n");
  EXPECT_EQ(sketch("text\n\n    indented\n\tby a tab\n"), "p text\ncode c{indented\nby a tab}\n");
  EXPECT_TRUE(linksOf("`[a](#b)`\n\n    [a](#b)\n").empty());
}

TEST(Markdown, ListsNest) {
  EXPECT_EQ(sketch("- a\n  - b\n    more\n\n  after\n- c\n"), "pl - a\npll - b more\npl after\npl - c\n");
  EXPECT_EQ(sketch("- a\n\n  b\n\n  c\n"), "pl - a\npl b\npl c\n") << "one item with three paragraphs";
  EXPECT_EQ(sketch("7. a\n8. b\n   - c\n2. d\n\nend\n"), "pl 7. a\npl 8. b\npll - c\npl 9. d\np end\n");
  EXPECT_EQ(sketch("- # A\n- \n- > q\n\n1) x\n"), "h1l - A\npql - q\npl 1. x\n");
  EXPECT_EQ(sketch("The number of windows is\n14. It is\n"), "p The number of windows is 14. It is\n")
      << "example 304: a paragraph goes on";
}

TEST(Markdown, QuotesGoOnWithoutTheirMark) {
  EXPECT_EQ(sketch("> a\nb\n>\n> c\n>> d\n\ne\n"), "pq a b\npq c\npqq d\np e\n") << "examples 233, 250";
}

TEST(Markdown, BreaksALineWhereItSaysSo) {
  EXPECT_EQ(sketch("a  \nb\\\nc\nd"), "p a\nb\nc d\n") << "examples 633, 634";
}

TEST(Markdown, LinksHaveWordsAndATarget) {
  EXPECT_EQ(sketch("[one `two`](#a) and [**b**](<#c d> \"title\") [](#e)"),
            "p a0{one }a0{c{two}} and a1{s{b}} \n");
  EXPECT_EQ(linksOf("[x](#f(a)) [y](<#c d>) [](#e) [no](#a b) [no] (#a)"),
            (Links{"#f(a) 1:5", "#c d 1:17", "#e 1:27"}));
  EXPECT_EQ(linksOf("<https://a.b> ![alt](c.png) [![alt](c.png)](#d)"),
            (Links{"https://a.b 1:2", "c.png 1:22 image", "#d 1:45"}));
  EXPECT_EQ(sketch("![alt *x*](c.png) [![alt](c.png) b](#d)"), "p a0{alt }a0{e{x}} a1{alt b}\n");
}

// MD4C leaves a span there that it never entered.
TEST(Markdown, OverlappingBracketsLeaveTheNextLinkAsItIs) {
  const char* const text = "![]([)[]]() [a](#b) c\n\n[d](#e) f\n";
  const auto blocks = read(text);
  ASSERT_TRUE(blocks);
  for (const Block& block : *blocks)
    for (const Piece& piece : block.pieces) {
      EXPECT_LT(piece.link.value_or(0), std::max<std::size_t>(block.links.size(), 1)) << piece.text;
    }
  EXPECT_EQ(wordsOf(blocks->back()), "d f");
  EXPECT_EQ(blocks->back().pieces.front().link, 0u);
  EXPECT_EQ(blocks->back().pieces.back().link, std::nullopt);
}

TEST(Markdown, ReferencesLeadToTheirDefinitions) {
  const char* const text = "[one][A], [a], [b][]\n\n> [ a ]: #x\n\n[B]: <#y>\n  'title'\n[a]: #second\n";
  EXPECT_EQ(sketch(text), "p a0{one}, a1{a}, a2{b}\n") << "examples 192, 205, 218";
  EXPECT_EQ(linksOf(text), (Links{"#x 3:10", "#x 3:10", "#y 5:7"}));
  EXPECT_TRUE(linksOf("[one][nowhere]").empty());
}

TEST(Markdown, TellsTheLineAndTheColumnOfATarget) {
  EXPECT_EQ(linksOf("# A [h](#h)\r\n\r\n- µ\t[a](#b)\r\n  > λλ [two\r\n  > words](#c)\n"),
            (Links{"#h 1:9", "#b 3:9", "#c 5:12"}));
  EXPECT_EQ(linksOf("a\rb\n[c](#d)"), Links{"#d 3:5"});
  EXPECT_EQ(linksOf("µ [one `x`](#a\\_b) [](#c&amp;d)"), (Links{"#a_b 1:4 words", "#c&d 1:20 words"}))
      << "where its words begin; without words, where its bracket stands";
}

TEST(Markdown, HtmlIsText) {
  EXPECT_EQ(sketch("<script>alert(1)</script>\n\n<div>\n*a* <b onclick='x'>c</b>\n</div>\n<!-- d -->\n"),
            "p <script>alert(1)</script>\np <div> e{a} <b onclick='x'>c</b> </div> <!-- d -->\n");
}

TEST(Markdown, IsPrintable) {
  EXPECT_EQ(sketch(std::string_view("a\0b \x1b[1m\xff\tc &#x202e;", 20)),
            "p a\\u0000b \\u001b[1m\\xff c \\u202e\n");
  EXPECT_EQ(sketch("    a\x1b\n    b\n"), "code c{a\\u001b\nb}\n");
}

TEST(Markdown, WordsOfABlockAreWithoutItsMarks) {
  EXPECT_EQ(wordsOf(blocksOf("# A *b* [c](#d) `e`").at(0)), "A b c e");
}

}  // namespace
}  // namespace stridescope::markdown
