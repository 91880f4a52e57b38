#include "cli/timing_run.h"

#include <fmt/format.h>

#include <csignal>

namespace stridescope {
namespace {

constexpr double kSecondsBetweenLooks = 0.1;

// Set by Ctrl-C; a signal's handler reaches nothing else.
volatile std::sig_atomic_t interrupted = 0;
void noteInterrupt(int) { interrupted = 1; }

// Ctrl-C is heard as long as this lives.
class InterruptWatch {
 public:
  InterruptWatch() {
    interrupted = 0;
    before_ = std::signal(SIGINT, noteInterrupt);
  }
  ~InterruptWatch() { std::signal(SIGINT, before_); }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

 private:
  void (*before_)(int);
};

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

bool runTimingPlan(TimingBoard& board, const TimingPlan& plan, const Context& context) {
  const InterruptWatch watch;
  ProgressLine line(context.streams.error);
  board.start(plan);
  while (!board.waitUntilDone(kSecondsBetweenLooks) && interrupted == 0) {
    if (!context.streams.errorIsTerminal) continue;
    const auto seen = board.snapshot();
    line.show(seen->fraction < 0 ? seen->doing
                                 : fmt::format("{:3.0f} %  {}", 100 * double(seen->fraction), seen->doing));
  }
  board.stop();
  return interrupted == 0;
}

}  // namespace stridescope
