// What a round cost in cycles of the SM's clock, in words.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/round_cycles.h"

namespace stridescope::narration {

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

}  // namespace stridescope::narration
