// The open tour, beside the panels: the stop's text with its links, the way on and back, speaker notes that
// are folded until somebody unfolds them, and all stops.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "measure/timing_board.h"
#include "session/tour.h"
#include "views/reading/paragraphs.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A stop kept for the frames that show it.
struct ShownStop {
  std::shared_ptr<const session::Tour> tour = {};
  std::size_t stop = 0;
  std::shared_ptr<const measure::TimingSnapshot> timings = {};
  std::vector<Paragraph> text = {}, notes = {};
};

// Brings it to the stop where the open tour is, with the figures that its texts name. True: it was another
// one.
bool refresh(const ViewContext& view, ShownStop& shown);

// The stop's heading and text; the first has what stands before it.
std::vector<markdown::Block> textOfStop(const session::Tour& tour, std::size_t stop);

// "Stop 3 of 15 · minutes 5 to 7 of 45".
std::string progressOf(const session::Tour& tour, std::size_t stop);

// Draws into the current window, `width` pixels wide. Without a tour it offers those that there are.
void drawTour(ViewContext& view, ShownStop& shown, float width);

// The entries in the File and Help menus.
std::vector<CommandEntry> tourEntries();

// The first start: what this is, and ways in. It stands beside the panels, as a lesson does; nothing waits
// for it.

// `width`: pixels.
void drawWelcome(ViewContext& view, float width);

}  // namespace stridescope::views
