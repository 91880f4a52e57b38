// Keeps the calling thread on one core.
#pragma once

#include <sched.h>

namespace stridescope::measure::cpu {

// The cores that the calling thread may use.
inline cpu_set_t usableCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  ::sched_getaffinity(0, sizeof cores, &cores);
  return cores;
}

// Until it ends, the calling thread stays on the core that it is on. Where the system refuses, it may move.
class PinnedThread {
 public:
  explicit PinnedThread(bool wanted) : before_(usableCores()) {
    const int core = wanted ? ::sched_getcpu() : -1;
    if (core < 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pinned_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~PinnedThread() {
    if (pinned_) ::sched_setaffinity(0, sizeof before_, &before_);
  }
  PinnedThread(const PinnedThread&) = delete;
  PinnedThread& operator=(const PinnedThread&) = delete;

 private:
  cpu_set_t before_;
  bool pinned_ = false;
};

}  // namespace stridescope::measure::cpu
