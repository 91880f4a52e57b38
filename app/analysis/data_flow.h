// Which values flow where in a round: each thread's operands and result, and which elements of shared memory
// still matter to the reduction's result afterwards. Read off the trace, so that it holds for every variant.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/passes.h"

namespace stridescope::analysis {

// What one thread did in a round: result = a op b, or result = a (a copy).
struct ThreadWork {
  std::uint32_t thread = 0;
  // The first two distinct elements of one array that it read or held in a register, over all passes; if
  // there are not so many, the first of `operands`.
  std::optional<Operand> a, b;
  // The last element it wrote in the array of `a`; if it wrote none there, the first it wrote anywhere.
  std::optional<Operand> result;
  // All that became `result`, in the order of the program; `a` and `b` are among them. Empty in a round of
  // several passes, each of which has its own (pass_view.h).
  std::vector<Operand> operands{};
  // What the thread combined in its first pass of the round and stood in no memory: later passes take what
  // that one made of it.
  std::vector<Operand> held{};
  bool ofElements = false;  // else of counters, flags or lists' numbers
  bool kept = false;        // it compared a with b and wrote nothing: `result` is the lower one, as it was
  bool useful = false;      // the reduction's result depends on this work
};

// A value in shared memory that no thread reads into what the block leaves in device memory.
struct LostValue {
  std::size_t round = 0;  // the first round that could have read it
  Operand value{};        // where it stands, and its bits
  std::uint64_t of = 0;   // how many elements of the input it stands for
};

struct RoundFlow {
  std::vector<ThreadWork> work;  // threads with any access in the round, ascending
  // For each shared array, for each element: its value after the round is still needed.
  std::vector<std::vector<bool>> liveAfter;
  // The same for each window of LaunchAnalysis::deviceMemory; empty for those that are not worked in place.
  std::vector<std::vector<bool>> deviceLiveAfter;
  // One per thread if lanes passed values to each other in the round, else empty: what the thread holds after
  // the exchange is still needed. The results of the others are unused.
  std::vector<bool> registerUseful;
  // One per thread likewise: what it gives, and what it holds after the exchange, is made of identities alone
  // (lanes.h).
  std::vector<bool> registerGivesIdentity, registerIdentity;
  // Values of which this is the first round that could have read them. Empty in a run that
  // ended with the right result, or that a problem stopped: there is nothing to follow in those.
  std::vector<LostValue> lost{};
};

// One entry per round of the launch. Usefulness runs backwards from what the block leaves in device memory:
// an element is needed if a useful thread reads it before it is written again; a thread's work is useful if
// it writes a needed element, if it writes to device memory that it does not work in place, or if it loads
// what a needed register holds. A register is needed if a useful store takes its value, and through a shuffle
// by whom its value goes to: structurally, whatever the values are; and if a useful thread combines what it
// held after the exchange with what it loads later. A warp reduction needs all its lanes. In
// a buffer that is worked in place, only what was written last and not read again counts at the end.
std::vector<RoundFlow> findDataFlow(const model::Trace& trace, const model::LaunchTrace& launch,
                                    const LaunchAnalysis& analysis);

// The flow of every launch, in order. `analysis` is the trace's.
std::vector<std::vector<RoundFlow>> findDataFlow(const model::Trace& trace, const Analysis& analysis);

// The operands and the result of each thread in each round.

// One entry per round, with `work` filled in but for its usefulness.
std::vector<RoundFlow> gatherThreadWork(const model::Trace& trace, const model::LaunchTrace& launch,
                                        const std::vector<Round>& rounds);

// The same for one pass of a round: an entry for each of its threads and stores.
std::vector<ThreadWork> threadWorkOf(const Pass& pass);

// The element that an access begins at.
std::uint64_t elementOf(const model::Event& event, const model::LaunchTrace& launch);

// Elements of the input that never reach a block's result.

// In the order of the rounds; where values hold the same elements, the one that holds the most stands for
// them. Follows which elements each value was made from, over rounds of one pass that combine in memory: in a
// launch with exchanges between lanes, with rounds of several passes or with races nothing is found. `flow`
// has one entry per round.
std::vector<LostValue> findLostValues(const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow);

}  // namespace stridescope::analysis
