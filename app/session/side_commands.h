// What commands mean while two runs are compared.
#pragma once

#include <functional>

#include "analysis/compared_sides.h"
#include "session/app_state.h"
#include "session/command.h"

namespace stridescope::session {

class Comparison;

// Steps and what is pointed at go to both sides; what is chosen of the experiment goes to both or to the
// chosen one; all else means the chosen side. `applyToSide` does the command as if that side were the only
// run.
void applyToSides(Comparison& comparison, AppState& app, const Command& command,
                  const std::function<void(const Command& command, analysis::Side side)>& applyToSide);

}  // namespace stridescope::session
