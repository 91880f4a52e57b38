// When something was recorded.
#pragma once

#include <chrono>
#include <ctime>
#include <string>

namespace stridescope::model {

// The time now as a recording keeps it: ISO 8601, UTC, to the second: "2026-01-02T03:04:05Z".
inline std::string utcNow() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace stridescope::model
