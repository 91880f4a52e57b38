// Undo, redo, back and forward: over single steps of a session, and over walks whose places a list of this
// test's own remembers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

class Histories : public testing::Test {
 protected:
  FakeEngines engines_;
  std::unique_ptr<Session> session_ = sessionOf(engines_, ladderExperiment("sequential"));

  void SetUp() override { settle(); }
  void settle() {
    session_->waitForJobs();
    session_->update(0);
  }
  void apply(const Command& command) {
    session_->apply(command);
    settle();
  }
  std::string variant() const { return session_->workspace().experiment().variant; }
  unsigned round() const { return session_->replay().playhead().round; }
  const History& history() const { return session_->history(); }
  static Choose variantOf(const char* id) { return {&model::Experiment::variant, std::string(id)}; }
};

TEST_F(Histories, BeginWithNothingToUndo) {
  EXPECT_EQ(history().undone(), "");
  EXPECT_EQ(history().redone(), "");
  EXPECT_EQ(history().backTo(), "");
  apply(Undo{});
  apply(Redo{});
  apply(GoBack{});
  apply(GoForward{});
  EXPECT_EQ(variant(), "sequential");
  EXPECT_EQ(round(), 0u);
}

TEST_F(Histories, TakeAVariantBackWithItsRound) {
  apply(GoToRound{0, 5});
  apply(variantOf("interleaved_modulo"));
  EXPECT_EQ(history().undone(), "interleaved, modulo");
  apply(GoToRound{0, 2});
  EXPECT_EQ(history().undone(), "stride 2");
  apply(Undo{});
  EXPECT_EQ(round(), 5u) << "which the variant kept";
  EXPECT_EQ(variant(), "interleaved_modulo");
  apply(Undo{});
  EXPECT_EQ(variant(), "sequential");
  EXPECT_EQ(round(), 5u);
  EXPECT_EQ(history().undone(), "stride 8");
  EXPECT_EQ(history().redone(), "interleaved, modulo");
  apply(Redo{});
  apply(Redo{});
  EXPECT_EQ(variant(), "interleaved_modulo");
  EXPECT_EQ(round(), 2u);
  EXPECT_EQ(history().redone(), "");
}

TEST_F(Histories, TakeAllThatWasChosenBackAtOnce) {
  apply(Choose::elements(1 << 20));
  EXPECT_EQ(history().undone(), "n = 2^20");
  apply(Choose(&model::Experiment::threads, 512u));
  EXPECT_EQ(history().undone(), "block size 512");
  apply(ResetExperiment{});
  apply(Undo{});
  EXPECT_EQ(session_->workspace().experiment().threads, 512u);
  EXPECT_EQ(session_->workspace().experiment().elements, 1u << 20);
  apply(Undo{});
  apply(Undo{});
  EXPECT_EQ(session_->workspace().experiment().threads, 256u);
  EXPECT_TRUE(session_->workspace().oneBlockLoad()) << "n follows the block again";
}

TEST_F(Histories, StepsAreOneEntryAndJumpsAreOneEach) {
  for (int i = 0; i < 4; ++i) apply(StepForward{});
  EXPECT_EQ(round(), 4u);
  apply(GoToRound{0, 8});
  apply(GoToRound{0, 1});
  apply(Undo{});
  EXPECT_EQ(round(), 8u);
  apply(Undo{});
  EXPECT_EQ(round(), 4u);
  apply(Undo{});
  EXPECT_EQ(round(), 0u) << "all steps at once";
}

TEST_F(Histories, NameARoundAsTheWindowDoes) {
  apply(GoToRound{0, 4});
  EXPECT_EQ(history().undone(), "stride 16");
  apply(GoToLast{});
  EXPECT_EQ(history().undone(), "the write");
  apply(Undo{});
  EXPECT_EQ(history().undone(), "stride 16");
  EXPECT_EQ(history().redone(), "the write");
}

// What is reached by stepping stays a place of its own.
TEST_F(Histories, ALinkWithinARunIsNoStep) {
  for (int i = 0; i < 3; ++i) apply(StepForward{});
  apply(FollowLink{parseLink("show?stride=8", std::vector<std::string>()).value()});
  ASSERT_EQ(round(), 5u);
  apply(StepForward{});
  apply(Undo{});
  EXPECT_EQ(round(), 5u);
  apply(Undo{});
  EXPECT_EQ(round(), 3u);
}

TEST_F(Histories, LockingTheSidesIsNoStep) {
  apply(EnterMode{Mode::Compare});
  apply(OnSide{analysis::Side::Right, std::make_shared<const Command>(variantOf("interleaved_contiguous"))});
  for (int i = 0; i < 3; ++i) apply(StepForward{});
  apply(LockSides{analysis::LockedBy::Stride});
  EXPECT_EQ(history().undone(), "what the sides are locked by");
  apply(Undo{});
  EXPECT_EQ(session_->comparison()->lockedBy(), analysis::LockedBy::Round);
  EXPECT_EQ(session_->comparison()->replay(analysis::Side::Left).playhead().round, 3u);
}

TEST_F(Histories, PlayingIsOneEntry) {
  apply(TogglePlay{});
  for (int i = 0; i < 40; ++i) session_->update(0.5);
  ASSERT_FALSE(session_->replay().playing());
  EXPECT_EQ(round(), 9u);
  apply(Undo{});
  EXPECT_EQ(round(), 0u);
}

TEST_F(Histories, WhatIsDoneAfterUndoForgetsWhatWasUndone) {
  apply(variantOf("interleaved_modulo"));
  apply(Undo{});
  apply(variantOf("interleaved_contiguous"));
  EXPECT_EQ(history().redone(), "");
  apply(Undo{});
  EXPECT_EQ(variant(), "sequential");
}

TEST_F(Histories, BackGoesOverTheRoundsOfARun) {
  apply(GoToRound{0, 3});
  apply(variantOf("interleaved_modulo"));
  apply(GoToRound{0, 1});
  apply(GoToRound{0, 6});
  apply(variantOf("interleaved_contiguous"));
  apply(GoToRound{0, 2});
  EXPECT_EQ(history().backTo(), "interleaved, modulo");
  apply(GoBack{});
  EXPECT_EQ(variant(), "interleaved_modulo");
  EXPECT_EQ(round(), 6u) << "where it was left";
  apply(GoBack{});
  EXPECT_EQ(variant(), "sequential");
  EXPECT_EQ(round(), 3u);
  EXPECT_EQ(history().forwardTo(), "interleaved, modulo");
  apply(GoForward{});
  EXPECT_EQ(variant(), "interleaved_modulo");
  EXPECT_EQ(round(), 6u) << "forward, too, goes to where it was left";
  apply(GoForward{});
  EXPECT_EQ(variant(), "interleaved_contiguous");
  EXPECT_EQ(round(), 2u);
  EXPECT_EQ(history().forwardTo(), "");
}

TEST_F(Histories, TakeModesBack) {
  apply(EnterMode{Mode::Compare});
  EXPECT_EQ(history().undone(), "Compare");
  EXPECT_EQ(session_->app().mode(), Mode::Compare);
  apply(OnSide{analysis::Side::Right, std::make_shared<const Command>(variantOf("interleaved_contiguous"))});
  EXPECT_EQ(session_->comparison()->workspace(analysis::Side::Right).experiment().variant,
            "interleaved_contiguous");
  apply(Undo{});
  ASSERT_NE(session_->comparison(), nullptr);
  EXPECT_EQ(session_->comparison()->workspace(analysis::Side::Right).experiment().variant, "sequential");
  apply(Undo{});
  EXPECT_EQ(session_->app().mode(), Mode::Explore);
  EXPECT_EQ(variant(), "sequential");
  apply(Redo{});
  apply(Redo{});
  ASSERT_NE(session_->comparison(), nullptr);
  EXPECT_EQ(session_->comparison()->workspace(analysis::Side::Right).experiment().variant,
            "interleaved_contiguous");
}

TEST_F(Histories, TakeBackWhatALinkDid) {
  const std::vector<std::string> panels{"banks"};
  apply(GoToRound{0, 2});
  apply(FollowLink{parseLink("show/interleaved_modulo?threads=128&stride=8&panel=banks", panels).value()});
  EXPECT_EQ(variant(), "interleaved_modulo");
  EXPECT_EQ(session_->workspace().experiment().threads, 128u);
  apply(Undo{});
  EXPECT_EQ(variant(), "sequential");
  EXPECT_EQ(session_->workspace().experiment().threads, 256u);
  EXPECT_EQ(round(), 2u);
}

// It goes to the round, into Predict, and hides the round.
TEST_F(Histories, TakeBackAtOnceWhatALinkToAQuestionDid) {
  apply(GoToRound{0, 2});
  apply(FollowLink{parseLink("predict/active?stride=8", std::vector<std::string>()).value()});
  ASSERT_TRUE(session_->predict().isHidden());
  EXPECT_EQ(round(), 5u);
  EXPECT_EQ(history().undone(), "Predict");
  apply(Undo{});
  EXPECT_EQ(session_->app().mode(), Mode::Explore);
  EXPECT_EQ(round(), 2u);
  apply(Redo{});
  EXPECT_TRUE(session_->predict().isHidden());
  EXPECT_EQ(round(), 5u);
}

TEST_F(Histories, AreGoneThroughAsFastAsKeysRepeat) {
  for (const char* id : {"interleaved_modulo", "interleaved_contiguous", "first_add_on_load"})
    apply(variantOf(id));
  for (int i = 0; i < 3; ++i) session_->apply(Undo{});
  settle();
  EXPECT_EQ(variant(), "sequential");
  for (int i = 0; i < 2; ++i) session_->apply(Redo{});
  settle();
  EXPECT_EQ(variant(), "interleaved_contiguous");
}

TEST_F(Histories, KeepTheRoundForTheNextStart) {
  apply(GoToRound{0, 7});
  EXPECT_EQ(session_->app().settings().lastRound, 7u);
}

// The next start is in Explore, which would tell it.
TEST_F(Histories, KeepNoHiddenRoundForTheNextStart) {
  apply(GoToRound{0, 4});
  apply(EnterMode{Mode::Predict});
  ASSERT_TRUE(session_->predict().isHidden());
  ASSERT_EQ(round(), 5u);
  EXPECT_EQ(session_->app().settings().lastRound, 4u);
  apply(PredictStep{.act = PredictAct::Reveal});
  EXPECT_EQ(session_->app().settings().lastRound, 5u);
}

// Whatever was done: undone to the beginning and done again to the end, each place is as it was.
TEST_F(Histories, OverRandomWalksLeadThroughTheSamePlacesBothWays) {
  std::minstd_rand random(7);
  const char* const variants[] = {"sequential", "interleaved_modulo", "interleaved_contiguous",
                                  "first_add_on_load"};
  const auto placeNow = [&] {
    return std::tuple(session_->app().mode(), session_->workspace().experiment(),
                      session_->replay().playhead());
  };
  using Seen = decltype(placeNow());
  std::vector<Seen> seen{placeNow()};
  for (int i = 0; i < 40; ++i) {
    switch (random() % 4) {
      case 0:
        apply(variantOf(variants[random() % std::size(variants)]));
        break;
      case 1:
        apply(Choose(&model::Experiment::threads, 64u << random() % 3));
        break;
      case 2:
        apply(GoToRound{0, unsigned(random() % 8)});
        break;
      default:
        apply(EnterMode{random() % 2 == 0 ? Mode::Compare : Mode::Explore});
    }
    if (placeNow() != seen.back()) seen.push_back(placeNow());
  }
  for (auto place = seen.rbegin(); place != seen.rend(); ++place) {
    EXPECT_EQ(placeNow(), *place) << std::distance(place, seen.rend());
    apply(Undo{});
  }
  for (const Seen& place : seen) {
    EXPECT_EQ(placeNow(), place);
    apply(Redo{});
  }
}

}  // namespace
}  // namespace stridescope::session
