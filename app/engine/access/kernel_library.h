// A person's compiled text, loaded into the process that runs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "access/hooks.h"
#include "base/result.h"
#include "debug_info.h"
#include "engine/access/kernel_types.h"

namespace stridescope::engine::access {

struct KernelLibrary {
  const ::accesses::KernelEntry* kernels = nullptr;
  unsigned kernelCount = 0;
  std::uint64_t base = 0;           // where it is loaded
  std::uint64_t threadStorage = 0;  // where its thread-local storage is, of the thread that asked
};

// What the compiled text exports, beside access_attach: its kernels, in the order of the launches that first
// name them, and a variable of the thread's own in the same storage as the shared ones.
inline constexpr const char* kAttachSymbol = "access_attach";
inline constexpr const char* kKernelsSymbol = "access_kernels";
inline constexpr const char* kKernelCountSymbol = "access_kernel_count";
inline constexpr const char* kAnchorSymbol = "access_thread_storage";

// Before it is loaded the process gives up system calls.
Result<KernelLibrary> loadKernelLibrary(const std::string& file);

std::vector<KernelTypes> typesOf(const KernelLibrary& library, const DebugInfo& info);

}  // namespace stridescope::engine::access
