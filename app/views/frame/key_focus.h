// Which part of the window has the keyboard: a panel, the experiment bar, the message, or none of them. The
// session keeps it (AppState::focused); here is the order of the parts, whose keys are whose, and what shows
// the focus.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "imgui.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

struct FocusStop {
  std::string id, name;  // session::FocusPart's, and the one a person reads
};
// What is read beside the panels, the panels that are shown, in the order of the register, then the
// experiment bar, then the message.
std::vector<FocusStop> focusStops(const session::Parts& parts, std::span<const Panel> panels);
// The stop after (direction +1) or before the focused one (-1), round and round; from none the first or last.
// `stops` is not empty.
const FocusStop& nextStop(std::span<const FocusStop> stops, const std::string& focused, int direction);

// Who gets the keys that mean something else to each.
enum class KeysOf : std::uint8_t {
  Window,    // nobody but the commands
  Map,       // a focused panel with cells: arrows, Enter
  Controls,  // Dear ImGui's fields and buttons: arrows, Space, Enter, Tab
  Framed,    // one of them that has a frame: these, and whatever types a character
  Text,      // the editor of a person's own kernel: all but function keys and some with Ctrl
  Overlay,   // a form or a text over the panels: all keys (isOpenTo)
  Popup,     // an open menu or list: all but those with Ctrl
};
bool isTaken(ImGuiKeyChord chord, KeysOf whose);
// These are the characters that are typed without Ctrl.
bool takesCharacters(KeysOf whose);

class KeyFocus {
 public:
  // Call it before the keys' commands. `hasCells` is about the focused panel, as far as that is known.
  KeysOf keysOf(const session::AppState& app, bool hasCells) const;
  // After them: gives the focus back after a click or when its part is gone, and brings Dear ImGui's along.
  // True when another part has it than in the frame before.
  bool follow(session::AppState& app);
  // The next item is the first of a part that has just got the focus: Dear ImGui's goes to it.
  void enterHere(const session::AppState& app, std::string_view part);
  // Round what has the focus, pixels of the screen.
  void drawRing(const ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) const;
  // All parts by name, while Ctrl is held after Ctrl+Tab.
  void drawList(const ViewContext& view, ImVec2 windowSize) const;
  // At the end of a frame, when all windows were drawn: what Dear ImGui is not to take for its own navigation
  // in the next one, and no focus for a window that is gone.
  void keepKeys(const session::AppState& app, KeysOf whose);

 private:
  std::string focused_;
  bool entering_ = false, listed_ = false, popup_ = false, overlay_ = false, lost_ = false;
};

}  // namespace stridescope::views
