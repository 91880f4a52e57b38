// What a fuzzer does with one input. Linked with libFuzzer (./dev fuzz), or with a main of our own that runs
// the kept inputs as a test.
#pragma once

#include <cstdint>
#include <span>

namespace stridescope::fuzz {

// Ends the process if the program does wrong with the input.
void fuzzOne(std::span<const std::uint8_t> input);

}  // namespace stridescope::fuzz
