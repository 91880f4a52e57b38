// What the trial finds, for operators whose properties are known from algebra.
#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "custom_support.h"
#include "engine/sandbox/combine_worker.h"

namespace stridescope::engine::sandbox {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Known {
  const char *combine, *identity;
  model::ElementType type;
  bool associative, left, right, commutative;
};

void PrintTo(const Known& known, std::ostream* out) {
  *out << known.combine << " of " << model::nameOf(known.type);
}

class KnownOperator : public testing::TestWithParam<Known> {};

TEST_P(KnownOperator, IsFoundOut) {
  const Known& known = GetParam();
  const auto engine = customOnCpu();
  const auto trace = record(*engine, custom(known.combine, known.identity, known.type));
  ASSERT_TRUE(trace) << trace.error().sentence << trace.error().details;
  const auto fails = [&](model::TrialProperty property) {
    return findingOf(*trace, property).verdict == model::TrialVerdict::Fails;
  };
  EXPECT_EQ(!fails(model::TrialProperty::Associative), known.associative);
  EXPECT_EQ(!fails(model::TrialProperty::LeftIdentity), known.left);
  EXPECT_EQ(!fails(model::TrialProperty::RightIdentity), known.right);
  EXPECT_EQ(!fails(model::TrialProperty::Commutative), known.commutative);
}

INSTANTIATE_TEST_SUITE_P(
    All, KnownOperator,
    testing::Values(
        Known{"a + b", "0", model::ElementType::Int, true, true, true, true},
        Known{"a * b", "1", model::ElementType::Int64, true, true, true, true},
        Known{"a ^ b", "0", model::ElementType::Unsigned, true, true, true, true},
        Known{"a > b ? a : b", "-2147483648", model::ElementType::Int, true, true, true, true},
        Known{"a > b ? a : b", "0", model::ElementType::Int, true, false, false, true},  // -1 and less
        Known{"a > b ? a : b", "0", model::ElementType::Unsigned, true, true, true, true},
        Known{"a - b", "0", model::ElementType::Int, false, false, true, false},
        Known{"a - b", "0", model::ElementType::Unsigned, false, false, true, false},
        Known{"a", "0", model::ElementType::Int, true, false, true, false},
        Known{"b", "0", model::ElementType::Double, true, true, false, false},
        Known{"a ? a : b", "0", model::ElementType::Int, true, true, true, false},  // the first that is not 0
        Known{"a + b + a * b", "0", model::ElementType::Int, true, true, true, true},  // (1 + a)(1 + b) - 1
        Known{"(a + b) / 2", "0", model::ElementType::Double, false, false, false, true},
        Known{"a + b", "0", model::ElementType::Float, true, true, true, true},
        Known{"a * b", "1", model::ElementType::Double, true, true, true, true},
        Known{"max(a, b)", "-inf", model::ElementType::Float, true, true, true, true},
        Known{"a - b", "0", model::ElementType::Float, false, false, true, false},
        Known{"a != a || a < b ? b : a", "nan", model::ElementType::Double, true, true, true, true},
        Known{"a + b", "inf", model::ElementType::Float, true, false, false, true},
        Known{"a * b", "inf", model::ElementType::Double, true, false, false, true},
        Known{"a < b ? b : a", "inf", model::ElementType::Float, true, false, false, true},
        Known{"a + b", "nan", model::ElementType::Float, true, false, false, true},
        Known{"sqrt(a * a + b * b)", "0", model::ElementType::Double, true, false, false, true},  // |-1| is 1
        // Only where the high bit is lost: the edges find it.
        Known{"a + b < 0 ? 0 : a + b", "0", model::ElementType::Int, false, false, false, true}));

TEST(OperatorTrial, ShowsSubtractionsTwoResults) {
  const auto engine = customOnCpu();
  const auto trace = record(*engine, custom("a - b", "0"));
  ASSERT_TRUE(trace) << trace.error().sentence;
  const model::TrialFinding& finding = findingOf(*trace, model::TrialProperty::Associative);
  EXPECT_THAT(finding.sentence,
              HasSubstr("combine(combine(4, 2), 6) = -4, but combine(4, combine(2, 6)) = 8"));
  EXPECT_TRUE(finding.isWarning);
  EXPECT_THAT(findingOf(*trace, model::TrialProperty::LeftIdentity).sentence,
              HasSubstr("combine(0, 4) = -4, not 4"));
  EXPECT_FALSE(trace->ok);
  EXPECT_EQ(trace->expected, "-2016");  // 0 - (1 + ... + 63)
  EXPECT_THAT(trace->checkNote, HasSubstr("not associative"));
}

TEST(OperatorTrial, PrefersShortNumbers) {
  const auto engine = customOnCpu();
  const auto trace = record(*engine, custom("a - b", "0", model::ElementType::Unsigned));
  ASSERT_TRUE(trace) << trace.error().sentence;
  // A difference below 0 has ten digits in this type; others have one.
  EXPECT_LT(findingOf(*trace, model::TrialProperty::Associative).sentence.find("So the result"), 110u)
      << findingOf(*trace, model::TrialProperty::Associative).sentence;
}

TEST(OperatorTrial, SaysWhoseOrderMatters) {
  const auto engine = customOnCpu();
  const auto outOfOrder = record(*engine, custom("a ? a : b", "0"));
  ASSERT_TRUE(outOfOrder) << outOfOrder.error().sentence;
  EXPECT_THAT(model::warningsOf(outOfOrder->trial),
              testing::ElementsAre(AllOf(HasSubstr("not commutative"), HasSubstr("'sequential'"))));
  const auto inOrder =
      record(*engine, custom("a ? a : b", "0", model::ElementType::Int, "interleaved_contiguous"));
  ASSERT_TRUE(inOrder) << inOrder.error().sentence;
  EXPECT_THAT(model::warningsOf(inOrder->trial), IsEmpty());
  EXPECT_TRUE(inOrder->ok);
  EXPECT_EQ(inOrder->result, "1");
}

TEST(OperatorTrial, TellsRoundingFromAWrongOperator) {
  const auto engine = customOnCpu();
  const auto trace = record(*engine, custom("a + b", "0", model::ElementType::Float));
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(findingOf(*trace, model::TrialProperty::Associative).verdict, model::TrialVerdict::UpToRounding);
  EXPECT_THAT(model::warningsOf(trace->trial), IsEmpty());
}

// Four of the 64 threads have no element. inf + 4 is no rounded 4.
TEST(OperatorTrial, InfinityIsNoIdentityOfASum) {
  for (const char* combine : {"a + b", "a * b", "a < b ? b : a"}) {
    model::Experiment experiment = custom(combine, "inf", model::ElementType::Float);
    experiment.elements = 60;
    experiment.data = model::DataPattern::Ones;
    const auto trace = record(*customOnCpu(), experiment);
    ASSERT_TRUE(trace) << trace.error().sentence;
    const model::TrialFinding& finding = findingOf(*trace, model::TrialProperty::LeftIdentity);
    EXPECT_THAT(finding.sentence,
                HasSubstr("inf is not the operator's identity: combine(inf, 4) = inf, not 4."));
    EXPECT_TRUE(finding.isWarning) << combine;
    EXPECT_FALSE(trace->ok);
    EXPECT_THAT(trace->checkNote,
                AllOf(HasSubstr("combine(inf, 4) = inf, not 4"), Not(HasSubstr("rounding"))))
        << combine;
  }
}

// 0 is no identity of this for -1; but neither is it used here, nor is any element negative. What differs is
// rounded in another order.
TEST(OperatorTrial, AnIdentityThatIsNotUsedIsNotBlamed) {
  model::Experiment experiment = custom("sqrtf(a * a + b * b)", "0", model::ElementType::Float, "sequential");
  experiment.threads = 1024, experiment.elements = 1024;
  experiment.data = model::DataPattern::Random;
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  const model::TrialFinding& finding = findingOf(*trace, model::TrialProperty::LeftIdentity);
  EXPECT_EQ(finding.verdict, model::TrialVerdict::Fails);
  EXPECT_FALSE(finding.isWarning);
  EXPECT_THAT(
      model::warningsOf(trace->trial),
      testing::ElementsAre(AllOf(HasSubstr("combine(0, -1) = 1, not -1"), HasSubstr("does no harm"))));
  ASSERT_NE(trace->result, trace->expected) << "the orders are rounded alike: the test needs other data";
  EXPECT_THAT(trace->checkNote, AllOf(HasSubstr("last digits"), Not(HasSubstr("identity"))));
}

// The same where threads begin with it: all elements are its elements' own values.
TEST(OperatorTrial, AnIdentityOfAllElementsIsNotBlamed) {
  model::Experiment experiment =
      custom("sqrtf(a * a + b * b)", "0", model::ElementType::Float, "warp_shuffle");
  experiment.elements = 512;
  experiment.data = model::DataPattern::Random;
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_FALSE(findingOf(*trace, model::TrialProperty::LeftIdentity).isWarning);
  EXPECT_THAT(model::warningsOf(trace->trial), testing::ElementsAre(HasSubstr("None of the elements")));
  EXPECT_THAT(trace->checkNote, Not(HasSubstr("identity")));
}

// From left to right the sum overflows; in the tree large numbers of both signs meet first.
TEST(OperatorTrial, NoLastDigitsAreSaidOfInfinity) {
  model::Experiment experiment = custom("a + b", "0", model::ElementType::Float);
  experiment.threads = 4, experiment.elements = 4;
  experiment.data = model::DataPattern::Given;
  model::GivenData data{.name = "numbers"};
  for (const float value : {3e38f, 3e38f, -3e38f, -3e38f})
    data.values.push_back(std::bit_cast<std::uint32_t>(value));
  experiment.given = model::SharedData(std::move(data));
  const auto trace = record(*customOnCpu(), experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, "0");
  EXPECT_EQ(trace->expected, "inf");
  EXPECT_THAT(trace->checkNote, AllOf(HasSubstr("overflows or is nan"), Not(HasSubstr("digits"))));
}

TEST(OperatorTrial, IsTheSameEveryTime) {
  const auto one = record(*customOnCpu(), custom("a * b - 1", "1", model::ElementType::Double));
  const auto other = record(*customOnCpu(), custom("a * b - 1", "1", model::ElementType::Double));
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->trial, other->trial);
}

// A slow operator is heard of all the time, and left at once.
TEST(OperatorTrial, TellsHowFarItIsAndEndsWithTheJob) {
  using Clock = std::chrono::steady_clock;
  const BitsCombine slow = [](std::uint64_t a, std::uint64_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(500));
    return a;
  };
  JobControl job;
  std::vector<float> told;
  auto last = Clock::now();
  auto longest = Clock::duration::zero();
  job.progress = [&](float fraction, const std::string&) {
    longest = std::max(longest, Clock::now() - last);
    last = Clock::now();
    told.push_back(fraction);
    job.cancel = told.size() == 5;
  };
  const auto begin = Clock::now();
  const auto trial = tryCombine(custom("a", "0"), slow, job);
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().kind, ErrorKind::Cancelled);
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(5));
  EXPECT_LT(longest, std::chrono::seconds(2));
  EXPECT_EQ(told.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_LT(told.back(), 0.5f);
}

}  // namespace
}  // namespace stridescope::engine::sandbox
