#include "base/plain_text.h"

#include <gtest/gtest.h>

#include <random>

#include "support/hostile_text.h"

namespace stridescope::base_test {
namespace {

using support::hostileIn;
using support::kHostileText;

TEST(Printable, LeavesTextAsItIs) {
  for (const char* text :
       {"", "a plain line", "\\x1b \\n", "\u00e9 \u03a3 \u2026 \u202f \u4e2d\u6587 \U0001f600 \u200d"}) {
    EXPECT_EQ(printable(text), text);
    EXPECT_EQ(printableLength(text, Lines::One), std::string_view(text).size());
  }
}

TEST(Printable, ReplacesWhatSteersATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("\x07"), "\\u0007");
  EXPECT_EQ(printable("\x7f"), "\\u007f");
  EXPECT_EQ(printable("\xc2\x9b\xc2\x80\xc2\x9f\xc2\xa0"), "\\u009b\\u0080\\u009f\xc2\xa0");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\r\n\t"), "\\r\\n\\t");
  EXPECT_EQ(printable("\r\n\t", Lines::Many), "\\r\n\t");
}

TEST(Printable, ReplacesWhatTurnsTheDirectionOrBreaksLines) {
  EXPECT_EQ(printable("\u061c\u200e\u200f"), "\\u061c\\u200e\\u200f");
  EXPECT_EQ(printable("\u202a\u202b\u202c\u202d\u202e"), "\\u202a\\u202b\\u202c\\u202d\\u202e");
  EXPECT_EQ(printable("\u2066\u2067\u2068\u2069"), "\\u2066\\u2067\\u2068\\u2069");
  EXPECT_EQ(printable("\u2028\u2029", Lines::Many), "\\u2028\\u2029");
  EXPECT_EQ(printable("\u2027\u202f\u2065\u206a"), "\u2027\u202f\u2065\u206a");
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xff\xfe"), "a\\xff\\xfe");
  EXPECT_EQ(printable("\x80"), "\\x80");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // the beginning of a character
  EXPECT_EQ(printable("\xe2\x82z"), "\\xe2\\x82z");         // and then another one
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // too long for what it is
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, OfAnyBytesLeavesNothingHostileAndIsDoneOnce) {
  EXPECT_NE(hostileIn(kHostileText), "");
  EXPECT_EQ(hostileIn(printable(kHostileText)), "");
  std::mt19937_64 generator(4);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (std::uint64_t k = generator() % 12; k > 0; --k) {
      if (generator() % 2 == 0)
        text += char(generator());
      else
        text += kHostileText.substr(generator() % kHostileText.size(), 1 + generator() % 4);
    }
    for (const Lines lines : {Lines::One, Lines::Many}) {
      const std::string shown = printable(text, lines);
      ASSERT_EQ(hostileIn(shown), "") << i;
      ASSERT_EQ(printable(shown, lines), shown) << i;
      ASSERT_TRUE(lines == Lines::Many || shown.find_first_of("\n\t") == std::string::npos);
      ASSERT_EQ(printableLength(shown, lines), shown.size());
      ASSERT_EQ(printableLength(text, lines) == text.size(), shown == text) << i;
    }
  }
}

TEST(Printable, PutsASourceTextInOneLine) {
  EXPECT_EQ(inOneLine("a <\n      b\t&& c"), "a < b && c");
  EXPECT_EQ(inOneLine("\n  a\x1b"), "a\\u001b");
}

TEST(Printable, CutsBetweenCharacters) {
  const std::string_view text = "a\u00e9\u4e2d\U0001f600";  // 1, 2, 3 and 4 bytes
  const std::size_t lengths[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t bytes = 0; bytes < std::size(lengths); ++bytes)
    EXPECT_EQ(cutBetweenCharacters(text, bytes), text.substr(0, lengths[bytes])) << bytes;
  EXPECT_EQ(cutBetweenCharacters("\x80\x80\x80\x80\x80\x80", 5).size(), 5u);  // no characters at all
}

}  // namespace
}  // namespace stridescope::base_test
