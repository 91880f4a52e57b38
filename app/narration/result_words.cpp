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

// "3", "1 2 3", "nothing"; a long merge has the first values and how many there are.
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

std::string wordsOf(Verdict verdict) {
  switch (verdict) {
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

std::string programsSentence(Verdict verdict, const std::string& result, const std::string& expected) {
  const auto against = [&](std::string_view how) {
    return fmt::format("The result is {}{} a plain loop gives {}.", result, how, expected);
  };
  switch (verdict) {
    case Verdict::NoResult:
      return fmt::format("The run did not end, so there is no result; a plain loop gives {}.", expected);
    case Verdict::ComparedWithNothing:
      return fmt::format("The result is {}.", result);
    case Verdict::Different:
      return against(", which is WRONG:");
    case Verdict::Equal:
      return fmt::format("The result is {}, the same as a plain loop gives.", result);
    case Verdict::WithinTheBound:
      return against("; within the bound of rounding,");
    case Verdict::TheOrderDecides:
      return against("; the order decides, and");
  }
  return {};
}

// Where the verdict is a file's, and nobody has computed it.
std::string recordedSentence(Verdict verdict, const std::string& result, const std::string& expected) {
  const auto says = [&](std::string_view what) {
    return fmt::format("The result is {}. The recording says that a plain loop gives {}.", result, what);
  };
  switch (verdict) {
    case Verdict::NoResult:
      return "The run did not end, so there is no result.";
    case Verdict::ComparedWithNothing:
      return programsSentence(verdict, result, expected);
    case Verdict::Different:
      return fmt::format(
          "The result is {}, which the recording calls WRONG: it says that a plain loop gives {}.", result,
          expected);
    case Verdict::Equal:
      return says("the same");
    case Verdict::WithinTheBound:
      return says(expected + ", and that the difference is within the bound of rounding");
    case Verdict::TheOrderDecides:
      return says(expected + ", and that the order decides");
  }
  return {};
}

}  // namespace

bool wasStopped(const RoundAt& at) { return !hasEnded(at.trace) && !at.analysis.problems.empty(); }

std::string verdictOf(const model::Trace& trace) {
  const Verdict verdict = judged(trace);
  const bool isCompared = verdict != Verdict::NoResult && verdict != Verdict::ComparedWithNothing;
  return (trace.verdictIsRecorded && isCompared ? "the recording says: " : "") + wordsOf(verdict);
}

bool endsTheRun(const RoundAt& at) {
  return &at.launch == &at.trace.launches.back() && !at.analysis.goesOn &&
         at.index + 1 == at.analysis.rounds.size() && at.endsTheRound();
}

std::string resultAndExpected(const model::Trace& trace) {
  const Verdict verdict = judged(trace);
  const std::string result = shortly(trace.result), expected = shortly(trace.expected);
  if (verdict == Verdict::NoResult)
    return trace.verdictIsRecorded ? "no result: the run did not end"
                                   : fmt::format("no result, expected {}: the run did not end", expected);
  if (verdict == Verdict::ComparedWithNothing) return fmt::format("result {}: {}", result, wordsOf(verdict));
  return trace.verdictIsRecorded
             ? fmt::format("result {}; the recording says: expected {}, {}", result, expected,
                           wordsOf(verdict))
             : fmt::format("result {}, expected {}: {}", result, expected, wordsOf(verdict));
}

std::string noteOf(const model::Trace& trace) {
  if (trace.checkNote.empty()) return {};
  return (trace.verdictIsRecorded ? "The recording's note: " : "") + trace.checkNote;
}

std::string resultSentence(const model::Trace& trace) {
  const auto sentenceOf = trace.verdictIsRecorded ? &recordedSentence : &programsSentence;
  const std::string note = noteOf(trace);
  return sentenceOf(judged(trace), shortly(trace.result), shortly(trace.expected)) +
         (note.empty() || !hasEnded(trace) ? "" : " " + note);
}

}  // namespace stridescope::narration
