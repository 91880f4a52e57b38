// Draws rounds for handouts with the window's own panels, in a window that is on no display.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "handout/painter.h"
#include "session/services.h"

namespace stridescope::painter {

// What a session is given in which a run is shown; called for each.
using MakeServices = std::function<session::SessionServices()>;

Result<std::unique_ptr<handout::RoundPainter>> makeWindowPainter(const handout::PainterSetup& setup,
                                                                 MakeServices services);

}  // namespace stridescope::painter
