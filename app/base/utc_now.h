// The time now as a recording keeps it: ISO 8601, UTC, to the second: "2026-01-02T03:04:05Z".
#pragma once

#include <string>

namespace stridescope {

std::string utcNow();

}  // namespace stridescope
