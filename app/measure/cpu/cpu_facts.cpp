#include "measure/cpu/cpu_facts.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>

namespace stridescope::measure::cpu {
namespace {

constexpr std::uint64_t kDefaultCacheBytes = 32ull << 20;

// The text after the colon in the first line that begins with `key`.
std::string firstValue(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (!line.starts_with(key) || colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

// A number in a file; nothing where there is none ("max").
std::optional<std::uint64_t> numberIn(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  return stream >> number ? std::optional(number) : std::nullopt;
}

// What the kernel keeps of files, and gives up for anything else.
std::uint64_t fileBytesIn(const std::filesystem::path& statistics) {
  std::ifstream stream(statistics);
  std::uint64_t all = 0, bytes = 0;
  for (std::string name; stream >> name >> bytes;)
    if (name == "active_file" || name == "inactive_file") all += bytes;
  return all;
}

unsigned usableThreads() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0) return unsigned(CPU_COUNT(&set));
  return unsigned(::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

std::string cpuName() {
  std::string name = firstValue("/proc/cpuinfo", "model name");
  if (name.empty()) name = "CPU";
  const unsigned threads = usableThreads();
  return name + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::uint64_t lastLevelCacheBytes() {
  const long bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  return bytes > 0 ? std::uint64_t(bytes) : kDefaultCacheBytes;
}

std::optional<std::uint64_t> memoryLeftToGroup(const std::filesystem::path& groups,
                                               const std::filesystem::path& root) {
  constexpr std::string_view kSecondVersion = "0::/";
  std::ifstream lines(groups);
  std::optional<std::uint64_t> least;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(kSecondVersion)) continue;
    std::filesystem::path group = root / line.substr(kSecondVersion.size());
    for (;; group = group.parent_path()) {
      const auto most = numberIn(group / "memory.max"), used = numberIn(group / "memory.current");
      if (most && used) {
        const std::uint64_t held = *used - std::min(*used, fileBytesIn(group / "memory.stat"));
        least = std::min(least.value_or(~0ull), *most - std::min(*most, held));
      }
      if (group == root || !group.has_relative_path()) break;
    }
  }
  return least;
}

std::uint64_t availableMemoryBytes() {
  const std::string text = firstValue("/proc/meminfo", "MemAvailable");  // "24031220 kB"
  std::uint64_t kibibytes = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    kibibytes = kibibytes * 10 + std::uint64_t(c - '0');
  }
  return std::min(kibibytes << 10, memoryLeftToGroup().value_or(~0ull));
}

}  // namespace stridescope::measure::cpu
