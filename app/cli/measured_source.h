// Where records of measurements come from: a GPU that measures now, or recordings. One way for counters,
// timelines and costs, for the commands that print them and for `record`.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "archive/recording_file.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "engine/engine.h"
#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "measure/measured_runs.h"
#include "narration/wording.h"

namespace stridescope::cli {

template <class Record>
struct MeasuredSource {
  std::string what, are;  // "counters", "are"
  measure::Measure<Record> measure = nullptr;
  Result<std::vector<Record>> (*read)(const std::filesystem::path&) = nullptr;
  std::function<std::vector<Record>()> lab::sources::ShippedRecords::*shipped = nullptr;
};

inline MeasuredSource<model::CounterRecord> counterSource() {
  return {"counters", "are", &measure::TimingDevice::measure<model::CounterRecord>, &archive::readCounters,
          &lab::sources::ShippedRecords::counters};
}
inline MeasuredSource<model::TimelineRecord> timelineSource() {
  return {"timeline", "is", &measure::TimingDevice::measure<model::TimelineRecord>, &archive::readTimelines,
          &lab::sources::ShippedRecords::timelines};
}
inline MeasuredSource<model::CostRecord> costSource() {
  return {"cost", "is", &measure::TimingDevice::measure<model::CostRecord>, &archive::readCosts,
          &lab::sources::ShippedRecords::costs};
}

using Report = std::function<void(const model::Experiment&)>;

// Measured on the GPU that --engine names, or that it takes by itself. Errors: the device cannot be opened or
// is lost, there is nothing that it could measure so; `job` was cancelled.
template <class Record>
Result<measure::MeasuredRuns<Record>> measuredOnGpu(const Context& context, const std::string& engine,
                                                    const MeasuredSource<Record>& source,
                                                    std::span<const model::Experiment> experiments,
                                                    engine::JobControl& job, const Report& report = {}) {
  if (!context.services.sources.timing.makeGpu) return unavailable("This program cannot measure a GPU.");
  auto device = context.services.sources.timing.makeGpu(engine::gpuOf(engine), job);
  if (!device) return tl::unexpected(device.error());
  return measure::measureRuns(**device, source.measure, experiments, job, report);
}

// The newest record of each experiment, from the file that --engine names, else from the recordings that come
// with the program. There is a note for each experiment without one. Errors: the file cannot be read.
template <class Record>
Result<measure::MeasuredRuns<Record>> measuredBefore(const Context& context, const std::string& engine,
                                                     const MeasuredSource<Record>& source,
                                                     std::span<const model::Experiment> experiments) {
  std::vector<Record> recorded;
  if (isRecordingName(engine)) {
    auto records = source.read(engine);
    if (!records) return tl::unexpected(records.error());
    recorded = std::move(*records);
  } else if (const auto& shipped = context.services.sources.shipped.*source.shipped) {
    recorded = shipped();
  }
  measure::MeasuredRuns<Record> runs;
  for (const model::Experiment& experiment : experiments) {
    const std::string hash = model::hashOf(kernels::kernelText(experiment));
    const Record* newest = nullptr;
    std::set<std::uint64_t> sizes;  // the sizes that are recorded of the same experiment but for n
    for (const Record& record : recorded) {
      if (record.kernelHash != hash) continue;
      model::Experiment ofItsSize = experiment;
      ofItsSize.elements = record.experiment.elements;
      if (tellsOf(record, ofItsSize)) sizes.insert(ofItsSize.elements);
      if (tellsOf(record, experiment) &&
          (newest == nullptr || newest->executor.recordedOn <= record.executor.recordedOn))
        newest = &record;
    }
    if (newest == nullptr) {
      runs.note("No " + source.what + " " + source.are + " recorded of " + engine::summaryOf(experiment) +
                "." + (sizes.empty() ? "" : " " + narration::recordedSizes({sizes.begin(), sizes.end()})));
      continue;
    }
    runs.records.push_back(*newest);
    runs.records.back().executor.kind = model::EngineKind::Recorded;
    runs.records.back().experiment = experiment;  // what a record does not depend on, it does not keep
  }
  return runs;
}

// Measures on a GPU. Without one, and for the CPU executor or a recording's file, takes what was recorded.
template <class Record>
Result<measure::MeasuredRuns<Record>> measuredRuns(const Context& context, const std::string& engine,
                                                   const MeasuredSource<Record>& source,
                                                   std::span<const model::Experiment> experiments,
                                                   engine::JobControl& job, const Report& report = {}) {
  using engine::EngineNameKind;
  const auto name = engine::parseEngineName(engine);
  if (name && (name->kind == EngineNameKind::Host || name->kind == EngineNameKind::Recording))
    return measuredBefore(context, engine, source, experiments);
  auto runs = measuredOnGpu(context, engine, source, experiments, job, report);
  if (runs || job.cancel || !name || name->kind != EngineNameKind::Auto) return runs;
  auto recorded = measuredBefore(context, engine, source, experiments);
  if (!recorded) return runs;
  if (recorded->records.empty()) {
    Error none = runs.error();
    if (!recorded->notes.empty()) none.sentence = recorded->notes.front() + " " + none.sentence;
    return tl::unexpected(none);
  }
  recorded->notes.insert(recorded->notes.begin(), runs.error().sentence);
  return recorded;
}

}  // namespace stridescope::cli
