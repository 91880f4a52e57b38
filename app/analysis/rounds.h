// Cuts a launch into rounds.
//
// - A block barrier always ends a round.
// - A warp barrier ends one only if its warp has stored to shared memory since the round began: the barrier
//   between reading and writing inside one stride ends none.
// - A shuffle opens a round, which ends before the next shuffle or at the next barrier. Branches alone make
//   no round of their own before it.
// - Between two block barriers each warp has its own rounds. The n-th of one warp is put beside the n-th of
//   the others; a warp that has fewer is idle then. A warp that did nothing before its first shuffle is idle
//   while others load there.
// - After the last block barrier a round follows only if something is accessed or passed between lanes in it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/warp_operations.h"

namespace stridescope::analysis {

// The rounds with their operations and how they end; nothing else is filled in. A block barrier's operations
// stand in the last round of its interval. Takes from the budget what each round will cost.
struct CutRounds {
  std::vector<Round> rounds;
  bool cut = false;  // the budget ended: there are more
};
CutRounds cutIntoRounds(const model::LaunchTrace& launch, const std::vector<AlignedWarp>& timelines,
                        MemoryBudget& budget);

// What the threads of a round do, by the arrays of the element type that they read and write.

// Requires the round's operations. Counters, flags and lists' numbers do not count. A round with several
// kinds of work is Mixed, one with none that counts too.
RoundKind findKind(const model::LaunchTrace& launch, const Round& round);

// A merge writes its output one element after another, each found by a reduction of its own. Here its rounds
// are grouped by the element that they serve.

// Fills in each round's output element: the element that it writes, else the next one that is written after
// it; in a trace that was cut, the rounds after the last write serve the element after that one. A launch
// without a buffer of the role Merged is left as it is. Needs the rounds' operations.
void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds);

// The arrays out of which come the values that are stored to the buffers of the roles Merged and Origin.
// Needs the kernel's model.
std::optional<HeadArrays> findHeadArrays(const model::Trace& trace, const model::LaunchTrace& launch);

// Puts what no event shows (BlockTrace::others) into the rounds: into that of the next event of the thread
// that did it, or into the last one that it has come to. Needs the rounds' operations.
void placeOtherActs(const model::LaunchTrace& launch, std::vector<Round>& rounds);

// Which pass of its round each access belongs to.

// Sets what the round's operations and the round say of passes, given the positions that WarpOperation::pass
// names so far. Requires all operations of the round.
void numberPasses(const std::vector<Position>& positions, Round& round);

// What a round costs, once everything is derived from it: memory, and threads that derive it.

// Bytes, rounded up: the round with its operations, lanes, snapshot and exchanges, and its data flow
// (data_flow.h). Needs the round's operations alone.
std::uint64_t costOf(const model::LaunchTrace& launch, const Round& round);

// For inParallel over the rounds of a launch: 1 where starting threads takes longer than the work.
inline unsigned threadsFor(const model::LaunchTrace& launch) {
  constexpr std::size_t kFewEvents = std::size_t{1} << 18;
  return launch.recorded().events.size() < kFewEvents ? 1 : 0;
}

}  // namespace stridescope::analysis
