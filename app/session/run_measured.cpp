#include "session/run_measured.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "analysis/analysis.h"
#include "archive/recording_file.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::session {

lab::RunCounters recordedCounters(const lab::Run& run, const RecordedMeasurements& recorded) {
  lab::RunCounters counters;
  if (!recorded.counters) return counters;
  auto records = recorded.counters(run.trace.experiment);
  std::erase_if(records, [&](const model::CounterRecord& record) {
    return record.launches.size() != run.trace.launches.size();
  });
  counters.record = newestOf(std::move(records), model::hashOf(run.trace.kernelText));
  return counters;
}

namespace {

// The reference variant at the experiment's type, operator and block size. nullopt: the experiment is of the
// reference itself, or the reference cannot be had so.
std::optional<model::Experiment> referenceOf(const model::Experiment& experiment) {
  if (experiment.variant == lab::kReferenceVariant) return std::nullopt;
  const auto reference =
      engine::checkedExperiment({.variant = lab::kReferenceVariant,
                                 .type = experiment.type,
                                 .op = experiment.op,
                                 .threads = experiment.threads,
                                 .data = kernels::defaultData(lab::kReferenceVariant, experiment.op),
                                 .custom = experiment.custom},
                                false);
  return reference ? std::optional(*reference) : std::nullopt;
}

// By the number of threads that combine, with one block alone, on the GPU of this name.
std::map<unsigned, analysis::Cycles> referenceCycles(const model::Experiment& experiment,
                                                     const std::string& device, const ClocksOf& clocksOf,
                                                     const SessionServices& services,
                                                     engine::JobControl& job) {
  const auto reference = referenceOf(experiment);
  if (!reference) return {};
  std::vector<model::ClockRecord> clocks = clocksOf(*reference);
  std::erase_if(clocks, [&](const model::ClockRecord& each) { return each.executor.device != device; });
  if (clocks.empty()) return {};
  const auto engine = services.makeEngine("host");
  if (!engine) return {};
  auto trace = (*engine)->record(*reference, job);
  if (!trace) return {};
  const lab::Run run = lab::runOf(*std::move(trace));
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

std::vector<lab::VariantCycles> variantCycles(const model::Experiment& experiment, const std::string& device,
                                              const ClocksOf& live, const ClocksOf& recorded) {
  std::vector<lab::VariantCycles> variants;
  for (const kernels::Variant& variant : kernels::catalog()) {
    model::Experiment each = experiment;
    each.variant = variant.id;
    for (const ClocksOf* clocksOf : {&live, &recorded}) {
      if (!*clocksOf) continue;
      const auto block = blockAlone((*clocksOf)(each), device);
      if (!block) continue;
      variants.push_back({.variant = each.variant, .block = *block, .live = clocksOf == &live});
      break;
    }
  }
  return variants;
}

lab::RunCycles cyclesOf(const lab::Run& run, const ClocksOf& clocksOf, const SessionServices& services,
                        engine::JobControl& job) {
  lab::RunCycles cycles;
  for (const model::ClockRecord& clock : clocksOf(run.trace.experiment))
    if (analysis::tellsOf(clock, run.trace)) cycles.clocks.push_back(clock);
  cycles.clocks = analysis::ofTheLastsGpu(std::move(cycles.clocks));
  cycles.launches = analysis::cyclesOf(run.trace, run.analysis, cycles.clocks);
  if (!cycles.clocks.empty())
    cycles.reference =
        referenceCycles(run.trace.experiment, cycles.clocks.back().executor.device, clocksOf, services, job);
  return cycles;
}

lab::RunCycles recordedCycles(const lab::Run& run, const RecordedMeasurements& recorded,
                              const SessionServices& services, engine::JobControl& job) {
  if (!recorded.clocks) return {};
  lab::RunCycles cycles = cyclesOf(run, recorded.clocks, services, job);
  if (!cycles.clocks.empty())
    cycles.variants =
        variantCycles(run.trace.experiment, cycles.clocks.back().executor.device, {}, recorded.clocks);
  return cycles;
}

lab::RunTimeline recordedTimeline(const lab::Run& run, const RecordedMeasurements& recorded) {
  lab::RunTimeline timeline;
  if (!recorded.timelines) return timeline;
  const std::string hash = model::hashOf(run.trace.kernelText);
  std::vector<model::TimelineRecord> ofAnySize = recorded.timelines(run.trace.experiment);
  for (const model::TimelineRecord& each : ofAnySize)
    if (each.kernelHash == hash) timeline.sizes.push_back(each.experiment.elements);
  std::ranges::sort(timeline.sizes);
  timeline.sizes.erase(std::ranges::unique(timeline.sizes).begin(), timeline.sizes.end());
  std::erase_if(ofAnySize, [&](const model::TimelineRecord& each) {
    return !model::tellsOf(each, run.trace.experiment);
  });
  if (auto record = newestOf(std::move(ofAnySize), hash))
    timeline.grid = lab::markedGridOf(std::move(*record));
  return timeline;
}

namespace {

std::string hashOf(const model::Experiment& experiment) {
  return model::hashOf(kernels::kernelText(experiment));
}

bool ofGpu(const model::Executor& executor, const model::CostRecord& cost) {
  return executor.device == cost.executor.device;
}

}  // namespace

std::optional<analysis::ReductionCost> reductionCost(const lab::Run& run,
                                                     std::optional<model::CostRecord> cost,
                                                     const lab::RunMeasured& measured) {
  if (!cost) return std::nullopt;
  analysis::ReductionCost reduction{
      .cost = std::move(*cost),
      .loads = analysis::loadsPerThread(run.trace.launches.front(), run.analysis.launches.front())};
  const auto& counters = measured.counters.record;
  if (counters && ofGpu(counters->executor, reduction.cost)) reduction.counters = counters;
  const auto& grid = measured.timeline.grid;
  if (grid && ofGpu(grid->record.executor, reduction.cost))
    reduction.firstLaunch = grid->timeline.launches.front();
  return reduction;
}

std::optional<analysis::ReductionCost> reductionCost(const model::Experiment& experiment,
                                                     std::optional<model::CostRecord> cost,
                                                     std::optional<model::CounterRecord> counters,
                                                     const SessionServices& services,
                                                     engine::JobControl& job) {
  if (!cost) return std::nullopt;
  analysis::ReductionCost reduction{.cost = std::move(*cost)};
  if (counters && ofGpu(counters->executor, reduction.cost)) reduction.counters = std::move(counters);
  if (const auto engine = services.makeEngine("host"))
    if (auto trace = (*engine)->record(experiment, job); trace && !trace->launches.empty()) {
      const lab::Run run = lab::runOf(*std::move(trace));
      reduction.loads = analysis::loadsPerThread(run.trace.launches.front(), run.analysis.launches.front());
    }
  return reduction;
}

lab::RunMeasured recordedMeasurements(const lab::Run& run, const std::string& engineId,
                                      const SessionServices& services, engine::JobControl& job) {
  const RecordedMeasurements recorded = recordedOf(services, engineId);
  lab::RunMeasured measured{.cycles = recordedCycles(run, recorded, services, job),
                            .counters = recordedCounters(run, recorded),
                            .timeline = recordedTimeline(run, recorded)};
  measured.costs = recordedCosts(run, recorded, measured, services, job);
  if (recorded.codes)
    measured.code.record =
        newestOf(recorded.codes(run.trace.experiment), model::hashOf(run.trace.kernelText));
  return measured;
}

lab::RunCosts recordedCosts(const lab::Run& run, const RecordedMeasurements& recorded,
                            const lab::RunMeasured& measured, const SessionServices& services,
                            engine::JobControl& job) {
  lab::RunCosts costs;
  if (!recorded.costs) return costs;
  const model::Experiment& experiment = run.trace.experiment;
  costs.own =
      reductionCost(run, newestOf(recorded.costs(experiment), model::hashOf(run.trace.kernelText)), measured);
  // Costs are recorded whatever the data are; the counters are those of the same run.
  const auto countersOf = [&](const model::Experiment& costed) -> std::optional<model::CounterRecord> {
    if (!recorded.counters) return std::nullopt;
    return newestOf(recorded.counters(costed), hashOf(costed));
  };
  if (costs.own && !costs.own->counters)
    if (auto counters = countersOf(costs.own->cost.experiment);
        counters && ofGpu(counters->executor, costs.own->cost))
      costs.own->counters = std::move(counters);
  const auto before = engine::rungBefore(experiment);
  if (!costs.own || !before) return costs;
  auto records = recorded.costs(*before);
  std::erase_if(records,
                [&](const model::CostRecord& each) { return !ofGpu(each.executor, costs.own->cost); });
  auto cost = newestOf(std::move(records), hashOf(*before));
  auto counters = cost ? countersOf(cost->experiment) : std::nullopt;
  costs.before = reductionCost(*before, std::move(cost), std::move(counters), services, job);
  return costs;
}

namespace {

// One table of a recording, read when it is first asked for.
template <class Record>
class Table {
 public:
  using Read = Result<std::vector<Record>> (*)(const std::filesystem::path&);
  Table(std::string path, Read read) : path_(std::move(path)), read_(read) {}

  const Result<std::vector<Record>>& records() {
    if (!records_) records_ = read_(path_);
    return *records_;
  }

 private:
  std::string path_;
  Read read_;
  std::optional<Result<std::vector<Record>>> records_;
};

// The records that tell of an experiment, from the shipped recordings and from the table, if there is one.
template <class Record, class Tells>
auto recordsOf(const std::vector<Record>& (*shipped)(), typename Table<Record>::Read read,
               const std::string& path, const Tells& tells) {
  const auto table = path.empty() ? nullptr : std::make_shared<Table<Record>>(path, read);
  return [=](const model::Experiment& experiment) {
    std::vector<Record> records;
    const auto take = [&](const std::vector<Record>& all) {
      std::ranges::copy_if(all, std::back_inserter(records),
                           [&](const Record& record) { return tells(record, experiment); });
    };
    if (shipped != nullptr) take(shipped());
    if (!table) return records;
    const auto& own = table->records();
    if (!own) return std::vector<Record>();
    take(*own);
    return records;
  };
}

}  // namespace

RecordedMeasurements measurementsOf(const std::string& engineId, const ShippedMeasurements& shipped) {
  const auto name = engine::parseEngineName(engineId);
  const bool isRecording = name && name->kind == engine::EngineNameKind::Recording;
  const std::string path = isRecording ? engineId : std::string();
  const auto tells = [](const auto& record, const model::Experiment& experiment) {
    return model::tellsOf(record, experiment);
  };
  const auto tellsAtAnySize = [](const model::TimelineRecord& record, model::Experiment experiment) {
    experiment.elements = record.experiment.elements;
    return model::tellsOf(record, experiment);
  };
  return {.clocks = recordsOf(shipped.clocks, &archive::readClocks, path, tells),
          .counters = recordsOf(shipped.counters, &archive::readCounters, path, tells),
          .timelines = recordsOf(shipped.timelines, &archive::readTimelines, path, tellsAtAnySize),
          .costs = recordsOf(shipped.costs, &archive::readCosts, path, tells),
          .codes = recordsOf(shipped.codes, &archive::readCodes, path, tells)};
}

}  // namespace stridescope::session
