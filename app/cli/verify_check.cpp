#include "cli/verify_check.h"

#include <fmt/format.h>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "analysis/data_flow.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "twin/result_words.h"
#include "twin/trouble.h"

namespace stridescope {
namespace {

constexpr std::string_view kWrongFamily = "what goes wrong";

bool showsWhatGoesWrong(const Trace& trace) {
  const Variant* variant = findVariant(trace.experiment.variant);
  return variant && variant->family == kWrongFamily;
}

std::optional<std::string> firstTrouble(const Trace& trace) {
  const Analysis analysis = analyse(trace);
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    const auto flow = findDataFlow(trace.launches[i], analysis.launches[i]);
    const auto trouble = troubleOf({trace, trace.launches[i], analysis.launches[i], flow, 0});
    if (!trouble.empty()) return trouble.front();
  }
  return std::nullopt;
}

}  // namespace

bool isUpToTheOrder(const Trace& trace) {
  const bool isFinite = trace.result.find_first_of("in") == std::string::npos;  // "inf", "-inf", "nan"
  return !trace.result.empty() && !isFinite && mayOverflow(trace.experiment);
}

std::optional<std::string> faultIn(const Trace& trace, const Trace* other) {
  if (showsWhatGoesWrong(trace)) return replayDifference(trace);
  if (isWrong(trace) && !isUpToTheOrder(trace)) return resultAndExpected(trace);
  if (auto difference = replayDifference(trace)) return difference;
  if (auto trouble = firstTrouble(trace)) return trouble;
  return other ? firstDifference(trace, *other) : std::nullopt;
}

}  // namespace stridescope
