#include "views/chrome/mode_layout.h"

#include <algorithm>

namespace stridescope::views {
namespace {

// The source stands beside the memory, with room for a whole line of a kernel where the maps leave it, and
// the questions have the whole height. Units.
constexpr float kMinSourceWidth = 400, kSourceWidth = 530, kQuestionsWidth = 470;
constexpr float kMapsHaveRoom = 1600, kSourcesShareOfGrowth = 0.65f;

shell::ColumnWidths predictColumns(float width) {
  const float wider = (width - kMapsHaveRoom) * kSourcesShareOfGrowth;
  return {.left = std::clamp(kMinSourceWidth + wider, kMinSourceWidth, kSourceWidth),
          .right = kQuestionsWidth};
}

// The columns of a window of so many units, by mode.
shell::ColumnWidths exploreColumns(float) { return {}; }
struct ModeColumns {
  session::Mode mode;
  shell::ColumnWidths (*of)(float width);
};
constexpr std::array kModeColumns{ModeColumns{session::Mode::Explore, exploreColumns},
                                  ModeColumns{session::Mode::Predict, predictColumns}};

}  // namespace

std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const Panel> panels) {
  const session::Mode docking = session::factsOf(mode).panelsOf;
  std::vector<std::pair<unsigned, shell::PlacedPanel>> ordered;
  for (const Panel& panel : panels) {
    const ModePlace* const place = panel.placeIn(docking);
    if (place == nullptr) continue;
    shell::PanelPlace dock = place->dock;
    if (place->wideRegion && width >= shell::kWideLayoutWidth) dock.region = *place->wideRegion;
    ordered.push_back({place->order, {panel.title, dock}});
  }
  std::ranges::stable_sort(ordered, {}, [](const auto& each) { return each.first; });
  std::vector<shell::PlacedPanel> placed;
  for (auto& [order, panel] : ordered) placed.push_back(std::move(panel));
  return shell::defaultLayouts(width, height, placed,
                               std::ranges::find(kModeColumns, docking, &ModeColumns::mode)->of(width));
}

}  // namespace stridescope::views
