// The punch card of the Banks panel: one request of one warp.
#pragma once

#include <optional>

#include "views/shared/view_context.h"

namespace stridescope::views {

// What the punch card shows of Replay::shownRequest: the worst operation of the hovered thread, else of the
// hovered warp, else of all.
struct ShownOperation {
  const analysis::Request& request;
  const analysis::WarpOperation& operation;  // one of the request's
};
// nullopt: the round makes no request. Requires a run.
std::optional<ShownOperation> shownOperation(const session::Replay& replay);

// How the punch card tells what the request serves, as the Shared memory panel does: operands A, operands B
// (which are no thread's A), results.
enum class CardLook : std::uint8_t { OperandA, OperandB, Result };
CardLook lookOf(const session::Replay& replay, const analysis::Request& request);

// Draws the request inside [min, max]; its head stands above them.
void drawPunchCard(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const ShownOperation& shown);
// The height, pixels, beyond which it leaves room empty: few lanes make a low card.
float mostCardHeight(const ViewContext& view, const ShownOperation& shown, float width);
// Says that the round has no request. Gives where the sentence ends, pixels.
float drawNoRequest(ViewContext& view, ImDrawList& list, ImVec2 min, float right);

}  // namespace stridescope::views
