// How many blocks a launch has whose threads stride over the input, so that any grid would do. Functions of
// the number of elements and the block's size alone: a trace from one machine equals a trace from another,
// whatever GPU it has. The results are at least 1.
#pragma once

#include <cstdint>

namespace stridescope::kernels {

// Elements per thread, where there are not enough to give every thread of a full grid more.
inline constexpr unsigned kElementsOfAStridingThread = 8;  // one at a time
inline constexpr unsigned kElementsOfAPackingThread = 16;  // four packs of four

// Four loads of one element per thread in flight: only a full GPU has enough of them. No GPU of today holds
// more than 160 x 2048 = 327,680 threads at once (Blackwell Ultra's 160 multiprocessors; a fixed cap of 64
// blocks leaves most of it empty). The grid is at most eight times that: with little more than one GPU full,
// a second, nearly empty wave of blocks would take as long as the first.
std::uint64_t blocksThatQueue(std::uint64_t elements, unsigned threads);

// The same for a kernel that loads packs of 16 bytes.
std::uint64_t blocksThatQueueForPacks(std::uint64_t elements, unsigned threads);

// 64 bytes per thread in flight: 2^17 threads have 8 MiB, what memory of 8 TB/s delivers in 1 us, longer than
// an access takes. More only leave more partial results to add, until a thread has 256 elements: then up to
// the 132 x 2048 threads that an H100 or H200 holds at once, whose warps take turns, bring another hundredth
// of its bandwidth. No block waits for another to end there: a single wave. Up to 32 elements per thread one
// block does it all: to let several blocks agree who is last costs more than it takes to load another 64
// bytes per thread.
std::uint64_t blocksInOneWave(std::uint64_t elements, unsigned threads);

std::uint64_t oneBlock(std::uint64_t elements, unsigned threads);

}  // namespace stridescope::kernels
