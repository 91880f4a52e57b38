#include "lab/run.h"

#include <algorithm>
#include <utility>

namespace stridescope::lab {

Run runOf(model::Trace trace, MemoryBudget budget) {
  Run run{.trace = std::move(trace)};
  run.analysis = analysis::analyse(run.trace, budget);
  run.flow = analysis::findDataFlow(run.trace, run.analysis);
  for (std::size_t i = 0; i < run.trace.launches.size(); ++i)
    run.stalePasses.push_back(
        analysis::findStalePasses(run.trace, run.trace.launches[i], run.analysis.launches[i], run.flow[i]));
  return run;
}

Result<std::shared_ptr<const Run>> steppedRun(model::Trace trace, MemoryBudget budget) {
  auto run = std::make_shared<const Run>(runOf(std::move(trace), budget));
  if (!std::ranges::all_of(run->analysis.launches, [](const auto& launch) { return launch.rounds.empty(); }))
    return run;
  std::string details = run->trace.checkNote;
  for (const analysis::LaunchAnalysis& launch : run->analysis.launches)
    for (const model::Problem& problem : launch.problems)
      details += (details.empty() ? "" : "\n") + problem.text;
  return unavailable("The run of " + run->trace.experiment.variant +
                         " has no round to step through: nothing was recorded. Choose another run.",
                     std::move(details));
}

}  // namespace stridescope::lab
