// A tour's speaker notes, in a window of their own that a lecturer has on another monitor than the audience.
#pragma once

#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "views/reading/tour_view.h"
#include "views/shared/panel.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// The window's; nullopt: it is not wanted, or no tour with notes is open.
std::optional<std::string> notesTitle(const session::AppState& app);

// The stop's notes as large as they fit, where the tour is, and what comes next. Fills [0, size] of `list`.
// `shown` keeps the stop's texts for the frames that show it. Requires notesTitle().
void drawSpeakerNotes(const ViewContext& view, ShownStop& shown, ImDrawList& list, ImVec2 size);

std::vector<CommandEntry> speakerNotesEntries();

}  // namespace stridescope::views
