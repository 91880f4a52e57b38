// What the rounds of a run cost in cycles, where a GPU has clocked its block: recorded ones at once, and
// those of the GPU that ran it a moment later.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/round_cycles.h"
#include "engine/engine.h"
#include "model/clock_record.h"
#include "session/run.h"
#include "session/services.h"

namespace stridescope::session {

// What other variants' rounds are compared with.
inline constexpr const char* kReferenceVariant = "sequential";

// What one block of a variant takes alone, at the run's type, operator and block size.
struct VariantCycles {
  std::string variant;
  analysis::Cycles block;
  bool live = false;  // clocked on the GPU that ran the run; false: recorded
};

// Immutable.
struct RunCycles {
  std::vector<model::ClockRecord> clocks{};          // one GPU's that tell of the run
  std::vector<analysis::LaunchCycles> launches{};    // one per launch of the run: what the clocks say
  std::map<unsigned, analysis::Cycles> reference{};  // the reference variant's, by active threads
  std::vector<VariantCycles> variants{};             // on the same GPU, in the catalogue's order
  bool live = false;  // clocked for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not clocked; empty: it was, or there is none
};

// Where clocks come from: those that tell of an experiment.
using ClocksOf = std::function<std::vector<model::ClockRecord>(const model::Experiment&)>;

// The clocks of the run and of its reference, both of the GPU of the run's last. The reference is stepped on
// the CPU executor to know its rounds.
RunCycles cyclesOf(const Run& run, const ClocksOf& clocksOf, const SessionServices& services,
                   engine::JobControl& job);

// The recorded ones.
RunCycles recordedCycles(const Run& run, const RecordedMeasurements& recorded,
                         const SessionServices& services, engine::JobControl& job);

// The variants that have a block's cycles on the device, from `live` and from `recorded`, in this order.
std::vector<VariantCycles> variantCycles(const model::Experiment& experiment, const std::string& device,
                                         const ClocksOf& live, const ClocksOf& recorded);

}  // namespace stridescope::session
