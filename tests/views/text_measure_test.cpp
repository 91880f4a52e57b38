// Every text of the window, at every size that people use: whole, inside what is visible, over no other text.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "imgui_internal.h"
#include "kernels/catalog.h"
#include "support/whole_sweeps.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::allGrounds;
using test::expectWellSet;
using test::Ground;
using test::UiRequest;
using test::WorkbenchUi;

struct Scene {
  const char* variant;
  unsigned round, threads;
  model::ElementType type;
};

constexpr Scene kScenes[] = {
    {"interleaved_contiguous", 0, 256, model::ElementType::Int},  // load
    {"interleaved_contiguous", 1, 256, model::ElementType::Int},  // stride 1
    {"interleaved_contiguous", 4, 256, model::ElementType::Int},  // stride 8, eight-way
    {"interleaved_contiguous", 9, 256, model::ElementType::Int},  // write
    {"interleaved_modulo", 4, 256, model::ElementType::Int64},
    {"interleaved_modulo", 6, 1024, model::ElementType::Double},
    {"sequential", 1, 1024, model::ElementType::Int},
    {"sequential", 8, 256, model::ElementType::Int64},
    {"sequential", 3, 32, model::ElementType::Int},
    {"first_add_on_load", 0, 1024, model::ElementType::Double},
    {"unrolled_last_warp", 5, 256, model::ElementType::Int},  // tail
    {"unrolled_last_warp", 9, 64, model::ElementType::Int64},
    {"warp_shuffle", 2, 256, model::ElementType::Double},
    {"global_memory", 2, 256, model::ElementType::Int},
    {"k_way_merge", 3, 64, model::ElementType::Int},
    {"warp_without_sync", 3, 256, model::ElementType::Int}};  // a race

// One of each kind, in a round of the second to the last.
constexpr session::Hover kHovers[] = {{session::HoverKind::Warp, 0},  {session::HoverKind::Element, 16},
                                      {session::HoverKind::Bank, 16}, {session::HoverKind::Site, 3},
                                      {session::HoverKind::Round, 1}, {session::HoverKind::Thread, 31}};

class TextMeasure : public testing::TestWithParam<Ground> {};

TEST_P(TextMeasure, EveryTextIsWholeVisibleAndAlone) {
  const Ground& ground = GetParam();
  session::Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = settings},
                test::hostServicesWithCycles());
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const Scene& scene : kScenes) {
    w.session().apply(session::Choose(&model::Experiment::variant, scene.variant));
    w.session().apply(session::Choose(&model::Experiment::threads, scene.threads));
    w.session().apply(session::Choose(&model::Experiment::type, scene.type));
    w.session().waitForJobs();
    w.session().apply(session::GoToRound{0, scene.round});
    w.session().apply(session::Unpin{});
    w.settle();
    const std::string where = std::string(scene.variant) + " round " + std::to_string(scene.round) + " x" +
                              std::to_string(scene.threads) + " " + std::string(model::nameOf(scene.type));
    expectWellSet(w.ui().texts().entries(), widthUnits, where);
    w.session().apply(session::Pin{session::hoverThread(scene.threads > 40 ? 5u : 1u)});
    w.settle();
    expectWellSet(w.ui().texts().entries(), widthUnits, where + ", pinned");
  }
}

// Whatever is pinned, its numbers are whole, and what lights covers no text.
TEST_P(TextMeasure, SoItIsWithAnythingPinned) {
  const Ground& ground = GetParam();
  session::Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = settings});
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const char* variant : {"interleaved_contiguous", "unrolled_last_warp"}) {
    w.session().apply(session::Choose(&model::Experiment::variant, variant));
    w.session().waitForJobs();
    for (const unsigned round : {0u, 4u, 6u})
      for (const session::Hover& hover : kHovers) {
        w.session().apply(session::GoToRound{0, round});
        w.session().apply(session::Pin{hover});
        w.settle();
        expectWellSet(w.ui().texts().entries(), widthUnits,
                      std::string(variant) + " hover " + std::to_string(int(hover.kind)));
      }
  }
}

// A sentence above, several launches on the scrub bar, a large n and a long value.
TEST_P(TextMeasure, SoItIsWithAMessageAndSeveralLaunches) {
  const Ground& ground = GetParam();
  session::Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w(
      {.type = model::ElementType::Double, .size = ground.size, .scale = ground.scale, .settings = settings});
  w.session().apply(session::Choose::elements(1u << 16));
  w.session().apply(session::Choose(&model::Experiment::data, model::DataPattern::Random));
  w.session().apply(session::Choose(&model::Experiment::seed, 18446744073709551615u));
  w.session().waitForJobs();
  w.session().apply(
      session::OpenRecording{"/home/somebody/recordings of the lecture/that is not there.stride"});
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const session::Playhead at :
       {session::Playhead{0, 0}, session::Playhead{0, 4}, session::Playhead{1, 9}}) {
    w.session().apply(session::GoToRound{at.launch, at.round});
    w.settle();
    ASSERT_TRUE(w.session().app().message());
    ASSERT_EQ(w.session().replay().run()->trace.launches.size(), 2u);
    expectWellSet(w.ui().texts().entries(), widthUnits, "launch " + std::to_string(at.launch));
  }
}

// Products of doubles have seventeen digits and an exponent.
TEST_P(TextMeasure, SoItIsWithLongValues) {
  const Ground& ground = GetParam();
  WorkbenchUi w({.variant = "warp_shuffle",
                 .type = model::ElementType::Double,
                 .size = ground.size,
                 .scale = ground.scale,
                 .settings = ground.settings()});
  w.apply(session::Choose(&model::Experiment::data, model::DataPattern::Random));
  w.apply(session::Choose(&model::Experiment::op, model::Operator::Multiply));
  for (const char* variant : {"warp_shuffle", "sequential", "global_memory", "block_of_warps"}) {
    w.apply(session::Choose(&model::Experiment::variant, variant));
    for (const unsigned round : {0u, 1u, 3u, 6u})
      for (const unsigned thread : {0u, 31u}) {
        w.session().apply(session::GoToRound{0, round});
        w.session().apply(session::Pin{session::hoverThread(thread)});
        w.settle();
        expectWellSet(w.ui().texts().entries(), ground.widthUnits(),
                      std::string(variant) + " round " + std::to_string(round));
      }
  }
}

// Zoomed out until a column is a few pixels wide, and in until it fills the panel.
TEST_P(TextMeasure, SoItIsWhenSharedMemoryIsZoomed) {
  const Ground& ground = GetParam();
  session::Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const char* variant : {"interleaved_contiguous", "sequential"}) {
    WorkbenchUi w({.variant = variant,
                   .round = 1,
                   .threads = 1024,
                   .size = ground.size,
                   .scale = ground.scale,
                   .settings = settings});
    for (const float wheel : {-1.f, 1.f}) {
      w.run("zoom", [&](ImGuiTestContext* test) {
        const ImRect map =
            test->ItemInfo("//Shared memory/shared memory map", ImGuiTestOpFlags_NoError).RectFull;
        if (map.GetWidth() < 1) return;  // there is too little room for the panel
        test->MouseMoveToPos(map.GetCenter());
        for (int i = 0; i < 12; ++i) {
          test->MouseWheelY(wheel);
          test->Yield();
          expectWellSet(w.ui().texts().entries(), widthUnits, std::string(variant) + " zoomed");
        }
      });
    }
  }
}

// .ci/nightly takes all, `./dev test` those with the longest titles.
std::vector<const kernels::Variant*> variantsByTitle() {
  std::vector<const kernels::Variant*> variants;
  for (const kernels::Variant& variant : kernels::catalog()) variants.push_back(&variant);
  std::ranges::stable_sort(variants, std::greater{},
                           [](const kernels::Variant* variant) { return variant->title.size(); });
  if (!support::wholeSweeps()) variants.resize(6);
  return variants;
}

// The bar's fields, whose texts may be long: variants by their names, and numbers of 20 digits.
TEST_P(TextMeasure, TheBarShowsItsChoicesWhole) {
  const Ground& ground = GetParam();
  WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = ground.settings()});
  const auto expectWhole = [&](const std::string& text) {
    w.settle();
    std::vector<draw::TextLog::Entry> bar;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window == "##bar") bar.push_back(entry);
    expectWellSet(bar, ground.widthUnits(), text);
    EXPECT_TRUE(std::ranges::any_of(bar, [&](const draw::TextLog::Entry& entry) {
      return entry.text == text;
    })) << text;
  };
  for (const kernels::Variant* const variant : variantsByTitle()) {
    w.session().apply(session::Choose(&model::Experiment::variant, std::string(variant->id)));
    expectWhole(std::string(variant->title));
  }
  w.session().apply(session::Choose(&model::Experiment::variant, "sequential"));
  w.session().apply(session::Choose(&model::Experiment::data, model::DataPattern::Random));
  w.session().apply(session::Choose(&model::Experiment::seed, 18446744073709551615u));
  expectWhole("sequential");
}

INSTANTIATE_TEST_SUITE_P(Sizes, TextMeasure, testing::ValuesIn(allGrounds()),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace stridescope::views
