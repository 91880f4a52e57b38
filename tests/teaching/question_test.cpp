// What is asked, and what is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "analysis/requests.h"
#include "asked.h"
#include "kernels/catalog.h"
#include "narration/round_kind.h"
#include "support/ladder_trace.h"
#include "teaching/cells.h"

namespace stridescope::teaching::test {
namespace {

// The tree of interleaved_contiguous, in plain C++.
struct Tree {
  std::vector<int> values;
  void stride(unsigned s) {
    for (std::size_t i = 0; i + s < values.size(); i += 2 * s) values[i] += values[i + s];
  }
};

std::vector<int> loaded(const Recorded& run, std::size_t count) {
  const narration::RoundAt at = roundAt(run.run(), {0, 0});
  std::vector<int> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(int(*heldAfter(at, {.where = Cell::Where::Shared, .array = 0, .element = i})));
  return values;
}

// How many distinct words of one bank `lanes` lanes ask for that are `apart` words apart.
unsigned waysOf(unsigned lanes, unsigned apart) {
  std::vector<std::set<unsigned>> words(32);
  for (unsigned lane = 0; lane < std::min(lanes, 32u); ++lane) words[lane * apart % 32].insert(lane * apart);
  std::size_t most = 0;
  for (const auto& each : words) most = std::max(most, each.size());
  return unsigned(most);
}

TEST(Questions, AskWhatATreeOfOneBlockSays) {
  for (const unsigned threads : {64u, 256u, 1024u}) {
    const auto run = recorded("interleaved_contiguous", threads);
    Tree tree{loaded(*run, threads)};
    for (unsigned round = 1, s = 1; s < threads; ++round, s *= 2) {
      SCOPED_TRACE("stride " + std::to_string(s) + " of " + std::to_string(threads));
      tree.stride(s);
      for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const auto questions = questionsOf(run->run(), {0, round}, seed, {2, 2, 2, 2});
        ASSERT_EQ(questions.size(), 4u);
        const unsigned active = threads / (2 * s);
        std::vector<std::size_t> first(active);
        std::iota(first.begin(), first.end(), 0u);
        EXPECT_TRUE(judge(run->run(), questions[0], marked(threads, first)).right);
        EXPECT_EQ(questions[0].text, "Which threads add?");
        EXPECT_TRUE(judge(run->run(), questions[1],
                          active % 32 == 0 ? marked(threads / 32, {}) : marked(threads / 32, {active / 32}))
                        .right);
        EXPECT_TRUE(judge(run->run(), questions[2], chosen(waysOf(active, 2 * s))).right);
        const Cell& cell = questions[3].cell;
        EXPECT_EQ(cell.element % s, 0u) << "what was combined before is not asked";
        EXPECT_TRUE(judge(run->run(), questions[3], typed(std::to_string(tree.values[cell.element]))).right)
            << questions[3].text << " " << tree.values[cell.element];
      }
    }
  }
}

TEST(Questions, AreTheSameForTheSameSeed) {
  const auto run = recorded("interleaved_contiguous");
  const auto asked = [&](std::uint64_t seed) { return questionsOf(run->run(), {0, 3}, seed, {1, 1, 1, 1}); };
  EXPECT_EQ(asked(5), asked(5));
  std::set<std::string> cells;
  for (std::uint64_t seed = 0; seed < 20; ++seed) cells.insert(asked(seed)[3].text);
  EXPECT_GT(cells.size(), 5u);
}

TEST(Questions, BeginWithTheLowestCellAndTheFirstRequest) {
  const auto run = recorded("interleaved_contiguous");
  const auto questions = questionsOf(run->run(), {0, 4}, 11);
  EXPECT_EQ(findQuestion(questions, Topic::CellValues)->text, "What will data[0] hold?");
  EXPECT_EQ(findQuestion(questions, Topic::ConflictWays)->text, "How many ways does load A conflict?");
  EXPECT_EQ(findQuestion(questions, Topic::ConflictWays)->note, "line 15: data[index]");
}

// Whatever is asked of a run has the same answer whichever way its threads were scheduled.
TEST(Questions, AskWhatEveryScheduleAnswersTheSame) {
  unsigned asked = 0;
  for (const kernels::Variant& variant : kernels::catalog()) {
    for (const unsigned threads : {variant.defaultThreads, variant.threads.front()}) {
      model::Experiment experiment = experimentOf(std::string(variant.id), threads);
      if (variant.merges()) experiment = experimentOf(std::string(variant.id), variant.threads.front());
      const auto base = recorded(experiment);
      std::vector<RoundPlace> places = base->places();
      if (places.size() > 40) places.resize(40);
      for (const auto schedule :
           {model::Schedule::WarpByWarp, model::Schedule::Lockstep, model::Schedule::Random}) {
        experiment.schedule = schedule;
        experiment.scheduleSeed = 3;
        const auto other = recorded(experiment);
        for (const RoundPlace place : places)
          for (const Question& question : questionsOf(base->run(), place, 9, {1, 1, 1, 1})) {
            SCOPED_TRACE(std::string(variant.id) + " " + narration::titleOf(roundAt(base->run(), place)) +
                         ": " + question.text);
            ++asked;
            ASSERT_LT(place.launch, other->made.analysis.launches.size());
            ASSERT_LT(place.round, other->made.analysis.launches[place.launch].rounds.size());
            const narration::RoundAt at = roundAt(other->run(), place);
            const bool isThere =
                question.topic == Topic::ConflictWays
                    ? analysis::findRequest(at.round(), question.request) != nullptr
                    : question.topic != Topic::CellValues || heldAfter(at, question.cell).has_value();
            ASSERT_TRUE(isThere);
            EXPECT_EQ(judge(base->run(), question, {}).answer, judge(other->run(), question, {}).answer);
          }
      }
    }
  }
  EXPECT_GT(asked, 4000u);
}

TEST(Questions, LeaveOutWhatARaceDecides) {
  const auto run = recorded("missing_barrier");
  EXPECT_NE(findQuestion(questionsOf(run->run(), {0, 1}, 1), Topic::ActiveThreads), nullptr);
  EXPECT_EQ(findQuestion(questionsOf(run->run(), {0, 1}, 1), Topic::CellValues), nullptr);
}

// With s = 128, 64, 32, ... the threads below s come to the barrier in the branch, and no others.
TEST(Questions, WhereABarrierIsMissedAskWhoWaitsAtIt) {
  const auto run = recorded("divergent_barrier");
  EXPECT_EQ(questionsOf(run->run(), {0, 0}, 1).size(), 3u);
  unsigned s = 128;
  for (unsigned round = 1; s > 0; ++round, s /= 2) {
    const auto questions = questionsOf(run->run(), {0, round}, 1);
    ASSERT_EQ(questions.size(), 1u) << "nothing else is determined there";
    const Question& question = questions.front();
    EXPECT_EQ(question.topic, Topic::ActiveThreads);
    EXPECT_EQ(question.text, "Which threads wait at the barrier?");
    EXPECT_EQ(question.note, "line 14: __syncthreads()");
    std::vector<std::size_t> below(s);
    std::iota(below.begin(), below.end(), 0u);
    EXPECT_TRUE(judge(run->run(), question, marked(256, below)).right) << s;
    below.push_back(s);
    const Judgement wrong = judge(run->run(), question, marked(256, below));
    EXPECT_FALSE(wrong.right);
    EXPECT_NE(wrong.why.find("Thread " + std::to_string(s) + " goes past the barrier."), std::string::npos)
        << wrong.why;
    EXPECT_NE(wrong.why.find(std::to_string(s) + (s == 1 ? " of 256 threads waits" : " of 256 threads wait")),
              std::string::npos)
        << wrong.why;
  }
  // The threads that were past it before are not in the round at all.
  const Question later = questionsOf(run->run(), {0, 2}, 1).front();
  EXPECT_NE(judge(run->run(), later, marked(256, {200})).why.find("it has returned"), std::string::npos);
}

// A kernel that all threads pass its barriers of is not asked about them.
TEST(Questions, WhereAllComeToABarrierAskNothingAboutIt) {
  for (const char* const variant : {"sequential", "warp_shuffle", "missing_barrier"}) {
    const auto run = recorded(variant);
    for (const RoundPlace place : run->places())
      for (const Question& question : questionsOf(run->run(), place, 1)) EXPECT_FALSE(question.barrier);
  }
}

// Who is active where nothing is shared: whoever accesses memory at all, and the question says so.
TEST(Questions, SayWhatActiveMeansWhereNothingIsShared) {
  const auto run = recorded("global_memory");
  const std::string meaning =
      "Nothing in this round accesses shared memory or passes a value on: a thread is active if it accesses "
      "device memory.";
  unsigned asked = 0;
  for (const RoundPlace place : run->places())
    for (const Question& question : questionsOf(run->run(), place, 1)) {
      const bool adds = question.text == "Which threads add?";
      if (question.topic == Topic::CellValues) continue;
      EXPECT_EQ(question.meaning, adds ? "" : meaning) << question.text;
      ++asked;
    }
  EXPECT_GT(asked, 15u);
  // In the write, thread 0 alone reads and writes, in device memory.
  const auto write = questionsOf(run->run(), {0, 9}, 1);
  EXPECT_EQ(write.front().text, "Which threads are active?");
  EXPECT_EQ(judge(run->run(), write.front(), {}).answer, "0");
  EXPECT_EQ(judge(run->run(), write.front(), marked(256, {0, 300 % 256})).why.find("shared memory"),
            std::string::npos);
  for (const char* const shared : {"sequential", "interleaved_modulo"}) {
    const auto other = recorded(shared);
    for (const RoundPlace place : other->places())
      for (const Question& question : questionsOf(other->run(), place, 1)) EXPECT_EQ(question.meaning, "");
  }
}

TEST(Questions, LeaveOutValuesBehindAnUndefinedShuffle) {
  const auto run = recorded("wrong_mask");
  const narration::RoundAt at = roundAt(run->run(), {0, 0});
  ASSERT_EQ(at.analysis.problems.size(), 1u);
  bool before = false, behind = false;
  for (const RoundPlace place : run->places()) {
    const auto questions = questionsOf(run->run(), place, 1);
    const bool asked = findQuestion(questions, Topic::CellValues) != nullptr;
    (place.round < 6 ? before : behind) |= asked && place.round != 6;
  }
  EXPECT_TRUE(before);
  EXPECT_FALSE(behind);
}

TEST(Questions, LeaveOutTheRoundInWhichATraceWasCut) {
  model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  trace.launches[0].recorded().cut = true;
  const Recorded run{lab::runOf(std::move(trace))};
  const unsigned last = unsigned(run.made.analysis.launches[0].rounds.size()) - 1;
  EXPECT_FALSE(questionsOf(run.run(), {0, last - 1}, 1).empty());
  EXPECT_TRUE(questionsOf(run.run(), {0, last}, 1).empty());
}

// What is loaded in the round itself was not shown before.
TEST(Questions, AskNoValueThatWasNotThereBefore) {
  for (const char* const variant : {"interleaved_contiguous", "first_add_on_load", "warp_shuffle"})
    EXPECT_EQ(findQuestion(questionsOf(recorded(variant)->run(), {0, 0}, 1), Topic::CellValues), nullptr);
}

TEST(Questions, OfAShuffleAreAboutRegisters) {
  const auto run = recorded("warp_shuffle");
  const auto questions = questionsOf(run->run(), {0, 1}, 1);
  const Question* const value = findQuestion(questions, Topic::CellValues);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->text, "What will lane 0 of warp 0 hold?");
  const narration::RoundAt at = roundAt(run->run(), {0, 1});
  const auto held = [&](std::uint32_t thread) {
    return int(*heldBefore(at, {.where = Cell::Where::Register, .thread = thread}));
  };
  EXPECT_TRUE(judge(run->run(), *value, typed(std::to_string(held(0) + held(16)))).right);
}

// In the last shuffles of warp_shuffle only warp 0 takes part; what the others hold is known as well.
TEST(Questions, OfAShuffleDoNotTellWhoTakesPart) {
  const auto run = recorded("warp_shuffle");
  const narration::RoundAt first = roundAt(run->run(), {0, 1}), late = roundAt(run->run(), {0, 7});
  const auto& put = roundAt(run->run(), {0, 1}).round().exchanges;
  const auto before = registersBefore(first);
  ASSERT_EQ(before.size(), 256u);
  for (std::size_t thread = 0; thread < before.size(); ++thread)
    EXPECT_EQ(before[thread], put[thread]->given);
  const auto known = [](const auto& each) { return each.has_value(); };
  EXPECT_EQ(std::ranges::count_if(late.round().exchanges, known), 32);
  EXPECT_EQ(std::ranges::count_if(registersBefore(late), known), 256);
  EXPECT_TRUE(registersBefore(roundAt(run->run(), {0, 6})).empty()) << "it reads, and passes nothing";
}

// Every question of every variant has its three hints and its sentence of why, guessed or not.
TEST(Questions, HaveHintsAndReasonsInEveryVariant) {
  for (const kernels::Variant& variant : kernels::catalog()) {
    const auto run = recorded(std::string(variant.id), variant.merges() ? variant.threads.front() : 0);
    std::vector<RoundPlace> places = run->places();
    if (places.size() > 30) places.resize(30);
    for (const RoundPlace place : places)
      for (const Question& question : questionsOf(run->run(), place, 4, {2, 2, 2, 2})) {
        SCOPED_TRACE(std::string(variant.id) + " " + narration::titleOf(roundAt(run->run(), place)) + ": " +
                     question.text);
        const auto hints = hintsFor(run->run(), question);
        ASSERT_EQ(hints.size(), kHints);
        for (const std::string& hint : hints) {
          EXPECT_TRUE(hint.ends_with('.')) << hint;
          EXPECT_EQ(hint.find("{}"), std::string::npos);
          EXPECT_FALSE(hint[0] >= 'a' && hint[0] <= 'z') << hint;
        }
        const unsigned block = run->run().trace.launches[place.launch].block;
        for (const Guess& guess :
             {Guess{}, marked(block, {block - 1}), chosen(32), typed("-1"), typed("x")}) {
          const Judgement judgement = judge(run->run(), question, guess);
          EXPECT_TRUE(judgement.why.ends_with('.')) << judgement.why;
          EXPECT_FALSE(judgement.answer.empty());
        }
      }
  }
}

}  // namespace
}  // namespace stridescope::teaching::test
