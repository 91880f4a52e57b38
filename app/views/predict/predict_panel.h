// Predict: what is asked of the round that comes next, and once it is revealed what the guesses were worth
// and why; below it the score.
#pragma once

#include "views/shared/panel.h"

namespace stridescope::views {

Panel predictPanel();

}  // namespace stridescope::views
