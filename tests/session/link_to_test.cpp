// What a copied link opens is what was shown: each link is followed in a session of its own, which begins
// elsewhere.
#include <gtest/gtest.h>

#include "session/comparison.h"
#include "session/link.h"
#include "session/link_follower.h"
#include "session/session.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

class CopiedLink : public testing::Test {
 protected:
  template <class... Choices>
  void chooseAll(const Choices&... choices) {
    ((session_->apply(choices), session_->waitForJobs()), ...);
  }
  std::string copied() const {
    const auto link = linkTo(session_->parts());
    return link ? *link : "error: " + link.error().sentence;
  }
  // Another session that followed the link.
  std::unique_ptr<Session> followed() {
    const auto link = parseLink(copied(), std::vector<std::string>{"banks"});
    EXPECT_TRUE(link) << copied() << ": " << (link ? "" : link.error().sentence);
    auto other = sessionOf(others_, ladderExperiment("warp_shuffle"), 1);
    if (!link) return other;
    other->apply(FollowLink{*link});
    other->waitForJobs();
    return other;
  }
  void expectTheSame() {
    const auto other = followed();
    EXPECT_EQ(other->workspace().experiment(), session_->workspace().experiment()) << copied();
    EXPECT_EQ(other->replay().playhead(), session_->replay().playhead()) << copied();
    EXPECT_EQ(other->replay().hover(), session_->replay().hover()) << copied();
    EXPECT_EQ(other->app().mode(), session_->app().mode()) << copied();
  }

  FakeEngines engines_, others_;
  std::unique_ptr<Session> session_ = sessionOf(engines_, ladderExperiment("sequential"), 2);
};

TEST_F(CopiedLink, HasNoMoreThanTheVariantAndTheRoundByDefault) {
  EXPECT_EQ(copied(), "show/sequential?data=ramp&round=2");
  chooseAll(ResetExperiment{}, GoToRound{0, 3});
  EXPECT_EQ(copied(), "show/sequential?round=3");
  expectTheSame();
}

TEST_F(CopiedLink, HasEachFieldThatWasChosen) {
  using E = model::Experiment;
  chooseAll(Choose(&E::type, model::ElementType::Int64), Choose(&E::op, model::Operator::Max),
            Choose(&E::threads, 64u), Choose(&E::data, model::DataPattern::Random), Choose(&E::seed, 7u),
            Choose(&E::schedule, model::Schedule::Random), Choose(&E::scheduleSeed, 3u),
            Choose(&E::blockOrder, model::BlockOrder::Reversed), GoToRound{0, 3});
  EXPECT_EQ(copied(),
            "show/sequential?type=int64&op=max&threads=64&data=random&seed=7&schedule=random&schedule-seed=3&"
            "block-order=reversed&round=3");
  expectTheSame();
}

TEST_F(CopiedLink, HasTheSizeTheBlockAndTheLaunch) {
  engines_.launches = others_.launches = 2;
  chooseAll(Choose(&model::Experiment::elements, std::uint64_t(1024)), Choose(&model::Experiment::block, 1u),
            GoToRound{1, 3});
  ASSERT_EQ(session_->replay().playhead(), (Playhead{1, 3})) << copied();
  EXPECT_EQ(copied(), "show/sequential?n=1024&data=ramp&block=1&launch=1&round=3");
  expectTheSame();
}

TEST_F(CopiedLink, HasThePanelWithTheKeyboardAndWhatIsPinned) {
  session_->apply(FocusPart{"banks"});
  for (const Hover& pinned : {hoverThread(5), Hover{HoverKind::Warp, 2}, Hover{HoverKind::Element, 80},
                              Hover{HoverKind::Bank, 16}}) {
    session_->apply(Pin{pinned});
    ASSERT_TRUE(session_->replay().pinned());
    expectTheSame();
  }
  EXPECT_EQ(copied(), "show/sequential?data=ramp&round=2&panel=banks&ring=bank:16");
}

TEST_F(CopiedLink, OfPredictAsksTheSameOfTheSameVariant) {
  session_->apply(EnterMode{Mode::Predict});
  const auto& asked = session_->predict().asked();
  ASSERT_FALSE(asked.empty());
  session_->apply(PredictStep{.act = PredictAct::Choose, .question = asked.size() - 1});
  const auto topic = asked[session_->predict().chosen()].question.topic;
  EXPECT_TRUE(copied().starts_with("predict/")) << copied();
  const auto other = followed();
  EXPECT_EQ(other->workspace().experiment().variant, "sequential");
  EXPECT_EQ(other->app().mode(), Mode::Predict);
  ASSERT_FALSE(other->predict().asked().empty());
  EXPECT_EQ(other->predict().asked()[other->predict().chosen()].question.topic, topic);
}

TEST_F(CopiedLink, OfCompareHasBothVariants) {
  chooseAll(Choose(&model::Experiment::threads, 128u), EnterMode{Mode::Compare}, CompareWithPrevious{});
  const auto other = followed();
  ASSERT_NE(other->comparison(), nullptr) << copied();
  for (const analysis::Side side : analysis::kSides)
    EXPECT_EQ(other->comparison()->workspace(side).experiment(),
              session_->comparison()->workspace(side).experiment())
        << copied();
}

TEST_F(CopiedLink, SaysWhatALinkCannotHold) {
  session_->apply(ChooseCustom{.combine = "a + b + 0", .identity = "0"});
  session_->waitForJobs();
  EXPECT_NE(copied().find("operator of your own"), std::string::npos) << copied();
}

}  // namespace
}  // namespace stridescope::session
