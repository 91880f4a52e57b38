// A panel of the window: everything that the rest of the program knows of it, its places in the modes among
// that. Panels are listed in views/panels.cpp; the dock layouts, Compare, Present, the menus, the command
// palette, the text of a round, `shot --panel` and the links of lessons are made from that list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/panel.h"
#include "draw/text.h"
#include "imgui.h"
#include "session/command.h"
#include "session/mode.h"
#include "session/parts.h"
#include "shell/default_layout.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A command that a person can give: a line of a menu, a key, an item of the command palette.

struct CommandEntry {
  std::string menu;       // one of kMenus (frame/command_table.h)
  unsigned group = 0;     // within the menu, from 0: a line stands between two groups
  std::string name;       // "Step forward"
  std::string also = {};  // other words that the command palette finds it by
  ImGuiKeyChord keys = 0, otherKeys = 0;
  const char32_t* characters = nullptr;  // any of these does it, too; the first is shown
  bool ctrlCharacters = false;           // with Ctrl
  std::function<session::Command(const session::Parts& parts)> make = {};
  std::function<bool(const session::Parts& parts)> enabled = {};     // not set: always
  std::function<std::string(const session::Parts& parts)> why = {};  // it is not enabled, as a sentence
  std::function<bool(const session::Parts& parts)> checked = {};     // not set: no tick
  // What it would do now, behind its name: "round 5" of Undo. Not set, empty: the name says it.
  std::function<std::string(const session::Parts& parts)> what = {};
  bool repeats = false;     // while its key is held
  bool everywhere = false;  // its key counts over forms and texts, too: it is about the window itself
  // It is there in this mode alone, and takes its keys from those that are there in all.
  std::optional<session::Mode> mode = {};
  // In modes of this property it stands in no menu and has no key; not set: in none.
  bool session::ModeFacts::*notWhere = nullptr;
};

// A command that is the same whatever is shown.
inline auto gives(session::Command command) {
  return [command = std::move(command)](const session::Parts&) { return command; };
}
inline auto opens(session::Overlay overlay) { return gives(session::ShowOverlay{overlay}); }
// Why a command is never enabled for another reason.
inline auto says(std::string sentence) {
  return [sentence = std::move(sentence)](const session::Parts&) { return sentence; };
}

// Where a panel stands in one mode.
struct ModePlace {
  session::Mode mode{};
  session::PanelRole role = session::PanelRole::Docked;
  shell::PanelPlace dock = {};                   // in the default layouts, where the mode has such
  std::optional<shell::Region> wideRegion = {};  // the region instead, in a window with three columns
  unsigned order = 0;    // among those that share its region: lower ones first, equal ones as in the register
  unsigned turn = 0;     // of those that take turns: their order from 1 on, in Present also the key
  bool isFirst = false;  // of those: the one that is shown first
  bool isNarrow = false;  // of those: a map of the round's warp; others are texts, tables and axes of time
};

// A part of a panel that the palette finds: "by size" of Timings.
struct PanelTab {
  std::string title;
  std::string also;                                              // other words for it
  std::function<session::Command(const session::Parts&)> bring;  // to the panel's front
};

struct Panel {
  // "shared_memory": what `shot --panel`, links of lessons (#shared_memory), the settings, and narration's
  // text maps call it. Lower case and underscores; it does not change.
  std::string id;
  // "Shared memory": on its tab, in menus, in the palette, above its text. Layout files know the panel by it.
  std::string title;
  std::vector<ModePlace> places;  // at most one a mode; in modes that are not named it has no place
  // Draws the panel's window (draw::Panel), named by the title. Called once per frame while the panel is
  // shown. Its state lives in the function.
  std::function<void(ViewContext&)> draw;
  // What it shows as text, within narration::kTextColumns; empty: nothing now. For what is no picture of a
  // round: those are narration's text maps.
  std::function<std::string(const ViewContext&)> text = {};
  std::vector<CommandEntry> commands = {};  // its own, in the menus and the palette
  std::vector<PanelTab> tabs = {};
  std::vector<std::pair<std::string, std::string>> gestures = {};  // what, and how: for the overlay of keys
  // Whether it has something to show of what is shown now; not set: always. In Present another panel has its
  // turn meanwhile.
  std::function<bool(const session::Parts&)> hasSomething = {};
  bool isOfRecordings = false;   // without a GPU it has nothing to show but what recordings have measured
  bool givesWayToTexts = false;  // a text that is read beside the panels takes its room

  // nullptr: it has no place there.
  const ModePlace* placeIn(session::Mode mode) const {
    const auto found = std::ranges::find(places, mode, &ModePlace::mode);
    return found == places.end() ? nullptr : &*found;
  }
  // The mode's menus and links offer it.
  bool isOfferedIn(session::Mode mode) const { return placeIn(session::factsOf(mode).panelsOf) != nullptr; }
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

// The one that everything else in the mode is about; nullptr: there is none.
const Panel* mainPanel(std::span<const Panel> panels, session::Mode mode);
// Those that take turns beside it, in their order; those without a number of their own are not among them.
std::vector<const Panel*> turnsIn(std::span<const Panel> panels, session::Mode mode);
// What the session is told of them (AppState::setPanels).
std::vector<session::KnownPanel> knownPanels(std::span<const Panel> panels);

// What panels of measurements have in common.

// Why there is none: what is measured now, else `why`, else `none`.
std::string whyNone(const ViewContext& view, const std::string& why, const std::string& none);
// Where a page has the link to the program for a machine, which has what the page lacks.
inline constexpr const char* kProgramLink = "The program for a machine";
ImVec2 programLinkSize(const ViewContext& view);  // pixels
// Draws it, and has the page lay its own link over it (ViewContext::programLinks). False where no page is
// shown, or a picture is made: nothing is drawn.
bool drawProgramLink(ViewContext& view, ImDrawList& list, ImVec2 min);
// Asks for the recordings where they are offered and something is shown that they alone have: what lessons
// tell of times among it.
void askForRecordings(ViewContext& view, const std::function<bool(const Panel&)>& isInFront);
// A button that fetches the recordings, where they are offered (AppState::areRecordingsOffered).
std::string fetchLabel(const ViewContext& view);
void drawFetchButton(ViewContext& view, ImVec2 min, float right);  // as wide as there is room

// A sentence in place of the panel's content, and below it a button for each of the sizes (drawSizeButtons).
void drawInstead(ViewContext& view, const draw::Panel& panel, const std::string& sentence,
                 std::span<const std::uint64_t> sizes = {});
// A button for each n of which something is recorded, from `min` to `right` in as many rows as they need: a
// click chooses it for the experiment. Returns where they end, pixels.
float drawSizeButtons(ViewContext& view, ImVec2 min, float right, std::span<const std::uint64_t> sizes);
// A text that is always to be seen below the panel's content, on `mostLines` at most. Gives where the content
// must end, pixels.
float drawFoot(ViewContext& view, const draw::Panel& panel, const std::string& text, float gap = 8,
               int mostLines = 1000);

// A part of the current window that scrolls, inside [min, max) of the screen:
//   if (ScrolledPart part("rows", min, max); part) { draw; part.fill(height); }
class ScrolledPart {
 public:
  ScrolledPart(const char* name, ImVec2 min, ImVec2 max, ImGuiChildFlags flags = 0);
  ScrolledPart(const ScrolledPart&) = delete;
  ScrolledPart& operator=(const ScrolledPart&) = delete;
  ~ScrolledPart() { ImGui::EndChild(); }

  explicit operator bool() const { return shown_; }
  ImVec2 origin() const { return origin_; }  // where the content begins, on the screen
  void fill(float height) const;             // tells the window how long it got, pixels

 private:
  bool shown_;
  ImVec2 origin_;
};

// For so many frames a scroll to what is shown anew is repeated: it is clamped to the content of the frame
// before.
inline constexpr int kFramesToSettle = 3;

// A fixed strip of the window, outside the dock space.

// Ends with ImGui::End(), whatever it returns.
inline bool beginStrip(const char* name, ImVec2 min, ImVec2 max, ImGuiWindowFlags flags = 0) {
  ImGui::SetNextWindowPos(min);
  ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  const bool shown = ImGui::Begin(name, nullptr,
                                  ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoDocking |
                                      ImGuiWindowFlags_NoBringToFrontOnFocus | flags);
  ImGui::PopStyleVar();
  return shown;
}

// What stands in a panel where a hidden round would be shown.

// Draws the words in the middle, on their own ground.
inline void drawHiddenWords(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max) {
  const draw::TextStyle style = view.words(view.colours().dim, draw::kBodySize);
  const ImVec2 size = draw::textSize(style, kHiddenWords);
  const ImVec2 half{size.x / 2 + view.px(12), view.px(16)};
  const ImVec2 middle{std::round((min.x + max.x) / 2), std::round((min.y + max.y) / 2)};
  const ImVec2 from{std::max(min.x, middle.x - half.x), std::max(min.y, middle.y - half.y)};
  const ImVec2 to{std::min(max.x, middle.x + half.x), std::min(max.y, middle.y + half.y)};
  list.AddRectFilled(from, to, view.colours().panel);
  view.text(list, from, to, kHiddenWords, style, draw::TextAlign::Centre);
}

}  // namespace stridescope::views
