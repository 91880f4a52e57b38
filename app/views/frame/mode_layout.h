// Where the panels stand in each mode of the window that has dock layouts.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "imgui.h"
#include "session/session.h"
#include "shell/default_layout.h"
#include "shell/frame.h"
#include "views/shared/explanations.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The mode's layouts, as shell::defaultLayouts() has them, for a window of so many units. A mode that has no
// layouts of its own has those of the mode whose panels it offers.
std::vector<shell::NamedLayout> modeLayouts(session::Mode mode, float width, float height,
                                            std::span<const Panel> panels);

// How the strips above and below the panels give way in a window of so many units: in a low one, which is one
// with large text, first what is hovered, which is then told above the caption, then all but one line of the
// caption, and the experiment bar's fields until the keyboard goes there. On a phone that is held upright a
// line has few words, so that a caption has several more.
struct StripRoom {
  bool isLow = false, isLowest = false;
  float saved = 0;  // units, of the caption's height; less than 0: it has as many more
};
StripRoom stripRoom(float width, float height);

// The modes of the window: as commands, and as tabs at the right of the menu bar.

// The View menu's entries for the modes. Empty if the window has only one mode.
std::vector<CommandEntry> modeEntries();

// Draws the tabs within [left, right) of the menu bar, pixels; draws nothing if there is no room for all, or
// only one mode. Returns where they begin, with the gap before them; without tabs `right`.
float drawModeTabs(ViewContext& view, float left, float right);

// Brings the panel that the caption speaks of to the front of the tabs that it shares a place with.

// A place whose tab the person chose stays as it is until the layout is built anew. The keyboard's focus does
// not move, and a panel that the person works in is not covered; nor is the main panel of the mode, unless
// there is but one place for all panels: then it gives way to what the caption speaks of, and comes back.
// While playing a tab gives way only if it shows nothing that the caption speaks of.
class TabFollower {
 public:
  // Call it once per frame, after the dock space and before the panels' windows. `commanded`: the title of
  // the panel that the person brings to the front by a command; that chooses it. Empty: none.
  void follow(const ViewContext& view, std::string_view commanded);

  // The layout is built anew.
  void forget() {
    chosen_.clear();
    comesBack_.clear();
  }
  // The layout of these panels, before follow() of its frame. One that a mode comes back to has what was
  // chosen in it.
  void use(const std::string& group, const std::string& layout);
  // The panels were away, and come back in this frame: nobody chooses a tab by that.
  void panelsComeBack() {
    places_.clear();
    framesSinceClick_ = 1000;
  }

 private:
  void watch(const ViewContext& view, std::string_view commanded);
  void open(const ViewContext& view, const Panel& panel);

  struct Place {
    ImGuiID node = 0, tab = 0;
  };
  std::vector<Place> places_;          // with the tab that was in front in the frame before
  std::map<ImGuiID, ImGuiID> chosen_;  // nodes, with the tab that was in front last
  std::string group_, layout_;
  struct Left {
    std::string layout;
    std::set<ImGuiID> tabs;  // in front of the chosen places, whose nodes are made anew
  };
  std::map<std::string, Left> left_;  // by group
  std::set<ImGuiID> comesBack_;       // tabs whose places were chosen, until they are there
  ImGuiID workedIn_ = 0;              // the node of the last click
  int framesSinceClick_ = 1000;
};

// Its tab is chosen. Dear ImGui's focus goes with it, unless a part with controls has the keyboard or a text
// covers it.
void bringToFront(const std::string& title, const session::AppState& app, bool isCovered);

// Panels alone, each of a given size, side by side and without the window round them: for pictures of them.

struct SheetPanel {
  std::string id;
  float width = 0, height = 0;  // units
};

class PanelSheet : public shell::App {
 public:
  // `panels`: those that there are.
  PanelSheet(session::Session& session, std::vector<Panel> panels);

  // From the next frame on; in rows, as many in each as the frame's width has room for. Each at most once.
  void lay(std::vector<SheetPanel> sheet) { sheet_ = std::move(sheet); }
  // Where the last frame drew the one at this place of the list.
  std::pair<ImVec2, ImVec2> areaOf(std::size_t place) const { return areas_[place]; }

  void drawFrame(shell::Frame& frame) override;
  shell::Appearance appearance() const override;

 private:
  session::Session& session_;
  std::vector<Panel> panels_;
  std::vector<SheetPanel> sheet_;
  std::vector<std::pair<ImVec2, ImVec2>> areas_;
  ShownTimes times_;
  Explanations explanations_;
};

}  // namespace stridescope::views
