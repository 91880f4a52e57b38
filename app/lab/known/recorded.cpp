#include "lab/known/recorded.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>

#include "analysis/analysis.h"
#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"

namespace stridescope::lab {
namespace {

// The newest of those of the kernel whose text has this hash.
template <class Record>
std::optional<Record> newestOf(std::vector<Record> records, const std::string& kernelHash) {
  std::optional<Record> newest;
  for (Record& each : records)
    if (each.kernelHash == kernelHash && (!newest || newest->executor.recordedOn <= each.executor.recordedOn))
      newest = std::move(each);
  return newest;
}

template <class Record>
std::optional<Record> newestOf(const Run& run, const RecordsOf<Record>& recorded) {
  return newestOf(recordsOf(recorded, run.trace.experiment), model::hashOf(run.trace.kernelText));
}

}  // namespace

RunCounters recordedCounters(const Run& run, const Recorded& recorded) {
  auto records = recordsOf(recorded.of<model::CounterRecord>(), run.trace.experiment);
  std::erase_if(records, [&](const model::CounterRecord& record) {
    return record.launches.size() != run.trace.launches.size();
  });
  return {.record = newestOf(std::move(records), model::hashOf(run.trace.kernelText))};
}

std::optional<model::CostRecord> recordedCost(const Run& run, const Recorded& recorded) {
  return newestOf(run, recorded.of<model::CostRecord>());
}

namespace {

// The reference variant at the experiment's type, operator and block size. nullopt: the experiment is of the
// reference itself, or the reference cannot be had so.
std::optional<model::Experiment> referenceOf(const model::Experiment& experiment) {
  if (experiment.variant == kReferenceVariant) return std::nullopt;
  const auto reference =
      engine::checkedExperiment({.variant = kReferenceVariant,
                                 .type = experiment.type,
                                 .op = experiment.op,
                                 .threads = experiment.threads,
                                 .data = kernels::defaultData(kReferenceVariant, experiment.op),
                                 .custom = experiment.custom},
                                false);
  return reference ? std::optional(*reference) : std::nullopt;
}

// By the number of threads that combine, with one block alone, on the GPU of this name.
std::map<unsigned, analysis::Cycles> referenceCycles(const model::Experiment& experiment,
                                                     const std::string& device,
                                                     const RecordsOf<model::ClockRecord>& clocksOf,
                                                     const MakeHost& makeHost, engine::JobControl& job) {
  const auto reference = referenceOf(experiment);
  if (!reference || !makeHost) return {};
  std::vector<model::ClockRecord> clocks = recordsOf(clocksOf, *reference);
  std::erase_if(clocks, [&](const model::ClockRecord& each) { return each.executor.device != device; });
  if (clocks.empty()) return {};
  const auto engine = makeHost();
  if (!engine) return {};
  auto trace = (*engine)->record(*reference, job);
  if (!trace) return {};
  const Run run = runOf(*std::move(trace));
  return analysis::cyclesByActiveThreads(run.analysis.launches.front(),
                                         analysis::cyclesOf(run.trace, run.analysis, clocks).front().alone);
}

std::optional<analysis::Cycles> blockAlone(const std::vector<model::ClockRecord>& clocks,
                                           const std::string& device) {
  std::optional<analysis::Cycles> cycles;
  for (const model::ClockRecord& clock : clocks)
    if (clock.company == model::ClockedGrid::Alone && clock.executor.device == device)
      cycles = analysis::blockCycles(clock.firstWarp);
  return cycles;
}

}  // namespace

std::vector<VariantCycles> variantCycles(const model::Experiment& experiment, const std::string& device,
                                         const RecordsOf<model::ClockRecord>& live,
                                         const RecordsOf<model::ClockRecord>& recorded) {
  std::vector<VariantCycles> variants;
  for (const kernels::Variant& variant : kernels::catalog()) {
    model::Experiment each = experiment;
    each.variant = variant.id;
    for (const auto* clocksOf : {&live, &recorded}) {
      const auto block = blockAlone(recordsOf(*clocksOf, each), device);
      if (!block) continue;
      variants.push_back({.variant = each.variant, .block = *block, .live = clocksOf == &live});
      break;
    }
  }
  return variants;
}

RunCycles cyclesOf(const Run& run, std::span<const model::ClockRecord> clocks) {
  RunCycles cycles;
  for (const model::ClockRecord& clock : clocks) {
    if (!analysis::tellsOf(clock, run.trace)) continue;
    // If a GPU clocked the same grid twice, the last record counts.
    std::erase_if(cycles.clocks, [&](const model::ClockRecord& before) {
      return before.company == clock.company && before.executor.device == clock.executor.device;
    });
    cycles.clocks.push_back(clock);
  }
  cycles.clocks = analysis::ofTheLastsGpu(std::move(cycles.clocks));
  cycles.launches = analysis::cyclesOf(run.trace, run.analysis, cycles.clocks);
  return cycles;
}

void addReference(RunCycles& cycles, const Run& run, const RecordsOf<model::ClockRecord>& clocks,
                  const MakeHost& makeHost, engine::JobControl& job) {
  if (cycles.clocks.empty()) return;
  cycles.reference =
      referenceCycles(run.trace.experiment, cycles.clocks.back().executor.device, clocks, makeHost, job);
}

RunTimeline recordedTimeline(const Run& run, const Recorded& recorded) {
  RunTimeline timeline;
  const std::string hash = model::hashOf(run.trace.kernelText);
  std::vector<model::TimelineRecord> ofAnySize =
      recordsOf(recorded.of<model::TimelineRecord>(), run.trace.experiment);
  for (const model::TimelineRecord& each : ofAnySize)
    if (each.kernelHash == hash) timeline.sizes.push_back(each.experiment.elements);
  std::ranges::sort(timeline.sizes);
  timeline.sizes.erase(std::unique(timeline.sizes.begin(), timeline.sizes.end()), timeline.sizes.end());
  std::erase_if(ofAnySize, [&](const model::TimelineRecord& each) {
    return !model::tellsOf(each, run.trace.experiment);
  });
  if (auto record = newestOf(std::move(ofAnySize), hash)) timeline.grid = markedGridOf(std::move(*record));
  return timeline;
}

namespace {

std::string hashOf(const model::Experiment& experiment) {
  return model::hashOf(kernels::kernelText(experiment));
}

bool ofGpu(const model::Executor& executor, const model::CostRecord& cost) {
  return executor.device == cost.executor.device;
}

// Without the loads and the names of steps, which a run knows.
analysis::ReductionCost costOf(MeasuredReduction& measured) {
  analysis::ReductionCost reduction{.cost = *std::move(measured.cost)};
  if (measured.counters && ofGpu(measured.counters->executor, reduction.cost))
    reduction.counters = std::move(measured.counters);
  if (measured.grid && ofGpu(measured.grid->record.executor, reduction.cost))
    reduction.firstLaunch = measured.grid->timeline.launches.front();
  if (measured.prices && !ofGpu(measured.prices->executor, reduction.cost)) measured.prices.reset();
  return reduction;
}

void addStepped(const Run& run, std::optional<model::PeelRecord> prices, const MakeHost& makeHost,
                engine::JobControl& job, analysis::ReductionCost& reduction) {
  reduction.loads = analysis::loadsPerThread(run.trace.launches.front(), run.analysis.launches.front());
  if (prices) reduction.prices = stepPrices(run, *std::move(prices), makeHost, job);
}

constexpr std::uint64_t kFewBlocks = 4;

std::optional<Run> fewBlocksOf(const model::Experiment& experiment, const MakeHost& makeHost,
                               engine::JobControl& job) {
  const kernels::Variant* const variant = kernels::findVariant(experiment.variant);
  if (variant == nullptr || !makeHost) return std::nullopt;
  model::Experiment few = experiment;
  few.elements = kFewBlocks * std::uint64_t(few.threads) * variant->launch.elementsPerThread;
  few.launch = 0, few.block = 0;
  const auto engine = makeHost();
  if (!engine || few.elements >= experiment.elements) return std::nullopt;
  auto trace = (*engine)->record(few, job);
  if (!trace || trace->launches.empty()) return std::nullopt;
  return runOf(*std::move(trace));
}

}  // namespace

analysis::StepPrices stepPrices(const Run& run, model::PeelRecord record, const MakeHost& makeHost,
                                engine::JobControl& job) {
  const model::Kernel* const kernel = kernels::kernelOf(run.trace.experiment);
  // One of them combines what the others leave.
  const bool blocksDiffer =
      kernel != nullptr && kernel->joinsBlocks() && !kernel->takes(model::ParameterRole::Accumulator);
  const auto stepsOf = [&](const Run& stepped) {
    return analysis::pricedSteps(record, stepped.analysis.launches.front(), blocksDiffer);
  };
  auto steps = stepsOf(run);
  if (steps.empty())
    if (const auto few = fewBlocksOf(run.trace.experiment, makeHost, job)) steps = stepsOf(*few);
  return {std::move(record), std::move(steps)};
}

std::optional<analysis::ReductionCost> reductionCost(const Run& run, MeasuredReduction measured,
                                                     const MakeHost& makeHost, engine::JobControl& job) {
  if (!measured.cost) return std::nullopt;
  analysis::ReductionCost reduction = costOf(measured);
  addStepped(run, std::move(measured.prices), makeHost, job, reduction);
  return reduction;
}

std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     MeasuredReduction measured, const MakeHost& makeHost,
                                                     engine::JobControl& job) {
  if (!measured.cost) return std::nullopt;
  analysis::ReductionCost reduction = costOf(measured);
  if (!makeHost) return reduction;
  if (const auto engine = makeHost())
    if (auto trace = (*engine)->record(experiment, job); trace && !trace->launches.empty())
      addStepped(runOf(*std::move(trace)), std::move(measured.prices), makeHost, job, reduction);
  return reduction;
}

// The newest of the experiment's own number of elements.
std::optional<model::PeelRecord> recordedPrices(const model::Experiment& experiment,
                                                const Recorded& recorded) {
  auto records = recordsOf(recorded.of<model::PeelRecord>(), experiment);
  std::erase_if(records, [&](const model::PeelRecord& each) { return !model::tellsOf(each, experiment); });
  return newestOf(std::move(records), hashOf(experiment));
}

namespace {

std::vector<std::uint64_t> sizesIn(const std::vector<model::PeelRecord>& records, const std::string& hash) {
  std::set<std::uint64_t> sizes;
  for (const model::PeelRecord& each : records)
    if (each.kernelHash == hash) sizes.insert(each.experiment.elements);
  return {sizes.begin(), sizes.end()};
}

RunCosts recordedCosts(const Run& run, const Recorded& recorded, const RunMeasured& measured,
                       const MakeHost& makeHost, engine::JobControl& job) {
  const model::Experiment& experiment = run.trace.experiment;
  RunCosts costs{.pricedSizes = sizesIn(recordsOf(recorded.of<model::PeelRecord>(), experiment),
                                        model::hashOf(run.trace.kernelText))};
  MeasuredReduction own{.cost = recordedCost(run, recorded),
                        .counters = measured.counters.record,
                        .grid = measured.timeline.grid,
                        .prices = recordedPrices(experiment, recorded)};
  // Costs are recorded whatever the data are; the counters are those of the same run.
  const auto countersOf = [&](const model::Experiment& costed) {
    return newestOf(recordsOf(recorded.of<model::CounterRecord>(), costed), hashOf(costed));
  };
  if (own.cost && (!own.counters || !ofGpu(own.counters->executor, *own.cost)))
    own.counters = countersOf(own.cost->experiment);
  costs.own = reductionCost(run, std::move(own), makeHost, job);
  if (!costs.own || job.awaits) return costs;
  const auto before = engine::rungBefore(experiment);
  if (!before) return costs;
  auto records = recordsOf(recorded.of<model::CostRecord>(), *before);
  std::erase_if(records,
                [&](const model::CostRecord& each) { return !ofGpu(each.executor, costs.own->cost); });
  MeasuredReduction other{.cost = newestOf(std::move(records), hashOf(*before)),
                          .prices = recordedPrices(*before, recorded)};
  if (other.cost) other.counters = countersOf(other.cost->experiment);
  costs.before = reductionCost(*before, std::move(other), makeHost, job);
  return costs;
}

}  // namespace

RunMeasured recordedMeasurements(const Run& run, const Recorded& recorded, const MakeHost& makeHost,
                                 engine::JobControl& job) {
  RunMeasured measured{
      .cycles = cyclesOf(run, recordsOf(recorded.of<model::ClockRecord>(), run.trace.experiment)),
      .counters = recordedCounters(run, recorded),
      .timeline = recordedTimeline(run, recorded)};
  RunCycles& cycles = measured.cycles;
  addReference(cycles, run, recorded.of<model::ClockRecord>(), makeHost, job);
  if (job.awaits) return measured;  // to be done again: what follows takes longer
  if (!cycles.clocks.empty())
    cycles.variants = variantCycles(run.trace.experiment, cycles.clocks.back().executor.device, {},
                                    recorded.of<model::ClockRecord>());
  measured.costs = recordedCosts(run, recorded, measured, makeHost, job);
  measured.code.record = newestOf(run, recorded.of<model::MachineCode>());
  return measured;
}

namespace {

// Whether they tell of the same kernel at the same size. Clocks are chosen by their GPU.
bool isOfSameRun(const auto& one, const auto& other) {
  return one.kernelHash == other.kernelHash && one.experiment.elements == other.experiment.elements;
}
bool isOfSameRun(const model::ClockRecord&, const model::ClockRecord&) { return false; }

template <class Record>
concept TellsOfExperiment = requires(const Record& record, const model::Experiment& experiment) {
  model::tellsOf(record, experiment);
};

// The records that tell of an experiment: those of the file, if there is one, and the shipped ones of runs of
// which the file has none.
template <class Record, class Tells>
RecordsOf<Record> telling(const sources::RecordSet& shipped, const std::optional<sources::RecordSet>& file,
                          const Tells& tells) {
  return [=, shipped = shipped.of<Record>(), own = file ? file->of<Record>() : sources::Records<Record>()](
             const model::Experiment& experiment) -> Result<std::vector<Record>> {
    if (!own.list()) return tl::unexpected(own.list().error());
    std::vector<Record> records, ofFile;
    std::ranges::copy_if(own.all(), std::back_inserter(ofFile),
                         [&](const Record& record) { return tells(record, experiment); });
    std::ranges::copy_if(shipped.all(), std::back_inserter(records), [&](const Record& record) {
      return tells(record, experiment) &&
             std::ranges::none_of(ofFile, [&](const Record& each) { return isOfSameRun(each, record); });
    });
    std::ranges::move(ofFile, std::back_inserter(records));
    return records;
  };
}

}  // namespace

Recorded recordedFor(const std::string& engineId, const sources::RecordSet& shipped) {
  const auto name = engine::parseEngineName(engineId);
  std::optional<sources::RecordSet> file;
  if (name && name->kind == engine::EngineNameKind::Recording) file = sources::recordsIn(engineId);
  Recorded recorded;
  recorded.forEach([&]<class Record>(RecordsOf<Record>& records) {
    if constexpr (TellsOfExperiment<Record>)
      records = telling<Record>(shipped, file, [](const Record& record, const model::Experiment& experiment) {
        if constexpr (std::is_same_v<Record, model::TimelineRecord> ||
                      std::is_same_v<Record, model::PeelRecord>) {
          return tellsOfSomeSize(record, experiment);
        } else {
          return model::tellsOf(record, experiment);
        }
      });
  });
  return recorded;
}

}  // namespace stridescope::lab
