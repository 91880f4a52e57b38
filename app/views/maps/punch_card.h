// The punch card of the Banks panel: one request of one warp.
#pragma once

#include "views/shared/view_context.h"

namespace stridescope::views {

// The request that is shown: the chosen one, or the first that any warp makes if none makes that one.
session::RequestRole shownRole(const session::Replay& replay);

// The warp whose request is shown: the hovered thread's if it makes one, else the first that does.
std::optional<unsigned> shownWarp(const session::Replay& replay, session::RequestRole role);

// Draws the request inside [min, max]; a sentence where the round has none, or where it goes to global
// memory.
void drawPunchCard(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);

}  // namespace stridescope::views
