#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "narration/active_threads.h"
#include "narration/wording.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

// "8 of its 32 lanes are active"
std::string fill(const WarpLanes& warp) {
  return fmt::format("{} of its {} {} active", warp.active == 0 ? "none" : figure(warp.active),
                     narration::count(warp.lanes, "lane"), warp.active == 1 ? "is" : "are");
}

std::string aboutWarp(const narration::RoundAt& at, unsigned number) {
  const WarpLanes warp = lanesOf(at, number);
  const std::string_view meaning = warp.active == 0            ? "an idle warp is not a partial one"
                                   : warp.active == warp.lanes ? "a full warp is not a partial one"
                                                               : "that makes it partial";
  return fmt::format("Warp {}: {}, and {}.", figure(number), fill(warp), meaning);
}

}  // namespace

std::string whyWarps(const narration::RoundAt& at, const std::vector<Mark>& marks) {
  for (const Mark mark : {Mark::Wrong, Mark::Missed})
    if (const auto found = std::ranges::find(marks, mark); found != marks.end())
      return aboutWarp(at, unsigned(found - marks.begin()));
  // All are right: the partial ones, or why there is none.
  const narration::ActiveThreads threads = narration::activeThreads(at);
  if (const auto right = std::ranges::find(marks, Mark::Right); right != marks.end())
    return aboutWarp(at, unsigned(right - marks.begin()));
  if (threads.working.empty()) return "No lane of any warp is active.";
  return fmt::format(
      "{} {} full{}.", threads.working.size() == 1 ? "1 warp" : figure(threads.working.size()) + " warps",
      threads.working.size() == 1 ? "is" : "are",
      threads.working.size() == threads.warps ? "" : ", and " + narration::otherWarps(threads));
}

std::vector<std::string> hintsOnWarps(const narration::RoundAt& at) {
  const narration::ActiveThreads threads = narration::activeThreads(at);
  const unsigned warp = threads.working.empty() ? 0 : threads.working.back().warp;
  std::vector<std::string> hints = hintsOnThreads(at);
  return {hints[0] +
              " Count the active lanes of each warp: a warp is partial if some are active and some are not.",
          threads.active == 0
              ? std::string("No thread is active.")
              : fmt::format("{} of {} are active, and a warp has {} lanes.", figure(threads.active),
                            narration::count(threads.block, "thread"), model::kWarpSize),
          fmt::format("Warp {}: {}.", figure(warp), fill(lanesOf(at, warp)))};
}

}  // namespace stridescope::teaching
