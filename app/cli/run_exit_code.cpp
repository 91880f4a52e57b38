#include "cli/run_exit_code.h"

#include <algorithm>

namespace stridescope::cli {
namespace {

template <class Launches>
bool hasLimit(const Launches& launches) {
  return std::ranges::any_of(launches, [](const auto& launch) {
    return std::ranges::find(launch.problems, model::ProblemKind::Limit, &model::Problem::kind) !=
           launch.problems.end();
  });
}

}  // namespace

bool metLimit(const model::Trace& trace) { return hasLimit(trace.launches); }
bool metLimit(const analysis::Analysis& analysis) { return hasLimit(analysis.launches); }

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
