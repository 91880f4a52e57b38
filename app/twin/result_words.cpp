#include "twin/result_words.h"

#include <fmt/format.h>

#include <string_view>

namespace stridescope {
namespace {

// Infinity or no number: as printElement writes them.
bool isNotFinite(std::string_view value) {
  return value.ends_with("inf") || value.find("nan") != std::string_view::npos;
}

}  // namespace

std::string verdictOf(const Trace& trace) {
  if (trace.result.empty()) return "no result";
  if (trace.expected.empty()) return "compared with nothing";
  if (!trace.ok) return "DIFFERENT";
  if (trace.result == trace.expected) return "equal";
  return isNotFinite(trace.result) || isNotFinite(trace.expected) ? "the order decides"
                                                                  : "equal within the bound";
}

bool endsTheRun(const RoundAt& at) {
  return &at.launch == &at.trace.launches.back() && at.index + 1 == at.analysis.rounds.size();
}

std::string resultSentence(const Trace& trace) {
  if (trace.result.empty())
    return fmt::format("The run did not end, so there is no result; a plain loop gives {}.", trace.expected);
  if (trace.expected.empty()) return fmt::format("The result is {}. {}", trace.result, trace.checkNote);
  std::string text =
      trace.result == trace.expected
          ? fmt::format("The result is {}, as a plain loop's.", trace.result)
          : fmt::format("The result is {}{} a plain loop gives {}.", trace.result,
                        trace.ok ? "; within the bound of rounding," : ", which is WRONG:", trace.expected);
  if (!trace.checkNote.empty()) text += " " + trace.checkNote;
  return text;
}

}  // namespace stridescope
