// What was measured of a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/grid_timeline.h"
#include "analysis/round_cycles.h"
#include "analysis/time_parts.h"
#include "archive/recording_file.h"
#include "engine/engine.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "session/run.h"
#include "session/services.h"

namespace stridescope::session {

// A measurement of a run's experiment: recorded at once, and on the GPU that ran it a moment later.

// Immutable.
template <class Record>
struct RunRecord {
  std::optional<Record> record{};
  bool live = false;  // measured for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
};

// The newest of those of the kernel whose text has this hash.
template <class Record>
std::optional<Record> newestOf(std::vector<Record> records, const std::string& kernelHash) {
  std::optional<Record> newest;
  for (Record& each : records)
    if (each.kernelHash == kernelHash && (!newest || newest->executor.recordedOn <= each.executor.recordedOn))
      newest = std::move(each);
  return newest;
}

// What the hardware counted of a run's experiment.

using RunCounters = RunRecord<model::CounterRecord>;

// The newest that is recorded.
RunCounters recordedCounters(const Run& run, const RecordedMeasurements& recorded);

// What the rounds of a run cost in cycles, where a GPU has clocked its block: recorded ones at once, and
// those of the GPU that ran it a moment later.

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

// Where and when the blocks of a run's experiment ran on a GPU.

struct MarkedGrid {
  model::TimelineRecord record;
  analysis::GridTimeline timeline;  // the record's
};
std::shared_ptr<const MarkedGrid> markedGridOf(model::TimelineRecord record);

// Immutable, and shared: a grid has up to two million blocks.
struct RunTimeline {
  std::shared_ptr<const MarkedGrid> grid{};  // null: not known
  bool live = false;                         // marked for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
  std::vector<std::uint64_t> sizes{};  // for which n a timeline of this variant is recorded, ascending
};

// The newest that is recorded.
RunTimeline recordedTimeline(const Run& run, const RecordedMeasurements& recorded);

// What the run's time is made of. Immutable.
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

// What the time of a run's experiment is made of, and that of the variant it is taught after.

// What the run's reduction costs, with the counters and the timeline in `measured`, all from one GPU.
std::optional<analysis::ReductionCost> reductionCost(const Run& run, std::optional<model::CostRecord> cost,
                                                     const RunMeasured& measured);

// What another experiment's reduction costs; it is stepped on the CPU executor to know its loads.
std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     std::optional<model::CostRecord> cost,
                                                     std::optional<model::CounterRecord> counters,
                                                     const SessionServices& services,
                                                     engine::JobControl& job);

// All that recordings have of the run, the newest of each, as the engine or recording of this id has them.
RunMeasured recordedMeasurements(const Run& run, const std::string& engineId, const SessionServices& services,
                                 engine::JobControl& job);
RunCosts recordedCosts(const Run& run, const RecordedMeasurements& recorded, const RunMeasured& measured,
                       const SessionServices& services, engine::JobControl& job);

// Recorded measurements out of files, for SessionServices::recorded.

// All measurements of the recordings that come with the program. They live as long as it.
struct ShippedMeasurements {
  const std::vector<model::ClockRecord>& (*clocks)() = nullptr;
  const std::vector<model::CounterRecord>& (*counters)() = nullptr;
  const std::vector<model::TimelineRecord>& (*timelines)() = nullptr;
  const std::vector<model::CostRecord>& (*costs)() = nullptr;
  const std::vector<model::MachineCode>& (*codes)() = nullptr;
};

// Those, and what is in the recording that `engineId` names, if it names one. Where a table of that is
// damaged, there are none of its kind at all: another file's would stand beside its runs.
RecordedMeasurements measurementsOf(const std::string& engineId, const ShippedMeasurements& shipped);

}  // namespace stridescope::session
