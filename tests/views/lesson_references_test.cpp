// What lessons refer to is there: panels, rounds and variants by links, figures by {{...}}.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "archive/recording_file.h"
#include "kernels/catalog.h"
#include "lesson_counts.h"
#include "lesson_prices.h"
#include "session/link.h"
#include "session/tour.h"
#include "views/panels.h"
#include "views/reading/lesson.h"

namespace stridescope::views {
namespace {

// The timings of the recordings in assets/recordings.
std::shared_ptr<const measure::TimingSnapshot> shippedTimings() {
  static const auto kShipped = [] {
    std::vector<model::TimingRecord> all;
    for (const auto& entry : std::filesystem::directory_iterator(STRIDESCOPE_SOURCE "/assets/recordings")) {
      auto timings = archive::readQuantity<model::TimingRecord>(entry.path());
      EXPECT_TRUE(timings) << entry.path();
      if (timings) std::ranges::move(*timings, std::back_inserter(all));
    }
    measure::TimingBoard board({});
    board.showRecorded(std::move(all));
    return board.snapshot();
  }();
  return kShipped;
}

std::vector<std::string> referencesIn(const std::string& text) {
  static const std::regex kReference(R"(\{\{([^]*?)\}\})");
  std::vector<std::string> references;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), kReference); it != std::sregex_iterator();
       ++it)
    references.push_back((*it)[1]);
  return references;
}

// What the picture or the shipped recordings have in that place.
Result<std::string> statedWords(const StatedCount& stated) {
  if (test::isMeasured(stated.what)) return test::measuredWords(stated.what);
  return test::countOf(stated.what).map([](std::uint64_t count) { return std::to_string(count); });
}

class LessonOf : public testing::TestWithParam<std::string> {
 protected:
  std::string text_{lessonText(GetParam())};
};

TEST_P(LessonOf, HasOnlyFiguresThatARecordingHas) {
  for (const std::string& reference : referencesIn(text_)) {
    const auto figure = figureOf(reference, *shippedTimings());
    EXPECT_TRUE(figure) << "{{" << reference << "}}: " << (figure ? "" : figure.error().sentence);
  }
}

TEST_P(LessonOf, StatesOnlyCountsThatATraceHas) {
  for (const std::string& reference : referencesIn(text_)) {
    const auto stated = statedCount(reference);
    if (!stated) continue;
    const auto words = statedWords(*stated);
    ASSERT_TRUE(words) << "{{" << reference << "}}: " << words.error().sentence;
    EXPECT_EQ(stated->number, *words) << stated->what;
  }
}

TEST_P(LessonOf, LinksToWhatThereIs) {
  for (const session::LinkText& link : session::linksIn(text_)) {
    const auto fault = session::faultOf(link, idsOf(allPanels()));
    EXPECT_FALSE(fault) << *fault;
  }
}

// The words of a link are all that a person hears of it who goes from link to link.
TEST_P(LessonOf, NoTwoLinksOfAParagraphHaveTheSameWords) {
  for (const Paragraph& paragraph : parseParagraphs(text_)) {
    std::set<std::string> labels;
    for (const TextMark& mark : paragraph.marks)
      EXPECT_TRUE(labels.insert(paragraph.text.substr(mark.begin, mark.end - mark.begin)).second)
          << paragraph.text;
  }
}

// More than to lead to a panel or to another variant: to show something, or to set something.
bool acts(const session::Link& link) {
  return link.place || link.ring || link.anew || link.choices != model::ChosenFields();
}

TEST_P(LessonOf, HasThreeLinksThatAct) {
  std::size_t acting = 0, trying = 0, ringing = 0;
  for (const session::LinkText& text : session::linksIn(text_)) {
    const auto link = session::parseLink(text.text, idsOf(allPanels()));
    if (!link) continue;
    acting += acts(*link);
    trying += link->action == session::LinkAction::Try;
    ringing += link->ring.has_value();
  }
  EXPECT_GE(acting, 3u);
  EXPECT_GE(trying, 1u) << "nothing to try";
  EXPECT_GE(ringing, 1u) << "nothing is ringed";
}

TEST_P(LessonOf, BeginsWithItsAimAndIdeaAndEndsWithARecap) {
  const auto lesson = parseParagraphs(text_);
  ASSERT_GE(lesson.size(), 5u);
  EXPECT_TRUE(lesson[0].heading);
  EXPECT_EQ(lesson[1].lead, "Aim.");
  const std::set<std::string> leads{"The idea.", "What changed.", "What is wrong."};
  EXPECT_TRUE(leads.contains(lesson[2].lead)) << lesson[2].lead;
  EXPECT_EQ(lesson[3].lead, "Look at.");
  EXPECT_EQ(lesson.back().lead, "Recap.");
}

// What one can do afterwards, and what one must know before.
TEST_P(LessonOf, SaysWhatItIsForAndWhatItStandsOn) {
  const std::size_t begin = text_.find("**Aim.**");
  std::string aim = text_.substr(begin, text_.find("\n\n", begin) - begin);
  std::ranges::replace(aim, '\n', ' ');
  EXPECT_NE(aim.find("You can"), std::string::npos) << aim;
  EXPECT_TRUE(aim.find("You should know") != std::string::npos ||
              aim.find("You need not know anything") != std::string::npos)
      << aim;
}

std::vector<std::string> variantIds() {
  std::vector<std::string> ids;
  for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);
  return ids;
}
INSTANTIATE_TEST_SUITE_P(Catalog, LessonOf, testing::ValuesIn(variantIds()),
                         [](const auto& one) { return one.param; });

class TourOf : public testing::TestWithParam<std::string> {};

TEST_P(TourOf, HasOnlyFiguresThatThereAre) {
  const auto tour = session::parseTour(session::shippedTourText(GetParam()), idsOf(allPanels()));
  ASSERT_TRUE(tour);
  std::string text;
  const auto add = [&](const std::vector<markdown::Block>& blocks) {
    for (const markdown::Block& block : blocks) text += markdown::wordsOf(block);
  };
  add(tour->intro);
  for (const session::TourStop& stop : tour->stops) add(stop.text), add(stop.notes);
  for (const std::string& reference : referencesIn(text)) {
    EXPECT_TRUE(figureOf(reference, *shippedTimings())) << reference;
    const auto stated = statedCount(reference);
    if (!stated) continue;
    const auto words = statedWords(*stated);
    ASSERT_TRUE(words) << reference;
    EXPECT_EQ(stated->number, *words) << stated->what;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, TourOf, testing::Values("first", "lecture"),
                         [](const auto& one) { return one.param; });

// docs/seeds.md, row by row: statement, and where it is shown.
TEST(Seeds, HaveARowAStatementAndNameVariantsThatThereAre) {
  std::ifstream file(STRIDESCOPE_SOURCE "/docs/seeds.md");
  static const std::regex kRow(R"(\| (.+) \| (.+) \|)"), kId(R"(`([a-z]+(?:_[a-z]+)+)(?: --[^`]*)?`)");
  std::size_t sections = 0, rows = 0, names = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("## ")) ++sections;
    std::smatch row;
    if (!std::regex_match(line, row, kRow)) continue;
    ++rows;
    const std::string shown = row[2];
    for (auto it = std::sregex_iterator(shown.begin(), shown.end(), kId); it != std::sregex_iterator();
         ++it) {
      EXPECT_NE(kernels::findVariant((*it)[1].str()), nullptr) << line;
      ++names;
    }
  }
  EXPECT_EQ(sections, 5u);
  EXPECT_GT(rows, 80u);
  EXPECT_GT(names, 50u);
}

measure::TimingSeries recorded(model::SubjectKind kind, const std::string& id, const std::string& device,
                               double microseconds, measure::SeriesSource source) {
  measure::TimingSeries series;
  series.subject = {kind, id};
  series.source = source;
  series.executor.device = device;
  series.ceiling = measure::MeasuredCeiling{};
  series.ceiling->read.median = 2000;
  measure::TimingPoint point;
  point.timingCase.elements = 1u << 24;
  point.time.median = microseconds;
  point.time.count = 1;
  series.points.push_back(point);
  return series;
}

measure::TimingSnapshot smallSnapshot() {
  using enum model::SubjectKind;
  constexpr auto kLive = measure::SeriesSource::Live, kRecorded = measure::SeriesSource::Recorded;
  measure::TimingSnapshot snapshot;
  snapshot.series = {recorded(Variant, "sequential", "This GPU", 1, kLive),
                     recorded(Variant, "sequential", "First GPU", 80, kRecorded),
                     recorded(Variant, "interleaved_modulo", "First GPU", 160, kRecorded),
                     recorded(Variant, "grid_stride", "Second GPU", 10, kRecorded),
                     recorded(CpuBaseline, "cpu_loop", "A CPU", 8000, kRecorded)};
  return snapshot;
}

std::string figure(const std::string& reference) {
  const auto text = figureOf(reference, smallSnapshot());
  return text ? *text : "error: " + text.error().sentence;
}

TEST(LessonFigures, AreThoseOfTheFirstRecording) {
  EXPECT_EQ(figure("time sequential 2^24"), "80.0 µs");
  EXPECT_EQ(figure("time sequential 16777216"), "80.0 µs");
  EXPECT_EQ(figure("times sequential over interleaved_modulo 2^24"), "2.00");
  EXPECT_EQ(figure("times sequential over cpu_loop 2^24"), "100");
  EXPECT_EQ(figure("less sequential than\ninterleaved_modulo 2^24"), "50 % less time");
  EXPECT_EQ(figure("rate sequential 2^24"), "839 GB/s");
  EXPECT_EQ(figure("share sequential 2^24"), "42 %");
  EXPECT_EQ(figure("gpu"), "First GPU");
  EXPECT_EQ(figure("cpu"), "A CPU");
  EXPECT_EQ(figure("318 = wavefronts two_per_thread"), "318");
}

// Timings compares the repetitions of a pair; a lesson must not say another number beside it.
TEST(LessonFigures, AreTheRatiosOfTimingsWhereItHasThem) {
  measure::TimingSnapshot snapshot = smallSnapshot();
  std::swap(snapshot.series[1], snapshot.series[2]);  // modulo, then sequential
  snapshot.series[2].points[0].toPrevious.emplace().median = 0.4;
  const auto times = [&](const char* reference) { return figureOf(reference, snapshot).value_or("error"); };
  EXPECT_EQ(times("times sequential over interleaved_modulo 2^24"), "2.50");
  EXPECT_EQ(times("less sequential than interleaved_modulo 2^24"), "60 % less time");
  EXPECT_EQ(times("times interleaved_modulo over sequential 2^24"), "0.50") << "not the one before";
  EXPECT_EQ(times("times sequential over cpu_loop 2^24"), "100");
  snapshot.series[2].points[0].toCub.emplace().median = 0.25;
  snapshot.series.push_back(
      recorded(model::SubjectKind::GpuBaseline, "cub", "First GPU", 160, measure::SeriesSource::Recorded));
  EXPECT_EQ(times("times sequential over cub 2^24"), "4.00");
}

TEST(LessonFigures, ThatNameNothingSayWhy) {
  EXPECT_EQ(figure("time sequential 2^23"), "error: no recording has the time of sequential at 2^23");
  EXPECT_EQ(figure("time grid_stride 2^24"), "error: no recording has the time of grid_stride at 2^24")
      << "of another GPU";
  EXPECT_EQ(figure("time sequential 2^x"), "error: \"2^x\" is no size");
  for (const char* nonsense :
       {"", "time", "tme sequential 2^24", "times sequential than cpu_loop 2^24", "gpu 1"})
    EXPECT_EQ(figure(nonsense), "error: no figure is called so") << nonsense;
  EXPECT_EQ(figureOf("gpu", {}).error().sentence, "no recording of times was found");
}

TEST(LessonFigures, StandInTheText) {
  EXPECT_EQ(withFigures("In {{time sequential 2^24}} on {{gpu}}.", smallSnapshot()),
            "In 80.0 µs on First GPU.");
  EXPECT_EQ(withFigures("In {{time cub 2^24}}.", smallSnapshot()),
            "In – (no recording has the time of cub at 2^24).");
  EXPECT_EQ(withFigures("a {{ b", {}), "a {{ b");
}

// What a recording calls its device is a text: no link, nothing bold.
TEST(LessonFigures, AreNoMarkdown) {
  measure::TimingSnapshot timings;
  timings.series = {recorded(model::SubjectKind::Variant, "warm_up", "*A* [GPU](#banks)", 80,
                             measure::SeriesSource::Recorded)};
  const auto lesson = lessonOf("warm_up", timings);
  const auto cost = std::ranges::find(lesson, "What it costs.", &Paragraph::lead);
  ASSERT_NE(cost, lesson.end());
  EXPECT_TRUE(cost->text.ends_with("80.0 µs on the *A* [GPU](#banks).")) << cost->text;
}

// What lessons say of the shipped times in words: guards and padding make no difference, the tree of shuffles
// hardly any, clusters do not help, and for few elements the CPU wins.
TEST(LessonProse, HoldsForTheShippedTimes) {
  const auto shipped = [](const std::string& reference) {
    const auto text = figureOf(reference, *shippedTimings());
    return text ? *text : "error: " + text.error().sentence;
  };
  EXPECT_EQ(shipped("less warp_unguarded than warp_guarded 2^24"), "the same time");
  EXPECT_EQ(shipped("less warp_padded than warp_unguarded 2^24"), "the same time");
  EXPECT_LE(std::stod(shipped("times warp_shuffle over grid_stride 2^28")), 1.03);
  EXPECT_LT(std::stod(shipped("times two_per_thread over cpu_loop 2^10")), 1);
  EXPECT_GT(std::stod(shipped("times two_per_thread over cpu_loop 2^24")), 1);
  EXPECT_GT(std::stod(shipped("times single_pass over warp_shuffle 2^24")), 1);
  for (const std::string size : {"2^20", "2^24"})
    EXPECT_GT(std::stod(shipped("times one_message over cluster_sum " + size)), 1) << "clusters do not help";
}

// Against the oracle that was worked out by hand (int, 256 threads).
TEST(LessonCounts, AreThoseOfTheOracle) {
  const std::map<std::string, std::uint64_t> oracle{{"stride_wavefronts interleaved_modulo", 141},
                                                    {"stride_wavefronts interleaved_contiguous", 141},
                                                    {"ideal_stride_wavefronts interleaved_contiguous", 36},
                                                    {"stride_wavefronts sequential 256", 36},
                                                    {"warps interleaved_modulo", 47},
                                                    {"warps interleaved_contiguous", 12},
                                                    {"load_wavefronts interleaved_contiguous", 95},
                                                    {"store_wavefronts interleaved_contiguous", 55},
                                                    {"way interleaved_contiguous", 8},
                                                    {"way interleaved_contiguous 1024", 32},
                                                    {"lanes sequential", 255},
                                                    {"barriers sequential int64", 9},
                                                    {"launches single_pass 2^24", 1}};
  for (const auto& [what, expected] : oracle) {
    const auto count = test::countOf(what);
    ASSERT_TRUE(count) << count.error().sentence;
    EXPECT_EQ(*count, expected) << what;
  }
  for (const char* nonsense :
       {"price sequential 3 2^24", "price nothing 1 2^24", "price sequential 1 2^23", "cycles sequential 3",
        "cycles nothing 1", "largest sequential 2^24", "gain warp_shuffle over grid_stride 2^24"})
    EXPECT_FALSE(test::measuredWords(nonsense)) << nonsense;
  for (const char* nonsense :
       {"", "wavefronts", "wavefronts nothing", "waves sequential", "wavefronts sequential x"})
    EXPECT_FALSE(test::countOf(nonsense)) << nonsense;
}

}  // namespace
}  // namespace stridescope::views
