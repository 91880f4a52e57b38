// What this machine's CPU is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace stridescope::measure::cpu {

std::string cpuName();                 // "AMD EPYC 9575F, 16 threads"; threads that this process may use
std::uint64_t lastLevelCacheBytes();   // a guess where the system does not tell
std::uint64_t availableMemoryBytes();  // without swapping: the host's, or what this process's group may take

// The least memory that is left below a limit (control groups, version 2) of the process's group or of a
// group around it; nullopt: there is no limit. `groups`: what /proc/PID/cgroup says; `root`: where the groups
// are.
std::optional<std::uint64_t> memoryLeftToGroup(const std::filesystem::path& groups = "/proc/self/cgroup",
                                               const std::filesystem::path& root = "/sys/fs/cgroup");

}  // namespace stridescope::measure::cpu
