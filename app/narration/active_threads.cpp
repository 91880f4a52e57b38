#include "narration/active_threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "narration/wording.h"

namespace stridescope::narration {
namespace {

// "2nd", "3rd", "16th".
std::string ordinal(unsigned number) {
  const unsigned tens = number / 10 % 10, ones = number % 10;
  const std::string_view ending = tens == 1 || ones == 0 || ones > 3 ? "th"
                                  : ones == 1                        ? "st"
                                  : ones == 2                        ? "nd"
                                                                     : "rd";
  return fmt::format("{}{}", figure(number), ending);
}

// The step from each active thread to the next, if it is one and more than 1.
std::optional<unsigned> stepOf(const std::vector<analysis::LaneState>& lanes) {
  std::optional<unsigned> step;
  unsigned last = 0;
  for (unsigned thread = 0; thread < lanes.size(); ++thread) {
    if (lanes[thread] != analysis::LaneState::Active) continue;
    if (thread == 0) continue;
    if (step && thread - last != *step) return std::nullopt;
    step = thread - last;
    last = thread;
  }
  const bool fromZero = !lanes.empty() && lanes[0] == analysis::LaneState::Active;
  const bool toTheEnd = step && last + *step >= lanes.size();
  return fromZero && toTheEnd && *step > 1 ? step : std::nullopt;
}

// "2 full warps", "1 full warp".
std::string fullWarps(unsigned number) {
  return fmt::format("{} full warp{}", figure(number), number == 1 ? "" : "s");
}

// How the active lanes fill their warps: "2 full warps", "16 of 32 lanes of warp 0".
std::string fillInWords(const ActiveThreads& threads) {
  const std::vector<WarpFill>& working = threads.working;
  const auto full = unsigned(
      std::ranges::count_if(working, [](const WarpFill& fill) { return fill.active == model::kWarpSize; }));
  if (full == working.size()) return "in " + fullWarps(full);
  const auto active = commonNumber(working, [](const WarpFill& fill) { return fill.active; });
  if (active && working.size() == 1)
    return fmt::format("{} of 32 lanes of warp {}", *active, figure(working[0].warp));
  if (active) return fmt::format("{} of 32 lanes of each of {} warps", *active, figure(working.size()));
  if (full + 1 == working.size() && working.back().active < model::kWarpSize)
    return fmt::format("in {} and {} of 32 lanes of warp {}", fullWarps(full), working.back().active,
                       figure(working.back().warp));
  return fmt::format("in {} warps, {} of them full", figure(working.size()),
                     full == 0 ? "none" : figure(full));
}

std::string subject(const ActiveThreads& threads, const Verb& verb) {
  const std::string& does = threads.active == 1 ? verb.singular : verb.plural;
  const std::string block = count(threads.block, "thread");
  if (threads.active == threads.block)
    return threads.block == 1 ? fmt::format("the only thread {}", does)
                              : fmt::format("all {} {}", block, does);
  if (threads.every) return fmt::format("every {} of {} {}", ordinal(*threads.every), block, verb.singular);
  if (threads.first && threads.active > 1)
    return fmt::format("the first {} of {} {}", figure(threads.active), block, does);
  return fmt::format("{} of {} {}", figure(threads.active), block, does);
}

}  // namespace

ActiveThreads activeThreads(const RoundAt& at) {
  const auto& lanes = at.round().lanes;
  ActiveThreads threads;
  threads.block = at.launch.block;
  threads.warps = at.warps();
  for (unsigned warp = 0; warp < threads.warps; ++warp) {
    const auto begin = lanes.begin() + warp * model::kWarpSize;
    const unsigned size = std::min(model::kWarpSize, unsigned(lanes.end() - begin));
    const auto active = unsigned(std::count(begin, begin + size, analysis::LaneState::Active));
    threads.active += active;
    if (active > 0)
      threads.working.push_back({warp, active, size});
    else if (unsigned(std::count(begin, begin + size, analysis::LaneState::Finished)) == size)
      ++threads.finished;
  }
  threads.first = std::count(lanes.begin(), lanes.begin() + threads.active, analysis::LaneState::Active) ==
                  std::ptrdiff_t(threads.active);
  threads.every = stepOf(lanes);
  return threads;
}

Verb combiningVerb(model::Operator op) { return {combines(op, true), combines(op, false)}; }

std::string warpsInWords(const std::vector<WarpFill>& working) {
  return working.size() == 1 ? "warp " + figure(working[0].warp) : count(working.size(), "warp");
}

std::string otherWarps(const ActiveThreads& threads) {
  const unsigned others = threads.warps - unsigned(threads.working.size());
  if (others == 0) return {};
  const std::string who = others == 1 ? "the other warp" : fmt::format("the other {} warps", figure(others));
  const bool one = others == 1;
  if (threads.finished == others) return fmt::format("{} {} finished", who, one ? "has" : "have");
  return fmt::format("{} {} idle{}", who, one ? "is" : "are",
                     threads.finished > 0 ? " or have finished" : "");
}

std::string whoWorks(const RoundAt& at, const Verb& verb) {
  const ActiveThreads threads = activeThreads(at);
  const unsigned needed = threads.needed();
  const auto each = commonNumber(threads.working, [](const WarpFill& fill) { return fill.active; });
  if (threads.every && each && threads.working.size() > needed)
    return fmt::format("{}, so {} warps issue for {} each, though {} would do", subject(threads, verb),
                       figure(threads.working.size()), count(*each, "lane"), count(needed, "warp"));
  const unsigned inactive = threads.block - threads.active;
  if (threads.warps == 1 && inactive > 0)
    return fmt::format("{}; the other {}{} {} inactive", subject(threads, verb),
                       // A block may have fewer threads than a warp has lanes.
                       count(inactive, threads.block == model::kWarpSize ? "lane" : "thread"),
                       threads.block == model::kWarpSize ? " of the warp" : "", inactive == 1 ? "is" : "are");
  std::string text = subject(threads, verb) + ", " + fillInWords(threads);
  if (const std::string others = otherWarps(threads); !others.empty()) text += "; " + others;
  return text;
}

std::string whoIsActive(const RoundAt& at) {
  constexpr std::size_t kListed = 6;  // spans
  const ActiveThreads threads = activeThreads(at);
  if (threads.active == 0) return "no thread";
  if (threads.active == threads.block && threads.block > 1) return "all " + count(threads.block, "thread");
  if (threads.every) return fmt::format("thread 0 and every {} thread", ordinal(*threads.every));
  const auto& lanes = at.round().lanes;
  std::vector<std::string> spans;
  unsigned listed = 0;
  for (unsigned thread = 0; thread < lanes.size() && spans.size() < kListed; ++thread) {
    const unsigned first = thread;
    while (thread < lanes.size() && lanes[thread] == analysis::LaneState::Active) ++thread;
    if (thread == first) continue;
    listed += thread - first;
    const bool apart = thread - first > 2;
    spans.push_back(figure(first) + (apart ? " to " + figure(thread - 1) : ""));
    if (!apart && thread - first == 2) spans.push_back(figure(thread - 1));
  }
  if (listed < threads.active) spans.push_back(figure(threads.active - listed) + " more");
  return (threads.active == 1 ? "thread " : "threads ") + narration::listed(spans);
}

}  // namespace stridescope::narration
