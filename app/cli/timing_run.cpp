#include "cli/timing_run.h"

#include <fmt/format.h>

#include "cli/long_work.h"

namespace stridescope::cli {
namespace {

constexpr double kSecondsBetweenLooks = 0.1;

}  // namespace

bool runTimingPlan(measure::TimingBoard& board, const measure::TimingPlan& plan, const Context& context,
                   const engine::JobControl& job) {
  ProgressLine line(context.terminal);
  board.start(plan);
  while (!board.waitUntilDone(kSecondsBetweenLooks) && !job.cancel) {
    if (context.terminal == nullptr) continue;
    const auto seen = board.snapshot();
    line.show(seen->fraction < 0 ? seen->doing
                                 : fmt::format("{:3.0f} %  {}", 100 * double(seen->fraction), seen->doing));
  }
  board.stop();
  return !job.cancel;
}

}  // namespace stridescope::cli
