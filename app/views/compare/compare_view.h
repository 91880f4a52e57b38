// The Compare mode's part of the window: two columns, and between them what differs.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/compared_sides.h"
#include "narration/compared.h"
#include "session/comparison.h"
#include "session/measurements.h"
#include "views/compare/compare_layout.h"
#include "views/shared/cell_walk.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// What is known of both sides where they stand, and what differs: worked out again when one of them changes,
// and kept for the frames between.

// What one side's panels light.
struct SideMarks {
  LinkedHighlight linked;
  TroubleMarks trouble;
};

// The rounds of both as sentences take them; nothing of a side that has none there.
class RoundsOfBoth {
 public:
  RoundsOfBoth(const session::Comparison& comparison);
  narration::ComparedRounds both() const { return {left_ ? &*left_ : nullptr, right_ ? &*right_ : nullptr}; }

 private:
  std::optional<narration::RoundAt> left_, right_;
};

class ComparedRuns {
 public:
  // Call it in each frame, before anything draws it.
  void refresh(const session::Comparison& comparison, const session::Measurements& measurements);

  // These are of the last refresh(). Empty without two runs.
  const narration::ComparedTable& table() const { return table_; }
  const analysis::SourceDifference& source() const { return source_; }
  const SideMarks& marks(analysis::Side side) const { return marks_[side]; }

 private:
  // What the table is made of, on one side.
  struct Seen {
    std::shared_ptr<const lab::Run> run;
    session::Playhead at;
    bool hasRound = false;
    std::array<const void*, 3> measured{};  // clocks, counters, cost
    std::array<bool, 3> live{};
    friend bool operator==(const Seen&, const Seen&) = default;
  };
  static Seen seen(const session::Comparison& comparison, analysis::Side side);

  analysis::BothSides<Seen> seen_;
  analysis::BothSides<std::optional<session::Hover>> hover_;
  std::shared_ptr<const measure::TimingSnapshot> times_;
  session::TimingChoices choices_;
  narration::ComparedTable table_;
  analysis::SourceDifference source_;
  analysis::BothSides<SideMarks> marks_;
};

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

// What stands in the columns of the Compare mode: the heads of the sides, the lines that differ, and the
// middle.

// `view` is the side's.
void drawSideHead(ViewContext& view, analysis::Side side, const Box& box);

// The lines of one side's kernel that differ from the other's, row beside row with those of the other side;
// what executes in the round is marked.

// Units: for all rows, with the title.
float sourceDifferencesHeight(const analysis::SourceDifference& difference);

// `firstRow` is the first that is shown, on both sides; the wheel changes it. Returns true if the whole text
// is asked for.
bool drawSourceDifferences(ViewContext& view, const analysis::SourceDifference& difference,
                           analysis::Side side, const Box& box, float& firstRow);

// The middle column: what differs between two runs, which side is better and by how much; at the foot, dim,
// what is the same.

inline constexpr const char* kDifferencesWindow = "What differs";

// `hasKeys`: the arrows scroll it.
void drawDifferences(ViewContext& view, const narration::ComparedTable& table, const Box& box, bool hasKeys);

}  // namespace stridescope::views
