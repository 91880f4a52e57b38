#include "views/timings_view.h"

#include "draw/panel.h"

namespace stridescope {

void drawTimings(ViewContext& view, TimingsState&) {
  Panel panel(view.draw, {.name = kTimingsPanel, .leastWidth = 360, .leastHeight = 200});
}

}  // namespace stridescope
