// Panels docked side by side: a layout described as data, built with Dear ImGui's dock nodes.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "imgui.h"

namespace stridescope::shell {

// A leaf names the panels that share its place (tabs when there are several); a split has two children.
struct DockLayout {
  enum class Split { None, LeftRight, TopBottom };

  std::vector<std::string> panels;  // a leaf's
  Split split = Split::None;
  std::vector<DockLayout> children;  // a split's two, left or top first
  float firstUnits = 0;   // the first child's extent in units; the second gets the rest. 0: see below
  float secondUnits = 0;  // or the second child's. Both 0: halves
};

struct NamedLayout {
  std::string name;
  DockLayout layout;
};

// A piece without panels leaves its room to the other.
DockLayout dockPanels(std::vector<std::string> panels);
DockLayout leftOf(float leftUnits, DockLayout left, DockLayout right);
DockLayout rightOf(float rightUnits, DockLayout left, DockLayout right);
DockLayout bottomOf(float bottomUnits, DockLayout top, DockLayout bottom);

// The id of the one dock space, as layout files have it.
ImGuiID dockSpaceId();

// What stands to the left of the dock space for a while: its width with the gap, and what the panels' widths
// are multiplied with meanwhile. They are as before when it has gone.
struct Beside {
  float px = 0, shrink = 1;
};

// The place for panels between what stands above and below it.
class DockSpace {
 public:
  // Submits the dock space with `gap` pixels of window round it, `topPx` below the window's upper edge and
  // `bottomPx` above its lower one, right of `beside`. Call it once per frame, before the panels' windows. It
  // builds the layout called `name` on the first frame that finds none (none came from the ini file), after
  // reset(), and when the name changes while the person has not moved panels about; what an ini file brings
  // has not been moved if it is one of `layouts`. Panels that the file does not know yet come as tabs beside
  // their neighbours in the layout. Sizes a person dragged keep their shares of the room; others are those of
  // the layout, in whatever room there is.
  void draw(const std::string& name, std::span<const NamedLayout> layouts, float topPx, float bottomPx,
            float gapPx, float scale, Beside beside = {});

  // In a frame without the panels: they come back where they were, the same tabs in front.
  void keep();

  // The next frame builds the layout anew.
  void reset() {
    resetWanted_ = true;
    order_.erase(group_);
  }

  // What the layouts of the next frames are for: panels that come and go together, as those of a mode do.
  // Where a person has moved them about, the ones that go come back to where they were. Only the places of
  // the first group, whose name is empty, are kept in the layout file. Call it before draw().
  void use(const std::string& group);

  // Panels are shown or hidden from the next frame on: they are not moved about by that.
  void panelsComeAndGo();

  // What stands beside it goes with the window, and must not be in the layout file.
  void endBeside();

  // True when panels stand elsewhere than where the layout put them. Sizes do not count.
  bool wasRearranged() const;

 private:
  void build(const DockLayout& layout, ImVec2 position, ImVec2 size, float gapPx, float scale);
  void settle(std::span<const NamedLayout> layouts);
  void makeRoom(const Beside& beside, bool isSameSize);
  void watchSizes(ImVec2 size);
  void keepShares(ImVec2 room);
  void bringTabsBack();
  void keepOrder();

  bool resetWanted_ = false;
  std::string group_;                           // empty: the first
  std::map<std::string, DockLayout> arranged_;  // what a person made of the groups that are not shown
  std::optional<DockLayout> comesBack_;
  // The tabs' order, by group, where a person gave them one and changed nothing else; and that of the tree
  // when it was built.
  std::map<std::string, std::vector<std::string>> order_;
  std::vector<std::string> builtOrder_;
  std::optional<DockLayout> ordered_;  // what was built, until its windows are there
  const char* layoutFile_ = nullptr;   // Dear ImGui's, while it must not write it
  bool knowsPanels_ = false;           // those of an ini file were looked through
  std::string builtName_;
  std::string builtShape_;  // the tree as text right after it was built
  float builtScale_ = 0;
  int framesSinceBuilt_ = 0;
  // Whether a person dragged a gap: the leaves' sizes changed, but not the whole.
  bool wasDragged_ = false;
  std::map<ImGuiID, ImVec2> sizesDragged_;  // the nodes' sizes then, and the room that they had
  ImVec2 roomDragged_{};
  bool isOurs_ = false;     // built here, not brought by an ini file
  bool fitWanted_ = false;  // the room is another: the sizes are to be the layout's in it
  ImVec2 sizeBefore_;
  int framesOfThisSize_ = 0;  // the leaves follow a frame later
  std::map<ImGuiID, ImVec2> leavesBefore_;
  std::set<ImGuiID> inFront_;   // as the last frame with panels had them: who goes may leave the focus to any
  std::set<ImGuiID> tabsKept_;  // in front, while the panels are away
  std::map<std::string, std::set<ImGuiID>> front_;  // those of the groups that are not shown
  int framesBack_ = 0;                              // since they are back
  bool hasBeside_ = false;
  float shrink_ = 1;                        // what the widths were multiplied with then
  std::map<ImGuiID, ImVec2> sizesWithout_;  // the nodes' sizes before something stood beside them
};

}  // namespace stridescope::shell
