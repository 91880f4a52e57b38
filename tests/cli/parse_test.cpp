#include <gtest/gtest.h>

#include "cli/commands.h"

namespace stridescope::cli {
namespace {

TEST(Parse, Numbers) {
  EXPECT_EQ(parseNumber("-n", "0").value(), 0u);
  EXPECT_EQ(parseNumber("-n", "65537").value(), 65537u);
  EXPECT_EQ(parseNumber("-n", "2^24").value(), 16777216u);
  EXPECT_EQ(parseNumber("-n", "2^63").value(), 1ull << 63);
  EXPECT_EQ(parseNumber("-n", "1^99999999999").value(), 1u);
  EXPECT_EQ(parseNumber("-n", "0^0").value(), 1u);
  EXPECT_EQ(parseNumber("-n", "18446744073709551615").value(), ~0ull);
  EXPECT_EQ(parseNumber("-n", "65,537").value(), 65537u);
  EXPECT_EQ(parseNumber("-n", "1e6").value(), 1'000'000u);
}

TEST(Parse, WhatIsNoNumberIsUsage) {
  for (const char* wrong : {"", "x", "-1", "1.5", "2^64", "2^", "^2", "2^-1", "1,5", "18446744073709551616",
                            "99999999999999999999999"}) {
    const auto number = parseNumber("--seed", wrong);
    ASSERT_FALSE(number) << wrong;
    EXPECT_EQ(number.error().kind, ErrorKind::Usage) << wrong;
    EXPECT_NE(number.error().sentence.find("--seed"), std::string::npos) << wrong;
  }
  EXPECT_EQ(
      parseNumber("-n", "1,5").error().sentence,
      "-n takes a whole number below 2^64, such as 1000, 65537 or 2^24, not \"1,5\". A comma or a blank "
      "groups three digits, as in 65,536.");
}

TEST(Parse, Rounds) {
  EXPECT_EQ(parseRounds("4").value(), (report::RoundRange{4, 4}));
  EXPECT_EQ(parseRounds("2-5").value(), (report::RoundRange{2, 5}));
  for (const char* wrong : {"", "-", "4-", "-4", "5-2", "a", "1-2-3"})
    EXPECT_FALSE(parseRounds(wrong)) << wrong;
}

TEST(Parse, PictureSizes) {
  EXPECT_EQ(parsePictureSize("1600x1000").value(), (PictureSize{1600, 1000}));
  EXPECT_TRUE(parsePictureSize("320x200"));
  EXPECT_TRUE(parsePictureSize("7680x4320"));
  for (const char* wrong : {"", "x", "1600", "1600x", "x1000", "319x200", "320x199", "7681x4320", "7680x4321",
                            "1600X1000", "-1x-1", "99999999999x1000"})
    EXPECT_FALSE(parsePictureSize(wrong)) << wrong;
}

TEST(Parse, Scales) {
  EXPECT_EQ(parseScale(".5").value(), .5f);
  EXPECT_EQ(parseScale("3").value(), 3.f);
  for (const char* wrong : {"", "0", ".49", "3.01", "nan", "inf", "1x", "-1"})
    EXPECT_FALSE(parseScale(wrong)) << wrong;
}

TEST(Parse, ANearMissIsSuggested) {
  EXPECT_EQ(notOneOf("--type", "flot", {"int", "float"}).sentence,
            "--type flot is not one of int, float; did you mean float?");
  EXPECT_EQ(notOneOf("--type", "quaternion", {"int", "float"}).sentence,
            "--type quaternion is not one of int, float.");
}

// "flot" is nearer to float than to float32, and "flot32" to the alias.
TEST(Parse, AnAliasIsSuggestedButNotListed) {
  EXPECT_EQ(notOneOf("--type", "flot", {"int", "float"}, {"float32"}).sentence,
            "--type flot is not one of int, float; did you mean float?");
  EXPECT_EQ(notOneOf("--type", "flot32", {"int", "float"}, {"float32"}).sentence,
            "--type flot32 is not one of int, float; did you mean float32?");
}

TEST(Parse, AVariantIsMeantByItsIdOrAnAlias) {
  EXPECT_EQ(variantNamed("reduce2"), "sequential");
  EXPECT_EQ(variantNamed("sequential"), "sequential");
  EXPECT_EQ(variantNamed("nothing"), "nothing");
  EXPECT_EQ(noVariant("verify:", "redcue3").sentence,
            "verify: redcue3 is no variant; did you mean reduce3? `stridescope list` has them.");
  EXPECT_EQ(noVariant("verify:", "reduce9").sentence,
            "verify: reduce9 is no variant. `stridescope list` has them.")
      << "it is as near to reduce0 as to reduce7";
}

}  // namespace
}  // namespace stridescope::cli
