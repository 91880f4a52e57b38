// Wiring of the window: the session's engines, the picture without a display, the window itself.
#pragma once

#include <functional>
#include <memory>
#include <variant>

#include "cli/services.h"
#include "session/services.h"
#include "shared_parts.h"

namespace stridescope::program {

// Opens the window at the last experiment, or at the contiguous variant's stride 8. Returns when it is
// closed. `file`: a recording or a tour to open first; empty: none.
Result<std::monostate> openStridescopeWindow(const std::string& file, const SharedParts& parts);

// What a session of the window is given: engines by the names of --engine, what is recorded and shipped.
session::SessionServices sessionServices(const SharedParts& parts, const std::function<void()>& wake);

Result<model::Executor> drawStridescopeShot(const cli::ShotRequest& request, const SharedParts& parts);

// The window's panels, as `shot --panel` takes them.
std::vector<std::string> panelNames();
// Its modes, as `shot --mode` takes them: "explore", "present".
std::vector<std::string> modeNames();

// For doctor: OpenGL without a display, and the typefaces.
std::vector<cli::Finding> pictureFindings();

}  // namespace stridescope::program
