// One question of the Predict panel: what is asked, how it is answered, and what the answer was worth.
#pragma once

#include <cstddef>

#include "views/shared/view_context.h"

namespace stridescope::views {

// Draws the question at that place among view.predict.asked() between `left` and `right`, from `top` on;
// gives the y below it.
float drawQuestion(ViewContext& view, ImDrawList& list, std::size_t place, float left, float right,
                   float top);

}  // namespace stridescope::views
