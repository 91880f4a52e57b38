// The whole round as text.
#include "views/transport/round_text.h"

#include <gtest/gtest.h>

#include "narration/text_maps.h"
#include "narration/wording.h"
#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "support/ladder_trace.h"
#include "views/panels.h"
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

}  // namespace
}  // namespace stridescope::views
