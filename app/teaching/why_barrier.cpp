#include <fmt/format.h>

#include <algorithm>

#include "analysis/lane_mask.h"
#include "base/numbers.h"
#include "narration/wording.h"
#include "teaching/thread_condition.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

std::optional<unsigned> firstWith(const std::vector<Mark>& marks, Mark mark) {
  const auto found = std::ranges::find(marks, mark);
  return found == marks.end() ? std::nullopt : std::optional(unsigned(found - marks.begin()));
}

// Nothing in the round or behind it tells of the thread.
bool hasReturned(const narration::RoundAt& at, unsigned thread) {
  return std::ranges::none_of(at.round().operations, [&](const analysis::WarpOperation& operation) {
    return operation.warp == thread / model::kWarpSize &&
           analysis::contains(operation.mask, thread % model::kWarpSize);
  });
}

// "Line 13 asks tid < s: for thread 128 that is 128 < 128, which is false." Empty: no condition is known.
std::string conditionOf(const narration::RoundAt& at, unsigned thread) {
  if (const auto condition = RoundConditions(at).of(thread)) return sentenceOf(thread, *condition);
  return skippedAt(at, thread);
}

std::string whyItWaits(const narration::RoundAt& at, unsigned thread) {
  const std::string condition = conditionOf(at, thread);
  return (condition.empty() ? std::string() : condition + " ") +
         fmt::format("Thread {} waits there.", figure(thread));
}

std::string whyItDoesNotWait(const narration::RoundAt& at, unsigned thread) {
  if (hasReturned(at, thread))
    return fmt::format("Thread {} does not wait there: it has returned.", figure(thread));
  const std::string condition = conditionOf(at, thread);
  return (condition.empty() ? std::string() : condition + " ") +
         fmt::format("Thread {} goes past the barrier.", figure(thread));
}

// "128 of 256 threads wait there, and CUDA's rule is ..."
std::string rule(const narration::RoundAt& at, const std::vector<bool>& waiting) {
  return fmt::format(
      "{} of {} {} there, but all threads of a block must come to the same __syncthreads(): it belongs "
      "behind the branch.",
      figure(std::uint64_t(std::ranges::count(waiting, true))), narration::count(at.launch.block, "thread"),
      std::ranges::count(waiting, true) == 1 ? "waits" : "wait");
}

}  // namespace

std::vector<bool> waitingThreads(const narration::RoundAt& at, std::uint32_t barrier) {
  std::vector<bool> waiting(at.launch.block, false);
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::BlockBarrier || operation.site != barrier) continue;
    analysis::forEachLane(operation.mask,
                          [&](unsigned lane) { waiting[operation.warp * model::kWarpSize + lane] = true; });
  }
  return waiting;
}

std::optional<std::uint32_t> missedBarrier(const narration::RoundAt& at) {
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.kind != model::EventKind::BlockBarrier) continue;
    const bool reported = std::ranges::any_of(at.analysis.problems, [&](const model::Problem& problem) {
      return problem.kind == model::ProblemKind::DivergentBarrier && problem.site >= 0 &&
             std::uint32_t(problem.site) == operation.site;
    });
    if (reported && std::ranges::count(waitingThreads(at, operation.site), false) > 0) return operation.site;
  }
  return std::nullopt;
}

std::string whyBarrier(const narration::RoundAt& at, std::uint32_t barrier, const Guess& guess,
                       const std::vector<Mark>& marks) {
  const std::vector<bool> waiting = waitingThreads(at, barrier);
  const auto wrong = firstWith(marks, Mark::Wrong), missed = firstWith(marks, Mark::Missed);
  if (guess.answered && (wrong || missed))
    return (wrong ? whyItDoesNotWait(at, *wrong) : whyItWaits(at, *missed)) + " " + rule(at, waiting);
  // The first thread that does not wait tells most: it met the condition in this round, if any did.
  const auto out = std::size_t(std::ranges::find(waiting, false) - waiting.begin());
  return whyItDoesNotWait(at, unsigned(out)) + " " + rule(at, waiting);
}

std::vector<std::string> hintsOnBarrier(const narration::RoundAt& at, std::uint32_t barrier) {
  const RoundConditions conditions(at);
  const std::vector<bool> waiting = waitingThreads(at, barrier);
  const auto last = unsigned(waiting.rend() - std::find(waiting.rbegin(), waiting.rend(), true)) - 1;
  const auto line = conditions.line();
  return {fmt::format("The barrier of line {} stands in a branch{}.", at.trace.sites[barrier].line,
                      line ? fmt::format(", and line {} decides which threads take it", *line) : ""),
          (at.round().stride ? fmt::format("The stride is {}. ", figure(*at.round().stride)) : "") +
              "A thread that goes past the barrier does not come back to it.",
          whyItWaits(at, last)};
}

}  // namespace stridescope::teaching
