// What stridescope_generate writes for the catalogue: each variant's instrumented text and each operator,
// compiled.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/host/host_engine.h"
#include "model/experiment.h"

namespace stridescope::engine::host {

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
