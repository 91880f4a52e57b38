// What recordings have measured of runs.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/reduction_cost.h"
#include "engine/engine.h"
#include "lab/measured.h"
#include "lab/sources/sources.h"
#include "model/quantities.h"

namespace stridescope::lab {

// The records that tell of an experiment; an error: a table of them cannot be read. May be empty.
template <class Record>
using RecordsOf = std::function<Result<std::vector<Record>>(const model::Experiment&)>;

// What recordings have measured of an experiment: those that come with the program, and, last and in their
// place, the one that is stepped, if one is. Serves the work on one run: it reads each table of that
// recording when it is first asked for, once, and keeps it as long as it lives.
// Timelines and prices are the experiment's at any number of elements; timings, which tell of no experiment,
// are not here.
struct Recorded : model::PerQuantity<RecordsOf> {};

// The shipped ones, and those in the recording that `engineId` names, if it names one. Where a table of that
// is damaged, there are none of its kind at all: another file's would stand beside its runs.
Recorded recordedFor(const std::string& engineId, const sources::RecordSet& shipped);

// None where nothing is recorded.
template <class Record>
std::vector<Record> recordsOf(const RecordsOf<Record>& recorded, const model::Experiment& experiment) {
  if (!recorded) return {};
  return recorded(experiment).value_or(std::vector<Record>());
}

// Takes those of an experiment's `clocks` that tell of the run, all of the GPU of the last, with what they
// say of its rounds.
RunCycles cyclesOf(const Run& run, std::span<const model::ClockRecord> clocks);

// Adds the reference's, clocked on the same GPU; the reference is stepped to know its rounds.
void addReference(RunCycles& cycles, const Run& run, const RecordsOf<model::ClockRecord>& clocks,
                  const MakeHost& makeHost, engine::JobControl& job);

// The variants that have a block's cycles on the device, from `live` and from `recorded`, in this order.
std::vector<VariantCycles> variantCycles(const model::Experiment& experiment, const std::string& device,
                                         const RecordsOf<model::ClockRecord>& live,
                                         const RecordsOf<model::ClockRecord>& recorded);

// The newest of the run's kernel, of as many launches.
RunCounters recordedCounters(const Run& run, const Recorded& recorded);
RunTimeline recordedTimeline(const Run& run, const Recorded& recorded);
std::optional<model::CostRecord> recordedCost(const Run& run, const Recorded& recorded);
std::optional<model::PeelRecord> recordedPrices(const model::Experiment& experiment,
                                                const Recorded& recorded);

// What was measured of one reduction.
struct MeasuredReduction {
  std::optional<model::CostRecord> cost{};
  std::optional<model::CounterRecord> counters{};
  std::shared_ptr<const MarkedGrid> grid{};  // null: not known
  std::optional<model::PeelRecord> prices{};
};

// What the run's reduction costs, without what another GPU measured than the one of its cost.
std::optional<analysis::ReductionCost> reductionCost(const Run& run, MeasuredReduction measured,
                                                     const MakeHost& makeHost, engine::JobControl& job);

// What another experiment's reduction costs; it is stepped to know its loads and its steps. Without a host
// they stay unknown.
std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     MeasuredReduction measured, const MakeHost& makeHost,
                                                     engine::JobControl& job);

// The record's prices with the steps of the run, which is of the same experiment. Where it does not tell
// their names, because it was cut short, a host steps a few blocks of the kernel, which pass the same marks.
analysis::StepPrices stepPrices(const Run& run, model::PeelRecord record, const MakeHost& makeHost,
                                engine::JobControl& job);

// All of this, the newest of each.
RunMeasured recordedMeasurements(const Run& run, const Recorded& recorded, const MakeHost& makeHost,
                                 engine::JobControl& job);

}  // namespace stridescope::lab
