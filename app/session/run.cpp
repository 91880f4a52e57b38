#include "session/run.h"

#include <algorithm>
#include <string>
#include <utility>

namespace stridescope::session {

Result<std::shared_ptr<const Run>> makeRun(model::Trace trace, MemoryBudget budget) {
  auto run = std::make_shared<Run>();
  run->analysis = analysis::analyse(trace, budget);
  if (std::ranges::all_of(run->analysis.launches, [](const auto& launch) { return launch.rounds.empty(); })) {
    std::string details = trace.checkNote;
    for (const analysis::LaunchAnalysis& launch : run->analysis.launches)
      for (const model::Problem& problem : launch.problems)
        details += (details.empty() ? "" : "\n") + problem.text;
    return unavailable("The run of " + trace.experiment.variant +
                           " has no round to step through: nothing was recorded. Choose another run.",
                       std::move(details));
  }
  run->flow = analysis::findDataFlow(trace, run->analysis);
  for (std::size_t i = 0; i < trace.launches.size(); ++i)
    run->stalePasses.push_back(
        analysis::findStalePasses(trace, trace.launches[i], run->analysis.launches[i], run->flow[i]));
  run->trace = std::move(trace);
  return run;
}

}  // namespace stridescope::session
