// What a step says: its sentences are narration's, its alternative texts say who is active.
#include <gtest/gtest.h>

#include "engine/host/host_engine.h"
#include "handout/html_page.h"
#include "narration/caption.h"
#include "support/ladder_trace.h"

namespace stridescope::handout {
namespace {

lab::KnownRun ladder(const char* variant = "interleaved_contiguous") {
  return {.run = lab::runOf(support::ladderTrace(variant, 256, model::ElementType::Int))};
}

TEST(HtmlStep, SaysWhatTheCaptionSays) {
  const lab::KnownRun known = ladder();
  const lab::Run& run = known.run;
  const HtmlStep step = handout::stepOf(known, {0, 4, 0});
  EXPECT_EQ(step.title, "Stride 8");
  EXPECT_EQ(step.name, "8");
  EXPECT_EQ(step.place, "round 4 (0 to 9)");
  EXPECT_EQ(step.caption, narration::captionOf(run.at(0, 4)).text());
  EXPECT_NE(step.textMap.find("data  after the round"), std::string::npos);
  EXPECT_NE(step.textMap.find("################////////////////"), std::string::npos) << "the lanes";
  EXPECT_NE(step.source.find("\n> 15"), std::string::npos) << step.source;
  EXPECT_TRUE(step.trouble.empty());
}

// The page scrolls sideways: nothing of a long line is left out, nor of the marks under it.
TEST(HtmlStep, HasLongLinesOfTheSourceWhole) {
  model::Trace trace = support::ladderTrace("interleaved_contiguous", 256, model::ElementType::Int);
  const std::string mark = "        if (index < blockDim.x)", tail = "  // " + std::string(150, 'x') + " end";
  const std::size_t at = trace.kernelText.find(mark);
  ASSERT_NE(at, std::string::npos);
  trace.kernelText.insert(at + mark.size(), tail);
  const HtmlStep step = handout::stepOf({.run = lab::runOf(std::move(trace))}, {0, 4, 0});
  EXPECT_NE(step.source.find(mark.substr(8) + tail + "\n"), std::string::npos) << step.source;
}

TEST(HtmlStep, TheLastOneHasTheResult) {
  EXPECT_NE(handout::stepOf(ladder(), {0, 9, 0}).caption.find("The result is 32\u202f640"),
            std::string::npos);
}

TEST(HtmlStep, HasTheCyclesAndSaysWhose) {
  lab::KnownRun known = ladder();
  analysis::LaunchCycles cycles;
  cycles.alone.rounds.resize(10);
  cycles.alone.rounds[4] = analysis::Cycles{202, 200, 204};
  known.measured.cycles.launches = {cycles};
  known.measured.cycles.clocks.resize(1);
  known.measured.cycles.clocks[0].executor.device = "a GPU";
  EXPECT_TRUE(handout::stepOf(known, {0, 4, 0}).caption.ends_with("202 cycles alone, recorded on a GPU."));
}

TEST(HtmlStep, AlternativeTextsSayWhoIsActive) {
  const lab::KnownRun known = ladder();
  const lab::Run& run = known.run;
  EXPECT_TRUE(altOf(run, {0, 4, 0}, "shared_memory").ends_with("Active: threads 0 to 15."));
  EXPECT_TRUE(altOf(run, {0, 4, 0}, "shared_memory").starts_with("Stride 8: "));
  EXPECT_EQ(altOf(run, {0, 0, 0}, "lanes"), "Load. Active: all 256 threads.");
  EXPECT_EQ(altOf(run, {0, 9, 0}, "lanes"), "Write. Active: thread 0.");
  EXPECT_EQ(altOf(run, {0, 4, 0}, "divergence"), "Stride 8: 16 of 256 lanes active, in 1 of 8 warps.");
  const std::string banks = altOf(run, {0, 4, 0}, "banks");
  EXPECT_NE(banks.find("load A takes 8 wavefronts, 1 would do"), std::string::npos) << banks;
  EXPECT_EQ(altOf(ladder("interleaved_modulo").run, {0, 4, 0}, "lanes"),
            "Stride 8. Active: thread 0 and every 16th thread.");
}

// A round of several passes, in which threads race.
TEST(HtmlStep, OfEveryPassOfARound) {
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(
      {.variant = "missing_barrier", .threads = 64, .elements = 64}, job);
  ASSERT_TRUE(trace);
  const lab::KnownRun known{.run = lab::runOf(*std::move(trace))};
  const lab::Run& run = known.run;
  const auto places = placesIn(run, {});
  std::set<std::string> captions;
  bool troubled = false;
  for (const Place& place : places) {
    const HtmlStep step = handout::stepOf(known, place);
    captions.insert(step.caption);
    troubled = troubled || !step.trouble.empty();
  }
  EXPECT_GT(places.size(), roundsIn(run, {}));
  EXPECT_EQ(captions.size(), places.size()) << "each says something else";
  EXPECT_TRUE(troubled);
}

TEST(RoundQuestion, HasOneRightAnswerAmongOthersAndWhy) {
  const lab::KnownRun known = ladder();
  const lab::Run& run = known.run;
  unsigned asked = 0;
  for (unsigned round = 0; round < 10; ++round) {
    const auto question = questionOf(run, {0, round, 0});
    if (!question) continue;
    ++asked;
    ASSERT_GE(question->choices.size(), 2u);
    EXPECT_LT(question->right, question->choices.size());
    EXPECT_FALSE(question->why.empty());
    EXPECT_EQ(std::set(question->choices.begin(), question->choices.end()).size(), question->choices.size());
  }
  EXPECT_GE(asked, 9u);
}

// An answer about a whole round would be wrong of one of its passes.
TEST(RoundQuestion, IsNotAskedOfPasses) {
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(
      {.variant = "grid_stride", .threads = 64, .elements = 1024}, job);
  ASSERT_TRUE(trace);
  const lab::KnownRun known{.run = lab::runOf(*std::move(trace))};
  const lab::Run& run = known.run;
  ASSERT_GT(run.at(0, 0).whole().passes, 1u);
  EXPECT_FALSE(questionOf(run, {0, 0, 0}));
  ASSERT_EQ(run.at(0, 2).whole().passes, 1u);
  EXPECT_TRUE(questionOf(run, {0, 2, 0}));
}

}  // namespace
}  // namespace stridescope::handout
