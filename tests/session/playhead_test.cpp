// Stepping, playing and the round that is kept. Every rung at 256 threads has ten rounds: the load, eight
// strides, the write.
#include <gtest/gtest.h>

#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

constexpr unsigned kRounds = 10;

class Stepping : public testing::Test {
 protected:
  FakeEngines engines_;
  std::unique_ptr<Session> open(unsigned launches = 1, unsigned round = 0) {
    engines_.launches = launches;
    return sessionOf(engines_, ladderExperiment("sequential"), round);
  }
};

TEST_F(Stepping, GoesForwardAndBackOneRoundAtATime) {
  const auto session = open();
  ASSERT_NE(session->replay().run(), nullptr);
  EXPECT_TRUE(session->replay().atFirst());
  for (unsigned round = 1; round < kRounds; ++round) {
    session->apply(StepForward{});
    EXPECT_EQ(session->replay().playhead(), (Playhead{0, round}));
    EXPECT_FALSE(session->replay().atFirst());
    EXPECT_EQ(session->replay().atLast(), round + 1 == kRounds);
  }
  for (unsigned round = kRounds - 1; round-- > 0;) {
    session->apply(StepBack{});
    EXPECT_EQ(session->replay().playhead(), (Playhead{0, round}));
  }
}

TEST_F(Stepping, StaysAtTheEnds) {
  const auto session = open();
  session->apply(StepBack{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, 0}));
  session->apply(GoToLast{});
  session->apply(StepForward{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, kRounds - 1}));
}

TEST_F(Stepping, CrossesFromLaunchToLaunch) {
  const auto session = open(3);
  for (unsigned i = 0; i < kRounds; ++i) session->apply(StepForward{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, 0}));
  session->apply(StepBack{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, kRounds - 1}));
  session->apply(GoToLast{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{2, kRounds - 1}));
  EXPECT_TRUE(session->replay().atLast());
  session->apply(GoToFirst{});
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, 0}));
}

TEST_F(Stepping, ToARoundThatIsNotThereGoesToTheNearest) {
  const auto session = open(2);
  session->apply(GoToRound{1, 4});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, 4}));
  session->apply(GoToRound{1, 99});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, kRounds - 1}));
  session->apply(GoToRound{7, 3});
  EXPECT_EQ(session->replay().playhead(), (Playhead{1, 3}));
}

TEST_F(Stepping, BeginsAtTheRoundAskedFor) {
  EXPECT_EQ(open(1, 4)->replay().playhead(), (Playhead{0, 4}));
  EXPECT_EQ(open(1, 99)->replay().playhead(), (Playhead{0, kRounds - 1}));
}

TEST_F(Stepping, StartsATransitionOnlyWhereSomethingMoves) {
  const auto session = open();
  session->update(10);
  EXPECT_FALSE(session->wantsFrameSoon());
  session->apply(StepForward{});
  EXPECT_TRUE(session->wantsFrameSoon());
  session->update(kTransitionSeconds / 2);
  EXPECT_TRUE(session->wantsFrameSoon());
  session->update(kTransitionSeconds);
  EXPECT_FALSE(session->wantsFrameSoon());
  session->apply(GoToRound{0, 1});
  EXPECT_FALSE(session->wantsFrameSoon()) << "it is there already";
}

TEST_F(Stepping, ThePanelsReadTheRoundUnderThePlayhead) {
  const auto session = open(2);
  session->apply(GoToRound{1, 3});
  EXPECT_EQ(session->replay().round().stride, 256u >> 3);
  EXPECT_EQ(&session->replay().launch(), &session->replay().run()->trace.launches[1]);
  EXPECT_EQ(session->replay().flow().work.size(), 32u);
  ASSERT_NE(session->replay().kernel(), nullptr);
  EXPECT_EQ(session->replay().kernel()->id, "sequential");
}

TEST_F(Stepping, WithoutARunChangesNothing) {
  engines_.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  const auto session = open();
  for (const Command& command : {Command{StepForward{}}, Command{StepBack{}}, Command{GoToLast{}},
                                 Command{GoToFirst{}}, Command{TogglePlay{}}})
    session->apply(command);
  session->update(1);
  EXPECT_EQ(session->replay().run(), nullptr);
  EXPECT_TRUE(session->replay().atFirst() && session->replay().atLast());
  EXPECT_FALSE(session->replay().playing());
}

TEST_F(Stepping, PlayingAdvancesAtItsSpeedAndStopsAtTheEnd) {
  const auto session = open();
  session->apply(SetSpeed{2});
  session->apply(TogglePlay{});
  EXPECT_TRUE(session->replay().playing());
  session->update(0.49);
  EXPECT_EQ(session->replay().playhead().round, 0u);
  session->update(0.02);
  EXPECT_EQ(session->replay().playhead().round, 1u);
  session->update(0.49);
  EXPECT_EQ(session->replay().playhead().round, 1u);
  for (int i = 0; i < 8; ++i) session->update(0.51);
  EXPECT_EQ(session->replay().playhead().round, kRounds - 1);
  EXPECT_FALSE(session->replay().playing());
  session->update(10);
  EXPECT_EQ(session->replay().playhead().round, kRounds - 1);
}

TEST_F(Stepping, PlayingAgainAtTheEndStartsFromTheFirst) {
  const auto session = open();
  session->apply(GoToLast{});
  session->apply(TogglePlay{});
  EXPECT_EQ(session->replay().playhead().round, 0u);
  EXPECT_TRUE(session->replay().playing());
  session->apply(TogglePlay{});
  EXPECT_FALSE(session->replay().playing());
  session->update(10);
  EXPECT_EQ(session->replay().playhead().round, 0u);
}

TEST_F(Stepping, SpeedsStayWithinTheirBounds) {
  const auto session = open();
  session->apply(SetSpeed{1000});
  EXPECT_EQ(session->app().settings().speed, kFastest);
  session->apply(SetSpeed{0});
  EXPECT_EQ(session->app().settings().speed, kSlowest);
  session->apply(SetSpeed{-3});
  EXPECT_EQ(session->app().settings().speed, kSlowest);
  session->apply(SetSpeed{3});
  EXPECT_EQ(session->app().settings().speed, 3);
}

TEST_F(Stepping, TheRoundIsKeptWhenTheExperimentChanges) {
  const auto session = open(1, 4);
  for (const Command& change :
       {Command{Choose(&model::Experiment::variant, "interleaved_modulo")},
        Command{Choose(&model::Experiment::type, model::ElementType::Double)},
        Command{Choose(&model::Experiment::op, model::Operator::Max)},
        Command{Choose(&model::Experiment::data, model::DataPattern::Random)},
        Command{Choose(&model::Experiment::seed, 9)}, Command{Choose(&model::Experiment::threads, 512)}}) {
    session->apply(change);
    session->waitForJobs();
    EXPECT_EQ(session->replay().playhead(), (Playhead{0, 4})) << change.any().index();
  }
}

// A block of 32 has seven rounds. The request outlives it.
TEST_F(Stepping, AShorterRunShowsTheNearestRoundAndALongerOneTheOldAgain) {
  const auto session = open(1, 8);
  session->apply(Choose(&model::Experiment::threads, 32));
  session->waitForJobs();
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, 6}));
  session->apply(Choose(&model::Experiment::threads, 1024));
  session->waitForJobs();
  EXPECT_EQ(session->replay().playhead(), (Playhead{0, 8}));
}

}  // namespace
}  // namespace stridescope::session
