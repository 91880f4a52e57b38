// Wiring of `export`: the window, and its panels alone, drawn without a display for one step after another.
#pragma once

#include <memory>

#include "cli/services.h"
#include "shared_parts.h"

namespace stridescope::program {

Result<std::unique_ptr<cli::RoundPainter>> makeRoundPainter(const cli::PainterSetup& setup,
                                                            const SharedParts& parts);

}  // namespace stridescope::program
