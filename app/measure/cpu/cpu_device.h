// Reductions on the CPU, timed with the steady clock: the data lie in the host's memory, and nothing is
// copied to or from a GPU.
#pragma once

#include <sched.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/timing_data.h"
#include "measure/timing_device.h"
#include "model/arithmetic.h"
#include "model/timing_record.h"

namespace stridescope::measure::cpu {

// The ways in which a CPU reduces n elements, for comparison with a GPU, and the core that they run on.

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

Result<std::unique_ptr<TimingDevice>> makeCpuTimingDevice();

// What this machine's CPU is.

std::string cpuName();                 // "AMD EPYC 9575F, 16 threads"; threads that this process may use
std::uint64_t lastLevelCacheBytes();   // a guess where the system does not tell
std::uint64_t availableMemoryBytes();  // without swapping: the host's, or what this process's group may take

// The least memory that is left below a limit (control groups, version 2) of the process's group or of a
// group around it; nullopt: there is no limit. `groups`: what /proc/PID/cgroup says; `root`: where the groups
// are.
std::optional<std::uint64_t> memoryLeftToGroup(const std::filesystem::path& groups = "/proc/self/cgroup",
                                               const std::filesystem::path& root = "/sys/fs/cgroup");

// Copies of one input in the host's memory, used in turn, so that none lies in a cache when its turn comes.

class CpuInputs {
 public:
  // In place of what was there. One copy where the cache shall be warm, else as many as fill the last-level
  // cache twice. Fails with kind Usage where the memory does not suffice.
  Result<void> fill(const model::TimingCase& timingCase);

  // The next copy.
  const std::uint8_t* next();

  // The copies are too few to fill the cache twice: what is read may still lie in it.
  bool mayBeCached() const { return warm_; }

 private:
  void reserve(std::uint64_t bytes);

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::uint64_t reserved_ = 0;
  std::uint64_t stride_ = 0, copies_ = 1, turn_ = 0;
  bool warm_ = false;
};

}  // namespace stridescope::measure::cpu
