#include "cli/commands.h"

#include <algorithm>

namespace stridescope::cli {
namespace {

bool hasLimit(const std::vector<model::Problem>& problems) {
  return std::ranges::find(problems, model::ProblemKind::Limit, &model::Problem::kind) != problems.end();
}

}  // namespace

bool metLimit(const model::Trace& trace) {
  return std::ranges::any_of(trace.launches,
                             [](const auto& launch) { return hasLimit(launch.recorded().problems); });
}
bool metLimit(const analysis::Analysis& analysis) {
  return std::ranges::any_of(analysis.launches, [](const auto& launch) { return hasLimit(launch.problems); });
}

ExitCode exitCodeOf(const model::Trace& trace, bool limited) {
  const bool endedEarly = !model::hasEnded(trace);
  if (model::isWrong(trace) && !(endedEarly && limited)) return ExitCode::Wrong;
  return limited ? ExitCode::Limit : ExitCode::Right;
}

ExitCode tellLimit(const Context& context, const analysis::Analysis& analysis) {
  for (const analysis::LaunchAnalysis& launch : analysis.launches)
    for (const model::Problem& problem : launch.problems)
      if (problem.kind == model::ProblemKind::Limit) {
        context.streams.error << "A limit was met: " << printable(problem.text) << "\n";
        return ExitCode::Limit;
      }
  return ExitCode::Right;
}

ExitCode worseOf(ExitCode one, ExitCode other) {
  if (one == ExitCode::Right) return other;
  if (other == ExitCode::Right) return one;
  return std::min(one, other);
}

}  // namespace stridescope::cli
