// What kind of step a round is, and what it is called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/lanes.h"
#include "narration/round_at.h"

namespace stridescope::narration {

enum class RoundKind : std::uint8_t {
  Load,        // the input, from device memory into shared memory or registers
  Stride,      // operands at one distance, ended by a block barrier; in shared or in device memory
  WarpStride,  // the same, ended by a warp barrier
  Shuffle,
  WarpReduce,  // a warp reduction, without a load
  Read,        // shared memory is read and nothing combined: the results of the warps, a flag
  Write,       // results to device memory
  Other,
};

RoundKind kindOf(const RoundAt& at);

// For a tick of the transport: "load", "8", "write"; "strides" for several strides in one round; "last" and
// "r3" for rounds without a name.
std::string tickOf(const RoundAt& at);

// Opening a sentence: "Stride 8", "Load", "Shuffle by 8", "Write", "Round 3". In a merge: "Element 7 of 256,
// stride 8"; for a pass: "Pass 2 of 8, stride 8".
std::string titleOf(const RoundAt& at);

// Within a sentence: "stride 8", "the load", "the shuffle by 8", "the write", "round 3". In a merge:
// "stride 8 of element 7".
std::string nameInSentence(const RoundAt& at);

// What the kinds and the captions of rounds are told from.

// Some lane takes part in an operation of that kind.
bool takesPart(const analysis::Round& round, model::EventKind kind);

// What the round reads of device memory.
struct DeviceReads {
  bool input = false;    // a buffer that the block only reads
  bool ownWork = false;  // one that it also writes in this launch
  bool inPlace = false;  // one that it also writes in this round
  bool words = false;    // the other blocks' words to this one, for which it waits
};
DeviceReads deviceReads(const RoundAt& at);

// No thread reads more than one element of any shared array.
bool readsOneEach(const RoundAt& at);

// Threads combine what they read with what they brought into the pass.
bool accumulates(const RoundAt& at);

// The distance in 4-byte words at which the operands of the round's stride lie in shared memory, if padding
// lies between them (which the stride does not count) and it is the same for all threads; else nullopt.
std::optional<std::uint64_t> paddedWordsApart(const RoundAt& at);

// What a thread leaves in device memory.
struct DeviceWrite {
  std::uint32_t thread = 0, buffer = 0;
  std::uint64_t element = 0, bits = 0;
  bool atomic = false;
};
// In the order of the threads; a 16-byte store has its first element here.
std::vector<DeviceWrite> deviceWrites(const RoundAt& at);

// What the round's first operation of that kind does, as the kernel's model knows it; nullopt if there is
// none or no model.
std::optional<model::Operation> operationOf(const RoundAt& at, model::EventKind kind);

// What combines the registers of a warp: "one instruction", "cg::reduce", or, without a model, "a warp
// reduction". Requires a round with one.
std::string warpReductionInWords(const RoundAt& at);

// The numbers of a round: one small table, the same for the command line, the captions' panel and comparing.

struct Figure {
  std::string_view label;  // the term of docs/variants.md
  std::uint64_t value = 0;
  std::uint64_t of = 0;  // the whole that the value is part of; 0: none
  friend bool operator==(const Figure&, const Figure&) = default;
};

// Active lanes, warps with an active lane, partial warps, divergent branches (as the source has them); over
// the shared loads and stores the wavefronts, their ideal, the conflicts and the highest way.
// In a round that accesses device memory also its sectors and their ideal, in one in which lanes only take
// part those that are used.
std::vector<Figure> figuresOf(const RoundAt& at);

// The active lanes, by what becomes of their results.
analysis::LaneCounts lanesByUse(const RoundAt& at);

// Lanes whose value after the round's exchange is still needed; nullopt if lanes pass nothing in it.
std::optional<unsigned> usefulLanes(const RoundAt& at);

}  // namespace stridescope::narration
