// Reductions on the CPU, timed with the steady clock: the data lie in the host's memory, and nothing is
// copied to or from a GPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "measure/timing_device.h"
#include "model/timing_record.h"

namespace stridescope::measure::cpu {

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
