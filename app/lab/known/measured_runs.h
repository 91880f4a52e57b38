// Records of several experiments: measured on a GPU now, or taken from recordings. One way for every
// quantity, for the commands that print them, for `record` and for the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/sources/sources.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"
#include "model/quantity.h"
#include "narration/wording.h"

namespace stridescope::lab {

// Whether the record tells of the experiment but for its number of elements.
template <class Record>
bool tellsOfSomeSize(const Record& record, model::Experiment experiment) {
  experiment.elements = record.experiment.elements;
  return tellsOf(record, experiment);
}

template <class Record>
struct MeasuredRuns {
  std::vector<Record> records{};
  std::vector<std::string> notes{};  // sentences, each once: what has no record, and why

  void note(std::string sentence) {
    if (std::ranges::find(notes, sentence) == notes.end()) notes.push_back(std::move(sentence));
  }
};

// Is called before each experiment. May be empty.
using Report = std::function<void(const model::Experiment&)>;

// Measures those that can be measured, in order; what an experiment alone does not have is noted. Errors:
// `job` was cancelled, the device is lost, such records cannot be had at all.
template <class Record>
Result<MeasuredRuns<Record>> measureRuns(measure::TimingDevice& device,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job, const Report& report = {}) {
  MeasuredRuns<Record> runs;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    auto record = device.measure<Record>(experiment, job);
    if (job.cancel) return cancelled();
    if (record)
      runs.records.push_back(std::move(*record));
    else if (record.error().kind == ErrorKind::Usage)
      runs.note(std::move(record.error().sentence));
    else
      return tl::unexpected(record.error());
  }
  return runs;
}

// Each experiment's block alone and in a full grid (model::ClockedGrid), in this order. What cannot be
// clocked is noted, unless the device is lost.
template <>
inline Result<MeasuredRuns<model::ClockRecord>> measureRuns(measure::TimingDevice& device,
                                                            std::span<const model::Experiment> experiments,
                                                            engine::JobControl& job, const Report& report) {
  MeasuredRuns<model::ClockRecord> runs;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    for (const model::ClockedGrid company : model::kClockedGrids) {
      auto record = device.clock(experiment, company, job);
      if (job.cancel) return cancelled();
      if (record)
        runs.records.push_back(std::move(*record));
      else if (!device.isUsable())
        return tl::unexpected(record.error());
      else
        runs.note(std::move(record.error().sentence));
    }
  }
  return runs;
}

// On the GPU that the engine's name means, or that it takes by itself. Errors: the device cannot be opened,
// and those of measureRuns().
template <class Record>
Result<MeasuredRuns<Record>> measuredOnGpu(const sources::Sources& sources, const std::string& engine,
                                           std::span<const model::Experiment> experiments,
                                           engine::JobControl& job, const Report& report = {}) {
  if (!sources.timing.makeGpu) return unavailable("This program cannot measure a GPU.");
  auto device = sources.timing.makeGpu(engine::gpuOf(engine), job);
  if (!device) return tl::unexpected(device.error());
  return measureRuns<Record>(**device, experiments, job, report);
}

// The newest record of each experiment, from the file that the name means, else from the recordings that come
// with the program. There is a note for each experiment without one. Errors: the file cannot be read.
template <class Record>
Result<MeasuredRuns<Record>> measuredBefore(const sources::Sources& sources, const std::string& engine,
                                            std::span<const model::Experiment> experiments) {
  const auto name = engine::parseEngineName(engine);
  const bool isFile = name && name->kind == engine::EngineNameKind::Recording;
  const auto records = isFile ? sources::recordsIn(engine).of<Record>() : sources.shipped.of<Record>();
  if (!records.list() && isFile) return tl::unexpected(records.list().error());
  MeasuredRuns<Record> runs;
  for (const model::Experiment& experiment : experiments) {
    const std::string hash = model::hashOf(kernels::kernelText(experiment));
    const Record* newest = nullptr;
    std::set<std::uint64_t> sizes;  // the sizes that are recorded of the same experiment but for n
    for (const Record& record : records.all()) {
      if (record.kernelHash != hash) continue;
      if (tellsOfSomeSize(record, experiment)) sizes.insert(record.experiment.elements);
      if (tellsOf(record, experiment) &&
          (newest == nullptr || newest->executor.recordedOn <= record.executor.recordedOn))
        newest = &record;
    }
    if (newest == nullptr) {
      const std::string what(model::kQuantity<Record>.one);
      runs.note("No " + what + (what.ends_with('s') ? " are" : " is") + " recorded of " +
                engine::summaryOf(experiment) + "." +
                (sizes.empty() ? "" : " " + narration::recordedSizes({sizes.begin(), sizes.end()})));
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
Result<MeasuredRuns<Record>> measuredRuns(const sources::Sources& sources, const std::string& engine,
                                          std::span<const model::Experiment> experiments,
                                          engine::JobControl& job, const Report& report = {}) {
  using engine::EngineNameKind;
  const auto name = engine::parseEngineName(engine);
  if (name && (name->kind == EngineNameKind::Host || name->kind == EngineNameKind::Recording))
    return measuredBefore<Record>(sources, engine, experiments);
  auto runs = measuredOnGpu<Record>(sources, engine, experiments, job, report);
  if (runs || job.cancel || !name || name->kind != EngineNameKind::Auto) return runs;
  auto recorded = measuredBefore<Record>(sources, engine, experiments);
  if (!recorded) return runs;
  if (recorded->records.empty()) {
    Error none = runs.error();
    if (!recorded->notes.empty()) none.sentence = recorded->notes.front() + " " + none.sentence;
    return tl::unexpected(none);
  }
  recorded->notes.insert(recorded->notes.begin(), runs.error().sentence);
  return recorded;
}

}  // namespace stridescope::lab
