// What was measured, in words: hardware counters, cycles, machine code, and blocks in time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/grid_timeline.h"
#include "analysis/round_cycles.h"
#include "model/counters.h"
#include "model/machine_code.h"

namespace stridescope::narration {

// What a round cost in cycles of the SM's clock, in words.

enum class MeasuredFrom : std::uint8_t {
  Recording,
  ThisRun,  // the GPU that ran what is shown
};

// "recorded on NVIDIA H100 80GB HBM3", "counted on NVIDIA H100 80GB HBM3"
std::string countedOn(MeasuredFrom from, const std::string& device);

// "Recorded: 158 cycles; sequential, with as many active threads, takes 124.": medians with one block alone.
// Without `reference`, which is that of `referenceName`, only the first; empty: nothing is known of the
// round.
std::string countedCycles(MeasuredFrom from, const analysis::Cycles* cycles,
                          const analysis::Cycles* reference, const std::string& referenceName);

// "158 cycles alone, 231 in a full grid, recorded on NVIDIA H100 80GB HBM3." Medians; empty: nothing is known
// of the round. `counted` is countedOn().
std::string cyclesSentence(const analysis::LaunchCycles& cycles, std::size_t round,
                           const std::string& counted);

// "works 118 cycles, then waits 40 at the barrier"; without a barrier only the first.
std::string warpCycles(const analysis::WarpRound& round);

// "Recorded on NVIDIA H100 80GB HBM3: block 4 096 of 8 192, the run with the median of 41. The launch took
// 8.62 µs with clocks, 8.10 µs without."
std::string clockedLaunch(MeasuredFrom from, const model::ClockRecord& record);

// What stands in place of cycles that are not known. `other`: they are known for the other kind of grid.
std::string noCycles(model::ClockedGrid company, bool other);

// Hardware counters in words.

// "1064", "12.2 %", "2.46"
std::string counterAmount(double value, model::CounterUnit unit);

// "equal", "+4", "-5"; empty unless both are known.
std::string counterDifference(const std::optional<double>& modelled, const std::optional<double>& measured,
                              model::CounterUnit unit);

// Why the hardware may count other than the model, as far as is known: sentences; empty: they are equal.
std::string whyDifferent(model::Counter counter, double modelled, double measured);

// A sentence that says why a variant's counter differs from the model's on the GPUs that were tried; empty:
// it is not known to differ.
std::string knownDifference(std::string_view variant, model::Counter counter);

// The conditions of each counter.
inline constexpr std::string_view kWarm =
    "Counted in runs one after another: of the input, what fits into L2 is there.";

// "Recorded on NVIDIA H100 80GB HBM3: launch 1 of 3, 4 096 blocks of 256 threads.", and kWarm. `from` as of
// cycles.
std::string countedLaunch(MeasuredFrom from, const model::CounterRecord& record, std::size_t launch);

// Why 100 % is shown for ratios of the launch that were counted above it: sentences; empty: there is none.
std::string cappedRatios(const model::LaunchCounters& launch);

// "Divergent branch targets measured: 0 in this launch, recorded on NVIDIA H100 80GB HBM3."
std::string measuredDivergence(MeasuredFrom from, const std::optional<model::CounterRecord>& record,
                               std::size_t launch);

// The entry of the menu File that opens a recording.
inline constexpr std::string_view kOpenEntry = "Open a recording or a kernel";
// "File > Open a recording or a kernel shows a recording that has them.", for `what` "them".
std::string openedOne(std::string_view what);

// What stands in for the counters that are not known.
std::string noCounters();

// Machine code in words.

// "This round's lines: 24 instructions, 3 of them predicated, and 1 branch with a predicate, the kind that
// can diverge." `lines` are the text's lines that execute in the round.
std::string codeSentence(const model::MachineCode& code, const std::vector<unsigned>& lines);

// "SASS for sm_90, compiled by NVRTC 13.0; recorded on NVIDIA H100 80GB HBM3." `live`: compiled here.
std::string compiledCode(const model::MachineCode& code, bool live);

// What stands in where there is none.
std::string noMachineCode(const model::Trace& trace);

// A reduction's blocks in time, in words.

// "Recorded on NVIDIA H100 80GB HBM3, 132 SMs: n = 2^24. The run with the median time of 21: 91.2 µs with a
// mark of each block, 90.4 µs without." Live runs are "Marked on ...".
std::string markedRun(MeasuredFrom from, const model::TimelineRecord& record);

// "Launch 1 of 3: 65 536 blocks of 256 threads, 62.1 waves of the 1 056 that fit at once. From the last start
// on, 3.2 µs, 41 % of the places are filled (the tail)." Requires a timeline of the record.
std::string launchTimes(const model::TimelineRecord& record, const analysis::GridTimeline& timeline,
                        std::size_t launch);

// What the time between is: "before the first block", "between launches 1 and 2", "after the last block".
std::string gapName(const analysis::GridTimeline& timeline, std::size_t gap);

// "block 4 096 of 65 536, launch 1: SM 17, from 12.3 to 14.1 µs (1.82 µs)"
std::string blockTimes(const analysis::GridTimeline& timeline, const analysis::BlockBar& bar);

// What marking costs, where it is more than a few percent of the time: a sentence; else empty.
std::string markingCost(const model::TimelineRecord& record);

// What stands in for a timeline that is not known. `sizes`: for which n one is recorded of the variant.
std::string noTimeline(const std::vector<std::uint64_t>& sizes);

// The picture of a reduction's blocks in characters.

// Rows of some multiprocessors each, time to the right over the whole run: tenths of the places that are
// filled on average, '.' none, then 1 to 9 and '#' for all. Below it the launches and the gaps, with their
// times. Lines end with a newline and keep within kTextColumns.
std::string timelineMap(const analysis::GridTimeline& timeline);

}  // namespace stridescope::narration
