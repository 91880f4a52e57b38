// The whole round as text.
#include "views/transport/round_text.h"

#include <gtest/gtest.h>

#include "narration/text_maps.h"
#include "narration/wording.h"
#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "views/panels.h"
#include "views/shared/spoken_questions.h"
#include "views/shared/view_context.h"
#include "views/source/source_lines.h"

namespace stridescope::views {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

TEST(RoundText, KeepsWithinItsColumns) {
  FakeEngines engines;
  for (const auto& [type, threads] :
       {std::pair{model::ElementType::Int, 256u}, std::pair{model::ElementType::Int64, 1024u},
        std::pair{model::ElementType::Double, 64u}, std::pair{model::ElementType::Float, 1024u}})
    for (const kernels::Variant& variant : kernels::catalog()) {
      if (!support::hasLadderTrace(variant.id)) continue;
      const auto session = sessionOf(engines, ladderExperiment(std::string(variant.id), threads, type));
      for (;; session->apply(session::StepForward{})) {
        for (const std::string& line : splitLines(roundTextOf(roundAt(session->replay()), allPanels())))
          EXPECT_LE(narration::charactersIn(line), narration::kTextColumns)
              << variant.id << " " << session->replay().playhead().round << ": " << line;
        if (session->replay().atLast()) break;
      }
    }
}

TEST(RoundText, HoldsEveryPanel) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const std::string text = roundTextOf(roundAt(session->replay()), allPanels());
  for (const char* part :
       {"Stride 8: the first 16 of 256 threads add, ", "\nShared memory\n", "\nLanes\n",
        "\nLane utilization\n", "\nBanks\n", "\nBanks by round\n", "\nSource\n", "data[index + s]"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST(RoundText, OfDeviceMemoryHoldsSectorsForBanks) {
  FakeEngines engines;
  engines.trace = support::globalMemoryTrace(64);
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 3);
  const std::string text = roundTextOf(roundAt(session->replay()), allPanels());
  for (const char* part : {"\nSectors\n", "\nSectors by round\n", "load A  1 sector", "4, 4 needed"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("Banks"), std::string::npos);
}

// What is read aloud at each step is short; the maps are elsewhere.
TEST(SpokenRound, HasACaptionThatSaysWhatTheTextHas) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  const SpokenRound spoken = spokenRound(session->parts(), allPanels());
  EXPECT_TRUE(spoken.caption.starts_with("Stride 8: the first 16 of 256 threads add, ")) << spoken.caption;
  EXPECT_EQ(spoken.caption.find('\n'), std::string::npos);
  EXPECT_LT(spoken.caption.size() + spoken.summary.size(), 500u);
  EXPECT_EQ(spoken.summary,
            "As text: Shared memory, Lanes, Lane utilization, Banks, Banks by round, Source.");
  EXPECT_GT(spoken.text.size(), 1000u);
  EXPECT_TRUE(spoken.text.starts_with("Shared memory\n")) << spoken.text;
}

TEST(SpokenRound, OfTwoRunsIsBothSides) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("interleaved_contiguous"), 4);
  session->apply(session::EnterMode{session::Mode::Compare});
  session->waitForJobs();
  const auto choose = [&](analysis::Side side, const std::string& variant) {
    session->apply(session::OnSide{side, std::make_shared<const session::Command>(
                                             session::Choose(&model::Experiment::variant, variant))});
    session->waitForJobs();
  };
  choose(analysis::Side::Left, "interleaved_contiguous");
  choose(analysis::Side::Right, "sequential");
  for (int chosen = 0; chosen < 2; ++chosen) {
    const SpokenRound spoken = spokenRound(session->parts(), allPanels());
    EXPECT_FALSE(spoken.caption.empty());
    const std::size_t left = spoken.text.find("\nThe left side: "),
                      right = spoken.text.find("\nThe right side: ");
    ASSERT_NE(left, std::string::npos) << spoken.text;
    ASSERT_NE(right, std::string::npos);
    for (const std::string& side : {spoken.text.substr(left, right - left), spoken.text.substr(right)})
      for (const char* map : {"\nShared memory\n", "\nLanes\n", "\nBanks\n"})
        EXPECT_NE(side.find(map), std::string::npos) << map << " of " << side.substr(0, 40);
    EXPECT_NE(spoken.text.substr(right).find("data[tid + s]"), std::string::npos);
    session->apply(session::ChooseSide{analysis::Side::Right});
  }
}

TEST(SpokenRound, OfAHiddenRoundIsWhatIsAskedWithoutTheAnswer) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 2);
  session->apply(session::EnterMode{session::Mode::Predict});
  session->apply(session::StepForward{});
  ASSERT_TRUE(session->predict().isHidden());
  const auto& asked = session->predict().asked();
  ASSERT_GE(asked.size(), 2u);
  const SpokenRound spoken = spokenRound(session->parts(), allPanels());
  EXPECT_NE(spoken.caption.find("hidden until you reveal"), std::string::npos) << spoken.caption;
  EXPECT_NE(
      spoken.caption.find("Question 1 of " + std::to_string(asked.size()) + ": " + asked[0].question.text),
      std::string::npos)
      << spoken.caption;
  const std::size_t before = spoken.text.find("\nBefore it\n");
  ASSERT_NE(before, std::string::npos);
  for (const auto& each : asked)
    EXPECT_LT(spoken.text.find(each.question.text), before) << each.question.text;
  EXPECT_EQ(spoken.text.substr(0, before).find("Shared memory\n"), std::string::npos);
  session->apply(session::PredictStep{.act = session::PredictAct::Choose, .question = 1});
  EXPECT_NE(spokenRound(session->parts(), allPanels()).caption.find("Question 2 of "), std::string::npos);

  // Once it is revealed, the round is told as elsewhere.
  session->apply(session::PredictStep{.act = session::PredictAct::Reveal});
  EXPECT_EQ(spokenRound(session->parts(), allPanels()).caption.find("hidden"), std::string::npos);
}

// The end of Predict is told as it is shown: the score, what was wrong, and what to do next.
TEST(SpokenRound, OfAllRoundsIsWhatWasRightAndWrong) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 0);
  session->apply(session::EnterMode{session::Mode::Predict});
  std::string before;  // what is told a step before
  for (int step = 0; step < 100 && !session->predict().isSummedUp(); ++step) {
    before = spokenRound(session->parts(), allPanels()).caption;
    if (session->predict().isHidden())
      session->apply(session::PredictStep{.act = session::PredictAct::Reveal});
    else
      session->apply(session::StepForward{});
  }
  EXPECT_TRUE(before.starts_with("Question 1: ")) << before;
  ASSERT_TRUE(session->predict().isSummedUp());
  const std::string caption = spokenRound(session->parts(), allPanels()).caption;
  EXPECT_TRUE(caption.starts_with("You have predicted ")) << caption;
  EXPECT_NE(caption.find("Next: "), std::string::npos) << caption;
}

std::size_t placeOf(const session::Session& session, teaching::Topic topic) {
  const auto& asked = session.predict().asked();
  const auto found =
      std::ranges::find(asked, topic, [](const session::AskedQuestion& each) { return each.question.topic; });
  EXPECT_NE(found, asked.end());
  return std::size_t(found - asked.begin());
}

void give(session::Session& session, std::size_t question, std::string_view typed) {
  const auto steps = typedAnswer(session.parts(), question, typed);
  ASSERT_TRUE(steps) << steps.error().sentence;
  for (const session::PredictStep& step : *steps) session.apply(step);
}

// Who cannot see the window answers each question by a button or a field, and is told what it was worth.
TEST(SpokenQuestions, AreAnsweredAndJudged) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 2);
  EXPECT_TRUE(spokenQuestions(session->parts()).empty()) << "outside Predict";
  session->apply(session::EnterMode{session::Mode::Predict});
  session->apply(session::StepForward{});  // stride 32: threads 0 to 31
  ASSERT_TRUE(session->predict().isHidden());
  const auto& asked = session->predict().asked();
  const auto of = [&](std::size_t place) { return spokenQuestions(session->parts()).at(place); };

  const std::size_t threads = placeOf(*session, teaching::Topic::ActiveThreads);
  EXPECT_EQ(of(threads).state, "not answered.");
  EXPECT_FALSE(of(threads).field.empty());
  give(*session, threads, "0 to 7, 16");
  EXPECT_EQ(of(threads).state, "your answer: 0 to 7 and 16.");
  give(*session, threads, " 0-31 ");
  EXPECT_EQ(of(threads).state, "your answer: 0 to 31.");
  session->apply(session::Undo{});  // a list is one step
  EXPECT_EQ(of(threads).state, "your answer: 0 to 7 and 16.");
  give(*session, threads, "none");
  EXPECT_TRUE(of(threads).answers.at(0).isChosen);
  for (const char* wrong : {"", "x", "3 to", "7-3", "0,", "0 and", "256", "99999999999999999999"})
    EXPECT_FALSE(typedAnswer(session->parts(), threads, wrong)) << wrong;

  const std::size_t ways = placeOf(*session, teaching::Topic::ConflictWays);
  ASSERT_EQ(of(ways).answers.size(), teaching::kWays.size() + 1);
  session->apply(of(ways).answers[1].step);
  EXPECT_TRUE(of(ways).answers[1].isChosen);
  EXPECT_EQ(of(ways).state, "your answer: 2.");
  session->apply(of(ways).answers[0].step);
  EXPECT_FALSE(of(ways).answers[1].isChosen);

  const std::size_t value = placeOf(*session, teaching::Topic::CellValues);
  EXPECT_EQ(of(value).field, "value");
  give(*session, value, "7");
  EXPECT_EQ(of(value).state, "your answer: 7.");

  EXPECT_TRUE(spokenVerdicts(session->parts()).empty());
  session->apply(session::PredictStep{.act = session::PredictAct::Reveal});
  const std::string caption = spokenRound(session->parts(), allPanels()).caption;
  EXPECT_TRUE(caption.starts_with("Question 1: ")) << caption;
  EXPECT_NE(caption.find("Question " + std::to_string(ways + 1) + ": right."), std::string::npos) << caption;
  EXPECT_NE(caption.find("wrong; the answer is "), std::string::npos) << caption;
  for (std::size_t place = 0; place < asked.size(); ++place) {
    EXPECT_TRUE(of(place).answers.empty() && of(place).field.empty()) << "it is answered once it is told";
    EXPECT_NE(of(place).state.find(asked[place].judgement->why), std::string::npos) << of(place).state;
  }
}

// A mark that is pressed again goes, as in the window.
TEST(SpokenQuestions, WarpsAreMarkedOneByOne) {
  FakeEngines engines;
  const auto session = sessionOf(engines, ladderExperiment("sequential"), 3);
  session->apply(session::EnterMode{session::Mode::Predict});
  session->apply(session::StepForward{});
  ASSERT_TRUE(session->predict().isHidden());
  const std::size_t place = placeOf(*session, teaching::Topic::PartialWarps);
  const auto question = [&] { return spokenQuestions(session->parts()).at(place); };
  ASSERT_EQ(question().answers.size(), 9u) << "eight warps, and none";
  session->apply(question().answers[0].step);
  session->apply(question().answers[1].step);
  EXPECT_EQ(question().state, "your answer: W0 and W1.");
  session->apply(question().answers[1].step);
  EXPECT_EQ(question().state, "your answer: W0.");
}

}  // namespace
}  // namespace stridescope::views
