#include "views/chrome/mode_layout.h"

#include <algorithm>
#include <array>

namespace stridescope::views {
namespace {

constexpr const char* kPredictGroup = "predict";
// The source stands beside the memory, with room for a whole line of a kernel where the maps leave it, and
// the questions have the whole height. Units.
constexpr float kMinSourceWidth = 400, kSourceWidth = 530, kQuestionsWidth = 470;
constexpr float kMapsHaveRoom = 1600, kSourcesShareOfGrowth = 0.65f;

shell::ColumnWidths predictColumns(float width) {
  const float wider = (width - kMapsHaveRoom) * kSourcesShareOfGrowth;
  return {.left = std::clamp(kMinSourceWidth + wider, kMinSourceWidth, kSourceWidth),
          .right = kQuestionsWidth};
}

// The places of Predict's panels, by id. In a window without room for three columns the source is a tab
// behind the questions.
std::vector<shell::PlacedPanel> predictPlaces(std::span<const ModePanel> panels, bool wide) {
  struct Place {
    std::string_view id;
    shell::PanelPlace place;
  };
  const std::array places{
      Place{"shared_memory", {.region = shell::Region::Centre}},
      Place{"lanes", {.region = shell::Region::Below, .width = 395}},
      Place{"banks", {.region = shell::Region::Below, .width = 305}},
      Place{"predict", {.region = shell::Region::Right}},
      Place{"source", {.region = wide ? shell::Region::Left : shell::Region::Right}},
  };
  std::vector<shell::PlacedPanel> placed;
  for (const Place& place : places)
    for (const ModePanel& panel : panels)
      if (panel.id == place.id) placed.push_back({panel.placed.name, place.place});
  return placed;
}

}  // namespace

std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const ModePanel> panels) {
  if (mode == session::Mode::Predict)
    return shell::defaultLayouts(width, height, predictPlaces(panels, width >= shell::kWideLayoutWidth),
                                 predictColumns(width));
  std::vector<shell::PlacedPanel> explore;
  for (const ModePanel& panel : panels)
    if (session::hasPanel(session::Mode::Explore, panel.id)) explore.push_back(panel.placed);
  return shell::defaultLayouts(width, height, explore);
}

std::string modeGroup(session::Mode mode) { return mode == session::Mode::Predict ? kPredictGroup : ""; }

}  // namespace stridescope::views
