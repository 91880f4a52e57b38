#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

#include "model/arithmetic.h"

namespace stridescope::model {
namespace {

std::string printed(float value) {
  return printElement(ElementType::Float, std::bit_cast<std::uint32_t>(value));
}
std::string printed(double value) {
  return printElement(ElementType::Double, std::bit_cast<std::uint64_t>(value));
}

TEST(PrintElement, PrintsIntegersInDecimal) {
  EXPECT_EQ(printElement(ElementType::Int, 0), "0");
  EXPECT_EQ(printElement(ElementType::Int, 0xffffffff), "-1");
  EXPECT_EQ(printElement(ElementType::Int, 0x80000000), "-2147483648");
  EXPECT_EQ(printElement(ElementType::Int, 0x7fffffff), "2147483647");
  EXPECT_EQ(printElement(ElementType::Unsigned, 0xffffffff), "4294967295");
  EXPECT_EQ(printElement(ElementType::Int64, ~0ull), "-1");
  EXPECT_EQ(printElement(ElementType::Int64, 1ull << 63), "-9223372036854775808");
  EXPECT_EQ(printElement(ElementType::Int64, (1ull << 63) - 1), "9223372036854775807");
}

TEST(PrintElement, PrintsTheShortestFloatThatReadsBack) {
  EXPECT_EQ(printed(0.1f), "0.1");
  EXPECT_EQ(printed(0.1), "0.1");
  EXPECT_EQ(printed(double(0.1f)), "0.10000000149011612");
  EXPECT_EQ(printed(1.0f), "1");
  EXPECT_EQ(printed(-0.0f), "-0");
  EXPECT_EQ(printed(16777216.0f), "16777216");
  EXPECT_EQ(printed(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(printed(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(printed(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(printed(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
}

TEST(PrintElement, NamesWhatIsNoNumber) {
  EXPECT_EQ(printed(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(printed(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(printElement(ElementType::Float, 0x7fc00000), "nan");
  EXPECT_EQ(printElement(ElementType::Float, 0xffc00001), "nan");
  EXPECT_EQ(printElement(ElementType::Double, 0xfff0000000000001), "nan");
}

TEST(PrintElement, ReadsBackExactly) {
  std::mt19937_64 generator(7);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t bits = generator();
    const auto single = std::bit_cast<float>(std::uint32_t(bits));
    const auto real = std::bit_cast<double>(bits);
    const std::string singleText = printElement(ElementType::Float, bits & 0xffffffff),
                      realText = printed(real);
    if (!std::isnan(single)) {
      ASSERT_EQ(std::strtof(singleText.c_str(), nullptr), single) << singleText;
    }
    if (!std::isnan(real)) {
      ASSERT_EQ(std::strtod(realText.c_str(), nullptr), real) << realText;
    }
    ASSERT_EQ(std::strtoll(printElement(ElementType::Int64, bits).c_str(), nullptr, 10), std::int64_t(bits));
    // One digit less gives another number. (Without an exponent, zeros at the end may only hold the place.)
    const std::size_t exponent = realText.find('e');
    if (!std::isfinite(real) || exponent == std::string::npos) continue;
    const auto digits = std::count_if(realText.begin(), realText.begin() + std::ptrdiff_t(exponent),
                                      [](char c) { return c >= '0' && c <= '9'; });
    if (digits < 2) continue;
    std::array<char, 64> shorter{};
    std::snprintf(shorter.data(), shorter.size(), "%.*e", int(digits) - 2, real);
    ASSERT_NE(std::strtod(shorter.data(), nullptr), real) << realText;
  }
}

TEST(ReadPrintedElement, TakesWhatIsPrintedAndNothingElse) {
  for (const ElementType type : kElementTypes)
    for (const std::uint64_t bits : {0ull, 1ull, 0x7fffffffull, 0x80000000ull, 0xffffffffull}) {
      const std::string text = printElement(type, bits);
      const auto read = readPrintedElement(type, text);
      ASSERT_TRUE(read) << text;
      EXPECT_EQ(printElement(type, *read), text);
    }
  for (const char* text : {"inf", "-inf", "nan", "-0", "1e+300"})
    EXPECT_TRUE(readPrintedElement(ElementType::Double, text)) << text;
  for (const char* text :
       {"", " 1", "1 ", "+1", "01", "1.0", "1e300", "0x1p3", "nan(1)", "-nan", "infinity", "1e+999", "one"})
    EXPECT_FALSE(readPrintedElement(ElementType::Double, text)) << text;
  for (const char* text : {"2147483648", "-0", "1.5", "nan", "134 (checked by a plain loop)"})
    EXPECT_FALSE(readPrintedElement(ElementType::Int, text)) << text;
  EXPECT_FALSE(readPrintedElement(ElementType::Unsigned, "-1"));
}

}  // namespace
}  // namespace stridescope::model
