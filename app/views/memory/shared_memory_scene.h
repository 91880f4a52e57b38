// The pieces of the Shared memory panel and where they stand, for the files that draw them.
#pragma once

#include <string>
#include <vector>

#include "views/memory/shared_memory_layout.h"
#include "views/shared/cell_walk.h"
#include "views/shared/view_context.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {

struct MemoryScene {
  const MemoryStage& stage;
  const Band& band;
  const std::vector<MemoryRow>& rows;  // the launch's
  std::uint64_t elements = 0;          // how many the stage has
  ElementRange inView;                 // what the rows above show
  ElementRange ofBand;                 // what the band shows; in columns, the elements of A
  float left = 0, right = 0;           // the map's, pixels; labels stand to the left of it
  float labelRight = 0;                // right edge of the labels

  // An element's left edge in the rows above the band, whole pixels.
  float xOf(std::uint64_t element) const;
  // In the rows below: they keep the band's scale, unless the elements that the band leaves lie apart.
  float xBelow(std::uint64_t element) const;
  bool leavesNeighbours() const;
};

inline constexpr float kMemoryRowHeight = 14, kMemoryRowGap = 4;  // units

// Memory after an earlier round: live cells filled, the rest dead. Cells that fed the hovered result are
// outlined.
void drawPastRow(ViewContext& view, ImDrawList& list, const MemoryScene& scene, unsigned round, float top,
                 float height);
// A race's element, over the rows between `top` and `bottom`.
void markTroubled(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top, float bottom);
// A round to come: outlines of what will be live.
void drawRowToCome(ViewContext& view, ImDrawList& list, const MemoryScene& scene, unsigned round, float top,
                   float height);
// All elements as one strip, boxed what the band shows of them. It is there when the band shows a part,
// unless rows of earlier rounds tell which.
bool hasOverview(const MemoryScene& scene, bool withPastRows);
// Gives the element that is pressed in it: the band is to go there.
std::optional<std::uint64_t> drawOverview(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                                          float top, float height);
// Element numbers above the rows.
void drawElementAxis(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top);

// The current round: operands, lines, discs, results.
struct BandHeights {
  float index = 16, cell = 26, lines = 44, result = 28, inset = 6;  // units
  int operandRows = 1;
  float total() const { return inset * 2 + index + cell * float(operandRows) + lines + result; }
};
// The operand or result in the stage that is drawn at (x, y) from the band's upper left corner; nullptr:
// none there.
const analysis::Operand* operandAt(const ViewContext& view, const MemoryScene& scene,
                                   const BandColumn& column, const BandHeights& heights, float x, float y);
// The band's cells, for the arrow keys: operands, discs, results. `top` of the band, pixels of the screen.
void addBandCells(const ViewContext& view, const MemoryScene& scene, const BandHeights& heights, float top,
                  const AddCell& add);
// An operand A that was kept in a register is paler than one that is loaded.
ImU32 registerOperandColour(const draw::Palette& colours);
// So is a result that is kept in one.
ImU32 registerResultColour(const draw::Palette& colours);
ImU32 registerTextColour(const draw::Palette& colours);  // on both
// The band's ground; gives its lower edge, pixels.
float drawBandGround(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                     const BandHeights& heights, float top);
// At its left a distance, over the word "stride".
void drawBandNumber(ViewContext& view, ImDrawList& list, const MemoryScene& scene, const std::string& number,
                    float middle);
void drawBand(ViewContext& view, ImDrawList& list, const MemoryScene& scene, const BandHeights& heights,
              float top);

// Joins the band to the part of the row above that it shows enlarged.
void drawWedge(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float rowBottom, float bandTop);
inline constexpr float kWedgeHeight = 24;  // units
bool hasWedge(const MemoryScene& scene);
// "elements 0-15 over 64-79": A's in view and B's. Requires both, and hasWedge().
std::string pairsInView(const MemoryScene& scene);

// The current round of the Shared memory panel while it is hidden: what memory, or the registers of a warp,
// hold before it, and nothing of what becomes of that.

// Whether the round passes values by shuffles.
bool hidesRegisters(const session::Replay& replay);

// Draws the band from `top` on and takes the pointer. Requires view.predict.isHidden(). Gives a note for the
// panel's title line; empty: all cells are in view.
std::string drawHiddenBand(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                           const BandHeights& heights, float top, ZoomAndPan& moved);

// How the Shared memory panel's height is spent.

inline constexpr float kMemoryAxisHeight = 18, kMemoryOverviewHeight = 10, kMemoryGap = 8;  // units
inline constexpr float kMemoryLabelWidth = 52;  // units, at the left of all rows

// How many earlier and later rounds get a row.
struct RowCounts {
  unsigned past = 0, toCome = 0;
};

// What the panel's height is spent on.
struct MemoryPlan {
  RowCounts rows;
  float rowHeight = kMemoryRowHeight;  // units
  BandHeights heights;
  bool overview = false, wedge = false, legend = false;
};

// Rows get what the fixed parts leave; earlier rounds bring an axis, and a wedge where the band shows only
// part of the last row. In a low panel the lines give the legend some of their height, then the legend goes,
// then more of the lines. What is left over makes the band higher, by as much in each round, and then the
// rows, as high as the band's cells at most.
MemoryPlan planOf(const ViewContext& view, const MemoryScene& scene, float height);

// The legend under the Shared memory panel's map: an entry for what the map shows, and none for what it does
// not.

struct LegendItem {
  enum class Mark : std::uint8_t { Fill, Outline, Struck, Dashes, Disc, Ring, None };
  std::string text;
  Mark mark = Mark::Fill;
  ImU32 colour = 0;
  ImU32 ground = 0;  // under an outline; 0: none
};

// `past` and `toCome`: whether such rows are drawn.
std::vector<LegendItem> legendOf(const ViewContext& view, const MemoryScene& scene, bool past, bool toCome);

// One line from `min`; entries that do not fit are left out, the last first.
void drawMemoryLegend(ViewContext& view, ImDrawList& list, const std::vector<LegendItem>& items, ImVec2 min,
                      float right);
inline constexpr float kMemoryLegendHeight = 24;  // units

}  // namespace stridescope::views
