// The plan of a run: which memory it needs, and its launches down to one value. Every engine and the timing
// follow it, so that no launch rule is written twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/catalog.h"
#include "model/dim3.h"
#include "model/kernel.h"

namespace stridescope::kernels {

// What memory holds before the first launch. What lies beyond an `Input`'s or `Unwritten` buffer's `elements`
// is the identity.
enum class BufferStart : std::uint8_t {
  Input,
  Unwritten,
  Identity,
  Zero,
  Lists,
  InterleavedLists,
  ListStarts
};

struct PlannedBuffer {
  BufferStart start{};
  std::optional<model::ElementType> type{};  // its elements'; nullopt: unsigned numbers
  unsigned elementBytes = 4;
  std::uint64_t elements = 0;  // that mean something
  std::uint64_t room = 0;      // that there are, at least 1
};

// One of a kernel's arguments: a buffer, or a number that is passed by value.
struct PlannedArgument {
  model::KernelParameter parameter{};
  std::optional<unsigned> buffer;  // index into RunPlan::buffers
  std::uint64_t elements = 0;      // how many of the buffer's the kernel may reach, from its start
  std::uint64_t number = 0;        // what is passed by value
};

struct LaunchShape {
  std::uint64_t elements = 0;     // its input's
  model::Dim3 grid{};             // blocks
  model::Dim3 block{};            // threads of a block
  std::uint64_t sharedBytes = 0;  // dynamic
  std::uint64_t inspected = 0;    // the block that is recorded
  std::vector<PlannedArgument> arguments{};
};

// Where the result lies after the last launch.
enum class Outcome : std::uint8_t {
  OneValue,       // the first element of the result's buffer
  AddedOnTheCpu,  // its elements, combined from left to right
  Merged,         // the merged values, and beside them where they came from
};

struct RunPlan {
  std::vector<PlannedBuffer> buffers;
  std::vector<LaunchShape> launches;  // at least one: n = 0 gives the identity
  Outcome outcome = Outcome::OneValue;
  unsigned result = 0;             // index of the buffer
  std::optional<unsigned> origin;  // a merge's: index of the buffer with the lists' numbers
};

// In launch experiment.launch the block experiment.block is inspected, in later launches the one that reads
// its result, in earlier ones the first that feeds it; a launch or block out of range is clamped to the last.
// Requires experiment.threads to be legal.
RunPlan planRun(const model::Kernel& kernel, const model::Experiment& experiment);
// The same with the experiment's own kernel (kernelOf()), which must be there.
RunPlan planRun(const model::Experiment& experiment);

// Whether the operator's identity can come into the run's result: a launch has fewer elements than places for
// them, so that it stands in the others, or the kernel begins a thread's own result with it. Requires
// experiment.threads to be legal.
bool usesIdentity(const model::Kernel& kernel, const model::Experiment& experiment);

// How many blocks a launch has whose threads stride over the input, so that any grid would do. Functions of
// the number of elements and the block's size alone: a trace from one machine equals a trace from another,
// whatever GPU it has. The results are at least 1.

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
