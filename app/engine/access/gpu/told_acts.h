// What a run tells whose text tells its conditions and exchanges (kernels/access_gpu/told.h) is put among the
// accesses of the run that was recorded. The two are compiled apart: the code that tells has other accesses,
// other instructions, and perhaps branches where the other has none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "access_gpu/log.h"
#include "engine/access/gpu_access.h"

namespace stridescope::engine::access::gpu {

// What stands in Entry::pc of what was told: the number of a condition, or the place of an instruction of the
// code that tells.
inline constexpr std::uint64_t kConditionMark = 1ull << 62, kTellingMark = 1ull << 63;
inline constexpr std::uint64_t kPcBits = kConditionMark - 1;

// The line of the text that an instruction is from; 0: it is not known.
using LineOf = std::function<int(std::uint64_t pc)>;

// A block's entries of one of the two runs, in the order in which they were written.
struct BlockEntries {
  const std::vector<patched::Entry>& entries;
  const LineOf& lineOf;
};

// The recorded entries with what the other run tells: Condition entries (value: whether it is met) and
// Exchange entries in place of Shuffle entries, if all shuffles of the block tell. What a thread tells stands
// between the same barriers and shuffles. Among them the conditions stand first: the compiler moves accesses
// past conditions, so that between two barriers there is no order of the two.
//
// Which lanes come to a condition together is the text's matter: those that are in the same pass of the loops
// around it. A compiler may give lanes code of their own for it, as for the last passes of a loop that it
// unrolls. `conditions`: TellingText's.
//
// Nothing where a thread of the block, of `threads`, came to other barriers or shuffles in the run that
// tells.
std::optional<std::vector<patched::Entry>> withTold(const BlockEntries& recorded, const BlockEntries& telling,
                                                    unsigned threads,
                                                    const std::vector<ToldCondition>& conditions);

}  // namespace stridescope::engine::access::gpu
