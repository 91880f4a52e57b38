// The Lanes panel while a round is predicted: an empty grid that takes marks, and, once the round is
// revealed, the marks over the answer.
#pragma once

#include <optional>

#include "draw/panel.h"
#include "views/maps/map_frame.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {

// A drag over the grid: it paints what its first cell became.
struct LanePainting {
  std::optional<MapCell> last;  // nullopt: no drag
  bool on = true;
  bool begun = false;  // it has painted something
};

// Draws the lanes of a hidden round. Requires view.predict.isHidden().
void drawLanesToMark(ViewContext& view, const draw::Panel& panel, LanePainting& painting);

// The marks on the cells of a revealed round.
void drawJudgedMarks(ViewContext& view, ImDrawList& list, const MapFrame& frame,
                     const teaching::Judgement& judgement);

// The grid's rows and the one line below it are as high hidden as revealed, so that nothing moves.
inline constexpr float kMarkedRowHeight = 26;  // units, at most
void drawJudgedLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                      const teaching::Judgement& judgement);

}  // namespace stridescope::views
