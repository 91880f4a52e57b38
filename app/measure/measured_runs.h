// Measures several experiments on a device, one record each: counters, timelines, costs.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"

namespace stridescope::measure {

template <class Record>
struct MeasuredRuns {
  std::vector<Record> records{};
  std::vector<std::string> notes{};  // sentences, each once: what has no record, and why

  void note(std::string sentence) {
    if (std::ranges::find(notes, sentence) == notes.end()) notes.push_back(std::move(sentence));
  }
};

// What a device measures of an experiment.
template <class Record>
using Measure = Result<Record> (TimingDevice::*)(const model::Experiment&, engine::JobControl&);

// Measures those that can be measured, in order. `report`, which may be empty, is called before each. Errors:
// `job` was cancelled, the device is lost, such records cannot be had at all.
template <class Record>
Result<MeasuredRuns<Record>> measureRuns(TimingDevice& device, Measure<Record> measure,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job,
                                         const std::function<void(const model::Experiment&)>& report = {}) {
  MeasuredRuns<Record> runs;
  for (const model::Experiment& experiment : experiments) {
    if (report) report(experiment);
    auto record = (device.*measure)(experiment, job);
    if (job.cancel) return cancelled();
    if (record)
      runs.records.push_back(std::move(*record));
    else if (record.error().kind == ErrorKind::Usage)  // what this experiment alone does not have
      runs.note(std::move(record.error().sentence));
    else
      return tl::unexpected(record.error());
  }
  return runs;
}

// Clocks the blocks of several experiments, each in every kind of grid (model::ClockedGrid).

struct ClockedBlocks {
  std::vector<model::ClockRecord> records{};
  std::vector<std::string> notes{};  // sentences, each once: what could not be clocked, and why
};

// Each experiment's block alone and in a full grid, in this order. `report`, which may be empty, is called
// before each. What a variant does not have is noted. Errors: `job` was cancelled, the device is lost.
Result<ClockedBlocks> clockBlocks(TimingDevice& device, std::span<const model::Experiment> experiments,
                                  engine::JobControl& job,
                                  const std::function<void(const model::Experiment&)>& report = {});

}  // namespace stridescope::measure
