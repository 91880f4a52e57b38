// Wiring of `export`: the window, and its panels alone, drawn without a display for one step after another.
#pragma once

#include <memory>

#include "cli/round_painter.h"
#include "engine/code_trust.h"

namespace stridescope::program {

Result<std::unique_ptr<cli::RoundPainter>> makeRoundPainter(const cli::PainterSetup& setup,
                                                            const std::shared_ptr<engine::CodeTrust>& trust);

}  // namespace stridescope::program
