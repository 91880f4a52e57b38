// Wiring of the window: the session's engines, the picture without a display, the window itself.
#pragma once

#include <variant>

#include "cli/services.h"

namespace stridescope {

// Opens the window at the last experiment, or at the contiguous variant's stride 8. Returns when it is
// closed. `recording`: a file to open first; empty: none.
Result<std::monostate> openStridescopeWindow(const std::string& recording,
                                             const std::shared_ptr<CodeTrust>& trust);

Result<Executor> drawStridescopeShot(const ShotRequest& request, const std::shared_ptr<CodeTrust>& trust);

// For doctor: OpenGL without a display, and the typefaces.
std::vector<Finding> pictureFindings();

}  // namespace stridescope
