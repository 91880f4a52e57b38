// The caption in Present: its size, and what it tells.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kernels/catalog.h"
#include "views/panels.h"
#include "views/shared/shown_round.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using session::Mode;
using test::WorkbenchUi;

void toggleLargeMap(WorkbenchUi& w) { w.apply(session::UseTool{session::PresenterTool::LargeMap}); }

// In one window the caption has one size through a whole run, whichever panel is large or beside it, with a
// message or without; and each round whose cycles are known tells them.
class PresentedCaption : public testing::TestWithParam<shell::PixelSize> {
 public:
  struct Seen {
    std::set<float> heights;  // of its letters, pixels
    unsigned told = 0;        // rounds whose cycles it tells
  };

  // The rounds of the run, as the window is now; of a long one as many as tell.
  static Seen seenIn(WorkbenchUi& w, const std::string& how) {
    Seen seen;
    const auto& launches = w.session().replay().run()->analysis.launches;
    constexpr std::size_t kLooks = 64;
    for (unsigned launch = 0; launch < launches.size(); ++launch)
      for (std::size_t round = 0; round < launches[launch].rounds.size();
           round += launches[launch].rounds.size() / kLooks + 1) {
        w.session().apply(session::GoToRound{launch, unsigned(round)});
        w.ui().drawFrames(2);
        std::string text;
        for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
          if (entry.window != "##present caption") continue;
          // What is hovered may stand below the caption's lines.
          if (text.empty() || !w.session().replay().hover())
            seen.heights.insert(std::round(entry.max.y - entry.min.y));
          text += entry.text + " ";
        }
        const std::string cost = countedCycles(w.session().replay());
        if (cost.empty()) continue;
        ++seen.told;
        EXPECT_NE(text.find(cost), text.npos) << how << ", round " << round << ": " << text;
      }
    return seen;
  }
};

TEST_P(PresentedCaption, HasOneSizeAndTellsTheCycles) {
  for (const char* variant : {"interleaved_contiguous", "sequential", "warp_shuffle", "single_pass"}) {
    WorkbenchUi w({.variant = variant, .size = GetParam()}, test::hostServicesWithCycles());
    w.apply(session::EnterMode{Mode::Present});
    std::set<float> heights;
    unsigned told = 0;
    const auto look = [&](const std::string& how) {
      const Seen seen = seenIn(w, std::string(variant) + " " + how);
      heights.insert(seen.heights.begin(), seen.heights.end());
      told = std::max(told, seen.told);
      EXPECT_EQ(heights.size(), 1u) << variant << " " << how << ": " << testing::PrintToString(heights);
    };
    for (const char* map : {"banks", "source"}) {
      w.apply(session::ShowPanel{map});
      look(std::string("with ") + map);
      toggleLargeMap(w);
      look(std::string("with large ") + map);
      toggleLargeMap(w);
    }
    for (const session::Overlay text : {session::Overlay::Lesson, session::Overlay::Glossary}) {
      w.apply(session::ShowOverlay{text});
      look("with a text");
      w.apply(session::ShowOverlay{text});
    }
    w.apply(session::OpenRecording{"/no/such/file.stride"});
    ASSERT_NE(w.textsIn("##message"), "");
    look("with a message");
    toggleLargeMap(w);
    look("with a message and a large map");
    w.apply(session::Pin{session::hoverThread(5)});
    look("with a pinned thread");
    EXPECT_GE(told, 4u) << variant;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, PresentedCaption,
                         testing::Values(shell::PixelSize{1280, 720}, shell::PixelSize{1366, 768},
                                         shell::PixelSize{1600, 1000}, shell::PixelSize{1920, 1080},
                                         shell::PixelSize{3840, 2160}, shell::PixelSize{1280, 500}),
                         [](const auto& one) {
                           return "at" + std::to_string(one.param.width) + "x" +
                                  std::to_string(one.param.height);
                         });

TEST(UiPresentCaption, TheCaptionOfEveryVariantHasOneSize) {
  WorkbenchUi w({.size = {1920, 1080}}, test::hostServicesWithCycles());
  w.apply(session::EnterMode{Mode::Present});
  for (const kernels::Variant& variant : kernels::catalog()) {
    w.apply(session::Choose(&model::Experiment::variant, std::string(variant.id)));
    ASSERT_EQ(w.session().replay().run()->trace.experiment.variant, variant.id);
    PresentedCaption::Seen seen = PresentedCaption::seenIn(w, std::string(variant.id));
    toggleLargeMap(w);
    seen.heights.merge(PresentedCaption::seenIn(w, std::string(variant.id) + " with a large map").heights);
    EXPECT_EQ(seen.heights.size(), 1u) << variant.id << ": " << testing::PrintToString(seen.heights);
  }
}

// The passes of a round, races among them, are captions, too.
TEST(UiPresentCaption, TheCaptionKeepsItsSizeFromPassToPass) {
  WorkbenchUi w;
  w.apply(session::EnterMode{Mode::Present});
  for (const char* variant : {"missing_barrier", "grid_stride", "block_of_warps"}) {
    w.apply(session::Choose(&model::Experiment::variant, std::string(variant)));
    w.apply(session::GoToFirst{});
    std::set<float> heights;
    unsigned passes = 0;
    for (unsigned step = 0; step < 80 && !w.session().replay().atLast(); ++step) {
      w.session().apply(session::StepPass{+1});
      w.ui().drawFrames(2);
      passes += w.session().replay().shownPass() != nullptr ? 1 : 0;
      for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
        if (entry.window == "##present caption") heights.insert(std::round(entry.max.y - entry.min.y));
    }
    EXPECT_GT(passes, 1u) << variant;
    EXPECT_EQ(heights.size(), 1u) << variant << ": " << testing::PrintToString(heights);
  }
}

// A merge has thousands of captions: a frame writes a part of them, and the size is that of all from the
// first frame on.
TEST(UiPresentCaption, TheSearchForTheSizeHoldsNoFrameUp) {
  WorkbenchUi w;
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  w.session().apply(session::EnterMode{Mode::Present});
  std::set<float> heights;
  unsigned frames = 0;
  const auto look = [&] {
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window == "##present caption") heights.insert(std::round(entry.max.y - entry.min.y));
  };
  w.ui().drawFrames(3);  // the scale is that of Present
  for (; frames < 100 && w.workbench().wantsFrameSoon(); ++frames) {
    look();
    w.ui().drawFrames(1);
  }
  EXPECT_GT(frames, 4u) << "one frame did all of it";
  EXPECT_LT(frames, 100u);
  look();
  EXPECT_EQ(heights.size(), 1u) << testing::PrintToString(heights);
}

TEST(UiPresentCaption, ItsTextsAreKeptWhileOnlyTheRoomsChange) {
  WorkbenchUi w;
  w.apply(session::Choose(&model::Experiment::variant, "k_way_merge"));
  const std::vector<Panel> panels = allPanels();
  session::Commands commands;
  const LinkedHighlight linked;
  const TroubleMarks trouble;
  const ShownTimes times;
  const Explanations explanations([](std::string_view) { return std::string(); });
  const ViewContext view{
      w.session().parts(), w.ui().runner().drawContext(), commands, linked, trouble, times, panels,
      explanations};
  SteadySize size;
  w.run("measure", [&](ImGuiTestContext*) {  // within a frame, where texts are measured
    size.lieIn({{4000, 2000}}, {});
    unsigned frames = 0;
    for (; frames == 0 || size.isSearching(); ++frames) size.sizeFor(view, {.text = "A round."});
    IM_CHECK_GT(frames, 4u);
    size.lieIn({{3990, 1990}}, {});
    IM_CHECK(size.isSearching());
    size.sizeFor(view, {.text = "A round."});
    IM_CHECK(!size.isSearching());
    size.lieIn({{600, 60}}, {});
    const float before = size.sizeFor(view, {.text = "A round."});
    IM_CHECK_LT(before, draw::kCaptionSize);
  });
}

// What is pointed at stands at the foot, below the text, as long as the large panel is the memory.
TEST(UiPresentCaption, LeavesTheFootToWhatIsHovered) {
  for (const char* variant : {"interleaved_contiguous", "sequential", "warp_shuffle"}) {
    WorkbenchUi w({.variant = variant, .size = {1920, 1080}}, test::hostServicesWithCycles());
    w.apply(session::EnterMode{Mode::Present});
    w.apply(session::Pin{session::hoverThread(5)});
    EXPECT_TRUE(w.shows("thread 5", "##present caption")) << variant;
    toggleLargeMap(w);
    w.ui().drawFrames(3);
    EXPECT_TRUE(w.shows("thread 5")) << variant << ": at the foot or above the caption";
  }
}

}  // namespace
}  // namespace stridescope::views
