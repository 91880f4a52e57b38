// The program's own reference: inputs, identities, and the bound on rounding, by hand-computed values.
#include "engine/reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "engine/rounding.h"
#include "model/arithmetic.h"

namespace stridescope::engine {
namespace {

model::Experiment with(model::ElementType type, model::DataPattern data,
                       model::Operator op = model::Operator::Add, std::uint64_t n = 1024) {
  return {.variant = "sequential", .type = type, .op = op, .threads = 256, .elements = n, .data = data};
}
std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

TEST(Input, FollowsThePatterns) {
  EXPECT_EQ(inputElement(with(model::ElementType::Int, model::DataPattern::Ramp), 7), 7u);
  EXPECT_EQ(inputElement(with(model::ElementType::Float, model::DataPattern::Ramp), 3), bits(3.0f));
  EXPECT_EQ(inputElement(with(model::ElementType::Double, model::DataPattern::Ones), 3), bits(1.0));
  EXPECT_EQ(inputElement(with(model::ElementType::Int, model::DataPattern::Alternating), 1), 0xffffffffu);
  EXPECT_EQ(inputElement(with(model::ElementType::Int64, model::DataPattern::Alternating), 1), ~0ull);
  EXPECT_EQ(inputElement(with(model::ElementType::Unsigned, model::DataPattern::Alternating), 1), 0u);
  EXPECT_EQ(inputElement(with(model::ElementType::Float, model::DataPattern::Alternating), 1), bits(-1.0f));
}

TEST(Input, IsSplitmix64sFirstNumberOfEachSeed) {
  // The first output of splitmix64 for the seeds 0 and 1234567, as its author's program prints them.
  model::Experiment experiment = with(model::ElementType::Int64, model::DataPattern::Random);
  experiment.seed = 0;
  EXPECT_EQ(inputElement(experiment, 0), 0xe220a8397b1dcdafull % 101);
  experiment.seed = 1234567;
  EXPECT_EQ(inputElement(experiment, 0), 6457827717110365317ull % 101);
  experiment.seed = 1234560;
  EXPECT_EQ(inputElement(experiment, 7), 6457827717110365317ull % 101);
  experiment.data = model::DataPattern::Digits;
  EXPECT_EQ(inputElement(experiment, 7), 6457827717110365317ull % 10);
}

TEST(Input, IsFilledUpWithTheIdentity) {
  const auto bytes =
      makeInput(with(model::ElementType::Int, model::DataPattern::Ones, model::Operator::Min, 2), 4);
  const std::vector<std::uint8_t> expected{1, 0, 0, 0, 1, 0, 0, 0, 255, 255, 255, 127, 255, 255, 255, 127};
  EXPECT_EQ(bytes, expected);
}

TEST(Identity, OfEachOperator) {
  EXPECT_EQ(model::identityBits(model::ElementType::Int, model::Operator::Max), 0x80000000u);
  EXPECT_EQ(model::identityBits(model::ElementType::Unsigned, model::Operator::Min), 0xffffffffu);
  EXPECT_EQ(model::identityBits(model::ElementType::Int64, model::Operator::And), ~0ull);
  EXPECT_EQ(model::identityBits(model::ElementType::Int64, model::Operator::Max), 1ull << 63);
  EXPECT_EQ(model::identityBits(model::ElementType::Float, model::Operator::Multiply), bits(1.0f));
  EXPECT_EQ(model::identityBits(model::ElementType::Float, model::Operator::Min),
            bits(std::numeric_limits<float>::infinity()));
  EXPECT_EQ(model::identityBits(model::ElementType::Double, model::Operator::Max),
            bits(-std::numeric_limits<double>::infinity()));
}

TEST(CheckResult, WantsIntegersEqual) {
  const model::Experiment experiment =
      with(model::ElementType::Int, model::DataPattern::Ramp, model::Operator::Add, 256);
  EXPECT_TRUE(checkResult(experiment, 32640).ok);
  EXPECT_FALSE(checkResult(experiment, 32641).ok);
  EXPECT_EQ(checkResult(experiment, 0).expected, "32640");
}

using enum model::Operator;

std::string noteOf(model::ElementType type, model::DataPattern data, model::Operator op, std::uint64_t n) {
  return checkResult(with(type, data, op, n), 0).note;
}

TEST(CheckResult, TellsWhatAnIntegerIsWithoutWrapping) {
  EXPECT_EQ(
      noteOf(model::ElementType::Int, model::DataPattern::Ramp, Add, 100000),
      "The sum wraps: exact 4\u202f999\u202f950\u202f000, wrapped to 704\u202f982\u202f704 in 32 bits.");
  EXPECT_EQ(noteOf(model::ElementType::Unsigned, model::DataPattern::Ramp, Add, 92682),
            "");  // 4 294 930 221, just below 2^32
  EXPECT_EQ(noteOf(model::ElementType::Unsigned, model::DataPattern::Ramp, Add, 92683),
            "The sum wraps: exact 4\u202f295\u202f022\u202f903, wrapped to 55\u202f607 in 32 bits.");
  EXPECT_EQ(noteOf(model::ElementType::Unsigned, model::DataPattern::Ramp, Subtract, 3),
            "The difference wraps: exact -3, wrapped to 4\u202f294\u202f967\u202f293 in 32 bits.");
  EXPECT_EQ(noteOf(model::ElementType::Int64, model::DataPattern::Ramp, Add, 100000), "");
  EXPECT_EQ(noteOf(model::ElementType::Int, model::DataPattern::Ramp, Max, 100000), "");
}

model::Experiment given(model::ElementType type, model::Operator op, std::vector<std::uint64_t> values) {
  model::Experiment experiment = with(type, model::DataPattern::Given, op, values.size());
  experiment.given = model::SharedData({.name = "mine", .values = std::move(values)});
  return experiment;
}

TEST(ExactInteger, OfProductsAndSumsOf64Bits) {
  std::vector<std::uint64_t> upTo20, upTo40;
  for (std::uint64_t i = 1; i <= 40; ++i) (i <= 20 ? upTo20 : upTo40).push_back(i);
  upTo40.insert(upTo40.begin(), upTo20.begin(), upTo20.end());
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int64, Multiply, upTo20)), std::nullopt);
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int, Multiply, upTo20)), "2432902008176640000");
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int64, Multiply, upTo40)), "8.15915e+47");
  upTo40.push_back(0);
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int64, Multiply, upTo40)), std::nullopt) << "it is 0";
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int64, Add, {std::uint64_t(INT64_MAX), 1})),
            "9223372036854775808");
  EXPECT_EQ(exactIfWrapped(given(model::ElementType::Int64, Add, {1ull << 63, ~0ull})),
            "-9223372036854775809");
}

TEST(CheckResult, LetsIntegersWrap) {
  // 0 + 1 + ... + 99999 = 4999950000 = 704982704 modulo 2^32
  EXPECT_TRUE(
      checkResult(with(model::ElementType::Int, model::DataPattern::Ramp, model::Operator::Add, 100000),
                  704982704)
          .ok);
}

TEST(CheckResult, HoldsFloatingSumsWithinTheTreesBound) {
  // 1024 elements in blocks of 256: ten additions deep at most. gamma(8 + 2 launches' 8) of the sum 523776.
  const model::Experiment experiment = with(model::ElementType::Float, model::DataPattern::Ramp);
  const std::uint64_t depth = additionDepth(experiment);
  EXPECT_EQ(depth, 16u);  // 4 blocks' trees of 8 levels, then one more
  const double u = std::ldexp(1.0, -24), bound = 16 * u / (1 - 16 * u) * 523776;
  const float exact = 523776;
  EXPECT_TRUE(checkResult(experiment, bits(exact)).ok);
  EXPECT_EQ(checkResult(experiment, bits(exact)).note, "");
  EXPECT_TRUE(checkResult(experiment, bits(float(exact + std::floor(bound * 8) / 8))).ok);
  EXPECT_FALSE(checkResult(experiment, bits(float(exact + bound + 0.25))).ok);
  EXPECT_NE(checkResult(experiment, bits(exact + 1)).note.find("rounding allows at most"), std::string::npos);
  EXPECT_FALSE(checkResult(experiment, bits(std::numeric_limits<float>::quiet_NaN())).ok);
}

// 2^24 and then ones: each one that is added alone to 2^24 is lost (round to even), a tree adds them up
// first.
TEST(CheckResult, SetsThisOrderAgainstLeftToRight) {
  model::GivenData given{.name = "ones", .values = {bits(16777216.0f)}};
  for (int i = 0; i < 7; ++i) given.values.push_back(bits(1.0f));
  model::Experiment experiment =
      with(model::ElementType::Float, model::DataPattern::Given, model::Operator::Add, 8);
  experiment.given = model::SharedData(given);
  const Check tree = checkResult(experiment, bits(16777224.0f));  // 16777223 exactly; even is nearest
  EXPECT_TRUE(tree.ok);
  EXPECT_EQ(
      tree.note.find("The exact sum is 16\u202f777\u202f223. This order is as near as its type can be; "), 0u)
      << tree.note;
  EXPECT_NE(tree.note.find("Left to right it would be 16\u202f777\u202f216, off by 7."), std::string::npos)
      << tree.note;
}

// A tenth is no binary fraction, and long double would lose its last bits.
TEST(CheckResult, TheSumIsExact) {
  model::GivenData given{.name = "mixed", .values = {bits(1e20f), bits(0.1f), bits(-1e20f)}};
  model::Experiment experiment =
      with(model::ElementType::Float, model::DataPattern::Given, model::Operator::Add, 3);
  experiment.given = model::SharedData(given);
  const Check check = checkResult(experiment, bits(0.1f));
  EXPECT_TRUE(check.ok);
  EXPECT_EQ(check.expected, "0.1");
  EXPECT_EQ(check.note.find("The exact sum is 0.10000000149. This order is as near as its type can be;"), 0u)
      << check.note;
}

TEST(CheckResult, WantsProductsOfOnesExact) {
  const model::Experiment experiment =
      with(model::ElementType::Float, model::DataPattern::Alternating, model::Operator::Multiply, 6);
  EXPECT_TRUE(checkResult(experiment, bits(-1.0f)).ok);
  EXPECT_FALSE(checkResult(experiment, bits(1.0f)).ok);
  EXPECT_FALSE(checkResult(experiment, bits(std::nextafter(-1.0f, 0.0f))).ok);
}

TEST(CheckResult, SaysWhereAnOrderOverflows) {
  // 0 * 1 * 2 * ...: 0, unless the upper half overflows before it meets the zero. Left to right it does not.
  const model::Experiment experiment =
      with(model::ElementType::Float, model::DataPattern::Ramp, model::Operator::Multiply, 256);
  EXPECT_TRUE(checkResult(experiment, bits(0.0f)).ok);
  EXPECT_EQ(checkResult(experiment, bits(0.0f)).note, "");
  EXPECT_FALSE(checkResult(experiment, bits(1.0f)).ok);
  const Check overflown = checkResult(experiment, bits(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(overflown.ok);
  EXPECT_EQ(overflown.expected, "0");
  EXPECT_NE(overflown.note.find("In this order a partial product overflows."), std::string::npos);
}

TEST(CheckResult, WantsExtremesEqual) {
  const model::Experiment experiment =
      with(model::ElementType::Double, model::DataPattern::Ramp, model::Operator::Max, 100);
  EXPECT_TRUE(checkResult(experiment, bits(99.0)).ok);
  EXPECT_FALSE(checkResult(experiment, bits(98.0)).ok);
  const model::Experiment none =
      with(model::ElementType::Double, model::DataPattern::Ramp, model::Operator::Max, 0);
  EXPECT_EQ(checkResult(none, bits(-std::numeric_limits<double>::infinity())).expected, "-inf");
}

// Elements 7, nan, 3: a sum is nan in any order. min(7, nan) is 7, and min(nan, 3) nan, as both compare.
TEST(CheckResult, HoldsNanAgainstTheLoop) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  model::Experiment experiment =
      with(model::ElementType::Float, model::DataPattern::Given, model::Operator::Add, 3);
  experiment.given = model::SharedData({"numbers", {bits(7.0f), bits(nan), bits(3.0f)}, {}});
  for (const model::Operator op : {model::Operator::Add, model::Operator::Multiply}) {
    experiment.op = op;
    EXPECT_TRUE(checkResult(experiment, bits(nan)).ok);
    EXPECT_TRUE(checkResult(experiment, bits(-nan)).ok) << "another nan";
    EXPECT_EQ(checkResult(experiment, bits(nan)).expected, "nan");
    EXPECT_FALSE(checkResult(experiment, bits(10.0f)).ok);
  }
  experiment.op = model::Operator::Min;
  EXPECT_TRUE(checkResult(experiment, bits(3.0f)).ok);
  EXPECT_EQ(checkResult(experiment, bits(3.0f)).note, "");
  const Check other = checkResult(experiment, bits(7.0f));
  EXPECT_FALSE(other.ok);
  EXPECT_EQ(other.expected, "3");
  EXPECT_NE(other.note.find("Element 1 is nan"), std::string::npos) << other.note;
}

}  // namespace
}  // namespace stridescope::engine
