// A command that takes its time: Ctrl-C ends it as cancelling ends a job, and the window as closing it does,
// so that it leaves nothing behind (no temporary folder, no compiler, half a file), and within a second; and
// a line of the terminal, written over again and again, tells how far it is.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>

#include "cli/command_line.h"
#include "engine/engine.h"
#include "measure/timing_board.h"

namespace stridescope::cli {

// While it lives, this process notes SIGINT, SIGTERM and SIGHUP; one that comes again ends the program as
// usual, and one that is ignored stays so (nohup).
class NotedSignals {
 public:
  NotedSignals();
  ~NotedSignals();
  NotedSignals(const NotedSignals&) = delete;
  NotedSignals& operator=(const NotedSignals&) = delete;

 private:
  static constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, kSignals.size()> before_{};
};

// While it lives, such a signal cancels the job; one that EndOnSignal noted before it lived does so at once.
// The innermost of several has the signals.
class CancelOnSignal {
 public:
  explicit CancelOnSignal(engine::JobControl& job);
  ~CancelOnSignal();
  CancelOnSignal(const CancelOnSignal&) = delete;
  CancelOnSignal& operator=(const CancelOnSignal&) = delete;

 private:
  std::atomic<bool>* outer_;
  std::optional<NotedSignals> signals_;  // none where EndOnSignal has them
};

// While it lives, `wake` is called on a thread of its own whenever such a signal was noted: for one who
// sleeps until something happens. One at a time, within the life of what notes the signals.
class WakeOnSignal {
 public:
  explicit WakeOnSignal(std::function<void()> wake);
  ~WakeOnSignal();  // `wake` is neither running nor called again
  WakeOnSignal(const WakeOnSignal&) = delete;
  WakeOnSignal& operator=(const WakeOnSignal&) = delete;

  // False: this process could start no thread, and nobody is woken.
  bool isAwake() const { return thread_.joinable(); }

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

// The whole of a command: while it lives, such a signal leaves the command so long to end in order, as
// CancelOnSignal has it; what it does then in a phase that looks at no job (analysis, writing to a reader
// that does not read) is ended with the process, by endProcess() and as a cancelled command ends. One at a
// time.
class EndOnSignal {
 public:
  static constexpr std::chrono::milliseconds kGrace{500};

  explicit EndOnSignal(std::chrono::milliseconds grace = kGrace);
  ~EndOnSignal();
  EndOnSignal(const EndOnSignal&) = delete;
  EndOnSignal& operator=(const EndOnSignal&) = delete;

  // For a command that has printed what there was to print and only waits for what it has begun: it ends with
  // this code then, and without a word.
  static void endQuietlyWith(ExitCode code);

 private:
  void watch(std::chrono::milliseconds grace);

  std::optional<NotedSignals> signals_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watching_;
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

// The signals and the progress line of one job after the other.
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
