// What was measured of a run.
#pragma once

#include <optional>
#include <string>

#include "analysis/time_parts.h"
#include "archive/recording_file.h"
#include "model/machine_code.h"
#include "session/run_counters.h"
#include "session/run_cycles.h"
#include "session/run_record.h"
#include "session/run_timeline.h"

namespace stridescope::session {

// What the run's time is made of (session/run_costs.h). Immutable.
struct RunCosts {
  std::optional<analysis::ReductionCost> own{};
  std::optional<analysis::ReductionCost> before{};  // the variant's that it is taught after, on the same GPU
  bool live = false;  // measured for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
};

struct RunMeasured {
  RunCycles cycles{};
  RunCounters counters{};
  RunTimeline timeline{};
  RunCosts costs{};
  RunRecord<model::MachineCode> code{};  // live: compiled for this run
};

// What a recording of the run keeps of it; `measured` must outlive it.
inline archive::Measured keptOf(const RunMeasured& measured) {
  const auto& counters = measured.counters.record;
  const bool hasCounters = counters && counters->experiment.given.get() == nullptr;
  return {.clocks = measured.cycles.clocks,
          .counters = {hasCounters ? &*counters : nullptr, hasCounters ? std::size_t{1} : 0}};
}

}  // namespace stridescope::session
