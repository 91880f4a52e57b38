#include "teaching/judgement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/event_groups.h"
#include "analysis/requests.h"
#include "base/numbers.h"
#include "base/read_floating.h"
#include "model/arithmetic.h"
#include "narration/wording.h"
#include "teaching/cells.h"
#include "teaching/why.h"

namespace stridescope::teaching {
namespace {

constexpr double kFloatSlip = 5e-6;  // how far off a floating value may be that a person rounds

std::vector<Mark> compared(const std::vector<bool>& truth, const Guess& guess) {
  std::vector<Mark> marks;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool marked = guess.answered && i < guess.marks.size() && guess.marks[i];
    marks.push_back(marked ? (truth[i] ? Mark::Right : Mark::Wrong) : truth[i] ? Mark::Missed : Mark::None);
  }
  return marks;
}

void judgeMarks(Judgement& judgement, const std::vector<bool>& truth, const Guess& guess) {
  judgement.marks = compared(truth, guess);
  judgement.right = guess.answered && judgement.count(Mark::Wrong) == 0 && judgement.count(Mark::Missed) == 0;
}

std::vector<bool> askedThreads(const narration::RoundAt& at, const Question& question) {
  return question.barrier ? waitingThreads(at, *question.barrier) : activeThreads(at);
}

bool isWay(unsigned way) { return std::ranges::find(kWays, way) != kWays.end(); }

bool isSameValue(model::ElementType type, std::uint64_t guessed, std::uint64_t held) {
  return model::withType(type, [&](auto zero) {
    using T = decltype(zero);
    const T a = model::elementOfBits<T>(guessed), b = model::elementOfBits<T>(held);
    if constexpr (std::is_floating_point_v<T>)
      return a == b || std::abs(double(a) - double(b)) <= kFloatSlip * std::abs(double(b));
    else
      return a == b;
  });
}

}  // namespace

std::vector<bool> activeThreads(const narration::RoundAt& at) {
  std::vector<bool> active;
  for (const analysis::LaneState state : at.round().lanes)
    active.push_back(state == analysis::LaneState::Active);
  return active;
}

std::vector<bool> partialWarps(const narration::RoundAt& at) {
  std::vector<bool> partial;
  for (unsigned warp = 0; warp < at.warps(); ++warp) partial.push_back(lanesOf(at, warp).isPartial());
  return partial;
}

bool countsAnyAccess(const narration::RoundAt& at) {
  return std::ranges::none_of(at.round().operations, [&](const analysis::WarpOperation& operation) {
    return analysis::isExchange(operation.kind) ||
           (analysis::isAccess(operation.kind) && analysis::firstEventOf(operation, at.launch).inShared());
  });
}

unsigned Judgement::count(Mark mark) const { return unsigned(std::ranges::count(marks, mark)); }

WarpLanes lanesOf(const narration::RoundAt& at, unsigned warp) {
  const auto& lanes = at.round().lanes;
  const std::size_t first = std::size_t(warp) * model::kWarpSize;
  WarpLanes found{.active = 0,
                  .lanes = unsigned(std::min<std::size_t>(model::kWarpSize, lanes.size() - first))};
  for (std::size_t lane = 0; lane < found.lanes; ++lane)
    found.active += lanes[first + lane] == analysis::LaneState::Active ? 1 : 0;
  return found;
}

const analysis::Request& requestOf(const narration::RoundAt& at, const Question& question) {
  return *analysis::findRequest(at.round(), question.request);
}

std::string answerTo(const lab::Run& run, const Question& question) {
  const narration::RoundAt at = roundAt(run, question.at);
  switch (question.topic) {
    case Topic::ActiveThreads:
      return inWords(askedThreads(at, question));
    case Topic::PartialWarps:
      return inWords(partialWarps(at), "W");
    case Topic::ConflictWays:
      return std::to_string(requestOf(at, question).way);
    case Topic::CellValues:
      break;
  }
  return grouped(printed(at, question.cell, *heldAfter(at, question.cell)));
}

Judgement judge(const lab::Run& run, const Question& question, const Guess& guess) {
  const narration::RoundAt at = roundAt(run, question.at);
  Judgement judgement{.answered = guess.answered, .answer = answerTo(run, question)};
  switch (question.topic) {
    case Topic::ActiveThreads:
      judgeMarks(judgement, askedThreads(at, question), guess);
      judgement.why = question.barrier ? whyBarrier(at, *question.barrier, guess, judgement.marks)
                                       : whyThreads(at, guess, judgement.marks);
      break;
    case Topic::PartialWarps:
      judgeMarks(judgement, partialWarps(at), guess);
      judgement.why = whyWarps(at, judgement.marks);
      break;
    case Topic::ConflictWays: {
      const unsigned way = requestOf(at, question).way;
      judgement.way = isWay(way) ? way : kOtherWay;
      judgement.right = guess.answered && guess.way == judgement.way;
      judgement.why = whyWays(at, question, guess);
      break;
    }
    case Topic::CellValues: {
      const model::ElementType type = typeOf(at, question.cell);
      const auto typed = typedElement(type, guess.typed);
      judgement.right = guess.answered && typed && isSameValue(type, *typed, *heldAfter(at, question.cell));
      judgement.why = whyValue(at, question, guess);
      break;
    }
  }
  return judgement;
}

bool isPlain(const lab::Run& run, const Question& question) {
  const narration::RoundAt at = roundAt(run, question.at);
  switch (question.topic) {
    case Topic::ActiveThreads:
      if (question.barrier) return false;
      return at.round().activeLanes == 0 || at.round().activeLanes == at.round().lanes.size();
    case Topic::PartialWarps:
      return at.round().partialWarps == 0;
    case Topic::ConflictWays:
      return requestOf(at, question).way == 1;
    case Topic::CellValues:
      break;
  }
  return false;
}

std::vector<std::string> hintsFor(const lab::Run& run, const Question& question) {
  const narration::RoundAt at = roundAt(run, question.at);
  switch (question.topic) {
    case Topic::ActiveThreads:
      return question.barrier ? hintsOnBarrier(at, *question.barrier) : hintsOnThreads(at);
    case Topic::PartialWarps:
      return hintsOnWarps(at);
    case Topic::ConflictWays:
      return hintsOnWays(at, question);
    case Topic::CellValues:
      break;
  }
  return hintsOnValue(at, question);
}

std::string inWords(const std::vector<bool>& marks, std::string_view before) {
  constexpr std::size_t kMaxNamed = 4;
  std::vector<std::size_t> set;
  for (std::size_t i = 0; i < marks.size(); ++i)
    if (marks[i]) set.push_back(i);
  if (set.empty()) return "none";
  const auto one = [&](std::size_t number) { return std::string(before) + figure(number); };
  if (set.size() == 1) return one(set[0]);
  std::size_t step = set[1] - set[0];
  for (std::size_t i = 2; i < set.size(); ++i)
    if (set[i] - set[i - 1] != step) step = 0;
  if (step == 1 && set.size() > 2) return one(set.front()) + " to " + one(set.back());
  if (step != 0 && set.size() > kMaxNamed)
    return fmt::format("{}, {}, {} ... {}", one(set[0]), one(set[1]), one(set[2]), one(set.back()));
  // Ranges: "0 to 3, 8 to 11 and 31".
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < set.size();) {
    std::size_t end = i + 1;
    while (end < set.size() && set[end] == set[end - 1] + 1) ++end;
    ranges.push_back(end - i == 1 ? one(set[i])
                                  : one(set[i]) + (end - i == 2 ? " and " : " to ") + one(set[end - 1]));
    i = end;
  }
  if (ranges.size() <= kMaxNamed) return narration::listed(ranges);
  ranges.resize(kMaxNamed);
  return fmt::format("{} ... ({} in all)", fmt::join(ranges, ", "), figure(set.size()));
}

std::optional<std::uint64_t> typedElement(model::ElementType type, std::string_view typed) {
  std::string plain;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    if (typed.substr(i).starts_with("\u202f")) {
      i += std::string_view("\u202f").size() - 1;
      continue;
    }
    if (typed[i] != ' ') plain += typed[i];
  }
  if (plain.starts_with('+')) plain.erase(0, 1);
  return model::withType(type, [&](auto zero) -> std::optional<std::uint64_t> {
    decltype(zero) value{};
    const char* const end = plain.data() + plain.size();
    const auto [last, error] = readNumber(plain.data(), end, value);
    if (error != std::errc() || last != end || plain.empty()) return std::nullopt;
    return model::bitsOfElement(value);
  });
}

}  // namespace stridescope::teaching
