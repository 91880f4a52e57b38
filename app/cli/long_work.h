// A command that takes its time: Ctrl-C ends it as cancelling ends a job, and the window as closing it does,
// so that it leaves nothing behind (no temporary folder, no compiler, half a file); and a line of the
// terminal, written over again and again, tells how far it is.
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "measure/timing_board.h"

namespace stridescope::cli {

// While it lives, SIGINT, SIGTERM and SIGHUP cancel the job; one that comes again ends the program as usual,
// and one that is ignored stays so (nohup). One at a time.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(engine::JobControl& job);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

class ProgressLine {
 public:
  // `terminal`: Context::terminal. Null: nothing is shown.
  explicit ProgressLine(std::ostream* terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string_view text);
  // For JobControl::progress: shows what is said once half a second has passed from now, since an answer that
  // comes at once needs no word before it. The line must outlive it.
  std::function<void(float fraction, const std::string& doing)> follower();
  void clear();  // for what is printed between

 private:
  std::ostream* terminal_;
  std::string line_;  // as it is shown
};

// Both, of one job after the other.
struct LongWork {
  // `terminal`: Context::terminal.
  explicit LongWork(std::ostream* terminal) : signals(job), line(terminal) { job.progress = line.follower(); }
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

  engine::JobControl job;
  const CancelOnSignal signals;
  ProgressLine line;
};

// Runs a timing plan to its end, with its progress in the terminal (Context::terminal; may be null). What was
// sampled is in the board afterwards, also when the job was cancelled. False: it was.
bool runTimingPlan(measure::TimingBoard& board, const measure::TimingPlan& plan, std::ostream* terminal,
                   const engine::JobControl& job);

}  // namespace stridescope::cli
