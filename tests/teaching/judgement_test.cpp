// What a guess is worth, and the sentence for it.
#include "teaching/judgement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "asked.h"
#include "kernels/catalog.h"
#include "teaching/why.h"

namespace stridescope::teaching::test {
namespace {

// The contiguous rung with 256 threads; round 5 is stride 16, in which threads 0 to 7 add.
class Stride16 : public ::testing::Test {
 protected:
  Judgement judged(Topic topic, const Guess& guess, std::uint64_t seed = 1) const {
    return judge(run_->run(), *findQuestion(questionsOf(run_->run(), {0, 5}, seed), topic), guess);
  }
  const std::unique_ptr<const Recorded> run_ = recorded("interleaved_contiguous");
};

TEST_F(Stride16, MarksAreRightWrongOrMissed) {
  const Judgement judgement = judged(Topic::ActiveThreads, marked(256, {0, 1, 2, 3, 4, 5, 6, 8}));
  EXPECT_FALSE(judgement.right);
  EXPECT_EQ(judgement.answer, "0 to 7");
  EXPECT_EQ(judgement.marks[0], Mark::Right);
  EXPECT_EQ(judgement.marks[7], Mark::Missed);
  EXPECT_EQ(judgement.marks[8], Mark::Wrong);
  EXPECT_EQ(judgement.marks[9], Mark::None);
  EXPECT_EQ(judgement.count(Mark::Right), 7u);
}

TEST_F(Stride16, AWrongThreadIsToldItsCondition) {
  EXPECT_EQ(
      judged(Topic::ActiveThreads, marked(256, {0, 1, 2, 3, 4, 5, 6, 7, 8})).why,
      "Thread 8 has index = 2 * 16 * 8 = 256. Line 14 asks index < blockDim.x, and 256 < 256 is false.");
}

TEST_F(Stride16, AMissedThreadIsToldItsCondition) {
  EXPECT_EQ(judged(Topic::ActiveThreads, marked(256, {0, 1, 2, 3, 4, 5, 6})).why,
            "Thread 7 has index = 2 * 16 * 7 = 224. Line 14 asks index < blockDim.x, and 224 < 256 is true.");
}

TEST_F(Stride16, ThreadsOfTheRoundBeforeAreKnownAsThat) {
  std::vector<std::size_t> before;
  for (std::size_t thread = 0; thread < 16; ++thread) before.push_back(thread);
  const std::string why = judged(Topic::ActiveThreads, marked(256, before)).why;
  EXPECT_TRUE(why.starts_with("Those were active in stride 8. Thread 8 has index")) << why;
}

TEST_F(Stride16, AsManyOthersAreKnownAsThat) {
  std::vector<std::size_t> every;
  for (std::size_t thread = 0; thread < 256; thread += 32) every.push_back(thread);
  const std::string why = judged(Topic::ActiveThreads, marked(256, every)).why;
  EXPECT_TRUE(why.starts_with("The number is right, 8 threads are active, but it is others. ")) << why;
}

TEST_F(Stride16, AnIdleWarpIsNotPartial) {
  EXPECT_TRUE(judged(Topic::PartialWarps, marked(8, {0})).right);
  EXPECT_EQ(judged(Topic::PartialWarps, marked(8, {0, 1})).why,
            "Warp 1: none of its 32 lanes are active, and an idle warp is not a partial one.");
  EXPECT_EQ(judged(Topic::PartialWarps, marked(8, {})).why,
            "Warp 0: 8 of its 32 lanes are active, and that makes it partial.");
}

TEST_F(Stride16, TheRuleOfAFullWarpIsKnownAsThat) {
  EXPECT_TRUE(judged(Topic::ConflictWays, chosen(8)).right);
  EXPECT_EQ(judged(Topic::ConflictWays, chosen(32)).why,
            "2s = 32 ways hold while a warp is full: here only 8 lanes of warp 0 ask, so 8 words meet in one "
            "bank.");
}

TEST_F(Stride16, NoConflictIsAnsweredWithTwoLanesThatMeet) {
  const std::string why = judged(Topic::ConflictWays, chosen(1)).why;
  EXPECT_TRUE(why.starts_with(
      "Lanes 0 and 1 of warp 0 ask for data[0] and data[32], two different words of bank 0. "))
      << why;
}

TEST_F(Stride16, AValueIsToldItsOperands) {
  const auto held = [&](std::uint64_t element) {
    const auto& snapshot = run_->made.analysis.launches[0].rounds[4].snapshot;
    return int(*snapshot.word(std::size_t(element) * 4, 4));
  };
  const std::string a = std::to_string(held(0)), b = std::to_string(held(16));
  const std::string sum = std::to_string(held(0) + held(16));
  const std::string formula = "Thread 0: data[0] + data[16] = " + a + " + " + b + " = " + sum + ".";
  EXPECT_TRUE(judged(Topic::CellValues, typed(sum)).right);
  EXPECT_TRUE(judged(Topic::CellValues, typed(" " + sum + " ")).right);
  EXPECT_EQ(judged(Topic::CellValues, typed(sum)).why, formula);
  EXPECT_EQ(judged(Topic::CellValues, typed(a)).why, a + " is what data[0] held before. " + formula);
  EXPECT_EQ(judged(Topic::CellValues, typed(b)).why, b + " is one operand alone. " + formula);
  const std::string product = std::to_string(held(0) * held(16));
  EXPECT_EQ(judged(Topic::CellValues, typed(product)).why,
            product + " is the product of the operands, and this reduction takes the sum. " + formula);
  EXPECT_EQ(judged(Topic::CellValues, typed("many")).why,
            "\"many\" is no number of the type int. " + formula);
}

TEST_F(Stride16, WhatIsNotAnsweredIsNotRight) {
  for (const Topic topic : kTopics) {
    const Judgement judgement = judged(topic, {});
    EXPECT_FALSE(judgement.right);
    EXPECT_FALSE(judgement.answered);
    EXPECT_EQ(judgement.count(Mark::Right), 0u);
  }
}

TEST_F(Stride16, HintsNameTheLineThenTheRuleThenOneThread) {
  const auto hints =
      hintsFor(run_->run(), *findQuestion(questionsOf(run_->run(), {0, 5}, 1), Topic::ActiveThreads));
  EXPECT_EQ(hints[0], "Line 14 decides which threads are active.");
  EXPECT_EQ(hints[1], "The stride is 16: index = 2 * 16 * tid, and line 14 asks index < 256.");
  EXPECT_EQ(
      hints[2],
      "Thread 7 has index = 2 * 16 * 7 = 224. Line 14 asks index < blockDim.x, and 224 < 256 is true. It "
      "is active.");
}

TEST(Judgement, OfASingleLaneKnowsNoConflict) {
  const auto run = recorded("interleaved_contiguous");
  const auto questions = questionsOf(run->run(), {0, 8}, 1);
  EXPECT_EQ(judge(run->run(), *findQuestion(questions, Topic::ConflictWays), chosen(2)).why,
            "A single lane cannot conflict with another.");
}

TEST(Judgement, OfAnotherNumberOfWaysTakesNoneOfTheChoices) {
  const auto run = recorded("any_block_size", 24);
  for (const RoundPlace place : run->places())
    for (const Question& question : questionsOf(run->run(), place, 1)) {
      if (question.topic != Topic::ConflictWays) continue;
      const unsigned way = unsigned(std::stoul(judge(run->run(), question, {}).answer));
      for (const unsigned guess : {1u, 2u, 4u, 8u, 16u, 32u, kOtherWay}) {
        const bool isPower = (way & (way - 1)) == 0;
        EXPECT_EQ(judge(run->run(), question, chosen(guess)).right,
                  isPower ? guess == way : guess == kOtherWay);
      }
    }
}

// What a condition comes to for a thread is what its text says, in every variant: "224 < 256 is true".
TEST(Judgement, SaysOfEveryThreadWhatIsTrue) {
  const std::regex comparison("^(\\d+) (<|>|==|>=|<=|!=) (\\d+)$");
  unsigned checked = 0;
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto run = recorded(std::string(variant.id), variant.merges() ? variant.threads.front() : 0);
    std::vector<RoundPlace> places = run->places();
    if (places.size() > 30) places.resize(30);
    for (const RoundPlace place : places) {
      const narration::RoundAt at = roundAt(run->run(), place);
      const RoundConditions conditions(at);
      for (unsigned thread = 0; thread < at.launch.block; ++thread) {
        const auto condition = conditions.of(thread);
        if (!condition) continue;
        EXPECT_EQ(condition->holds, at.round().lanes[thread] == analysis::LaneState::Active);
        std::smatch parts;
        if (!std::regex_match(condition->worked, parts, comparison)) continue;
        ++checked;
        const unsigned long a = std::stoul(parts[1]), b = std::stoul(parts[3]);
        const std::string op = parts[2];
        const bool holds = op == "<"    ? a < b
                           : op == ">"  ? a > b
                           : op == "==" ? a == b
                           : op == ">=" ? a >= b
                           : op == "<=" ? a <= b
                                        : a != b;
        EXPECT_EQ(holds, condition->holds) << variant.id << " " << sentenceOf(thread, *condition);
      }
    }
  }
  EXPECT_GT(checked, 20000u);
}

TEST(Words, NameSetsOfNumbers) {
  const auto words = [](std::initializer_list<std::size_t> set, std::string_view before = "") {
    std::vector<bool> marks(300, false);
    for (const std::size_t one : set) marks[one] = true;
    return inWords(marks, before);
  };
  EXPECT_EQ(words({}), "none");
  EXPECT_EQ(words({3}, "W"), "W3");
  EXPECT_EQ(words({0, 1}), "0 and 1");
  EXPECT_EQ(words({0, 1, 2, 3}, "W"), "W0 to W3");
  EXPECT_EQ(words({0, 16, 32, 48, 64}), "0, 16, 32 ... 64");
  EXPECT_EQ(words({0, 1, 2, 9}), "0 to 2 and 9");
  EXPECT_EQ(words({0, 2, 4}), "0, 2 and 4");
  EXPECT_EQ(words({0, 3, 5, 9, 20, 40}), "0, 3, 5, 9 ... (6 in all)");
}

TEST(Typed, NumbersAreOfTheType) {
  using model::ElementType;
  EXPECT_EQ(typedElement(ElementType::Int, "166"), 166u);
  EXPECT_EQ(typedElement(ElementType::Int, " -1 "), 0xffffffffu);
  EXPECT_EQ(typedElement(ElementType::Int, "+12\u202f345"), 12345u);
  EXPECT_EQ(typedElement(ElementType::Int, "3000000000"), std::nullopt);
  EXPECT_EQ(typedElement(ElementType::Unsigned, "-1"), std::nullopt);
  EXPECT_EQ(typedElement(ElementType::Int, "1.5"), std::nullopt);
  EXPECT_EQ(typedElement(ElementType::Int, ""), std::nullopt);
  EXPECT_EQ(typedElement(ElementType::Float, "1.5"), 0x3fc00000u);
}

TEST(Typed, AFloatMayBeRounded) {
  model::Experiment experiment = experimentOf("sequential", 64, model::ElementType::Float);
  const auto run = recorded(experiment);
  const auto questions = questionsOf(run->run(), {0, 1}, 1);
  const Question& value = *findQuestion(questions, Topic::CellValues);
  const double held = std::stod(judge(run->run(), value, {}).answer);
  EXPECT_TRUE(judge(run->run(), value, typed(std::to_string(held * (1 + 1e-6)))).right);
  EXPECT_FALSE(judge(run->run(), value, typed(std::to_string(held + 0.1))).right);
}

}  // namespace
}  // namespace stridescope::teaching::test
