#include "timing/cpu/cpu_facts.h"

#include <sched.h>
#include <unistd.h>

#include <fstream>

namespace stridescope {
namespace {

constexpr std::uint64_t kUsualCacheBytes = 32ull << 20;

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
  return bytes > 0 ? std::uint64_t(bytes) : kUsualCacheBytes;
}

std::uint64_t availableMemoryBytes() {
  const std::string text = firstValue("/proc/meminfo", "MemAvailable");  // "24031220 kB"
  std::uint64_t kibibytes = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') break;
    kibibytes = kibibytes * 10 + std::uint64_t(c - '0');
  }
  return kibibytes << 10;
}

}  // namespace stridescope
