// Where hardware counters come from, for `counters`, `record --counters` and `verify --counters`.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "engine/engine.h"
#include "measure/counted_runs.h"

namespace stridescope::cli {

// measure::countRuns on the GPU that --engine names, or that it takes by itself. Errors: the device cannot be
// opened, is lost, or its counters cannot be read; `job` was cancelled.
Result<measure::CountedRuns> countRunsOn(const Context& context, const std::string& engine,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job,
                                         const std::function<void(const model::Experiment&)>& report = {});

// What recordings have of the experiments, the newest of each: of the file that --engine names, else of those
// that come with the program. A note for each that none has. Errors: the file cannot be read.
Result<measure::CountedRuns> recordedRuns(const Context& context, const std::string& engine,
                                          std::span<const model::Experiment> experiments);

// On a GPU; without one, of the CPU executor and of a recording's file, what was recorded.
Result<measure::CountedRuns> countedRuns(const Context& context, const std::string& engine,
                                         std::span<const model::Experiment> experiments,
                                         engine::JobControl& job,
                                         const std::function<void(const model::Experiment&)>& report = {});

// What is counted for a recording of these traces: each in every block size, with one block's elements, and
// in its own at model::kFullGridElements.
std::vector<model::Experiment> experimentsToCount(std::span<const model::Trace> traces);

}  // namespace stridescope::cli
