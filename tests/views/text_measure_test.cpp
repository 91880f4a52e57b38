// Every text of the window, at every size that people use: whole, inside what is visible, over no other text.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "imgui_internal.h"
#include "workbench_ui.h"

namespace stridescope {
namespace {

using test::UiWish;
using test::WorkbenchUi;

struct Ground {
  const char* name;
  PixelSize size;
  float scale;
  int textSize;  // percent
  ThemeName theme;
};
std::ostream& operator<<(std::ostream& out, const Ground& ground) { return out << ground.name; }

struct Scene {
  const char* variant;
  unsigned round, threads;
  ElementType type;
};

constexpr Scene kScenes[] = {{"interleaved_contiguous", 0, 256, ElementType::Int},  // load
                             {"interleaved_contiguous", 1, 256, ElementType::Int},  // stride 1
                             {"interleaved_contiguous", 4, 256, ElementType::Int},  // stride 8, eight-way
                             {"interleaved_contiguous", 9, 256, ElementType::Int},  // write
                             {"interleaved_modulo", 4, 256, ElementType::Int64},
                             {"interleaved_modulo", 6, 1024, ElementType::Double},
                             {"sequential", 1, 1024, ElementType::Int},
                             {"sequential", 8, 256, ElementType::Int64},
                             {"sequential", 3, 32, ElementType::Int},
                             {"first_add_on_load", 0, 1024, ElementType::Double},
                             {"unrolled_last_warp", 5, 256, ElementType::Int},  // tail
                             {"unrolled_last_warp", 9, 64, ElementType::Int64},
                             {"warp_shuffle", 2, 256, ElementType::Double},
                             {"global_memory", 2, 256, ElementType::Int},
                             {"k_way_merge", 3, 64, ElementType::Int},
                             {"warp_without_sync", 3, 256, ElementType::Int}};  // a race

// One of each kind, in a round of the second to the last.
constexpr Hover kHovers[] = {{HoverKind::Warp, 0}, {HoverKind::Element, 16}, {HoverKind::Bank, 16},
                             {HoverKind::Site, 3}, {HoverKind::Round, 1},    {HoverKind::Thread, 31}};

// Letters reach a little past their line and their advance.
constexpr float kSlack = 1.0f;

bool isInside(const TextLog::Entry& entry) {
  return entry.min.x >= entry.clipMin.x - kSlack && entry.max.x <= entry.clipMax.x + kSlack &&
         entry.min.y >= entry.clipMin.y - kSlack && entry.max.y <= entry.clipMax.y + kSlack;
}

// Of what can be seen of the two.
bool overlap(const TextLog::Entry& a, const TextLog::Entry& b) {
  const float left = std::max({a.min.x, a.clipMin.x, b.min.x, b.clipMin.x});
  const float right = std::min({a.max.x, a.clipMax.x, b.max.x, b.clipMax.x});
  const float top = std::max({a.min.y, a.clipMin.y, b.min.y, b.clipMin.y});
  const float bottom = std::min({a.max.y, a.clipMax.y, b.max.y, b.clipMax.y});
  return right - left > kSlack && bottom - top > kSlack;
}

bool isInsideAcross(const TextLog::Entry& entry) {
  return entry.min.x >= entry.clipMin.x - kSlack && entry.max.x <= entry.clipMax.x + kSlack;
}

// The kernel's text and the list of variants scroll, but not sideways: what lies above or below is brought in
// with the wheel.
bool scrolls(const TextLog::Entry& entry) {
  return entry.window.find("source text") != std::string::npos ||
         entry.window.find("variants") != std::string::npos;
}

// Where an ellipsis is meant; the pointer shows the whole.
bool mayBeShortened(const TextLog::Entry& entry, float widthUnits) {
  if (entry.window == "##message") return true;  // a sentence of any length on one line
  return entry.window == "##transport" &&
         widthUnits <= 960;  // a caption or a race of three sentences on two short lines
}

std::string described(const TextLog::Entry& entry) {
  std::ostringstream out;
  out << "'" << entry.text << "' in " << entry.window << " at " << entry.min.x << "," << entry.min.y << " to "
      << entry.max.x << "," << entry.max.y << " of " << entry.clipMin.x << "," << entry.clipMin.y << " to "
      << entry.clipMax.x << "," << entry.clipMax.y;
  return out.str();
}

void expectWellSet(const std::vector<TextLog::Entry>& entries, float widthUnits, const std::string& where) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TextLog::Entry& entry = entries[i];
    if (entry.shortened && !mayBeShortened(entry, widthUnits))
      ADD_FAILURE() << where << ": shortened: " << described(entry);
    if (scrolls(entry) ? !isInsideAcross(entry) : !isInside(entry))
      ADD_FAILURE() << where << ": cut: " << described(entry);
    for (std::size_t j = i + 1; j < entries.size(); ++j)
      if (entries[j].window == entry.window && overlap(entry, entries[j]))
        ADD_FAILURE() << where << ": overlap: " << described(entry) << " and " << described(entries[j]);
  }
}

class TextMeasure : public testing::TestWithParam<Ground> {};

TEST_P(TextMeasure, EveryTextIsWholeVisibleAndAlone) {
  const Ground& ground = GetParam();
  Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = settings});
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const Scene& scene : kScenes) {
    w.session().apply(ChooseVariant{scene.variant});
    w.session().apply(ChooseThreads{scene.threads});
    w.session().apply(ChooseType{scene.type});
    w.session().waitForJobs();
    w.session().apply(GoToRound{0, scene.round});
    w.session().apply(Unpin{});
    w.settle();
    const std::string where = std::string(scene.variant) + " round " + std::to_string(scene.round) + " x" +
                              std::to_string(scene.threads) + " " + std::string(nameOf(scene.type));
    expectWellSet(w.ui().texts().entries(), widthUnits, where);
    w.session().apply(Pin{hoverThread(scene.threads > 40 ? 5u : 1u)});
    w.settle();
    expectWellSet(w.ui().texts().entries(), widthUnits, where + ", pinned");
  }
}

// Whatever is pinned, its numbers are whole, and what lights covers no text.
TEST_P(TextMeasure, SoItIsWithAnythingPinned) {
  const Ground& ground = GetParam();
  Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w({.size = ground.size, .scale = ground.scale, .settings = settings});
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const char* variant : {"interleaved_contiguous", "unrolled_last_warp"}) {
    w.session().apply(ChooseVariant{variant});
    w.session().waitForJobs();
    for (const unsigned round : {0u, 4u, 6u})
      for (const Hover& hover : kHovers) {
        w.session().apply(GoToRound{0, round});
        w.session().apply(Pin{hover});
        w.settle();
        expectWellSet(w.ui().texts().entries(), widthUnits,
                      std::string(variant) + " hover " + std::to_string(int(hover.kind)));
      }
  }
}

// A sentence above, several launches on the scrub bar, a large n and a long value.
TEST_P(TextMeasure, SoItIsWithAMessageAndSeveralLaunches) {
  const Ground& ground = GetParam();
  Settings settings;
  settings.theme = ground.theme;
  settings.textSize = ground.textSize;
  WorkbenchUi w(
      {.type = ElementType::Double, .size = ground.size, .scale = ground.scale, .settings = settings});
  w.session().apply(ChooseElements{1u << 16});
  w.session().apply(ChooseData{DataPattern::Random});
  w.session().apply(ChooseSeed{18446744073709551615u});
  w.session().waitForJobs();
  w.session().apply(OpenRecording{"/home/somebody/recordings of the lecture/that is not there.stride"});
  const float widthUnits = float(ground.size.width) / ground.scale * 100 / float(ground.textSize);
  for (const Playhead at : {Playhead{0, 0}, Playhead{0, 4}, Playhead{1, 9}}) {
    w.session().apply(GoToRound{at.launch, at.round});
    w.settle();
    ASSERT_TRUE(w.session().message());
    ASSERT_EQ(w.session().run()->trace.launches.size(), 2u);
    expectWellSet(w.ui().texts().entries(), widthUnits, "launch " + std::to_string(at.launch));
  }
}

// Zoomed out until a column is a few pixels wide, and in until it fills the panel.
TEST_P(TextMeasure, SoItIsWhenSharedMemoryIsZoomed) {
  const Ground& ground = GetParam();
  Settings settings;
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

std::vector<Ground> allGrounds() {
  std::vector<Ground> grounds;
  static std::vector<std::string> names;
  names.reserve(18);
  for (const auto& [size, scale] :
       {std::pair{PixelSize{1280, 720}, 1.f}, std::pair{PixelSize{1600, 1000}, 1.f},
        std::pair{PixelSize{3840, 2160}, 2.f}})
    for (const int text : {100, 150, 200})
      for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light}) {
        names.push_back("at" + std::to_string(size.width) + "x" + std::to_string(size.height) + "text" +
                        std::to_string(text) + (theme == ThemeName::Dark ? "dark" : "light"));
        grounds.push_back({names.back().c_str(), size, scale, text, theme});
      }
  return grounds;
}

INSTANTIATE_TEST_SUITE_P(Sizes, TextMeasure, testing::ValuesIn(allGrounds()),
                         [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace stridescope
