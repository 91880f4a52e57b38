#include "analysis/problems.h"

#include <algorithm>
#include <string>

#include "analysis/lane_mask.h"

namespace stridescope::analysis {
namespace {

void add(std::vector<model::Problem>& problems, model::Problem problem) {
  const bool known = std::ranges::any_of(problems, [&](const model::Problem& other) {
    return other.kind == problem.kind && (other.site == problem.site || other.site < 0);
  });
  if (!known) problems.push_back(std::move(problem));
}

std::string lineOf(const model::Trace& trace, std::uint32_t site) {
  return "line " + std::to_string(trace.sites[site].line);
}

std::uint32_t threadOf(const WarpOperation& operation, unsigned lane) {
  return operation.warp * model::kWarpSize + lane;
}

std::uint32_t firstThreadOf(const WarpOperation& operation) {
  return threadOf(operation, lowestLane(operation.mask));
}

void findDivergentBarrier(const model::Trace& trace, const Round& round,
                          std::vector<model::Problem>& problems) {
  const WarpOperation* first = nullptr;
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != model::EventKind::BlockBarrier) continue;
    if (first == nullptr) first = &operation;
    if (operation.site == first->site) continue;
    const std::uint32_t thread = firstThreadOf(operation);
    add(problems,
        {.kind = model::ProblemKind::DivergentBarrier,
         .text = "Thread " + std::to_string(thread) + " waits at the barrier in " +
                 lineOf(trace, operation.site) + " while thread " + std::to_string(firstThreadOf(*first)) +
                 " waits at the one in " + lineOf(trace, first->site) +
                 ": all threads of a block must come to the same barrier.",
         .site = int(operation.site),
         .thread = thread});
  }
}

void findUndefinedShuffle(const model::Trace& trace, const model::LaunchTrace& launch,
                          const WarpOperation& operation, std::vector<model::Problem>& problems) {
  for (std::uint32_t rest = operation.mask; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    const unsigned source = launch.recorded().events[operation.event[lane]].sourceLane();
    if (source >= model::kWarpSize || contains(operation.mask, source)) continue;
    add(problems,
        {.kind = model::ProblemKind::UndefinedShuffle,
         .text = "The shuffle in " + lineOf(trace, operation.site) + " reads lane " + std::to_string(source) +
                 ", which takes no part in it: what lane " + std::to_string(lane) + " of warp " +
                 std::to_string(operation.warp) + " receives is undefined.",
         .site = int(operation.site),
         .thread = threadOf(operation, lane)});
    return;
  }
}

}  // namespace

std::vector<model::Problem> findProblems(const model::Trace& trace, const model::LaunchTrace& launch,
                                         const std::vector<Round>& rounds) {
  std::vector<model::Problem> problems = launch.recorded().problems;
  for (const Round& round : rounds) {
    if (round.endsWith == RoundEnd::BlockBarrier) findDivergentBarrier(trace, round, problems);
    for (const WarpOperation& operation : round.operations)
      if (operation.kind == model::EventKind::Shuffle)
        findUndefinedShuffle(trace, launch, operation, problems);
  }
  return problems;
}

}  // namespace stridescope::analysis
