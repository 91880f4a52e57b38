// The legend of Lanes stands in one line at every size, and its states are told apart by their shapes and
// from the panel by WCAG's contrast.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "views/maps/map_frame.h"
#include "well_set.h"
#include "workbench_ui.h"

namespace stridescope::views {
namespace {

using test::WorkbenchUi;

constexpr double kMinShapeContrast = 3;  // WCAG 2.1, success criterion 1.4.11

std::vector<const draw::PaintedGrid*> legendBoxes(WorkbenchUi& w) {
  std::vector<const draw::PaintedGrid*> boxes;
  for (const draw::PaintedGrid& grid : w.ui().runner().grids().painted())
    if (grid.name == "lanes legend") boxes.push_back(&grid);
  return boxes;
}

class UiLanesLegend : public testing::TestWithParam<std::pair<shell::PixelSize, float>> {};

TEST_P(UiLanesLegend, IsOneLineInEveryRound) {
  const auto& [size, scale] = GetParam();
  WorkbenchUi w({.size = size, .scale = scale, .before = {session::ShowPanel{"lanes"}}});
  for (const char* variant : {"interleaved_contiguous", "interleaved_modulo", "unrolled_last_warp",
                              "warp_shuffle", "k_way_merge"}) {
    w.session().apply(session::Choose(&model::Experiment::variant, variant));
    w.session().waitForJobs();
    for (const unsigned round : {0u, 2u, 4u, 7u}) {
      w.session().apply(session::GoToRound{0, round});
      w.settle();
      const std::string where =
          std::string(variant) + " round " + std::to_string(round) + " at " + std::to_string(size.width);
      const auto boxes = legendBoxes(w);
      ASSERT_GE(boxes.size(), 1u) << where;
      const draw::PaintedGrid* const map = w.ui().findGrid("lanes");
      ASSERT_NE(map, nullptr);
      std::size_t texts = 0;
      for (const draw::PaintedGrid* const box : boxes) EXPECT_EQ(box->min.y, boxes[0]->min.y) << where;
      for (const draw::TextLog::Entry& entry : w.ui().texts().entries()) {
        if (!entry.window.starts_with("Lanes") || entry.min.y < map->max.y) continue;
        ++texts;
        EXPECT_FALSE(entry.shortened) << where << ": " << entry.text;
        EXPECT_LT(entry.min.y, boxes[0]->max.y) << where << ": " << entry.text;
        EXPECT_LE(entry.max.x, entry.clipMax.x) << where << ": " << entry.text;
      }
      EXPECT_GE(texts, boxes.size()) << where << ": each has its figure";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, UiLanesLegend,
                         testing::Values(std::pair{shell::PixelSize{1280, 720}, 1.f},
                                         std::pair{shell::PixelSize{1366, 768}, 1.f},
                                         std::pair{shell::PixelSize{1920, 1080}, 1.f},
                                         std::pair{shell::PixelSize{3840, 2160}, 2.f}),
                         [](const auto& one) { return "at" + std::to_string(one.param.first.width); });

TEST(LineLegend, ShortensItsWordsBeforeItLeavesThemOut) {
  const auto widthOf = [](LegendWording wording) { return 400.0f - 100.0f * float(wording); };
  EXPECT_EQ(wordingFor(400, widthOf), LegendWording::Words);
  EXPECT_EQ(wordingFor(399, widthOf), LegendWording::Brief);
  EXPECT_EQ(wordingFor(299, widthOf), LegendWording::BriefOfThoseThere);
  EXPECT_EQ(wordingFor(199, widthOf), LegendWording::Figures);
  EXPECT_EQ(wordingFor(1, widthOf), LegendWording::Figures);
}

// Whatever is drawn of a cell: its fill, and its marks if it has any.
std::vector<ImU32> coloursOf(const draw::CellStyle& style) {
  std::vector<ImU32> colours{style.fill};
  if (style.hatch || style.lineThrough || style.cross || style.outline > 0) colours.push_back(style.mark);
  return colours;
}
double greatestContrast(const std::vector<ImU32>& colours, ImU32 ground) {
  double greatest = 0;
  for (const ImU32 colour : colours) greatest = std::max(greatest, draw::contrastRatio(colour, ground));
  return greatest;
}

class UiLanesContrast : public testing::TestWithParam<session::ThemeName> {
 protected:
  std::vector<draw::CellStyle> styles() {
    session::Settings settings;
    settings.theme = GetParam();
    WorkbenchUi w({.settings = settings});
    const draw::PaintedGrid* const lanes = w.ui().findGrid("lanes");
    return lanes == nullptr ? std::vector<draw::CellStyle>() : lanes->styles;
  }
  const draw::Palette& colours() const {
    return draw::palette(GetParam() == session::ThemeName::Light ? draw::Theme::Light : draw::Theme::Dark);
  }
};

TEST_P(UiLanesContrast, OfEveryStateFromThePanel) {
  const auto all = styles();
  ASSERT_GE(all.size(), 6u);
  for (std::size_t state = 0; state < all.size(); ++state)
    EXPECT_GE(greatestContrast(coloursOf(all[state]), colours().panel), kMinShapeContrast) << state;
}

// What is drawn of one stands out from the fill of the other.
TEST_P(UiLanesContrast, OfActiveLanesFromTheOthers) {
  const auto all = styles();
  ASSERT_GE(all.size(), 6u);
  for (std::size_t state = 1; state < all.size(); ++state)
    EXPECT_GE(std::max(greatestContrast(coloursOf(all[0]), all[state].fill),
                       greatestContrast(coloursOf(all[state]), all[0].fill)),
              kMinShapeContrast)
        << state;
}

// So a person of any sight tells them apart, and a printer without colours.
TEST_P(UiLanesContrast, NoTwoStatesHaveTheSameShape) {
  const auto all = styles();
  ASSERT_GE(all.size(), 6u);
  const auto shape = [&](const draw::CellStyle& style) {
    const bool isFilled = draw::contrastRatio(style.fill, colours().panel) > 1.5;
    return std::tuple(isFilled, style.hatch, style.lineThrough, style.cross, style.outline > 0);
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(shape(all[i]), shape(all[j])) << i << " and " << j;
}

INSTANTIATE_TEST_SUITE_P(Themes, UiLanesContrast,
                         testing::Values(session::ThemeName::Light, session::ThemeName::Dark),
                         [](const auto& one) { return std::string(session::nameOf(one.param)); });

// One step from number to number, a power of two, at all widths.
// On a large monitor as in a small window: most of the panel's height is the map's.
TEST(UiLanes, TheRowsGrowWhereTheRoomIs) {
  for (const auto& [size, scale] : {std::pair{shell::PixelSize{3840, 2160}, 1.f},
                                    {shell::PixelSize{3840, 2160}, 2.f},
                                    {shell::PixelSize{1920, 1080}, 1.f}}) {
    WorkbenchUi w({.size = size, .scale = scale});
    const draw::PaintedGrid* const map = w.ui().findGrid("lanes");
    ASSERT_NE(map, nullptr);
    const PanelArea panel = w.workbench().areaOf("lanes");
    EXPECT_GT(map->max.y - map->min.y, 0.7f * (panel.max.y - panel.min.y))
        << size.width << " x " << size.height << " at " << scale;
    EXPECT_LT(map->max.y, panel.max.y);
  }
}

// So do the rows of the warps' registers and the band below them: its legend stands low in the panel.
TEST(UiLanes, TheRegistersGrowWhereTheRoomIs) {
  for (const shell::PixelSize size : {shell::PixelSize{3840, 2160}, {1920, 1080}}) {
    WorkbenchUi w({.variant = "warp_shuffle", .size = size});
    const auto& entries = w.ui().texts().entries();
    const auto legend = std::ranges::find(entries, "input, used", &draw::TextLog::Entry::text);
    ASSERT_NE(legend, entries.end());
    const PanelArea panel = w.workbench().areaOf("shared_memory");
    EXPECT_GT(legend->min.y - panel.min.y, 0.85f * (panel.max.y - panel.min.y)) << size.width;
    EXPECT_LT(legend->max.y, panel.max.y);
  }
}

// And those of memory: in no round is the panel's lower part empty, above its legend.
TEST(UiLanes, TheRowsOfMemoryGrowWhereTheRoomIs) {
  for (const unsigned round : {0u, 4u, 9u}) {  // the load, a stride, and the write
    WorkbenchUi w({.round = round, .size = {3840, 2160}});
    const PanelArea panel = w.workbench().areaOf("shared_memory");
    float lowest = 0, legend = 0;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window.starts_with("Shared memory")) legend = std::max(legend, entry.min.y);
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window.starts_with("Shared memory") && entry.max.y < legend)
        lowest = std::max(lowest, entry.max.y);
    const float height = panel.max.y - panel.min.y;
    EXPECT_GT(legend - panel.min.y, 0.95f * height) << round;
    EXPECT_LT(legend - lowest, 0.08f * height) << round;
  }
}

TEST(UiLanes, TheNumbersStandAtOneDistance) {
  std::set<float> steps;
  for (const auto size :
       {shell::PixelSize{1280, 720}, shell::PixelSize{1600, 1000}, shell::PixelSize{1900, 1000},
        shell::PixelSize{2560, 1440}, shell::PixelSize{3840, 2160}}) {
    WorkbenchUi w({.size = size});
    w.apply(session::ShowPanel{"lanes"});
    std::set<int> numbers;
    for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
      if (entry.window.starts_with("Lanes") && entry.text.size() <= 2 &&
          std::ranges::all_of(entry.text, [](char c) { return c >= '0' && c <= '9'; }) &&
          entry.min.y < w.cellOf("lanes", 0, 0).y)
        numbers.insert(std::stoi(entry.text));
    ASSERT_GE(numbers.size(), 2u) << size.width;
    const int step = *std::next(numbers.begin());
    EXPECT_EQ(step & (step - 1), 0) << step;
    int expected = 0;
    for (const int number : numbers) {
      EXPECT_EQ(number, expected) << size.width;
      expected += step;
    }
    EXPECT_EQ(expected, 32) << size.width;
    steps.insert(float(step));
  }
  EXPECT_GE(steps.size(), 2u) << "more numbers where there is more room";
}

// Those over the cells of a round's band: registers that are used may be wider than others, which follow.
TEST(UiLanes, TheNumbersOverTheBandStandAtOneDistance) {
  for (const bool isHidden : {false, true})
    for (int width = 1280; width <= 1920; width += 16) {
      const shell::PixelSize size{width, width * 9 / 16};
      WorkbenchUi w({.variant = isHidden ? "sequential" : "warp_shuffle",
                     .round = 3,
                     .size = size,
                     .before = isHidden ? session::Commands{session::EnterMode{session::Mode::Predict}}
                                        : session::Commands{}});
      w.ui().drawFrames(12);
      std::map<float, std::vector<int>> rows;  // by their upper edge
      for (const draw::TextLog::Entry& entry : w.ui().texts().entries())
        if (entry.window.starts_with("Shared memory") && entry.text.size() <= 2 &&
            std::isdigit(entry.text[0]))
          rows[entry.min.y].push_back(std::stoi(entry.text));
      int found = 0;
      for (auto& [y, numbers] : rows) {
        if (numbers.size() < 8 || numbers[0] != 0 || !std::ranges::is_sorted(numbers)) continue;
        ++found;
        int changes = 0;
        for (std::size_t i = 2; i < numbers.size(); ++i)
          changes += numbers[i] - numbers[i - 1] != numbers[i - 1] - numbers[i - 2];
        EXPECT_LE(changes, isHidden ? 0 : 1) << size.width << ": " << testing::PrintToString(numbers);
      }
      EXPECT_GE(found, 1) << size.width << (isHidden ? " hidden" : "");
    }
}

}  // namespace
}  // namespace stridescope::views
