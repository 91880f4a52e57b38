// The page's structure, with nothing drawn: what is there for each variant, step, picture and question.
#include "handout/html_page.h"

#include <gtest/gtest.h>

#include "engine/host/host_engine.h"
#include "narration/caption.h"
#include "report/table.h"
#include "support/ladder_trace.h"

namespace stridescope::handout {
namespace {

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

HtmlPicture pictureOf(const std::string& title) {
  return {.title = title,
          .alt = title + ", as a text",
          .drawings = {{"wide light", 840, 400, false, false},
                       {"narrow light", 360, 400, false, true},
                       {"wide dark", 840, 400, true, false},
                       {"narrow dark", 360, 400, true, true}}};
}

HtmlStep stepOf(const std::string& title) {
  return {.title = title,
          .name = title,
          .place = "round 1 (0 to 2)",
          .caption = "What happens in " + title + ".",
          .pictures = {pictureOf("Shared memory"), pictureOf("Lanes")},
          .textMap = "####////\n",
          .source = "   1  int a;\n>  2  b = a;\n      w   r\n"};
}

HtmlDocument document(std::size_t variants) {
  HtmlDocument all{.madeBy = "Stridescope 1.2.3"};
  for (std::size_t i = 0; i < variants; ++i)
    all.variants.push_back({.title = "variant " + std::to_string(i),
                            .changed = "Something else.",
                            .experiment = "int +",
                            .engine = "engine: a GPU",
                            .result = "result 1, expected 1: equal",
                            .steps = {stepOf("Load"), stepOf("Stride 8"), stepOf("Write")}});
  return all;
}

TEST(HtmlPage, HasEveryStepWithItsTextsAndPictures) {
  const std::string page = pageOf(document(1));
  EXPECT_TRUE(page.starts_with("<!doctype html>\n<html lang=\"en\""));
  EXPECT_EQ(countOf(page, "<article "), 3u);
  EXPECT_EQ(countOf(page, "<p class=\"caption\">What happens in "), 3u);
  EXPECT_EQ(countOf(page, "<img alt=\"Shared memory, as a text\" width=\"840\" height=\"400\""), 3u);
  EXPECT_EQ(countOf(page, "<picture>"), 6u);
  EXPECT_EQ(countOf(page, "<details class=\"source\" open>"), 3u);
  EXPECT_EQ(countOf(page, "<mark><span class=\"unseen\">executes: </span>&gt;  2  b = a;</mark>"), 3u);
  EXPECT_EQ(countOf(page, "<span class=\"sites\">      w   r</span>"), 3u);
  EXPECT_EQ(countOf(page, "id=\"both\""), 0u) << "there is nothing to compare";
  EXPECT_EQ(countOf(page, "class=\"question\""), 0u);
  EXPECT_EQ(countOf(page, "aria-live=\"polite\""), 1u);
}

// Neither on a screen nor on paper: the marks under a line stay at what they are about.
TEST(HtmlPage, BreaksNoLineOfTheSource) {
  const std::string page = pageOf(document(1));
  const std::string style = page.substr(page.find("<style>"), page.find("</style>") - page.find("<style>"));
  for (const char* wrapping : {"pre-wrap", "pre-line", "break-spaces", "break-all", "break-word"})
    EXPECT_EQ(style.find(wrapping), std::string::npos) << wrapping;
  const std::size_t rule = style.find("\npre, .scroll {");
  ASSERT_NE(rule, std::string::npos);
  EXPECT_NE(style.substr(rule, style.find('}', rule) - rule).find("overflow: auto;"), std::string::npos)
      << "it scrolls in its own box";
}

TEST(HtmlPage, HasThePictureThatSuitsTheScreen) {
  const std::string page = pageOf(document(1));
  EXPECT_NE(page.find("data-theme=\"auto\""), std::string::npos);
  const std::string expected =
      "<picture><source media=\"(max-width: 600px) and (prefers-color-scheme: dark)\" width=\"360\" "
      "height=\"400\" srcset=\"data:image/png;base64," +
      report::base64("narrow dark") +
      "\"><source media=\"(max-width: 600px) and (prefers-color-scheme: light)\" width=\"360\" "
      "height=\"400\" "
      "srcset=\"data:image/png;base64," +
      report::base64("narrow light") +
      "\"><source media=\"(prefers-color-scheme: dark)\" width=\"840\" height=\"400\" "
      "srcset=\"data:image/png;base64," +
      report::base64("wide dark") +
      "\"><img alt=\"Shared memory, as a text\" width=\"840\" height=\"400\" "
      "src=\"data:image/png;base64," +
      report::base64("wide light") + "\"></picture>";
  EXPECT_EQ(countOf(page, expected), 3u);
}

TEST(HtmlPage, OfOneThemeHasNoConditionOnIt) {
  HtmlDocument all = document(1);
  for (HtmlStep& step : all.variants[0].steps)
    for (HtmlPicture& picture : step.pictures) picture.drawings = {{"dark", 840, 400, true, false}};
  const std::string page = pageOf(all);
  EXPECT_NE(page.find("data-theme=\"dark\""), std::string::npos);
  EXPECT_EQ(countOf(page, "<source "), 0u);
}

TEST(HtmlPage, OfTwoVariantsComparesThem) {
  const std::string page = pageOf(document(2));
  EXPECT_EQ(countOf(page, "<article "), 6u);
  EXPECT_EQ(countOf(page, "class=\"show\""), 2u);
  EXPECT_EQ(countOf(page, "id=\"divider\""), 1u);
  EXPECT_EQ(countOf(page, "<option value=\"1\">variant 1</option>"), 2u);
}

TEST(HtmlPage, AsksBeforeItRevealsWhatHasAQuestion) {
  HtmlDocument all = document(1);
  all.variants[0].steps[1].question =
      HtmlQuestion{.text = "How many?", .choices = {"8", "16"}, .right = 1, .why = "Every 16th."};
  const std::string page = pageOf(all);
  EXPECT_EQ(countOf(page, "class=\"step asks\""), 1u);
  EXPECT_EQ(countOf(page, "<p class=\"ask\">How many?</p>"), 1u);
  EXPECT_EQ(countOf(page, "aria-pressed=\"false\" data-right>16<"), 1u);
  EXPECT_EQ(countOf(page, " data-right>"), 1u);
  EXPECT_EQ(countOf(page, "<p class=\"why\">Every 16th.</p>"), 1u);
}

// Whatever a recording calls its variant, its engine or its arrays: it is text.
TEST(HtmlPage, ShowsMarkupAsText) {
  const std::string hostile = "<script>alert('x')</script><img src=\"http://a.b/\" onerror=x>&\x1b[31m\"";
  HtmlDocument all{.madeBy = hostile};
  HtmlStep step = stepOf(hostile);
  step.place = step.caption = step.textMap = hostile;
  step.source = ">  1  " + hostile + "\n   2  " + hostile + "\n      " + hostile + "\n";
  step.trouble = {hostile};
  step.question = HtmlQuestion{.text = hostile, .choices = {hostile}, .why = hostile};
  step.pictures[0].title = step.pictures[0].alt = hostile;
  report::Table rounds{.columns = {{hostile, hostile, report::ReadBy::All, true}}, .rows = {{hostile}}};
  for (int i = 0; i < 2; ++i)
    all.variants.push_back({hostile, hostile, hostile, hostile, hostile, {step}, rounds});
  const std::string page = pageOf(all);
  EXPECT_EQ(countOf(page, "<script"), 1u) << "the page's own";
  EXPECT_EQ(countOf(page, "<img "), countOf(page, "<picture>")) << "no picture but the page's own";
  EXPECT_EQ(countOf(page, "onerror=x>"), 0u);
  EXPECT_EQ(countOf(page, "\x1b"), 0u);
  EXPECT_GT(countOf(page, "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"), 20u);
}

TEST(HtmlText, Base64HasItsThreeEnds) {
  EXPECT_EQ(report::base64(""), "");
  EXPECT_EQ(report::base64("f"), "Zg==");
  EXPECT_EQ(report::base64("fo"), "Zm8=");
  EXPECT_EQ(report::base64("foo"), "Zm9v");
  EXPECT_EQ(report::base64("\xff\xfe\xfd\xfc"), "//79/A==");
}

// What a step says: its sentences are narration's, its alternative texts say who is active.

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
