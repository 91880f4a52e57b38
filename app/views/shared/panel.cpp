#include "views/shared/panel.h"

namespace stridescope::views {

const Panel* mainPanel(std::span<const Panel> panels, session::Mode mode) {
  const auto found = std::ranges::find_if(panels, [&](const Panel& panel) {
    const ModePlace* const place = panel.placeIn(mode);
    return place != nullptr && place->role == session::PanelRole::Main;
  });
  return found == panels.end() ? nullptr : &*found;
}

std::vector<const Panel*> turnsIn(std::span<const Panel> panels, session::Mode mode) {
  std::vector<const Panel*> turns;
  for (const Panel& panel : panels)
    if (const ModePlace* const place = panel.placeIn(mode); place != nullptr && place->turn > 0)
      turns.push_back(&panel);
  std::ranges::sort(turns, {}, [&](const Panel* panel) { return panel->placeIn(mode)->turn; });
  return turns;
}

std::vector<session::KnownPanel> knownPanels(std::span<const Panel> panels) {
  std::vector<session::KnownPanel> known;
  for (const Panel& panel : panels) {
    session::KnownPanel& each = known.emplace_back(session::KnownPanel{.id = panel.id});
    for (const ModePlace& place : panel.places) {
      each.roles[std::size_t(place.mode)] = place.role;
      each.isPresentedFirst =
          each.isPresentedFirst || (place.isFirst && session::factsOf(place.mode).presents);
    }
  }
  return known;
}

}  // namespace stridescope::views
