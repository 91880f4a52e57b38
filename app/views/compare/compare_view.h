// The Compare mode's part of the window: two columns, and between them what differs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "views/compare/compare_layout.h"
#include "views/compare/compared_runs.h"
#include "views/shared/cell_walk.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// Those that have the keyboard one after another: the memory of each side, the map of each, and what differs,
// which the arrows scroll.
enum class ComparePart : std::uint8_t { LeftMemory, RightMemory, LeftMap, RightMap, Differences };
inline constexpr std::array kCompareParts{ComparePart::LeftMemory, ComparePart::RightMemory,
                                          ComparePart::LeftMap, ComparePart::RightMap,
                                          ComparePart::Differences};
// As session::FocusPart has it, and for a person.
std::string idOf(ComparePart part);
std::string nameOf(ComparePart part);

class CompareView {
 public:
  // `panels`: those that the window has. Each side has its own of them.
  explicit CompareView(const std::vector<Panel>& panels);

  // Call it before everything that draws. Requires that two runs are compared.
  void refresh(const session::Comparison& comparison, const session::Measurements& measurements);
  const ComparedRuns& runs() const { return runs_; }
  // Brings a map of both sides to the front, if there is one of that id.
  void showMap(std::string_view panel);

  // Draws within [min, max) of the window, pixels. `walk` follows the arrow keys in the part that has the
  // keyboard; nullptr: none has it.
  void draw(ViewContext& view, ImVec2 min, ImVec2 max, CellWalk* walk);
  Box boxOf(ComparePart part) const;  // where the last frame drew it; empty: it did not

 private:
  void followCaption(const session::Comparison& comparison);
  void drawSide(ViewContext& view, analysis::Side side, CellWalk* walk);
  void drawPanel(ViewContext& view, analysis::Side side, const std::string& id, const Box& box,
                 float noteLeft);
  std::string windowOf(ComparePart part) const;
  void giveKeys(std::string_view focused);
  float drawTabs(ViewContext& view, analysis::Side side, const Box& box);

  analysis::BothSides<std::vector<Panel>> panels_;
  std::string memory_;             // the main panel's id
  std::vector<std::string> maps_;  // ids
  std::string map_;                // the one that is shown
  bool chosen_ = false;            // by a person
  std::string keysIn_;             // the window of the part that has the keyboard
  float firstRow_ = 0;             // the first row of the lines that differ
  ComparedRuns runs_;
  analysis::BothSides<session::Playhead> at_;  // the last frame's
  CompareLayout layout_;
  analysis::BothSides<draw::LegendVote> legends_;  // of the memory
};

}  // namespace stridescope::views
