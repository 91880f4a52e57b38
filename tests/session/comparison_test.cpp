// Two runs side by side: which they are, how they are stepped, and to which of them a command goes.
#include "session/comparison.h"

#include <gtest/gtest.h>

#include "engine/host/host_engine.h"
#include "session/session.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using analysis::LockedBy;
using analysis::Side;
using support::FakeEngines;
using support::ladderExperiment;

// A session on the CPU executor, with the explored run on the screen.
class Compared {
 public:
  explicit Compared(const std::string& variant = "sequential", unsigned threads = 256, unsigned round = 4) {
    SessionServices services;
    services.makeEngine = [](const std::string&) -> Result<std::shared_ptr<engine::Engine>> {
      return std::shared_ptr<engine::Engine>(engine::host::makeHostEngine());
    };
    session_ = std::make_unique<Session>(services, Settings(),
                                         Start{.experiment = ladderExperiment(variant, threads),
                                               .elementsGiven = false,
                                               .round = round,
                                               .engine = "host"});
    session_->waitForJobs();
  }

  void apply(const Command& command) {
    session_->apply(command);
    session_->waitForJobs();
  }
  void enter() { apply(EnterMode{Mode::Compare}); }
  Session& session() { return *session_; }
  const Comparison& both() const { return *session_->comparison(); }

  std::string variants() const {
    return both().workspace(Side::Left).experiment().variant + " | " +
           both().workspace(Side::Right).experiment().variant;
  }
  // "4 | 4", "9 | finished": where the sides stand.
  std::string rounds() const {
    const auto one = [&](Side side) {
      return both().hasRound(side) ? std::to_string(both().replay(side).playhead().round) : "finished";
    };
    return one(Side::Left) + " | " + one(Side::Right);
  }
  // "256 | 128"
  std::string threads() const {
    return std::to_string(both().workspace(Side::Left).experiment().threads) + " | " +
           std::to_string(both().workspace(Side::Right).experiment().threads);
  }

 private:
  std::unique_ptr<Session> session_;
};

TEST(Comparison, TheVariantBeforeStandsAtTheLeft) {
  Compared compared;
  EXPECT_EQ(compared.session().comparison(), nullptr) << "in Explore";
  compared.enter();
  ASSERT_NE(compared.session().comparison(), nullptr);
  EXPECT_EQ(compared.variants(), "interleaved_contiguous | sequential");
  EXPECT_EQ(compared.rounds(), "4 | 4");
  EXPECT_EQ(compared.both().replay(Side::Left).run()->trace.experiment.threads, 256u);
}

TEST(Comparison, TheFirstRungStandsBesideTheOneAfterIt) {
  Compared compared("interleaved_modulo");
  compared.enter();
  EXPECT_EQ(compared.variants(), "interleaved_modulo | interleaved_and");
  compared.apply(CompareWithPrevious{});
  EXPECT_EQ(compared.variants(), "interleaved_modulo | interleaved_and");
}

TEST(Comparison, StepsGoToBoth) {
  Compared compared;
  compared.enter();
  compared.apply(StepForward{});
  EXPECT_EQ(compared.rounds(), "5 | 5");
  compared.apply(StepBack{});
  compared.apply(StepBack{});
  EXPECT_EQ(compared.rounds(), "3 | 3");
  compared.apply(GoToLast{});
  EXPECT_EQ(compared.rounds(), "9 | 9");
  EXPECT_TRUE(compared.both().atLast());
  compared.apply(StepForward{});
  EXPECT_EQ(compared.rounds(), "9 | 9");
  compared.apply(GoToFirst{});
  EXPECT_EQ(compared.rounds(), "0 | 0");
  EXPECT_TRUE(compared.both().atFirst());
  compared.apply(OnSide{Side::Left, std::make_shared<const Command>(GoToRound{0, 7})});
  EXPECT_EQ(compared.rounds(), "7 | 7");
}

// 64 threads have 8 rounds, 256 have 10.
TEST(Comparison, ASideThatHasFinishedShowsItsLastState) {
  Compared compared;
  compared.enter();
  compared.apply(ChooseTogether{false});
  compared.apply(ChooseSide{Side::Left});
  compared.apply(Choose(&model::Experiment::threads, 64));
  EXPECT_EQ(compared.threads(), "64 | 256");
  compared.apply(GoToLast{});
  EXPECT_EQ(compared.rounds(), "finished | 9");
  EXPECT_EQ(compared.both().replay(Side::Left).playhead().round, 7u);
  compared.apply(StepBack{});
  compared.apply(StepBack{});
  EXPECT_EQ(compared.rounds(), "7 | 7");
}

TEST(Comparison, LockedByStride) {
  Compared compared;
  compared.enter();
  compared.apply(LockSides{LockedBy::Stride});
  // The left run stays: stride 8. The right one's stride 8 is its round 5.
  EXPECT_EQ(compared.rounds(), "4 | 5");
  compared.apply(StepForward{});  // stride 16
  EXPECT_EQ(compared.rounds(), "5 | 4");
  compared.apply(LockSides{LockedBy::Round});
  EXPECT_EQ(compared.rounds(), "5 | 5");
}

// Stride 64 is the right run's round 2, and the left one's round 7.
TEST(Comparison, LockedByStrideItIsEnteredAtTheExploredStride) {
  Compared compared;
  compared.enter();
  compared.apply(LockSides{LockedBy::Stride});
  compared.apply(EnterMode{Mode::Explore});
  compared.apply(GoToRound{0, 2});
  compared.enter();
  EXPECT_EQ(compared.rounds(), "7 | 2");
  compared.apply(EnterMode{Mode::Explore});
  EXPECT_EQ(compared.session().replay().playhead().round, 2u);
}

TEST(Comparison, LockedByStrideAnotherVariantKeepsTheOthersStride) {
  Compared compared;
  compared.enter();
  compared.apply(LockSides{LockedBy::Stride});
  compared.apply(OnSide{Side::Left, std::make_shared<const Command>(
                                        Choose(&model::Experiment::variant, "interleaved_modulo"))});
  EXPECT_EQ(compared.variants(), "interleaved_modulo | sequential");
  EXPECT_EQ(compared.rounds(), "4 | 5");
  compared.apply(OnSide{
      Side::Left, std::make_shared<const Command>(Choose(&model::Experiment::variant, "first_add_on_load"))});
  EXPECT_EQ(compared.both().replay(Side::Right).playhead().round, 5u);
}

TEST(Comparison, AStrideThatASideDoesNotHave) {
  Compared compared;
  compared.enter();
  compared.apply(ChooseTogether{false});
  compared.apply(Choose(&model::Experiment::threads, 64));  // for the right side
  compared.apply(LockSides{LockedBy::Stride});
  compared.apply(GoToFirst{});
  EXPECT_EQ(compared.rounds(), "0 | 0");
  for (int step = 0; step < 7; ++step) compared.apply(StepForward{});
  EXPECT_EQ(compared.rounds(), "7 | finished") << "stride 64";
  EXPECT_EQ(compared.both().replay(Side::Right).playhead().round, 7u) << "its last state";
  compared.apply(GoToLast{});
  EXPECT_EQ(compared.rounds(), "9 | 7") << "the write";
}

TEST(Comparison, AnotherVariantKeepsTheRound) {
  Compared compared;
  compared.enter();
  compared.apply(GoToRound{0, 9});
  compared.apply(Choose(&model::Experiment::variant,
                        "unrolled_last_warp"));  // for the chosen side, the right one: 9 rounds and a write
  compared.apply(OnSide{
      Side::Left, std::make_shared<const Command>(Choose(&model::Experiment::variant, "warp_shuffle"))});
  EXPECT_EQ(compared.variants(), "warp_shuffle | unrolled_last_warp");
  EXPECT_EQ(compared.rounds(), "9 | 9");
}

TEST(Comparison, WhatIsChosenGoesToBothOrToOne) {
  Compared compared;
  compared.enter();
  compared.apply(Choose(&model::Experiment::threads, 128));
  EXPECT_EQ(compared.threads(), "128 | 128");
  compared.apply(ChooseTogether{false});
  compared.apply(Choose(&model::Experiment::threads, 64));
  EXPECT_EQ(compared.threads(), "128 | 64") << "the chosen side";
  compared.apply(ChooseSide{Side::Left});
  compared.apply(Choose(&model::Experiment::threads, 32));
  EXPECT_EQ(compared.threads(), "32 | 64");
  EXPECT_EQ(compared.session().workspace().experiment().threads, 32u) << "the bar's";
  compared.apply(ChooseTogether{true});
  EXPECT_EQ(compared.threads(), "32 | 32") << "as the chosen side has it";
  EXPECT_EQ(compared.variants(), "interleaved_contiguous | sequential") << "but the variant";
}

TEST(Comparison, SidesAreSwapped) {
  Compared compared;
  compared.enter();
  compared.apply(SwapSides{});
  EXPECT_EQ(compared.variants(), "sequential | interleaved_contiguous");
  EXPECT_EQ(compared.both().chosen(), Side::Left) << "the same run is chosen";
  compared.apply(StepForward{});
  EXPECT_EQ(compared.rounds(), "5 | 5");
}

TEST(Comparison, ThePreviousOneIsOneCommandAway) {
  Compared compared("interleaved_contiguous");
  compared.apply(CompareWithPrevious{});
  ASSERT_NE(compared.session().comparison(), nullptr);
  EXPECT_EQ(compared.session().app().mode(), Mode::Compare);
  EXPECT_EQ(compared.variants(), "interleaved_and | interleaved_contiguous");
  // Again, from the left one: it goes to the right.
  compared.apply(ChooseSide{Side::Left});
  compared.apply(Choose(&model::Experiment::variant, "unrolled_last_warp"));
  compared.apply(CompareWithPrevious{});
  EXPECT_EQ(compared.variants(), "first_add_on_load | unrolled_last_warp");
}

TEST(Comparison, ExploringGoesOnWhereItWas) {
  Compared compared;
  compared.enter();
  compared.apply(OnSide{Side::Left, std::make_shared<const Command>(
                                        Choose(&model::Experiment::variant, "interleaved_modulo"))});
  compared.apply(StepForward{});
  compared.apply(ChooseSide{Side::Left});
  compared.apply(EnterMode{Mode::Explore});
  EXPECT_EQ(compared.session().comparison(), nullptr);
  EXPECT_EQ(compared.session().workspace().experiment().variant, "sequential");
  EXPECT_EQ(compared.session().replay().playhead().round, 5u);
  compared.apply(StepForward{});
  compared.enter();
  EXPECT_EQ(compared.variants(), "interleaved_modulo | sequential") << "what was there last";
  EXPECT_EQ(compared.rounds(), "6 | 6");
  compared.apply(EnterMode{Mode::Explore});
  compared.apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  compared.enter();
  EXPECT_EQ(compared.variants(), "interleaved_and | interleaved_modulo") << "no run beside itself";
}

TEST(Comparison, TheNextStartBeginsWithTheExploredRun) {
  Compared compared;
  compared.enter();
  compared.apply(OnSide{
      Side::Left, std::make_shared<const Command>(Choose(&model::Experiment::variant, "warp_shuffle"))});
  EXPECT_EQ(compared.session().app().settings().lastExperiment.variant, "") << "nothing was asked of it";
  compared.apply(Choose(&model::Experiment::variant, "grid_stride"));
  EXPECT_EQ(compared.session().app().settings().lastExperiment.variant, "grid_stride");
}

TEST(Comparison, OneThreadIsHoveredInBoth) {
  Compared compared;
  compared.enter();
  const Hover thread = hoverThread(5), element{HoverKind::Element, 80};
  compared.apply(PointAtSides{.hover = {element, thread}, .pin = false});
  EXPECT_EQ(compared.both().replay(Side::Left).hover(), element);
  EXPECT_EQ(compared.both().replay(Side::Right).hover(), thread);
  compared.apply(PointAtSides{.hover = {thread, thread}, .pin = true});
  EXPECT_TRUE(compared.both().replay(Side::Left).pinned() && compared.both().replay(Side::Right).pinned());
  compared.apply(Unpin{});
  EXPECT_FALSE(compared.both().replay(Side::Left).hover() || compared.both().replay(Side::Right).hover());
}

TEST(Comparison, ARequestOfOneIsThatOfTheOther) {
  Compared compared;
  compared.enter();
  const auto siteOf = [&](Side side) { return compared.both().replay(side).shownRequest()->site; };
  const auto& left = compared.both().replay(Side::Left).round().requests;
  const auto& right = compared.both().replay(Side::Right).round().requests;
  ASSERT_EQ(left.size(), 3u);
  ASSERT_EQ(right.size(), 3u);
  for (std::size_t request = 0; request < 3; ++request) {  // by their sites: load, load, store
    compared.apply(OnSide{Side::Left, std::make_shared<const Command>(ChooseRequest{left[request]})});
    EXPECT_EQ(siteOf(Side::Left), left[request].site);
    EXPECT_EQ(siteOf(Side::Right), right[request].site);
  }
}

// All strides of the left one are in one round.
TEST(Comparison, PassesAreLockedByNumber) {
  Compared compared("sequential", 256, 1);
  compared.enter();
  compared.apply(OnSide{
      Side::Left, std::make_shared<const Command>(Choose(&model::Experiment::variant, "missing_barrier"))});
  ASSERT_EQ(compared.both().passes(1), 8u);
  compared.apply(StepPass{+1});
  compared.apply(StepPass{+1});
  EXPECT_EQ(compared.both().replay(Side::Left).playhead().pass, 2u);
  EXPECT_EQ(compared.rounds(), "1 | 1");
  compared.apply(StepForward{});
  EXPECT_EQ(compared.rounds(), "finished | 2");
  compared.apply(StepBack{});
  EXPECT_EQ(compared.both().pass(), 7u) << "back to the last pass";
}

TEST(Comparison, PlaysToTheEndOfBoth) {
  Compared compared;
  compared.enter();
  compared.apply(TogglePlay{});
  EXPECT_TRUE(compared.both().playing());
  compared.session().update(1.1);
  EXPECT_EQ(compared.rounds(), "5 | 5");
  for (int i = 0; i < 10; ++i) compared.session().update(1.1);
  EXPECT_EQ(compared.rounds(), "9 | 9");
  EXPECT_FALSE(compared.both().playing());
  EXPECT_FALSE(compared.both().replay(Side::Right).playing());
}

// Whoever moves one of the replays moves the other.
TEST(Comparison, AReplayTakesTheOtherAlong) {
  Compared compared;
  compared.enter();
  const_cast<Replay&>(compared.both().replay(Side::Right)).moveTo({0, 8});
  EXPECT_EQ(compared.rounds(), "8 | 8");
}

TEST(Comparison, LaunchesStandBesideLaunches) {
  Compared compared("interleaved_contiguous");
  compared.apply(Choose::elements(4096));
  compared.enter();
  compared.apply(Choose(&model::Experiment::variant, "sequential"));
  const std::size_t launches = compared.both().places().back().launch + 1;
  ASSERT_EQ(launches, 2u);
  compared.apply(GoToLast{});
  EXPECT_EQ(compared.both().replay(Side::Left).playhead().launch, 1u);
  EXPECT_EQ(compared.both().replay(Side::Right).playhead().launch, 1u);
}

// ---- What the sides say.

TEST(Comparison, WhatASideOffersIsDoneToIt) {
  FakeEngines engines;
  engines.noEngine = Error{ErrorKind::Unavailable, "There is no GPU.", {}};
  auto session = support::sessionOf(engines, ladderExperiment("sequential"), 4);
  session->apply(EnterMode{Mode::Compare});
  session->waitForJobs();
  session->apply(OnSide{Side::Left, std::make_shared<const Command>(ChooseEngine{"gpu"})});
  // The session's own poll() tells for whom it speaks.
  while (session->comparison()->workspace(Side::Left).job()) session->update(0);
  session->update(0);
  ASSERT_TRUE(session->app().message() && session->app().message()->action);
  session->apply(ChooseSide{Side::Right});
  session->apply(*session->app().message()->action);
  session->waitForJobs();
  EXPECT_EQ(session->comparison()->workspace(Side::Left).engineId(), "host");
  EXPECT_EQ(session->comparison()->chosen(), Side::Right);
}

}  // namespace
}  // namespace stridescope::session
