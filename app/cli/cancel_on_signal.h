// Ctrl-C ends a command as cancelling ends a job, and the window as closing it does, so that it leaves
// nothing behind: no temporary folder, no compiler, half a file.
#pragma once

#include <array>
#include <csignal>

#include "engine/engine.h"

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

}  // namespace stridescope::cli
