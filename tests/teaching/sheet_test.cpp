// Sheets for an exam.
#include "teaching/sheet.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "asked.h"
#include "kernels/catalog.h"
#include "teaching/cells.h"

namespace stridescope::teaching::test {
namespace {

std::string textOf(const Sheet& sheet) {
  std::string text;
  for (const SheetQuestion& each : sheet.questions) {
    text += each.round + each.question.text + each.question.note + each.answer + each.why;
    for (const std::string& one : each.given) text += one;
  }
  return text;
}

TEST(Sheets, AreTheSameForTheSameSeed) {
  const auto run = recorded("interleaved_contiguous");
  EXPECT_EQ(textOf(sheetOf(run->run(), 7, 12)), textOf(sheetOf(run->run(), 7, 12)));
  EXPECT_NE(textOf(sheetOf(run->run(), 7, 12)), textOf(sheetOf(run->run(), 8, 12)));
}

TEST(Sheets, AskEachConceptAndNoQuestionTwice) {
  const auto run = recorded("interleaved_contiguous");
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Sheet sheet = sheetOf(run->run(), seed, 12);
    ASSERT_EQ(sheet.questions.size(), 12u);
    std::set<Topic> topics;
    std::set<std::string> asked;
    for (const SheetQuestion& each : sheet.questions) {
      topics.insert(each.question.topic);
      EXPECT_TRUE(asked.insert(each.round + each.question.text).second) << each.round << each.question.text;
      EXPECT_EQ(each.choices.empty(), each.question.topic != Topic::ConflictWays);
    }
    EXPECT_EQ(topics.size(), kTopics.size());
    EXPECT_TRUE(
        std::ranges::is_sorted(sheet.questions, {}, [](const auto& each) { return each.question.at; }));
  }
}

// What stands beside one question is no other's answer: no question tells anything about a cell that another
// asks about.
TEST(Sheets, TellNoAnswerBesideAnotherQuestion) {
  for (const char* const variant : {"interleaved_contiguous", "sequential", "warp_shuffle", "k_way_merge"}) {
    const auto run = recorded(variant, std::string_view(variant) == "k_way_merge" ? 32 : 0);
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Sheet sheet = sheetOf(run->run(), seed, 40);
      for (const SheetQuestion& each : sheet.questions) {
        if (each.question.topic != Topic::CellValues) continue;
        if (each.question.cell.where == Cell::Where::Register) continue;
        const std::string name = each.question.text.substr(std::string("What will ").size());
        const std::string cell = name.substr(0, name.find(' ')) + " = ";
        for (const SheetQuestion& other : sheet.questions)
          for (const std::string& given : other.given)
            EXPECT_TRUE(&other == &each || !given.starts_with(cell))
                << variant << " " << seed << ": " << given << " beside " << other.question.text;
      }
    }
  }
}

// The values that a question is answered from stand beside it.
TEST(Sheets, GiveWhatAValueFollowsFrom) {
  const auto run = recorded("sequential");
  unsigned sums = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const SheetQuestion& each : sheetOf(run->run(), seed, 12).questions) {
      if (each.question.topic != Topic::CellValues) continue;
      std::map<std::string, int> held;
      for (const std::string& given : each.given)
        held[given.substr(0, given.find(' '))] = std::stoi(given.substr(given.rfind(' ')));
      // The sequential rung: below the stride data[t] takes data[t] + data[t + s]; the others stay.
      const auto at = roundAt(run->run(), each.question.at);
      const std::uint64_t s = at.round().stride.value_or(0), t = each.question.cell.element;
      const auto name = [](std::uint64_t element) { return "data[" + std::to_string(element) + "]"; };
      ASSERT_TRUE(held.contains(name(t)));
      ASSERT_TRUE(t >= s || held.contains(name(t + s))) << each.round << each.question.text;
      sums += t < s ? 1 : 0;
      EXPECT_EQ(std::stoi(each.answer), t < s ? held[name(t)] + held[name(t + s)] : held[name(t)]);
    }
  EXPECT_GT(sums, 5u);
}

// What stands beside a cell tells neither that a thread writes it nor that none does: with the stride s of
// the round, the cells s before it and s behind it are there either way, as far as the array has them.
TEST(Sheets, TheValuesGivenDoNotTellWhetherACellIsWritten) {
  for (const char* const variant :
       {"sequential", "interleaved_contiguous", "interleaved_modulo", "global_memory"}) {
    const auto run = recorded(variant);
    unsigned written = 0, kept = 0;
    for (const RoundPlace place : run->places()) {
      const narration::RoundAt at = roundAt(run->run(), place);
      if (place.round == 0 || !at.round().stride) continue;
      const std::uint64_t s = *at.round().stride;
      const auto cells = cellsBefore(at);
      for (const Cell& cell : cells) {
        if (!isPredictable(at, cell)) continue;
        const auto given = cellsGiven(at, {.topic = Topic::CellValues, .at = place, .cell = cell});
        const auto has = [&](std::uint64_t element) {
          return std::ranges::any_of(given, [&](const Cell& each) { return each.element == element; });
        };
        Cell behind = cell;
        behind.element += s;
        const std::uint64_t elements = std::string_view(variant) == "global_memory" ? 512 : 256;
        ASSERT_TRUE(has(cell.element));
        ASSERT_EQ(has(cell.element + s), cell.element + s < elements)
            << variant << " " << s << " " << cell.element;
        if (cell.element >= s) {
          ASSERT_TRUE(has(cell.element - s)) << variant << " " << s << " " << cell.element;
        }
        ++(heldBefore(at, cell) == heldAfter(at, cell) ? kept : written);
      }
    }
    EXPECT_GT(written, 100u) << variant;
    EXPECT_GT(kept, 100u) << variant;
  }
}

// None of 12 questions has the answer of three others, in whatever run.
TEST(Sheets, DoNotAskForTheSameAnswerAgainAndAgain) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto run = recorded(std::string(variant.id), variant.merges() ? variant.threads.front() : 0);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      std::map<std::pair<Topic, std::string>, unsigned> alike;
      for (const SheetQuestion& each : sheetOf(run->run(), seed, 12).questions)
        EXPECT_LE(++alike[std::pair(each.question.topic, each.answer)], 3u)
            << variant.id << " " << seed << ": " << each.question.text << " " << each.answer;
    }
  }
}

// About half of the cells change in a stride: neither answer is always a good guess.
TEST(Sheets, AskForValuesThatChangeAndForValuesThatStay) {
  for (const char* const variant : {"sequential", "global_memory"}) {
    const auto run = recorded(variant);
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
      unsigned written = 0, kept = 0;
      for (const SheetQuestion& each : sheetOf(run->run(), seed, 12).questions)
        if (each.question.topic == Topic::CellValues)
          ++(each.why.find("No thread writes") == std::string::npos ? written : kept);
      EXPECT_GT(written, 0u) << variant << " " << seed;
      EXPECT_GT(kept, 0u) << variant << " " << seed;
    }
  }
}

// Eight strides end with a barrier that not all threads come to; only before them it is asked who is active.
TEST(Sheets, AskWhoIsActiveBesideWhoWaitsAtABarrier) {
  const auto run = recorded("divergent_barrier");
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    std::set<bool> asked;
    for (const SheetQuestion& each : sheetOf(run->run(), seed, 6).questions)
      if (each.question.topic == Topic::ActiveThreads) asked.insert(each.question.barrier.has_value());
    EXPECT_EQ(asked, (std::set{false, true})) << seed;
  }
}

TEST(Sheets, OfEveryVariantAskWhatIsDetermined) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto run = recorded(std::string(variant.id), variant.merges() ? variant.threads.front() : 0);
    const Sheet sheet = sheetOf(run->run(), 1, 20);
    EXPECT_EQ(sheet.questions.empty(), variant.id == "missing_bound_check") << variant.id;
    for (const SheetQuestion& each : sheet.questions) {
      Guess guess{.answered = true};
      if (each.question.topic == Topic::ConflictWays) guess = chosen(unsigned(std::stoul(each.answer)));
      if (each.question.topic == Topic::CellValues) guess = typed(each.answer);
      const bool isWritten =
          each.question.topic == Topic::ConflictWays || each.question.topic == Topic::CellValues;
      if (!isWritten || (guess.way & (guess.way - 1)) != 0) continue;
      EXPECT_TRUE(judge(run->run(), each.question, guess).right) << variant.id << each.question.text;
    }
  }
}

// Questions with answers to choose from.

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
