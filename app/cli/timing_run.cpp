#include "cli/timing_run.h"

#include <fmt/format.h>

namespace stridescope {
namespace {

constexpr double kSecondsBetweenLooks = 0.1;

// One line of a terminal, written over again and again.
class ProgressLine {
 public:
  explicit ProgressLine(std::ostream& out) : out_(out) {}
  ~ProgressLine() {
    if (shown_ > 0) out_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text) {
    const std::size_t rest = text.size() < shown_ ? shown_ - text.size() : 0;
    out_ << '\r' << text << std::string(rest, ' ') << std::flush;
    shown_ = text.size();
  }

 private:
  std::ostream& out_;
  std::size_t shown_ = 0;
};

}  // namespace

bool runTimingPlan(TimingBoard& board, const TimingPlan& plan, const Context& context,
                   const JobControl& job) {
  ProgressLine line(context.streams.error);
  board.start(plan);
  while (!board.waitUntilDone(kSecondsBetweenLooks) && !job.cancel) {
    if (!context.streams.errorIsTerminal) continue;
    const auto seen = board.snapshot();
    line.show(seen->fraction < 0 ? seen->doing
                                 : fmt::format("{:3.0f} %  {}", 100 * double(seen->fraction), seen->doing));
  }
  board.stop();
  return !job.cancel;
}

}  // namespace stridescope
