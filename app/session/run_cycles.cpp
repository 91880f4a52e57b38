#include "session/run_cycles.h"

#include "analysis/analysis.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"

namespace stridescope::session {
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
  const auto trace = (*engine)->record(*reference, job);
  if (!trace) return {};
  const analysis::Analysis analysis = analysis::analyse(*trace);
  return analysis::cyclesByActiveThreads(analysis.launches.front(),
                                         analysis::cyclesOf(*trace, analysis, clocks).front().alone);
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
                                         const ClocksOf& live, const ClocksOf& recorded) {
  std::vector<VariantCycles> variants;
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

RunCycles cyclesOf(const Run& run, const ClocksOf& clocksOf, const SessionServices& services,
                   engine::JobControl& job) {
  RunCycles cycles;
  for (const model::ClockRecord& clock : clocksOf(run.trace.experiment))
    if (analysis::tellsOf(clock, run.trace)) cycles.clocks.push_back(clock);
  cycles.clocks = analysis::ofTheLastsGpu(std::move(cycles.clocks));
  cycles.launches = analysis::cyclesOf(run.trace, run.analysis, cycles.clocks);
  if (!cycles.clocks.empty())
    cycles.reference =
        referenceCycles(run.trace.experiment, cycles.clocks.back().executor.device, clocksOf, services, job);
  return cycles;
}

RunCycles recordedCycles(const Run& run, const RecordedMeasurements& recorded,
                         const SessionServices& services, engine::JobControl& job) {
  if (!recorded.clocks) return {};
  RunCycles cycles = cyclesOf(run, recorded.clocks, services, job);
  if (!cycles.clocks.empty())
    cycles.variants =
        variantCycles(run.trace.experiment, cycles.clocks.back().executor.device, {}, recorded.clocks);
  return cycles;
}

}  // namespace stridescope::session
