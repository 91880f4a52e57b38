// What was measured of a run.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "lab/measured.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"
#include "session/services.h"

namespace stridescope::session {

// The newest of those of the kernel whose text has this hash.
template <class Record>
std::optional<Record> newestOf(std::vector<Record> records, const std::string& kernelHash) {
  std::optional<Record> newest;
  for (Record& each : records)
    if (each.kernelHash == kernelHash && (!newest || newest->executor.recordedOn <= each.executor.recordedOn))
      newest = std::move(each);
  return newest;
}

// The newest that is recorded.
lab::RunCounters recordedCounters(const lab::Run& run, const RecordedMeasurements& recorded);

// Where clocks come from: those that tell of an experiment.
using ClocksOf = std::function<std::vector<model::ClockRecord>(const model::Experiment&)>;

// The clocks of the run and of its reference, both of the GPU of the run's last. The reference is stepped on
// the CPU executor to know its rounds.
lab::RunCycles cyclesOf(const lab::Run& run, const ClocksOf& clocksOf, const SessionServices& services,
                        engine::JobControl& job);

// The recorded ones.
lab::RunCycles recordedCycles(const lab::Run& run, const RecordedMeasurements& recorded,
                              const SessionServices& services, engine::JobControl& job);

// The variants that have a block's cycles on the device, from `live` and from `recorded`, in this order.
std::vector<lab::VariantCycles> variantCycles(const model::Experiment& experiment, const std::string& device,
                                              const ClocksOf& live, const ClocksOf& recorded);

// The newest that is recorded.
lab::RunTimeline recordedTimeline(const lab::Run& run, const RecordedMeasurements& recorded);

// What the time of a run's experiment is made of, and that of the variant it is taught after.

// What the run's reduction costs, with the counters and the timeline in `measured`, all from one GPU.
std::optional<analysis::ReductionCost> reductionCost(const lab::Run& run,
                                                     std::optional<model::CostRecord> cost,
                                                     const lab::RunMeasured& measured);

// What another experiment's reduction costs; it is stepped on the CPU executor to know its loads.
std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     std::optional<model::CostRecord> cost,
                                                     std::optional<model::CounterRecord> counters,
                                                     const SessionServices& services,
                                                     engine::JobControl& job);

// All that recordings have of the run, the newest of each, as the engine or recording of this id has them.
lab::RunMeasured recordedMeasurements(const lab::Run& run, const std::string& engineId,
                                      const SessionServices& services, engine::JobControl& job);
lab::RunCosts recordedCosts(const lab::Run& run, const RecordedMeasurements& recorded,
                            const lab::RunMeasured& measured, const SessionServices& services,
                            engine::JobControl& job);

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
