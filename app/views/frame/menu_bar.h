// The window's top: the menus, drawn from the command table, and beside them what runs, or else the reminder
// of the most used keys; and the strip with a message.
#pragma once

#include "views/frame/command_table.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// What runs now, and the button that cancels it. They stand in the row of the menus, where nothing is to be
// clicked otherwise, so that no control turns into another one under the pointer.

struct JobLineState {
  double since = -1;  // when the job began that runs now, seconds of Dear ImGui's clock; below 0: none does
};

// Between two x of the menu bar that is being drawn, at its right end; without room for both the button
// alone. False: nothing runs, or not for long enough to be told.
bool drawJobLine(ViewContext& view, JobLineState& state, float left, float right);

// Within a window that has a menu bar.
void drawMenuBar(ViewContext& view, std::span<const CommandEntry> table, JobLineState& job);

// A strip under the bar for what a person should know: one sentence, its details to copy, one action that
// helps.

inline constexpr float kMessageHeight = 44;  // units
// In pixels, for a strip so wide: where the sentence has no room beside the buttons it stands above them, on
// as many lines as it needs, so that who has no pointer to rest on it reads all of it. Requires
// view.app.isMessageShown().
float messageHeight(const ViewContext& view, float width);
// Draws into [min, max] of the current window. Requires view.app.isMessageShown().
void drawMessageStrip(ViewContext& view, ImVec2 min, ImVec2 max);

// A remark that stands alone, over the lowest part of the panels for as long as it is there: nothing moves
// for it, and the pointer goes through it, unless it has a button, which copies the path of what was saved.
// At most `width` wide and `most` high, its lower left corner at `corner`. Draws nothing where there is none.
void drawRemark(ViewContext& view, ImVec2 corner, float width, float most = 1e6f);

}  // namespace stridescope::views
