// What records of measurements have in common: the experiment, its kernel, and the GPU.
#pragma once

#include <chrono>
#include <ctime>
#include <optional>
#include <string>

#include "model/experiment.h"
#include "model/trace.h"

namespace stridescope::model {

inline constexpr double kMaxMicroseconds = 1e12;  // the limit of any measured time

// The first thing wrong with them, as a clause, or nothing.
std::optional<std::string> faultOfOrigin(const Experiment& experiment, const std::string& kernelHash,
                                         const Executor& executor);

// The experiment without what no measurement depends on: which block is inspected, the CPU executor's
// schedule and block order, and a seed that its data do not have.
Experiment measuredExperiment(Experiment experiment);

// The same for a reduction's time, which does not depend on the values, either: merges are not timed.
Experiment timedExperiment(Experiment experiment);

// Microseconds, from 0 on.
bool isTime(double microseconds);

// When something was recorded.

// The time now as a recording keeps it: ISO 8601, UTC, to the second: "2026-01-02T03:04:05Z".
inline std::string utcNow() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace stridescope::model
