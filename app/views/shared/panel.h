// A panel of the window: everything that the rest of the program knows of it. Panels are listed in
// views/panels.cpp; the dock layouts, the menus, the command palette, the text of a round, `shot --panel` and
// the links of lessons are made from that list.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shell/default_layout.h"
#include "views/shared/command_entry.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

struct Panel {
  // "shared_memory": what `shot --panel`, links of lessons (#shared_memory), the settings, and narration's
  // text maps call it. Lower case and underscores; it does not change.
  std::string id;
  // "Shared memory": on its tab, in menus, in the palette, above its text. Layout files know the panel by it.
  std::string title;
  shell::PanelPlace place;  // in the default layouts
  // Draws the panel's window (draw::Panel), named by the title. Called once per frame while the panel is
  // shown. Its state lives in the function.
  std::function<void(ViewContext&)> draw;
  // What it shows as text, within narration::kTextColumns; empty: nothing now. For what is no picture of a
  // round: those are narration's text maps.
  std::function<std::string(const ViewContext&)> text = {};
  std::vector<CommandEntry> commands = {};                         // its own, in the menus and the palette
  std::vector<std::pair<std::string, std::string>> gestures = {};  // what, and how: for the overlay of keys
};

// nullptr: there is none.
inline const Panel* findPanel(std::span<const Panel> panels, std::string_view id) {
  const auto found = std::ranges::find(panels, id, &Panel::id);
  return found == panels.end() ? nullptr : &*found;
}

inline std::vector<std::string> idsOf(std::span<const Panel> panels) {
  std::vector<std::string> ids;
  for (const Panel& panel : panels) ids.push_back(panel.id);
  return ids;
}

}  // namespace stridescope::views
