// What a session of the window is given.
#pragma once

#include <functional>

#include "session/services.h"
#include "window/window.h"

namespace stridescope::window {

// Engines by the names of --engine, what is recorded and shipped, who measures and who exports.
session::SessionServices sessionServices(const WindowParts& parts, const std::function<void()>& wake);

}  // namespace stridescope::window
