// What stridescope_generate writes for each variant, and how the engine finds it: the instrumented text,
// compiled once for each element type (and block size, where the text names it).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/host/host_engine.h"
#include "model/experiment.h"

namespace stridescope::engine::host {

struct HostKernel {
  std::string_view variant;
  model::ElementType type{};
  unsigned threads = 0;  // the block size it was compiled for; 0: any
  // Sets the text's `identity` and `combine` (a T (*)(T, T)) for launches from the calling OS thread.
  void (*prepare)(std::uint64_t identityBits, AnyFunction combine) = nullptr;
  void (*call)(void** arguments) = nullptr;        // recording::KernelCall::call
  std::span<const unsigned> sharedElementBytes{};  // one for each shared array, in order
};

// The preamble's identity and combine, compiled for the host.
struct HostOperator {
  model::ElementType type{};
  model::Operator op{};
  std::uint64_t identityBits = 0;
  AnyFunction combine = nullptr;
};

// The generated tables.
std::span<const HostKernel> hostKernels(std::string_view variant);  // empty for an unknown one
std::span<const HostOperator> hostOperators();

}  // namespace stridescope::engine::host
