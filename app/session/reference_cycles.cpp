#include "session/reference_cycles.h"

#include "analysis/analysis.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::session {

std::map<std::uint64_t, analysis::Cycles> referenceCycles(const SessionServices& services,
                                                          const std::string& engineId,
                                                          const model::Experiment& experiment,
                                                          engine::JobControl& job) {
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
  const std::vector<model::ClockRecord> clocks = services.clocks(engineId, *reference);
  if (clocks.empty()) return {};
  const auto engine = services.makeEngine("host");
  if (!engine) return {};
  const auto trace = (*engine)->record(*reference, job);
  if (!trace) return {};
  const analysis::Analysis analysis = analysis::analyse(*trace);
  return analysis::cyclesByStride(analysis.launches.front(),
                                  analysis::cyclesOf(*trace, analysis, clocks).front().alone);
}

}  // namespace stridescope::session
