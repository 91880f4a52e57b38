// The ways in which a CPU reduces n elements, for comparison with a GPU, and the core that they run on.
#pragma once

#include <sched.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "measure/timing_data.h"
#include "model/arithmetic.h"

namespace stridescope::measure::cpu {

// Whose threads one takes beside the caller's.
enum class CpuThreads { One, Tbb, OpenMp };

struct CpuBaseline {
  // The result's bits; `elements` points to n values of the type.
  using Run = std::uint64_t (*)(model::ElementType type, model::Operator op, const void* elements,
                                std::uint64_t n);

  std::string_view id;
  Run run = nullptr;              // null: this program was built without it
  std::string_view missing = "";  // a sentence: why it is null
  CpuThreads threads = CpuThreads::One;
};

std::vector<CpuBaseline> cpuBaselines();

// Keeps each of OpenMP's threads on a core of its own, for the life of the process, but for the caller.
void pinOpenMpThreads();

// The bits of what `reduce(values, n, combine)` gives for the values of the type and the operator.
template <class Reduce>
std::uint64_t reducedBits(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n,
                          Reduce reduce) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    return withOperator<T>(op, [&](auto combine) {
      return model::bitsOfElement(reduce(static_cast<const T*>(elements), n, combine));
    });
  });
}

// One thread, one element after the other: this file is compiled without vectors.
std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n);

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
