// The ways in which a CPU reduces n elements. Each returns the result's bits; `elements` points
// to n values of the type.
#pragma once

#include <cstdint>

#include "model/experiment.h"

namespace stridescope::measure::cpu {

using CpuBaseline = std::uint64_t (*)(model::ElementType type, model::Operator op, const void* elements,
                                      std::uint64_t n);

std::uint64_t plainLoop(model::ElementType type, model::Operator op, const void* elements, std::uint64_t n);

// Null where this program was built without oneTBB, without OpenMP.
CpuBaseline reducePar();
CpuBaseline openMp();

}  // namespace stridescope::measure::cpu
