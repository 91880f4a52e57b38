#include "session/run_costs.h"

#include "analysis/analysis.h"
#include "engine/rung_before.h"
#include "kernels/catalog.h"
#include "session/run_record.h"

namespace stridescope::session {
namespace {

std::string hashOf(const model::Experiment& experiment) {
  return model::hashOf(kernels::kernelText(experiment));
}

bool ofGpu(const model::Executor& executor, const model::CostRecord& cost) {
  return executor.device == cost.executor.device;
}

}  // namespace

std::optional<analysis::ReductionCost> reductionCost(const Run& run, std::optional<model::CostRecord> cost,
                                                     const RunMeasured& measured) {
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
    if (const auto trace = (*engine)->record(experiment, job); trace && !trace->launches.empty())
      reduction.loads =
          analysis::loadsPerThread(trace->launches.front(), analysis::analyse(*trace).launches.front());
  return reduction;
}

RunMeasured recordedMeasurements(const Run& run, const std::string& engineId, const SessionServices& services,
                                 engine::JobControl& job) {
  const RecordedMeasurements recorded = recordedOf(services, engineId);
  RunMeasured measured{.cycles = recordedCycles(run, recorded, services, job),
                       .counters = recordedCounters(run, recorded),
                       .timeline = recordedTimeline(run, recorded)};
  measured.costs = recordedCosts(run, recorded, measured, services, job);
  if (recorded.codes)
    measured.code.record =
        newestOf(recorded.codes(run.trace.experiment), model::hashOf(run.trace.kernelText));
  return measured;
}

RunCosts recordedCosts(const Run& run, const RecordedMeasurements& recorded, const RunMeasured& measured,
                       const SessionServices& services, engine::JobControl& job) {
  RunCosts costs;
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

}  // namespace stridescope::session
