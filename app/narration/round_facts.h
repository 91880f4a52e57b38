// What the kinds and the captions of rounds are told from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// Some lane takes part in an operation of that kind.
bool takesPart(const analysis::Round& round, model::EventKind kind);

// What the round reads of device memory.
struct DeviceReads {
  bool input = false;    // a buffer that the block only reads
  bool ownWork = false;  // one that it also writes in this launch
  bool inPlace = false;  // one that it also writes in this round
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

}  // namespace stridescope::narration
