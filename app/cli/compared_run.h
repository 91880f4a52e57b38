// One side of `compare`: a run with all that is known of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/data_flow.h"
#include "analysis/run_differences.h"
#include "cli/engine_choice.h"
#include "cli/step_cycles.h"
#include "measure/compared_times.h"
#include "model/cost_record.h"
#include "model/counters.h"
#include "narration/round_at.h"

namespace stridescope::cli {

struct ComparedRun {
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<std::vector<analysis::RoundFlow>> flow{};  // by launch
  bool live = false;  // measured on the GPU that executed it; false: recorded
  StepCycles cycles{};
  std::optional<model::CounterRecord> counters{};
  std::optional<model::CostRecord> cost{};
  std::optional<measure::ComparedTime> time{};
  std::uint64_t timedElements = 0;

  // Requires that there is such a round.
  narration::RoundAt at(unsigned launch, unsigned round) const;
  // nullopt: the side has no round there.
  analysis::ComparedSide side(unsigned launch, std::optional<unsigned> round) const;
};

// Steps the experiment, and takes what is recorded of it. With `measures`, a GPU that executes it clocks a
// block and counts. `notes` tell what could not be measured.
Result<ComparedRun> comparedRun(const Context& context, const ChosenEngine& engine,
                                const std::string& engineName, const ExperimentRequest& request,
                                bool measures, std::vector<std::string>& notes, engine::JobControl& job);

// Recorded times of both, for as many elements.
void findTimes(const Context& context, ComparedRun& left, ComparedRun& right);

}  // namespace stridescope::cli
