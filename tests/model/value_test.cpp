#include "model/value.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

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

}  // namespace
}  // namespace stridescope::model
