#include "session/reference_cycles.h"

#include "analysis/analysis.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::session {

std::map<unsigned, analysis::Cycles> referenceCycles(const SessionServices& services,
                                                     const std::string& engineId,
                                                     const model::Experiment& experiment,
                                                     const std::string& device, engine::JobControl& job) {
  if (!services.clocks || experiment.variant == kReferenceVariant) return {};
  const auto reference =
      engine::checkedExperiment({.variant = kReferenceVariant,
                                 .type = experiment.type,
                                 .op = experiment.op,
                                 .threads = experiment.threads,
                                 .data = kernels::defaultData(kReferenceVariant, experiment.op),
                                 .custom = experiment.custom},
                                false);
  if (!reference) return {};
  std::vector<model::ClockRecord> clocks = services.clocks(engineId, *reference);
  std::erase_if(clocks, [&](const model::ClockRecord& each) { return each.executor.device != device; });
  if (clocks.empty()) return {};
  const auto engine = services.makeEngine("host");
  if (!engine) return {};
  const auto trace = (*engine)->record(*reference, job);
  if (!trace) return {};
  const analysis::Analysis analysis = analysis::analyse(*trace);
  return analysis::cyclesByActiveThreads(analysis.launches.front(),
                                         analysis::cyclesOf(*trace, analysis, clocks).front().alone);
}

Result<std::shared_ptr<const Run>> runWithCycles(const SessionServices& services, const std::string& engineId,
                                                 model::Trace trace, engine::JobControl& job) {
  std::vector<model::ClockRecord> clocks;
  if (services.clocks) clocks = analysis::ofTheLastsGpu(services.clocks(engineId, trace.experiment));
  std::map<unsigned, analysis::Cycles> reference;
  if (!clocks.empty())
    reference = referenceCycles(services, engineId, trace.experiment, clocks.back().executor.device, job);
  return makeRun(std::move(trace), MemoryBudget(), clocks, std::move(reference));
}

}  // namespace stridescope::session
