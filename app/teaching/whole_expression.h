// Expressions of whole numbers, as kernels have them in indices and conditions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "teaching/kernel_text.h"

namespace stridescope::teaching {

// What a name stands for at this word; nullopt: it is not known.
using ValueOf = std::function<std::optional<std::uint32_t>(std::size_t word)>;

// The value as an unsigned number of 32 bits, in which the kernels count; true is 1. nullopt: a name is not
// known, something is divided by 0, or it is no such expression.
std::optional<std::uint32_t> evaluate(const KernelText& text, Words words, const ValueOf& valueOf);

}  // namespace stridescope::teaching
