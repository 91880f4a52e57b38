// The browser edition's way of reading floating numbers, which has no std::from_chars for them, against
// std::from_chars.
#define readFloating readFloatingOfPage
#include "../../app/base/read_floating_web.cpp"
#undef readFloating

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>

namespace stridescope {
namespace {

template <class Number, class Bits>
void expectTheSame(const std::string& text) {
  constexpr Number kBefore = Number(-7.5);
  Number expected = kBefore, read = kBefore;
  const auto wanted = std::from_chars(text.data(), text.data() + text.size(), expected);
  const auto got = readFloatingOfPage(text.data(), text.data() + text.size(), read);
  EXPECT_EQ(got.ec, wanted.ec) << "'" << text << "'";
  EXPECT_EQ(got.ptr - text.data(), wanted.ptr - text.data()) << "'" << text << "'";
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(read)) << "'" << text << "'";
  else
    EXPECT_EQ(std::bit_cast<Bits>(read), std::bit_cast<Bits>(expected)) << "'" << text << "'";
}

void expectTheSame(const std::string& text) {
  expectTheSame<float, std::uint32_t>(text);
  expectTheSame<double, std::uint64_t>(text);
}

TEST(ReadFloating, TakesWhatFromCharsTakes) {
  for (const char* text : {"0",
                           "-0",
                           "1",
                           "-1.5",
                           "1e10",
                           "1E-3",
                           ".5",
                           "5.",
                           "1.5e",
                           "1e+",
                           "1e+5",
                           "3.4028235e38",
                           "1e-45",
                           "0x10",
                           "-0x1p4",
                           "12abc",
                           "1,5",
                           "1 ",
                           "1e5x",
                           "00012",
                           "-.25",
                           "1.7976931348623157e308",
                           "4.9e-324",
                           "inf",
                           "-inf",
                           "infinity",
                           "INF",
                           "nan",
                           "-nan",
                           "NaN",
                           "0.0000000000000000000000000000001",
                           "0e999"})
    expectTheSame(text);
}

TEST(ReadFloating, RefusesWhatFromCharsRefuses) {
  for (const char* text : {"", " 1", "+1", "-", "--1", "-+1", ".", "-.", "e5", "x", "\t1", "\n1", "i", "n"})
    expectTheSame(text);
}

TEST(ReadFloating, SaysWhatIsOutOfRange) {
  for (const char* text : {"1e400", "-1e400", "1e-400", "1e39", "-1e39", "1e-60", "123456e9999"})
    expectTheSame(text);
}

TEST(ReadFloating, EndsWhereTheTextEnds) {
  const std::string text = "12345";
  double read = 0;
  const auto got = readFloatingOfPage(text.data(), text.data() + 2, read);
  EXPECT_EQ(read, 12);
  EXPECT_EQ(got.ptr, text.data() + 2);
}

TEST(ReadFloating, ReadsAnyPrintedNumber) {
  std::mt19937_64 random(20);
  for (int i = 0; i < 20'000; ++i) {
    const auto number = std::bit_cast<double>(random());
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    expectTheSame<double, std::uint64_t>({text, end});
  }
}

}  // namespace
}  // namespace stridescope
