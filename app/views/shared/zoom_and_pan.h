// How a person moves about a map that shows a part of its columns: the wheel zooms about the pointer by
// powers of two, dragging pans, F fits; while its panel has the keyboard, + and - zoom, too.
#pragma once

#include <optional>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Behind a note on what is in view; on a picture, with which nobody can do that, it is left out.
inline constexpr const char* kGestures = " · wheel zooms, drag pans, F fits";

// What a person has zoomed and panned to; nullopt: as the map would have it.
struct ZoomAndPan {
  std::optional<std::size_t> inView, first;
  std::size_t grabbed = 0;  // the first column in view when the drag began
};

// The part that is shown, and where the pointer is in it.
struct ColumnsShown {
  std::size_t all = 0, first = 0, inView = 0;
  float width = 1;     // a column's, pixels
  double pointer = 0;  // the column under the pointer, with its fraction
};

// Takes what the person does over the map's area into `state`.
void zoomAndPan(const ViewContext& view, const HitArea& area, const ColumnsShown& shown, ZoomAndPan& state);

}  // namespace stridescope::views
