// Which operators the hardware has an instruction of its own for. A kernel that calls one offers those pairs
// alone, and its preamble defines the call (kernels/catalog.h).
//
// Source: CUDA C++ Programming Guide, Warp Reduce Functions and Atomic Functions.
#pragma once

#include <cstdint>

#include "model/experiment.h"

namespace stridescope::model {

enum class HardwareForm : std::uint8_t {
  None,
  WarpReduction,  // combineWarp(value): redux.sync on 32-bit integers; compute capability 8.0
  Atomic,         // combineAtomically(total, value): one atomic instruction, no compare-and-swap loop
};

bool hasHardwareForm(HardwareForm form, ElementType type, Operator op);

}  // namespace stridescope::model
