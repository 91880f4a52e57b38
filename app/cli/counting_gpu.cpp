#include "cli/counting_gpu.h"

#include <algorithm>

#include "archive/recording_file.h"
#include "cli/engine_choice.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "engine/experiment_summary.h"
#include "kernels/catalog.h"

namespace stridescope::cli {

Result<measure::CountedRuns> countRunsOn(const Context& context, const std::string& engine,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job,
                                         const std::function<void(const model::Experiment&)>& report) {
  if (!context.services.timing.makeGpu) return unavailable("This program cannot read a GPU's counters.");
  auto device = context.services.timing.makeGpu(engine::gpuOf(engine), job);
  if (!device) return tl::unexpected(device.error());
  return measure::countRuns(**device, experiments, job, report);
}

Result<measure::CountedRuns> recordedRuns(const Context& context, const std::string& engine,
                                          std::span<const model::Experiment> experiments) {
  std::vector<model::CounterRecord> recorded;
  if (isRecordingName(engine)) {
    auto records = archive::readCounters(engine);
    if (!records) return tl::unexpected(records.error());
    recorded = std::move(*records);
  } else if (context.services.recordedCounters) {
    recorded = context.services.recordedCounters();
  }
  measure::CountedRuns runs;
  for (const model::Experiment& experiment : experiments) {
    const model::CounterRecord* newest = nullptr;
    for (const model::CounterRecord& record : recorded)
      if (model::tellsOf(record, experiment) &&
          record.kernelHash == model::hashOf(kernels::kernelText(experiment.variant)) &&
          (newest == nullptr || newest->executor.recordedOn <= record.executor.recordedOn))
        newest = &record;
    if (newest == nullptr) {
      runs.notes.push_back("No counters are recorded of " + engine::summaryOf(experiment) + ".");
      continue;
    }
    runs.records.push_back(*newest);
    runs.records.back().executor.kind = model::EngineKind::Recorded;
  }
  return runs;
}

Result<measure::CountedRuns> countedRuns(const Context& context, const std::string& engine,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job,
                                         const std::function<void(const model::Experiment&)>& report) {
  using engine::EngineNameKind;
  const auto name = engine::parseEngineName(engine);
  if (name && (name->kind == EngineNameKind::Host || name->kind == EngineNameKind::Recording))
    return recordedRuns(context, engine, experiments);
  auto runs = countRunsOn(context, engine, experiments, job, report);
  if (runs || job.cancel || !name || name->kind != EngineNameKind::Auto) return runs;
  auto recorded = recordedRuns(context, engine, experiments);
  if (!recorded || recorded->records.empty()) return runs;  // why there is no GPU helps more
  recorded->notes.insert(recorded->notes.begin(), runs.error().sentence);
  return recorded;
}

std::vector<model::Experiment> experimentsToCount(std::span<const model::Trace> traces) {
  std::vector<model::Experiment> experiments;
  const auto add = [&](model::Experiment experiment, bool elementsGiven) {
    experiment.launch = 0;
    experiment.block = 0;
    experiment.schedule = {};
    experiment.scheduleSeed = 0;
    if (const auto checked = engine::checkedExperiment(std::move(experiment), elementsGiven))
      if (std::ranges::find(experiments, *checked) == experiments.end()) experiments.push_back(*checked);
  };
  for (const model::Trace& trace : traces) {
    const kernels::Variant* const variant = kernels::findVariant(trace.experiment.variant);
    if (variant == nullptr || variant->isWrong() || trace.experiment.given.get() != nullptr) continue;
    model::Experiment experiment = trace.experiment;
    add(experiment, true);
    for (const unsigned threads : variant->threads) {
      experiment.threads = threads;
      experiment.elements = 0;
      add(experiment, false);
    }
    experiment = trace.experiment;
    experiment.elements = model::kFullGridElements;
    if (!variant->merges()) add(experiment, true);
  }
  return experiments;
}

}  // namespace stridescope::cli
