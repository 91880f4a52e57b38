// The whole round as text: the text map of every panel.
#pragma once

#include <span>
#include <string>

#include "narration/round_at.h"
#include "views/shared/panel.h"

namespace stridescope::views {

// Caption and trouble, then narration's text maps, each under its title or that of its panel among `panels`.
std::string roundTextOf(const narration::RoundAt& at, std::span<const Panel> panels);

// The text of the shown round, and after it what panels say that show no round. For two runs side by side it
// is what the middle says of them, and the chosen side's round. Requires view.replay.run().
std::string roundTextOf(const ViewContext& view);

}  // namespace stridescope::views
