// The open tour, beside the panels: the stop's text with its links, the way on and back, speaker notes that
// are folded until somebody unfolds them, and all stops.
#pragma once

#include <memory>
#include <vector>

#include "measure/timing_board.h"
#include "session/tour.h"
#include "views/chrome/paragraphs.h"
#include "views/shared/command_entry.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A stop kept for the frames that show it.
struct ShownStop {
  std::shared_ptr<const session::Tour> tour = {};
  std::size_t stop = 0;
  std::shared_ptr<const measure::TimingSnapshot> timings = {};
  std::vector<Paragraph> text = {}, notes = {};
};

// Draws into the current window, `width` pixels wide. Without a tour it offers those that there are.
void drawTour(ViewContext& view, ShownStop& shown, float width);

// The entries in the File and Help menus.
std::vector<CommandEntry> tourEntries();

}  // namespace stridescope::views
