// What this machine's CPU is.
#pragma once

#include <cstdint>
#include <string>

namespace stridescope {

std::string cpuName();                 // "AMD EPYC 9575F, 16 threads"; threads that this process may use
std::uint64_t lastLevelCacheBytes();   // a guess where the system does not tell
std::uint64_t availableMemoryBytes();  // of the host, without swapping

}  // namespace stridescope
