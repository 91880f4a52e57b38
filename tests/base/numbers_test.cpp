#include "base/numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace stridescope::base_test {
namespace {

TEST(Numbers, FiveDigitsAndMoreAreGrouped) {
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(1105), "1105");
  EXPECT_EQ(figure(65536), "65\u202f536");
  EXPECT_EQ(figure(16777216), "16\u202f777\u202f216");
  EXPECT_EQ(figure(100000), "100\u202f000");
}

TEST(Numbers, WhatWasPrintedIsGroupedIfItIsANumber) {
  EXPECT_EQ(grouped("-12345"), "-12\u202f345");
  EXPECT_EQ(grouped("-1234"), "-1234");
  EXPECT_EQ(grouped("12345.5"), "12\u202f345.5");
  EXPECT_EQ(grouped("1234.56789"), "1234.56789");
  for (const char* other : {"12345.", ".12345", "12345 67890", "1.2345e+20", "12345.6.7", "--12345"})
    EXPECT_EQ(grouped(other), other);
  EXPECT_EQ(grouped("-inf"), "-inf");
  EXPECT_EQ(grouped("-"), "-");
  EXPECT_EQ(grouped(""), "");
}

TEST(Numbers, PowersOfTwoAreSizesFrom1024On) {
  EXPECT_EQ(sizeText(512), "512");
  EXPECT_EQ(sizeText(1024), "2^10");
  EXPECT_EQ(sizeText(65537), "65\u202f537");
}

TEST(Numbers, TimesHaveThreeDigitsOrMore) {
  EXPECT_EQ(microsecondsText(0.5184), "0.518");
  EXPECT_EQ(microsecondsText(9.154), "9.15");
  EXPECT_EQ(microsecondsText(85.93), "85.9");
  EXPECT_EQ(microsecondsText(171.66), "171.7");
  EXPECT_EQ(microsecondsText(5280), "5280");
  EXPECT_EQ(microsecondsText(52800), "52\u202f800");
}

TEST(Numbers, ATimeWithItsUnitHasTheSameDigits) {
  EXPECT_EQ(timeText(85.93), "85.9 µs");
  EXPECT_EQ(timeText(171.66), "171.7 µs");
  EXPECT_EQ(timeText(999.4), "999.4 µs");
  EXPECT_EQ(timeText(999.6), "1.00 ms");
  EXPECT_EQ(timeText(5280), "5.28 ms");
  EXPECT_EQ(timeText(2.5e6), "2.50 s");
}

TEST(Numbers, TwoTimesHaveAsManyDigitsAsTellThemApart) {
  using Two = std::array<std::string, 2>;
  EXPECT_EQ(timesText(1457, 1459), (Two{"1.457 ms", "1.459 ms"})) << "both would be 1.46 ms";
  EXPECT_EQ(timesText(85.93, 85.92), (Two{"85.93 µs", "85.92 µs"}));
  EXPECT_EQ(timesText(85.93, 171.66), (Two{"85.9 µs", "171.7 µs"})) << "as each is told alone";
  EXPECT_EQ(timesText(999.4, 999.6), (Two{"999.4 µs", "1.00 ms"}));
  EXPECT_EQ(timesText(85.93, 85.93), (Two{"85.9 µs", "85.9 µs"}));
  EXPECT_EQ(timesText(85.93, 85.9300001), (Two{"85.9 µs", "85.9 µs"})) << "no such difference is measured";
}

TEST(Numbers, RatesFactorsAndShares) {
  EXPECT_EQ(gigabytesText(85.93), "85.9");
  EXPECT_EQ(gigabytesText(1234.5), "1234");
  EXPECT_EQ(factorText(2.041), "2.04");
  EXPECT_EQ(factorText(13.07), "13.1");
  EXPECT_EQ(factorText(104.2), "104");
  EXPECT_EQ(percentText(0.0634), "6.3 %");
  EXPECT_EQ(percentText(0.946), "95 %");
}

TEST(Numbers, WhatIsNoNumberIsNotPrintedAsOne) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double none : {inf, -inf, nan})
    for (const std::string& text :
         {microsecondsText(none), timeText(none), gigabytesText(none), factorText(none), percentText(none),
          decimalText(none, 2), roundedFigure(none)})
      EXPECT_EQ(text, "-");
}

TEST(Numbers, DecimalsAndWholeNumbers) {
  EXPECT_EQ(decimalText(1234.5, 2), "1234.50");
  EXPECT_EQ(decimalText(12345.678, 2), "12\u202f345.68");
  EXPECT_EQ(decimalText(-123456, 0), "-123\u202f456");
  EXPECT_EQ(decimalText(-0.25, 1), "-0.2");
  EXPECT_EQ(roundedFigure(65535.6), "65\u202f536");
  EXPECT_EQ(roundedFigure(-3), "0");
  EXPECT_EQ(roundedFigure(1e20), "100\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000");
}

TEST(Numbers, ACountIsTakenAsPeopleTypeAndCopyIt) {
  const std::pair<const char*, std::uint64_t> all[] = {
      {"0", 0},
      {"33", 33},
      {" 33\t", 33},
      {"18446744073709551615", ~0ull},
      {"65 537", 65537},
      {"65,537", 65537},
      {"65\u00a0537", 65537},  // no-break
      {"65\u2009537", 65537},  // thin
      {"65\u202f537", 65537},  // as the program prints it
      {"1,048,576", 1u << 20},
      {"1 048 576", 1u << 20},
      {"18,446,744,073,709,551,615", ~0ull},
      {"2^20", 1u << 20},
      {" 2 ^ 20 ", 1u << 20},
      {"2\u02c620", 1u << 20},            // the modifier letter that a dead key leaves
      {"2\u00b2\u2070", 1u << 20},        // raised digits
      {"2\u02c6\u00b2\u2070", 1u << 20},  // a circumflex and raised digits
      {"10\u00b3", 1000},
      {"2\u2076", 64},
      {"1024^2", 1u << 20},
      {"1,024^2", 1u << 20},
      {"0^0", 1},
      {"1^99999999999", 1},
      {"1<<20", 1u << 20},
      {"1 << 20", 1u << 20},
      {"3<<4", 48},
      {"1<<63", 1ull << 63},
      {"1e6", 1'000'000},
      {"1E6", 1'000'000},
      {"1e+6", 1'000'000},
      {"2.5e6", 2'500'000},
      {"1.50e1", 15},
      {"1e19", 10'000'000'000'000'000'000u},
  };
  for (const auto& [typed, number] : all) EXPECT_EQ(typedNumber(typed), number) << typed;
}

TEST(Numbers, WhatIsNoCountOrCouldMeanTwoIsRefused) {
  for (const char* none : {"",          " ",
                           "-1",        "+1",
                           "x",         "1.5",
                           "1,5",       "0,500",
                           "1,0000",    "1000,000",
                           "1,00,000",  "65.536",
                           "1 5",       ",000",
                           "1,",        "65,537 123",
                           "1 000,000", "1,,000",
                           "2^",        "^2",
                           "2^64",      "2^^2",
                           "2^-1",      "1<20",
                           "1<<64",     "1<<",
                           "<<1",       "1<<<2",
                           "1e",        "e6",
                           "1e-3",      "1.5e0",
                           "1e20",      "1,5e6",
                           "1.e3",      "2^1e1",
                           "0x10",      "18446744073709551616",
                           "64 Ki",     "1_000",
                           "\u00b2",    "2\u02c6",
                           "\u02c620",  "1e1.5"}) {
    EXPECT_FALSE(typedNumber(none)) << none;
  }
  EXPECT_FALSE(typedNumber(std::string(1000, '1')));
}

TEST(Numbers, AdviceIsGivenWhereGroupsOrPointsAreWrong) {
  EXPECT_EQ(adviceOnNumber("1,5"), "A comma or a blank groups three digits, as in 65,536.");
  EXPECT_EQ(adviceOnNumber("1 5"), adviceOnNumber("1,5"));
  EXPECT_EQ(adviceOnNumber("65.536"), "A point does not group digits, and a count has no fraction.");
  for (const char* other : {"", "x", "-1", "2^64", "65,536", ",", "99999999999999999999"})
    EXPECT_EQ(adviceOnNumber(other), "") << other;
}

}  // namespace
}  // namespace stridescope::base_test
