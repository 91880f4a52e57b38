// A replay alone, over runs made by hand: no workspace, no engine, no window.
#include "session/replay.h"

#include <gtest/gtest.h>

#include "analysis/requests.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"

namespace stridescope::session {
namespace {

// A rung of the ladder, reduced by `threads`: the load, a round for each stride, the write.
std::shared_ptr<const lab::Run> ladderRun(unsigned threads = 256, const char* variant = "sequential") {
  return *lab::steppedRun(support::ladderTrace(variant, threads, model::ElementType::Int));
}

// The last of the round's requests of that kind, by site.
analysis::RequestId requestOf(const Replay& replay, model::EventKind kind) {
  const auto& requests = replay.round().requests;
  const auto found = std::find_if(requests.rbegin(), requests.rend(),
                                  [&](const analysis::Request& request) { return request.kind == kind; });
  if (found == requests.rend()) return {};
  return *found;
}

constexpr unsigned kLastRound = 9;  // with 256 threads
constexpr unsigned kLastOf32Threads = 6;

struct Told {
  int loaded = 0, closed = 0, moved = 0, selectionChanged = 0;
  friend bool operator==(const Told&, const Told&) = default;
};

void PrintTo(const Told& told, std::ostream* out) {
  *out << "loaded " << told.loaded << ", closed " << told.closed << ", moved " << told.moved
       << ", selection changed " << told.selectionChanged;
}

class Watched : public testing::Test {
 protected:
  // What was told since the last call.
  Told told() { return std::exchange(told_, {}); }
  ReplayObserver counting() {
    return {.loaded = [this] { ++told_.loaded; },
            .closed = [this] { ++told_.closed; },
            .moved = [this] { ++told_.moved; },
            .selectionChanged = [this] { ++told_.selectionChanged; }};
  }
  Told told_;
  Replay replay_{ladderRun()};
  Subscription subscription_ = replay_.observe(counting());

  const Told kNothing = {}, kMoved = {.moved = 1}, kSelected = {.selectionChanged = 1};
};

TEST(Replay, BeginsAtTheRoundAskedForOrTheNearest) {
  const auto run = ladderRun();
  EXPECT_EQ(Replay(run).playhead(), (Playhead{0, 0}));
  EXPECT_EQ(Replay(run, {0, 4}).playhead(), (Playhead{0, 4}));
  EXPECT_EQ(Replay(run, {3, 99}).playhead(), (Playhead{0, kLastRound}));
}

TEST(Replay, TwoOfOneRunMoveIndependently) {
  const auto run = ladderRun();
  Replay left(run), right(run, {0, 4});
  ASSERT_EQ(left.run(), right.run());

  left.step(+1);
  EXPECT_EQ(left.playhead(), (Playhead{0, 1}));
  EXPECT_EQ(right.playhead(), (Playhead{0, 4}));
  EXPECT_NE(left.round().stride, right.round().stride);

  right.togglePlaying();
  left.advance(1, 1);
  right.advance(1, 1);
  EXPECT_EQ(left.playhead(), (Playhead{0, 1})) << "it does not play";
  EXPECT_EQ(right.playhead(), (Playhead{0, 5}));

  left.pin(hoverThread(3));
  right.pointAt(hoverThread(80));
  right.chooseRequest(requestOf(right, model::EventKind::Store));
  EXPECT_EQ(left.hoveredThread(), 3u);
  EXPECT_EQ(left.shownRequest()->kind, model::EventKind::Load);
  EXPECT_EQ(right.shownRequest()->kind, model::EventKind::Store);
  EXPECT_EQ(right.hoveredThread(), 80u);
  EXPECT_FALSE(right.pinned());
}

// Strides 1 to 128: the sites are the same in all of them, and others in the load and in the write.
TEST(Replay, AChosenRequestIsShownWhereverTheRoundHasIt) {
  Replay replay(ladderRun(), {0, 2});
  const analysis::RequestId store = requestOf(replay, model::EventKind::Store);
  ASSERT_TRUE(store.shared);
  EXPECT_FALSE(*replay.shownRequest() == store);
  replay.chooseRequest(store);
  for (const unsigned round : {2u, 3u, 8u}) {
    replay.moveTo({0, round});
    EXPECT_TRUE(*replay.shownRequest() == store) << round;
    EXPECT_EQ(replay.shownRequest(), analysis::findRequest(replay.round(), store)) << "of this round";
  }
  replay.moveTo({0, kLastRound});
  EXPECT_EQ(analysis::findRequest(replay.round(), store), nullptr);
  EXPECT_EQ(replay.shownRequest(), analysis::worstRequest(replay.round()));
  replay.moveTo({0, 1});
  EXPECT_TRUE(*replay.shownRequest() == store) << "after a round without it";
  replay.load(ladderRun(64));
  EXPECT_TRUE(*replay.shownRequest() == store) << "another run of the same text";
}

TEST(Replay, AnotherTextHasOtherRequests) {
  Replay replay(ladderRun(), {0, 2});
  replay.chooseRequest(requestOf(replay, model::EventKind::Store));
  replay.load(ladderRun(256, "interleaved_contiguous"));
  EXPECT_EQ(replay.shownRequest(), analysis::worstRequest(replay.round()));
  EXPECT_EQ(replay.shownRequest()->kind, model::EventKind::Load);
  replay.chooseRequest(requestOf(replay, model::EventKind::Store));
  replay.close();
  replay.chooseRequest({});
  replay.load(ladderRun(256, "interleaved_contiguous"));
  EXPECT_EQ(replay.shownRequest()->kind, model::EventKind::Load);
}

TEST(Replay, ClosingOneLeavesTheOtherItsRun) {
  Replay left(ladderRun(), {0, 2});
  Replay right(left.sharedRun(), {0, 3});
  left.close();
  EXPECT_EQ(left.run(), nullptr);
  ASSERT_NE(right.run(), nullptr);
  EXPECT_EQ(right.round().stride, 256u >> 3);
}

TEST(Replay, ThePlayheadIsValidInARunWithFewerRoundsAndComesBackInOneWithMore) {
  Replay replay(ladderRun(), {0, 8});
  replay.load(ladderRun(32));
  EXPECT_EQ(replay.playhead(), (Playhead{0, kLastOf32Threads}));
  EXPECT_LT(replay.playhead().round, replay.launchAnalysis().rounds.size());
  EXPECT_TRUE(replay.atLast());
  replay.load(ladderRun());
  EXPECT_EQ(replay.playhead(), (Playhead{0, 8}));
}

TEST(Replay, TheEndOfARunIsThatRoundInALongerOne) {
  Replay replay(ladderRun(32));
  replay.moveTo({~0u, ~0u});
  replay.load(ladderRun());
  EXPECT_EQ(replay.playhead(), (Playhead{0, kLastOf32Threads}));
}

TEST(Replay, ASmallerRunFreesWhatItDoesNotHave) {
  Replay replay(ladderRun());
  replay.pin(hoverThread(200));
  replay.load(ladderRun(32));
  EXPECT_FALSE(replay.pinned());
  replay.pin(hoverThread(200));
  EXPECT_FALSE(replay.pinned()) << "there is no such thread";
}

TEST(Replay, WithoutARunStaysWhereItIsAndRemembersTheRound) {
  Replay replay;
  replay.step(+1);
  replay.togglePlaying();
  replay.pointAt(hoverThread(0));
  replay.pin(hoverThread(0));
  replay.advance(10, 1);
  EXPECT_FALSE(replay.playing() || replay.hover() || replay.run());
  EXPECT_TRUE(replay.atFirst() && replay.atLast());
  replay.moveTo({0, 4});
  replay.load(ladderRun());
  EXPECT_EQ(replay.playhead(), (Playhead{0, 4}));
}

TEST_F(Watched, EachMoveIsToldOnce) {
  replay_.step(+1);
  EXPECT_EQ(told(), kMoved);
  replay_.moveTo({0, 5});
  EXPECT_EQ(told(), kMoved);
  replay_.moveTo({0, 5});
  EXPECT_EQ(told(), kNothing) << "it is there already";
  replay_.moveTo({~0u, ~0u});
  EXPECT_EQ(told(), kMoved);
  replay_.step(+1);
  EXPECT_EQ(told(), kNothing) << "it stands at the end";
}

TEST_F(Watched, PlayingTellsOfEachRound) {
  replay_.togglePlaying();
  EXPECT_EQ(told(), kNothing);
  replay_.advance(0.4, 2);
  EXPECT_EQ(told(), kNothing) << "too early";
  replay_.advance(0.2, 2);
  EXPECT_EQ(told(), kMoved);
  replay_.moveTo({0, kLastRound});
  replay_.togglePlaying();  // ends it
  EXPECT_EQ(told(), kMoved);
  replay_.togglePlaying();
  EXPECT_EQ(told(), kMoved) << "from the first round again";
}

TEST_F(Watched, EachChangeOfTheSelectionIsToldOnce) {
  replay_.pointAt(hoverThread(3));
  EXPECT_EQ(told(), kSelected);
  replay_.pointAt(hoverThread(3));
  EXPECT_EQ(told(), kNothing);
  replay_.pin(hoverThread(3));
  EXPECT_EQ(told(), kSelected) << "the same thread, but pinned";
  replay_.pin(hoverThread(3));
  EXPECT_EQ(told(), kNothing);
  replay_.pointAt(hoverThread(4));
  EXPECT_EQ(told(), kNothing) << "the pinned one is shown";
  replay_.pin(hoverThread(100000));
  EXPECT_EQ(told(), kNothing) << "there is no such thread";
  replay_.unpin();
  EXPECT_EQ(told(), kSelected);
  EXPECT_FALSE(replay_.hover());
  replay_.unpin();
  EXPECT_EQ(told(), kNothing);
  const analysis::RequestId request = replay_.round().requests.back();
  replay_.chooseRequest(request);
  EXPECT_EQ(told(), kSelected);
  replay_.chooseRequest(request);
  EXPECT_EQ(told(), kNothing);
  replay_.chooseRequest({.site = 100000, .kind = model::EventKind::Load, .shared = true});
  EXPECT_EQ(told(), kNothing) << "there is no such site";
}

TEST_F(Watched, ARunIsToldOfOnceAndSoIsWhatItChanges) {
  replay_.load(ladderRun());
  EXPECT_EQ(told(), (Told{.loaded = 1})) << "the playhead stands where it stood";
  replay_.moveTo({0, 8});
  replay_.pin(hoverThread(200));
  told();
  replay_.load(ladderRun(32));
  EXPECT_EQ(told(), (Told{.loaded = 1, .moved = 1, .selectionChanged = 1}));
  replay_.pin(hoverThread(1));
  told();
  replay_.close();
  EXPECT_EQ(told(), (Told{.closed = 1, .moved = 1, .selectionChanged = 1}));
  replay_.close();
  EXPECT_EQ(told(), kNothing);
}

TEST_F(Watched, IsToldWhenTheChangeIsComplete) {
  Playhead at;
  const Subscription also = replay_.observe({.loaded =
                                                 [&] {
                                                   EXPECT_EQ(replay_.run()->trace.experiment.threads, 32u);
                                                   EXPECT_TRUE(replay_.atLast());
                                                   EXPECT_FALSE(replay_.pinned());
                                                 },
                                             .moved = [&] { at = replay_.playhead(); }});
  replay_.moveTo({0, 8});
  EXPECT_EQ(at, (Playhead{0, 8}));
  replay_.pin(hoverThread(200));
  replay_.load(ladderRun(32));
  EXPECT_EQ(at, (Playhead{0, kLastOf32Threads}));
}

TEST_F(Watched, WhoHasUnsubscribedIsNotTold) {
  Told others;
  {
    const Subscription other = replay_.observe({.moved = [&] { ++others.moved; }});
    replay_.step(+1);
    EXPECT_EQ(others, kMoved);
  }
  replay_.step(+1);
  EXPECT_EQ(others, kMoved) << "its subscription is gone";
  EXPECT_EQ(told(), (Told{.moved = 2})) << "the other one goes on";

  Subscription moved = std::move(subscription_);
  replay_.step(+1);
  EXPECT_EQ(told(), kMoved) << "a subscription that is moved goes on";
  moved = Subscription();
  replay_.step(+1);
  EXPECT_EQ(told(), kNothing) << "another one took its place";
}

TEST_F(Watched, UnsubscribingWhileBeingToldTakesEffectAtOnce) {
  int first = 0, second = 0;
  Subscription later;
  Subscription sooner = replay_.observe({.moved = [&] {
    ++first;
    later.end();
    sooner.end();
  }});
  later = replay_.observe({.moved = [&] { ++second; }});
  replay_.step(+1);
  replay_.step(+1);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
}

TEST(Replay, ASubscriptionMayOutliveIt) {
  Subscription subscription;
  {
    const Replay replay(ladderRun());
    subscription = replay.observe({.moved = [] {}});
  }
  subscription.end();
}

TEST(Replay, OfAnotherTextForgetsASite) {
  Replay replay(ladderRun());
  replay.pin({HoverKind::Site, 1});
  replay.load(ladderRun());
  EXPECT_TRUE(replay.pinned()) << "the same text";
  replay.load(*lab::steppedRun(support::globalMemoryTrace(32)));
  EXPECT_FALSE(replay.pinned()) << "site 1 is another one there";
}

// Known a moment after the run; then perhaps another is shown.
TEST(Replay, TakesTheCyclesOfItsOwnRunOnly) {
  const auto first = ladderRun(), second = ladderRun(256, "interleaved_modulo");
  Replay replay(first);
  EXPECT_TRUE(replay.cycles().clocks.empty());
  replay.showMeasured(first, {.cycles = {.live = true}});
  EXPECT_TRUE(replay.cycles().live);
  replay.load(second);
  EXPECT_FALSE(replay.cycles().live);
  replay.showMeasured(first, {.cycles = {.live = true}});
  EXPECT_FALSE(replay.cycles().live);
}

}  // namespace
}  // namespace stridescope::session
