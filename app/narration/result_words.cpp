#include "narration/result_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace stridescope::narration {
namespace {

// Infinity or no number: as printElement writes them.
bool isNotFinite(std::string_view value) {
  return value.ends_with("inf") || value.find("nan") != std::string_view::npos;
}

constexpr std::size_t kMaxValues = 64;

// "3", "1 2 3", "nothing"; of a long merge the first values and how many there are.
std::string shortly(const std::string& values) {
  if (values.empty()) return "nothing";
  std::size_t end = 0;
  for (std::size_t i = 0; i < kMaxValues && end != std::string::npos; ++i) end = values.find(' ', end + 1);
  if (end == std::string::npos) return values;
  return fmt::format("{} ... ({} values)", values.substr(0, end), std::ranges::count(values, ' ') + 1);
}

enum class Verdict { NoResult, ComparedWithNothing, Different, Equal, WithinTheBound, TheOrderDecides };

Verdict judged(const model::Trace& trace) {
  if (!hasEnded(trace)) return Verdict::NoResult;
  if (trace.ok && trace.result == trace.expected) return Verdict::Equal;
  if (trace.expected.empty()) return Verdict::ComparedWithNothing;
  if (!trace.ok) return Verdict::Different;
  return isNotFinite(trace.result) || isNotFinite(trace.expected) ? Verdict::TheOrderDecides
                                                                  : Verdict::WithinTheBound;
}

}  // namespace

bool wasStopped(const RoundAt& at) { return !hasEnded(at.trace) && !at.analysis.problems.empty(); }

std::string verdictOf(const model::Trace& trace) {
  switch (judged(trace)) {
    case Verdict::NoResult:
      return "no result";
    case Verdict::ComparedWithNothing:
      return "compared with nothing";
    case Verdict::Different:
      return "DIFFERENT";
    case Verdict::Equal:
      return "equal";
    case Verdict::WithinTheBound:
      return "equal within the bound";
    case Verdict::TheOrderDecides:
      return "the order decides";
  }
  return {};
}

bool endsTheRun(const RoundAt& at) {
  return &at.launch == &at.trace.launches.back() && !at.analysis.goesOn &&
         at.index + 1 == at.analysis.rounds.size() && at.endsTheRound();
}

std::string resultAndExpected(const model::Trace& trace) {
  if (!hasEnded(trace))
    return fmt::format("no result, expected {}: the run did not end", shortly(trace.expected));
  if (judged(trace) == Verdict::ComparedWithNothing)
    return fmt::format("result {}: {}", shortly(trace.result), verdictOf(trace));
  return fmt::format("result {}, expected {}: {}", shortly(trace.result), shortly(trace.expected),
                     verdictOf(trace));
}

std::string resultSentence(const model::Trace& trace) {
  const std::string result = shortly(trace.result), expected = shortly(trace.expected);
  const auto against = [&](std::string_view how) {
    return fmt::format("The result is {}{} a plain loop gives {}.", result, how, expected);
  };
  std::string text;
  switch (judged(trace)) {
    case Verdict::NoResult:
      return fmt::format("The run did not end, so there is no result; a plain loop gives {}.", expected);
    case Verdict::ComparedWithNothing:
      text = fmt::format("The result is {}.", result);
      break;
    case Verdict::Different:
      text = against(", which is WRONG:");
      break;
    case Verdict::Equal:
      text = fmt::format("The result is {}, the same as a plain loop gives.", result);
      break;
    case Verdict::WithinTheBound:
      text = against("; within the bound of rounding,");
      break;
    case Verdict::TheOrderDecides:
      text = against("; the order decides, and");
      break;
  }
  if (!trace.checkNote.empty()) text += " " + trace.checkNote;
  return text;
}

}  // namespace stridescope::narration
