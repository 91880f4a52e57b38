// Nothing that the window shows tells of the hidden round: two runs that are equal up to it, and differ in
// what it does, are shown by equal frames, wherever the pointer is and whatever is opened.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/experiment_check.h"
#include "engine/host/host_engine.h"
#include "futures.h"
#include "lab/known/recorded.h"
#include "shown_frame.h"
#include "support/fake_engine.h"
#include "support/stand_in_clock.h"
#include "support/whole_sweeps.h"
#include "views/panels.h"

namespace stridescope::views::test {
namespace {

using session::Command;
using session::PredictAct;
using session::PredictStep;

// Where the pointer rests, besides the lists below. Beside a sanitizer each frame takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
const unsigned kAcross = 5, kDown = 4;
#else
const unsigned kAcross = support::wholeSweeps() ? 14 : 9, kDown = support::wholeSweeps() ? 9 : 6;
#endif

struct Look {
  shell::PixelSize size{1600, 1000};
  int textSize = 100;
  unsigned across = kAcross, down = kDown;
};

// A run that a window is opened on, and what the machine is said to have measured of it.
struct Future {
  model::Trace trace;
  std::vector<model::ClockRecord> clocks = {};
  std::vector<model::CounterRecord> counters = {};
};

// A window that hides a round of a run, and what its frames showed.
class Watched {
 public:
  Watched(const Future& run, session::Playhead hidden, const Look& look) {
    engines_.trace = run.trace;
    engines_.clocks = run.clocks;
    engines_.counters = run.counters;
    session::Settings settings;
    settings.reducedMotion = true;
    settings.textSize = look.textSize;
    session::Commands before;
    const bool isFirst = hidden.launch == 0 && hidden.round == 0;
    if (!isFirst && hidden.round == 0)
      before = {session::GoToRound{hidden.launch - 1, 1000}};
    else if (!isFirst)
      before = {session::GoToRound{hidden.launch, hidden.round - 1}};
    before.emplace_back(session::EnterMode{session::Mode::Predict});
    if (isFirst)
      before.insert(before.end(), {session::GoToFirst{}, PredictStep{.act = PredictAct::TryAgain}});
    ui_ = std::make_unique<WorkbenchUi>(UiRequest{.round = 0,
                                                  .size = look.size,
                                                  .settings = settings,
                                                  .experiment = run.trace.experiment,
                                                  .before = before},
                                        engines_.services());
    ImGuiStyle& style = ImGui::GetStyle();
    style.HoverStationaryDelay = style.HoverDelayShort = style.HoverDelayNormal = 0;
  }

  WorkbenchUi& ui() { return *ui_; }
  const session::Predict& predict() { return ui_->session().predict(); }
  const std::vector<ShownFrame>& frames() const { return frames_; }
  std::vector<std::string> questions() {
    std::vector<std::string> texts;
    for (const session::AskedQuestion& asked : predict().asked())
      texts.push_back(asked.question.text + " " + asked.question.note);
    return texts;
  }

  // What is told of the rounds to come.
  std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const lab::RoundName& name : ui_->session().replay().run()->toCome)
      names.push_back(name.tick + " " + name.title + " " + name.inSentence);
    return names;
  }

  void keep(const std::string& when) {
    ui_->ui().drawFrames(2);
    frames_.push_back(shownFrame(*ui_, when));
  }
  void give(const std::string& what, const Command& command) {
    ui_->session().apply(command);
    ui_->session().waitForJobs();
    keep(what);
  }
  void press(const std::string& name, ImGuiKeyChord keys) {
    ui_->run(name, [&](ImGuiTestContext* test) { test->KeyPress(keys); });
    keep(name);
  }
  void pointAt(float x, float y) {
    ImGui::GetIO().AddMousePosEvent(x, y);
    ui_->ui().drawFrames(1);
    keep(fmt::format("pointer at {}, {}", x, y));
  }
  void pointAwayFromAll() {
    ImGui::GetIO().AddMousePosEvent(-1, -1);
    ui_->ui().drawFrames(2);
  }

 private:
  support::FakeEngines engines_;
  std::unique_ptr<WorkbenchUi> ui_;
  std::vector<ShownFrame> frames_;
};

using session::Hover;
using session::HoverKind;

// Whatever can be pointed at or pinned.
void lookAtLinks(Watched& window) {
  const model::Trace& trace = window.ui().session().replay().run()->trace;
  std::vector<Hover> hovers;
  const unsigned block = trace.launches.front().block;
  for (unsigned thread = 0; thread < block; thread += thread < 20 ? 1 : 13)
    hovers.push_back(session::hoverThread(thread));
  hovers.push_back(session::hoverThread(block - 1));
  for (unsigned warp = 0; warp < (block + 31) / 32; ++warp) hovers.push_back({HoverKind::Warp, warp});
  for (unsigned element = 0; element < 40; element += 3) hovers.push_back({HoverKind::Element, element});
  for (unsigned bank = 0; bank < 32; bank += 5) hovers.push_back({HoverKind::Bank, bank});
  for (unsigned site = 0; site < trace.sites.size(); ++site) hovers.push_back({HoverKind::Site, site});
  for (unsigned round = 0; round < 14; ++round) hovers.push_back({HoverKind::Round, round});
  for (const Hover& hover : hovers) {
    const std::string name = fmt::format("{} of kind {}", hover.index, int(hover.kind));
    window.give("points at " + name, session::PointAt{hover});
  }
  window.give("points at nothing", session::PointAt{});
  for (const Hover& hover :
       {session::hoverThread(0), session::hoverThread(block - 1), Hover{HoverKind::Element, 1}})
    window.give("pins", session::Pin{hover});
  window.give("frees", session::Unpin{});
}

// What does not reveal the round.
void lookAtKeys(Watched& window) {
  window.press("Right", ImGuiKey_RightArrow);
  window.press("Shift+Right", ImGuiMod_Shift | ImGuiKey_RightArrow);
  window.press("End", ImGuiKey_End);
  window.press("F", ImGuiKey_F);
  window.press("B", ImGuiKey_B);
  window.press("R", ImGuiKey_R);
  window.press("T", ImGuiKey_T);
  window.press("T again", ImGuiKey_T);
  window.press("?", ImGuiKey_F1);
  window.press("closed", ImGuiKey_Escape);
  window.press("palette", ImGuiMod_Ctrl | ImGuiKey_P);
  window.press("palette closed", ImGuiKey_Escape);
  window.press("round as text", ImGuiMod_Ctrl | ImGuiKey_T);
  window.press("round as text closed", ImGuiKey_Escape);
  window.press("lesson", ImGuiKey_F2);
  window.press("lesson closed", ImGuiKey_F2);
  window.press("F6", ImGuiKey_F6);
  for (int i = 0; i < 4; ++i) {
    window.press("next part", ImGuiKey_F6);
    for (const ImGuiKey key : {ImGuiKey_RightArrow, ImGuiKey_DownArrow, ImGuiKey_DownArrow})
      window.press("arrow in a part", key);
  }
  window.press("no part", ImGuiKey_Escape);
  window.press("free", ImGuiKey_Escape);
  window.press("next question", ImGuiKey_DownArrow);
  window.press("previous question", ImGuiKey_UpArrow);
  window.give("plays", session::TogglePlay{});
  if (window.ui().session().replay().playing()) window.give("stops", session::TogglePlay{});
  for (const Panel& panel : allPanels())
    if (panel.isOfferedIn(session::Mode::Predict))
      window.give("shows " + panel.id, session::ShowPanel{panel.id});
}

// The rounds before, which are told, and back.
void lookAtThePast(Watched& window, session::Playhead hidden) {
  for (unsigned back = 0; back < std::min(hidden.round, 3u); ++back) window.press("Left", ImGuiKey_LeftArrow);
  window.press("Home", ImGuiKey_Home);
  window.give("all told", session::GoToRound{hidden.launch, hidden.round});
}

void lookWithThePointer(Watched& window, const Look& look) {
  for (unsigned y = 0; y < look.down; ++y)
    for (unsigned x = 0; x < look.across; ++x)
      window.pointAt(float(look.size.width) * (float(x) + 0.5f) / float(look.across),
                     float(look.size.height) * (float(y) + 0.5f) / float(look.down));
  window.pointAwayFromAll();
}

void guess(Watched& window) {
  for (std::size_t place = 0; place < window.predict().asked().size(); ++place) {
    window.give("marks", PredictStep{.act = PredictAct::Mark, .question = place, .first = 0, .last = 8});
    window.give("says 8", PredictStep{.act = PredictAct::AnswerWay, .question = place, .way = 8});
    window.give("types", PredictStep{.act = PredictAct::AnswerText, .question = place, .text = "74"});
  }
}

void lookEverywhere(Watched& window, session::Playhead hidden, const Look& look) {
  window.keep("first");
  lookWithThePointer(window, look);
  lookAtLinks(window);
  lookAtKeys(window);
  lookAtThePast(window, hidden);
  guess(window);
  window.keep("guessed");
}

// Runs that are equal up to the round.
struct Case {
  std::string name;
  session::Playhead hidden{};
  std::vector<std::pair<std::string, Future>> futures = {};
};

// The windows show the same, whichever the future is, except for the questions where others are asked. Only
// futures whose rounds have the first one's names count. Gives how many were compared.
unsigned expectEqualFrames(const Case& one, const Look& look = {}) {
  SCOPED_TRACE(one.name);
  std::vector<ShownFrame> expected;
  std::vector<std::string> questions, names;
  std::optional<ShownFrame> revealed;
  unsigned compared = 0;
  bool tellsApart = false;
  for (const auto& [name, run] : one.futures) {
    SCOPED_TRACE(name);
    Watched window(run, one.hidden, look);
    EXPECT_TRUE(window.predict().isHidden());
    EXPECT_EQ(window.ui().session().replay().playhead(), one.hidden);
    if (names.empty()) names = window.names(), questions = window.questions();
    if (window.names() != names) continue;
    std::vector<std::string> but;
    if (window.questions() != questions) but.push_back("Predict");
    lookEverywhere(window, one.hidden, look);
    EXPECT_TRUE(window.predict().isHidden());
    if (expected.empty()) expected = window.frames();
    EXPECT_EQ(window.frames().size(), expected.size());
    for (std::size_t i = 0; i < std::min(expected.size(), window.frames().size()); ++i) {
      const std::string difference = differenceOf(expected[i], window.frames()[i], but);
      EXPECT_EQ(difference, "") << "frame " << i;
      if (!difference.empty()) break;
    }
    window.give("reveals", PredictStep{.act = PredictAct::Reveal});
    if (!revealed) revealed = window.frames().back();
    tellsApart = tellsApart || !differenceOf(*revealed, window.frames().back()).empty();
    ++compared;
  }
  EXPECT_TRUE(tellsApart) << "the frames of a revealed round differ where the rounds do";
  return compared;
}

model::Trace recorded(const std::string& variant, std::optional<model::DataPattern> data = std::nullopt,
                      std::uint64_t elements = 0) {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.op = kernels::findVariant(variant)->operators.front();
  experiment.threads = kernels::findVariant(variant)->defaultThreads;
  experiment.elements = elements;
  experiment.data = data.value_or(kernels::defaultData(variant, experiment.op));
  engine::JobControl job;
  auto trace = engine::host::makeHostEngine()->record(*engine::checkedExperiment(experiment, false), job);
  EXPECT_TRUE(trace);
  return *trace;
}

Case otherValuesAndThreads(const std::string& variant, unsigned round) {
  const Fork fork{recorded(variant), round};
  return {.name = fmt::format("{}, round {}", variant, round),
          .hidden = {0, round},
          .futures = {{"as it is", {fork.trace}},
                      {"other values", {withOtherValues(fork)}},
                      {"other threads", {withOtherThreads(fork)}},
                      {"fewer threads", {withoutThreads(fork, 2, 5)}}}};
}

// All elements are equal, so that another one gives the same sum.
Case otherCells(const std::string& variant, unsigned round, unsigned flip) {
  const Fork fork{recorded(variant, model::DataPattern::Ones), round};
  return {.name = fmt::format("{}, round {}, flipping {}", variant, round, flip),
          .hidden = {0, round},
          .futures = {{"as it is", {fork.trace}}, {"other cells", {withOtherCells(fork, flip)}}}};
}

// What lanes give to each other is as it was. Nobody reads a lane that has fallen out.
Case otherValuesAndFewerThreads(const std::string& variant, unsigned round, unsigned first) {
  const Fork fork{recorded(variant), round};
  const unsigned block = fork.trace.launches.front().block;
  return {.name = fmt::format("{}, round {}", variant, round),
          .hidden = {0, round},
          .futures = {{"as it is", {fork.trace}},
                      {"other values", {withOtherValues(fork)}},
                      {"without eight lanes", {withoutThreads(fork, first, first + 7)}},
                      {"without the last warp", {withoutThreads(fork, block - 32, block - 1)}}}};
}

TEST(PredictTellsNothing, OfValuesAndThreads) {
  using At = std::pair<std::string, unsigned>;
  std::vector<At> places{{"interleaved_contiguous", 5}, {"k_way_merge", 9}, {"warm_up", 1}};
  if (support::wholeSweeps())
    places.insert(places.end(), {{"interleaved_contiguous", 1},
                                 {"interleaved_contiguous", 7},
                                 {"interleaved_modulo", 4},
                                 {"sequential", 3},
                                 {"first_add_on_load", 2},
                                 {"grid_stride", 0},
                                 {"warp_guarded", 1},
                                 {"global_memory", 3},
                                 {"k_way_merge", 3},
                                 {"missing_barrier", 1}});
  for (const auto& [variant, round] : places)
    EXPECT_EQ(expectEqualFrames(otherValuesAndThreads(variant, round)), 4u) << variant << " " << round;
  // Cells that four threads leave unwritten count as padding: the strides to come have other names.
  EXPECT_EQ(expectEqualFrames(otherValuesAndThreads("interleaved_contiguous", 0)), 3u);
  // Another warp does not come to the last strides' barriers.
  EXPECT_EQ(expectEqualFrames(otherValuesAndThreads("unrolled_last_warp", 5)), 3u);
}

TEST(PredictTellsNothing, OfALaterLaunch) {
  const model::Trace trace = recorded("sequential", std::nullopt, 1024);
  ASSERT_EQ(trace.launches.size(), 2u);
  for (const unsigned round : {0u, 1u}) {
    const Fork fork{trace, round, 1};
    EXPECT_EQ(expectEqualFrames({.name = "launch 1",
                                 .hidden = {1, round},
                                 .futures = {{"as it is", {trace}},
                                             {"other values", {withOtherValues(fork)}},
                                             {"other threads", {withOtherThreads(fork)}}}}),
              3u);
  }
}

TEST(PredictTellsNothing, OfShuffles) {
  struct At {
    std::string variant;
    unsigned round, first;
  };
  std::vector<At> places{{"warp_shuffle", 7, 8}, {"vectorized_atomic", 2, 32}};
  if (support::wholeSweeps())
    places.insert(places.end(), {{"warp_shuffle", 1, 8}, {"warp_shuffle", 3, 32}, {"warp_redux", 1, 8}});
  for (const auto& [variant, round, first] : places)
    EXPECT_EQ(expectEqualFrames(otherValuesAndFewerThreads(variant, round, first)), 4u)
        << variant << " " << round;
}

TEST(PredictTellsNothing, OfCells) {
  EXPECT_EQ(expectEqualFrames(otherCells("interleaved_contiguous", 1, 128)), 2u);
  EXPECT_EQ(expectEqualFrames(otherCells("interleaved_contiguous", 5, 64)), 2u);
  EXPECT_EQ(expectEqualFrames(otherCells("sequential", 4, 1)), 2u);
}

// After a race nothing is asked about values, whether another one comes or not.
TEST(PredictTellsNothing, OfRaces) {
  const model::Trace racy = withARace({recorded("sequential"), 2}, 0, 1);
  const Fork fork{racy, 3};
  EXPECT_EQ(expectEqualFrames({.name = "races",
                               .hidden = {0, 3},
                               .futures = {{"no more", {racy}},
                                           {"one more", {withARace(fork, 2, 3)}},
                                           {"of two warps", {withARace(fork, 2, 20)}}}}),
            3u);
}

TEST(PredictTellsNothing, OfProblems) {
  const model::Trace faulty = withAProblem({recorded("interleaved_contiguous"), 0}, 40);
  EXPECT_EQ(expectEqualFrames({.name = "problems",
                               .hidden = {0, 1},
                               .futures = {{"no more", {faulty}},
                                           {"one more", {withAProblem({faulty, 1}, 7)}},
                                           {"of another thread", {withAProblem({faulty, 1}, 90)}}}}),
            3u);
}

// The window's bars of cycles stand over the scrub bar.
TEST(PredictTellsNothing, OfCyclesAndCounters) {
  const model::Trace trace = recorded("interleaved_contiguous");
  constexpr std::uint64_t kTold = 10;  // at each barrier a warp arrives, and leaves
  const auto measured = [&](std::uint64_t slow) {
    Future future{trace};
    for (const model::ClockedGrid company : model::kClockedGrids) {
      future.clocks.push_back(support::standInRecord(trace, company, 41, [&](std::size_t mark) {
        return mark <= kTold ? 100 * mark : 100 * kTold + slow * (mark - kTold);
      }));
      future.clocks.back().executor.device = "NVIDIA H100 80GB HBM3";
    }
    future.counters =
        *hostServicesWithCounters().known.recorded("host").of<model::CounterRecord>()(trace.experiment);
    future.counters.front().launches.front().values.front().value += double(slow);
    return future;
  };
  EXPECT_EQ(expectEqualFrames({.name = "cycles",
                               .hidden = {0, 5},
                               .futures = {{"fast", measured(100)}, {"slow", measured(900)}}}),
            2u);
}

TEST(PredictTellsNothing, AtAnySize) {
  std::vector<std::pair<shell::PixelSize, int>> sizes{{{1280, 720}, 150}};
  if (support::wholeSweeps())
    sizes.insert(sizes.end(), {{{1280, 720}, 100}, {{900, 1400}, 150}, {{3840, 2160}, 200}});
  for (const auto& [size, textSize] : sizes) {
    const Look look{.size = size, .textSize = textSize};
    EXPECT_EQ(expectEqualFrames(otherValuesAndThreads("sequential", 3), look), 4u) << size.width;
    EXPECT_EQ(expectEqualFrames(otherValuesAndFewerThreads("warp_shuffle", 3, 32), look), 4u) << size.width;
  }
}

}  // namespace
}  // namespace stridescope::views::test
