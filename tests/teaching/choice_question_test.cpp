// Questions with answers to choose from.
#include <gtest/gtest.h>

#include <set>

#include "asked.h"
#include "kernels/catalog.h"
#include "teaching/sheet.h"

namespace stridescope::teaching::test {
namespace {

constexpr std::size_t kMaxAsked = 40;  // rounds of a run

class ChoiceQuestions : public testing::TestWithParam<std::string> {};

// Each wrong one, given as a guess, is judged wrong, and the right one right.
TEST_P(ChoiceQuestions, HaveOneRightAnswer) {
  const auto recorded = test::recorded(GetParam());
  const auto places = recorded->places();
  for (std::size_t i = 0; i < places.size(); i += std::max<std::size_t>(1, places.size() / kMaxAsked)) {
    const RoundPlace place = places[i];
    const auto asked = choiceQuestionOf(recorded->run(), place, 1);
    if (!asked) continue;
    SCOPED_TRACE(asked->question.text + " round " + std::to_string(place.round));
    EXPECT_EQ(asked->question.at, place);
    EXPECT_GE(asked->choices.size(), 2u);
    ASSERT_LT(asked->right, asked->choices.size());
    EXPECT_EQ(std::set(asked->choices.begin(), asked->choices.end()).size(), asked->choices.size());
    EXPECT_FALSE(asked->why.empty());
    for (std::size_t at = 0; at < asked->choices.size(); ++at) {
      const std::string& choice = asked->choices[at];
      if (asked->question.topic == Topic::CellValues) {
        EXPECT_EQ(judge(recorded->run(), asked->question, typed(choice)).right, at == asked->right) << choice;
      }
      if (asked->question.topic == Topic::ConflictWays) {
        const unsigned way = at < kWays.size() ? kWays[at] : kOtherWay;
        EXPECT_EQ(judge(recorded->run(), asked->question, chosen(way)).right, at == asked->right) << choice;
      }
      if (at == asked->right && asked->question.topic < Topic::ConflictWays) {
        EXPECT_EQ(judge(recorded->run(), asked->question, {}).answer, choice);
      }
    }
  }
}

std::vector<std::string> variants() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Catalog, ChoiceQuestions, testing::ValuesIn(variants()),
                         [](const auto& one) { return one.param; });

TEST(ChoiceQuestions, TakeTurns) {
  const auto run = recorded("interleaved_contiguous", 256);
  std::set<Topic> topics;
  std::set<std::size_t> right;
  for (const RoundPlace place : run->places())
    if (const auto asked = choiceQuestionOf(run->run(), place, 1)) {
      topics.insert(asked->question.topic);
      right.insert(asked->right);
    }
  EXPECT_EQ(topics.size(), kTopics.size());
  EXPECT_GE(right.size(), 3u) << "the right one stands at many places";
}

// Stride 8 of 256 threads: by hand.
TEST(ChoiceQuestions, OfActiveThreadsOfferWhatAPersonMayTakeForThem) {
  const auto run = recorded("interleaved_modulo", 256);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const auto asked = choiceQuestionOf(run->run(), {0, 4}, seed);
    ASSERT_TRUE(asked);
    if (asked->question.topic != Topic::ActiveThreads) continue;
    EXPECT_EQ(asked->choices[asked->right], "0, 16, 32 ... 240");
    EXPECT_NE(std::ranges::find(asked->choices, "0 to 15"), asked->choices.end());
    EXPECT_NE(std::ranges::find(asked->choices, "0, 8, 16 ... 248"), asked->choices.end());
    return;
  }
  FAIL() << "never asked";
}

}  // namespace
}  // namespace stridescope::teaching::test
