// Hardware counters in words.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/counters.h"
#include "narration/cycles_sentence.h"

namespace stridescope::narration {

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

// What stands in for the counters that are not known.
std::string noCounters();

}  // namespace stridescope::narration
