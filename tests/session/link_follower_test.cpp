// Where links land: at once, and after a run that has yet to be recorded.
#include "session/link_follower.h"

#include <gtest/gtest.h>

#include "session/session.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

const std::vector<std::string> kPanelsToFollow{"shared_memory", "lanes", "banks", "source"};

class FollowedLink : public testing::Test {
 protected:
  void follow(const std::string& text) {
    const auto link = parseLink(text, kPanelsToFollow);
    ASSERT_TRUE(link) << link.error().sentence;
    session_->apply(FollowLink{*link});
  }
  void followToTheEnd(const std::string& text) {
    follow(text);
    session_->waitForJobs();
  }
  std::string remark() const { return session_->app().loneRemark().value_or(""); }
  std::optional<std::uint64_t> stride() const { return session_->replay().round().stride; }

  FakeEngines engines_;
  std::unique_ptr<Session> session_ = sessionOf(engines_, ladderExperiment("sequential"), 2);
};

TEST_F(FollowedLink, GoesToARoundAtOnce) {
  follow("banks@8");
  EXPECT_EQ(stride(), 8u);
  EXPECT_EQ(session_->app().takePanelToFront(), "banks");
  follow("banks@last");
  EXPECT_TRUE(session_->replay().atLast());
  follow("banks@0");
  EXPECT_TRUE(session_->replay().atFirst());
  follow("show?round=3");
  EXPECT_EQ(session_->replay().playhead().round, 3u);
  EXPECT_EQ(engines_.recordings(), 1) << "nothing was recorded anew";
}

TEST_F(FollowedLink, SetsTheExperimentAndThenGoesToItsRound) {
  followToTheEnd("show/interleaved_contiguous?threads=128&stride=8&panel=lanes&ring=thread:5");
  EXPECT_EQ(session_->workspace().experiment().variant, "interleaved_contiguous");
  EXPECT_EQ(session_->replay().run()->trace.experiment.threads, 128u);
  EXPECT_EQ(stride(), 8u);
  EXPECT_EQ(session_->replay().hover(), hoverThread(5));
  EXPECT_TRUE(session_->replay().pinned());
  EXPECT_EQ(session_->app().takePanelToFront(), "lanes");
}

TEST_F(FollowedLink, ShowTakesTheRestAsItIsByDefaultAndTryKeepsIt) {
  session_->apply(Choose(&model::Experiment::threads, 64));
  session_->apply(Choose(&model::Experiment::seed, 7));
  followToTheEnd("try?type=int64");
  EXPECT_EQ(session_->workspace().experiment().threads, 64u);
  EXPECT_EQ(session_->workspace().experiment().seed, 7u);
  EXPECT_EQ(session_->workspace().experiment().type, model::ElementType::Int64);
  followToTheEnd("show/sequential?seed=2");
  EXPECT_EQ(session_->workspace().experiment().threads, 256u);
  EXPECT_EQ(session_->workspace().experiment().seed, 2u);
  EXPECT_EQ(session_->workspace().experiment().type, model::ElementType::Int);
  EXPECT_EQ(session_->replay().playhead().round, 2u) << "the link names no round";
}

TEST_F(FollowedLink, ReleasesWhatAnotherRinged) {
  follow("show?round=1&ring=warp:2");
  EXPECT_EQ(session_->replay().hover(), (Hover{HoverKind::Warp, 2}));
  follow("banks@8");
  EXPECT_FALSE(session_->replay().hover());
}

TEST_F(FollowedLink, LeavesWhatAPersonPinned) {
  session_->apply(Pin{hoverThread(7)});
  follow("banks@8");
  EXPECT_EQ(session_->replay().hover(), hoverThread(7));
  follow("show?ring=thread:5");
  EXPECT_EQ(session_->replay().hover(), hoverThread(5));
  session_->apply(Pin{hoverThread(9)});
  follow("banks@4");
  EXPECT_EQ(session_->replay().hover(), hoverThread(9));
}

// `data[tid] = combine(data[tid], data[tid + s])`: load A, load B, store.
TEST_F(FollowedLink, RingsARequestAndALine) {
  follow("show?round=2&ring=request:load-B");
  const auto ringed = session_->replay().hover();
  ASSERT_TRUE(ringed);
  ASSERT_EQ(ringed->kind, HoverKind::Site);
  EXPECT_EQ(session_->replay().run()->trace.sites[ringed->index].text, "data[tid + s]");
  ASSERT_NE(session_->replay().shownRequest(), nullptr);
  EXPECT_EQ(session_->replay().shownRequest()->site, ringed->index);
  const int line = session_->replay().run()->trace.sites[ringed->index].line;
  follow("show?ring=line:" + std::to_string(line));
  EXPECT_EQ(session_->replay().run()->trace.sites[session_->replay().hover()->index].line, line);
  follow("show?request=store");
  EXPECT_EQ(session_->replay().shownRequest()->kind, model::EventKind::Store);
}

TEST_F(FollowedLink, SaysWhatTheRunDoesNotHave) {
  follow("banks@512");
  EXPECT_EQ(remark(), "This run has no stride 512.");
  EXPECT_EQ(session_->replay().playhead().round, 2u);
  follow("show?round=999");
  EXPECT_EQ(remark(), "This run has no round 999; its last one is " +
                          std::to_string(session_->replay().playhead().round) + ".");
  EXPECT_TRUE(session_->replay().atLast());
  follow("show?launch=7");
  EXPECT_EQ(remark(), "This run has no launch 7; its last one is 0.");
  for (const char* there : {"show?round=last", "show?round=0&launch=0", "show?stride=8"}) {
    follow(there);
    EXPECT_EQ(remark(), "") << there;
  }
  follow("show?ring=thread:300");
  EXPECT_EQ(remark(), "What the link rings is not in this run.");
  follow("show?request=load-Z");
  EXPECT_EQ(remark(), "This round has no request called load Z.");
}

TEST_F(FollowedLink, StopsPlaying) {
  session_->apply(TogglePlay{});
  ASSERT_TRUE(session_->replay().playing());
  follow("banks@8");
  EXPECT_FALSE(session_->replay().playing());
}

// What a person asks for meanwhile goes before the link.
TEST_F(FollowedLink, IsGivenUpForAnotherRequest) {
  engines_.hold();
  follow("show/interleaved_contiguous?stride=8&ring=thread:5");
  session_->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  engines_.letGo();
  session_->waitForJobs();
  EXPECT_EQ(session_->replay().run()->trace.experiment.variant, "interleaved_modulo");
  EXPECT_FALSE(session_->replay().hover());
}

TEST_F(FollowedLink, IsGivenUpWithARunThatDoesNotCome) {
  engines_.refusal = Error{ErrorKind::Unavailable, "No.", {}};
  followToTheEnd("show/interleaved_contiguous?round=5&ring=thread:5");
  session_->update(0);
  engines_.refusal.reset();
  session_->apply(Choose(&model::Experiment::variant, "interleaved_contiguous"));
  session_->waitForJobs();
  EXPECT_EQ(session_->replay().playhead().round, 2u) << "the link was not waited for";
  EXPECT_FALSE(session_->replay().hover());
}

}  // namespace
}  // namespace stridescope::session
