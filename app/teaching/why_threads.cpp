#include <fmt/format.h>

#include <algorithm>

#include "analysis/lane_mask.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "narration/register_words.h"
#include "narration/round_kind.h"
#include "narration/thread_line.h"
#include "narration/wording.h"
#include "teaching/thread_condition.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

bool isActive(const analysis::Round& round, std::size_t thread) {
  return round.lanes[thread] == analysis::LaneState::Active;
}

std::optional<unsigned> firstWith(const std::vector<Mark>& marks, Mark mark) {
  const auto found = std::ranges::find(marks, mark);
  return found == marks.end() ? std::nullopt : std::optional(unsigned(found - marks.begin()));
}

}  // namespace

// Though the condition does not tell of all threads.
std::string skippedAt(const narration::RoundAt& at, unsigned thread) {
  const model::Site* site = nullptr;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    const unsigned lane = thread % model::kWarpSize;
    if (operation.kind != model::EventKind::Branch || operation.warp != thread / model::kWarpSize) continue;
    if (!analysis::contains(operation.mask, lane) || analysis::contains(operation.taken, lane)) continue;
    site = &at.trace.sites[operation.site];
  }
  return site == nullptr ? std::string()
                         : fmt::format("Line {} asks {}, which is false for thread {}.", site->line,
                                       inOneLine(site->text), figure(thread));
}

namespace {

std::string whyNot(const narration::RoundAt& at, const RoundConditions& conditions, unsigned thread) {
  if (const auto condition = conditions.of(thread)) return sentenceOf(thread, *condition);
  if (std::string skipped = skippedAt(at, thread); !skipped.empty()) return skipped;
  if (at.round().lanes[thread] == analysis::LaneState::Finished)
    return fmt::format("Thread {} has returned and does nothing in this round.", figure(thread));
  return fmt::format("Thread {} accesses no {}in this round.", figure(thread),
                     countsAnyAccess(at) ? "memory " : "shared memory and passes nothing on ");
}

std::string whyYes(const narration::RoundAt& at, const RoundConditions& conditions, unsigned thread) {
  if (const auto condition = conditions.of(thread)) return sentenceOf(thread, *condition);
  const bool passes = !at.round().exchanges.empty();
  const std::string does =
      passes ? narration::exchangeFormula(at, thread) : narration::threadLineOf(at, thread).formula;
  return fmt::format("Thread {} is active{}.", figure(thread),
                     does.empty() || does == "active" ? "" : ": " + does);
}

// An earlier round of the launch whose active threads are the ones marked.
std::string ofAnotherRound(const narration::RoundAt& at, const Guess& guess) {
  if (at.index == 0) return {};
  const analysis::Round& before = at.analysis.rounds[at.index - 1];
  if (before.activeLanes == 0) return {};
  for (std::size_t thread = 0; thread < before.lanes.size(); ++thread)
    if (isActive(before, thread) != (thread < guess.marks.size() && guess.marks[thread])) return {};
  const narration::RoundAt there{at.trace, at.launch, at.analysis, at.flow, at.index - 1};
  return fmt::format("Those were active in {}. ", narration::nameInSentence(there));
}

// As many were marked as are active, but others.
std::string asManyOthers(const narration::RoundAt& at, const std::vector<Mark>& marks) {
  const auto count = [&](Mark mark) { return std::ranges::count(marks, mark); };
  if (count(Mark::Wrong) != count(Mark::Missed) || count(Mark::Wrong) == 0 || at.round().activeLanes < 2)
    return {};
  return fmt::format("The number is right, {} are active, but it is others. ",
                     narration::count(at.round().activeLanes, "thread"));
}

// With every thread told: what keeps the first one out that is not active.
std::string whyAll(const narration::RoundAt& at, const RoundConditions& conditions) {
  const auto& lanes = at.round().lanes;
  const auto out = std::ranges::find_if(
      lanes, [](analysis::LaneState state) { return state != analysis::LaneState::Active; });
  if (out == lanes.end())
    return fmt::format("No condition keeps a thread out: all {} are active.",
                       narration::count(lanes.size(), "thread"));
  if (at.round().activeLanes == 0) return "No thread accesses memory or passes a value on in this round.";
  return whyNot(at, conditions, unsigned(out - lanes.begin()));
}

}  // namespace

std::string whyThreads(const narration::RoundAt& at, const Guess& guess, const std::vector<Mark>& marks) {
  const RoundConditions conditions(at);
  const auto wrong = firstWith(marks, Mark::Wrong), missed = firstWith(marks, Mark::Missed);
  if (!guess.answered || (!wrong && !missed)) return whyAll(at, conditions);
  std::string opening = ofAnotherRound(at, guess);
  if (opening.empty()) opening = asManyOthers(at, marks);
  return opening + (wrong ? whyNot(at, conditions, *wrong) : whyYes(at, conditions, *missed));
}

std::vector<std::string> hintsOnThreads(const narration::RoundAt& at) {
  const RoundConditions conditions(at);
  const auto line = conditions.line();
  std::string first, second;
  if (line) {
    first = fmt::format("Line {} decides which threads are active.", *line);
    second = (at.round().stride ? fmt::format("The stride is {}: ", figure(*at.round().stride)) : "") +
             conditions.rule() + ".";
    second[0] = char(std::toupper(static_cast<unsigned char>(second[0])));
  } else {
    std::optional<int> access;
    for (const analysis::WarpOperation& operation : at.round().operations)
      if (!access && operation.kind != model::EventKind::Branch) access = at.trace.sites[operation.site].line;
    first = access ? fmt::format("Line {} is what the active threads execute.", *access)
                   : std::string("No line of this round accesses memory.");
    second =
        "No one condition decides it: a thread is active if it accesses shared memory or passes a value "
        "on, and in a round without either if it accesses memory at all.";
  }
  // One thread: the last active one, or, if all are, the first.
  const auto& lanes = at.round().lanes;
  std::optional<unsigned> last;
  for (unsigned thread = 0; thread < lanes.size(); ++thread)
    if (isActive(at.round(), thread)) last = thread;
  if (!last) return {first, second, "Thread 0 is not active."};
  const auto condition = conditions.of(*last);
  const std::string third = condition ? sentenceOf(*last, *condition) + " It is active."
                                      : fmt::format("Thread {} is active.", figure(*last));
  return {first, second, third};
}

}  // namespace stridescope::teaching
