#include "base/numbers.h"

#include <gtest/gtest.h>

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

TEST(Numbers, WhatWasPrintedIsGroupedIfItIsAnInteger) {
  EXPECT_EQ(grouped("-12345"), "-12\u202f345");
  EXPECT_EQ(grouped("-1234"), "-1234");
  EXPECT_EQ(grouped("12345.5"), "12345.5");
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
  EXPECT_EQ(decimalText(12345.678, 2), "12345.68");
  EXPECT_EQ(decimalText(-0.25, 1), "-0.2");
  EXPECT_EQ(roundedFigure(65535.6), "65\u202f536");
  EXPECT_EQ(roundedFigure(-3), "0");
  EXPECT_EQ(roundedFigure(1e20), "100\u202f000\u202f000\u202f000\u202f000\u202f000\u202f000");
}

TEST(Numbers, WhatIsTypedIsANumberOrAPower) {
  EXPECT_EQ(typedNumber("33"), 33u);
  EXPECT_EQ(typedNumber(" 2^20 "), 1u << 20);
  EXPECT_EQ(typedNumber("65\u202f537"), 65537u);
  EXPECT_EQ(typedNumber("18446744073709551615"), ~0ull);
  EXPECT_EQ(numberOrPower("2^20"), 1u << 20);
  EXPECT_FALSE(numberOrPower(" 1")) << "it was not typed into a field";
  for (const char* none :
       {"", " ", "-1", "1.5", "2^", "^2", "2^64", "18446744073709551616", "1 000", "x", "+1"})
    EXPECT_FALSE(typedNumber(none)) << none;
}

}  // namespace
}  // namespace stridescope::base_test
