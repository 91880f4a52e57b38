// The ladder's first five kernels, written by hand and compiled ahead of time by nvcc: what the program's own
// times are held against.
#pragma once

#include <cstdint>

namespace stridescope::ahead {

// The variants of the ladder, in its order.
enum class Rung : std::uint8_t { Modulo, Contiguous, Sequential, FirstAdd, LastWarp };

constexpr unsigned kThreads = 256;  // per block

// Enqueues every launch that reduces n ints at `in` to one at `out`. n is a power of two of at least two
// blocks' load; the scratch arrays have room for n / 256 ints each. nullptr, or what went wrong.
const char* enqueue(Rung rung, const int* in, int* scratchA, int* scratchB, int* out, std::uint64_t n,
                    void* stream);

}  // namespace stridescope::ahead
