// The Lanes panel while a round is predicted: an empty grid that takes marks, and, once the round is
// revealed, the marks over the answer.
#pragma once

#include <optional>

#include "draw/panel.h"
#include "views/maps/map_frame.h"
#include "views/shared/predicted.h"

namespace stridescope::views {

// A drag over the grid: it paints what its first cell became.
struct LanePainting {
  std::optional<MapCell> last;  // nullopt: no drag
  bool on = true;
};

// Of a hidden round. Requires view.predict.isHidden().
void drawLanesToMark(ViewContext& view, const draw::Panel& panel, LanePainting& painting);

// The marks on the cells of a revealed round.
void drawJudgedMarks(ViewContext& view, ImDrawList& list, const MapFrame& frame,
                     const teaching::Judgement& judgement);

// Of the grid and of the legend below it, hidden or revealed, so that nothing moves when it is.
inline constexpr float kMarkedRowHeight = 26;  // units, at most
float markLegendHeight(const ViewContext& view, float width);
void drawJudgedLegend(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max,
                      const teaching::Judgement& judgement);

}  // namespace stridescope::views
