#include "cli/verify_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/analysis.h"
#include "analysis/compare.h"
#include "analysis/data_flow.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "narration/result_words.h"
#include "narration/trouble.h"

namespace stridescope {
namespace {

void tell(Verdicts& verdicts, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!verdicts.why.empty()) verdicts.why += ' ';
  verdicts.why += sentence;
  if (sentence.back() != '.') verdicts.why += '.';
}

bool isUpToTheOrder(const Trace& trace) {
  const bool isFinite = trace.result.find_first_of("in") == std::string::npos;  // "inf", "-inf", "nan"
  return !trace.result.empty() && !isFinite && mayOverflow(trace.experiment);
}

ResultVerdict compareResult(const Trace& trace, const Variant* variant, Verdicts& verdicts) {
  if (variant != nullptr && variant->isWrong()) {
    tell(verdicts, "The variant is broken on purpose, so its result is not compared.");
    return ResultVerdict::NotCompared;
  }
  if (!isWrong(trace)) {
    if (trace.ok) return ResultVerdict::Right;
    tell(verdicts, "There is nothing to hold the result against.");
    return ResultVerdict::NotCompared;
  }
  if (isUpToTheOrder(trace)) {
    tell(verdicts, fmt::format("The result {} is not compared, as this order overflows.", trace.result));
    return ResultVerdict::NotCompared;
  }
  tell(verdicts, resultAndExpected(trace));
  return ResultVerdict::Wrong;
}

TracesVerdict compareTraces(const Trace& trace, const Trace* other, const std::string& whyAlone,
                            const Variant* variant, Verdicts& verdicts) {
  if (const auto difference = replayDifference(trace)) {
    tell(verdicts, *difference);
    return TracesVerdict::Different;
  }
  if (other == nullptr) {
    tell(verdicts, whyAlone);
    return TracesVerdict::NotCompared;
  }
  // Where the order of threads is not the kernel's, each engine has its own.
  if (variant != nullptr && variant->isWrong() && variant->report.kind != ReportKind::OrderMatters) {
    tell(verdicts, "Its trace depends on chance and is not compared.");
    return TracesVerdict::NotCompared;
  }
  const auto difference = firstDifference(trace, *other);
  if (difference) tell(verdicts, *difference);
  return difference ? TracesVerdict::Different : TracesVerdict::Equal;
}

bool isSite(const Trace& trace, std::uint32_t site, std::string_view text) {
  return site < trace.sites.size() && trace.sites[site].text == text;
}

// Between these two sites, whichever thread came first.
bool hasRace(const Trace& trace, const LaunchAnalysis& analysis, const ExpectedReport& expected) {
  return std::ranges::any_of(analysis.races, [&](const Race& race) {
    const auto isBetween = [&](std::uint32_t a, std::uint32_t b) {
      return isSite(trace, a, expected.first) && isSite(trace, b, expected.second);
    };
    return isBetween(race.first.site, race.second.site) || isBetween(race.second.site, race.first.site);
  });
}

bool hasProblem(const LaunchAnalysis& analysis, ProblemKind kind) {
  return std::ranges::any_of(analysis.problems, [&](const Problem& problem) { return problem.kind == kind; });
}

bool isFound(const Trace& trace, const LaunchAnalysis& analysis, const ExpectedReport& expected) {
  switch (expected.kind) {
    case ReportKind::Race:
      return hasRace(trace, analysis, expected);
    case ReportKind::UndefinedShuffle:
      return hasProblem(analysis, ProblemKind::UndefinedShuffle);
    case ReportKind::DivergentBarrier:
      return hasProblem(analysis, ProblemKind::DivergentBarrier);
    case ReportKind::OrderMatters:
      return isWrong(trace) && hasEnded(trace);
    case ReportKind::None:
      break;
  }
  return false;
}

std::string_view whatIs(ReportKind kind) {
  switch (kind) {
    case ReportKind::Race:
      return "race";
    case ReportKind::UndefinedShuffle:
      return "undefined shuffle";
    case ReportKind::DivergentBarrier:
      return "divergent barrier";
    case ReportKind::OrderMatters:
      return "result that depends on the order";
    case ReportKind::None:
      break;
  }
  return "report";
}

// Of one or two numbers there is one order.
ExpectedReport expectedOf(const Trace& trace, const Variant* variant) {
  if (variant == nullptr) return {};
  const bool oneOrder = variant->report.kind == ReportKind::OrderMatters && trace.experiment.elements <= 2;
  return oneOrder ? ExpectedReport() : variant->report;
}

ReportVerdict lookForReports(const Trace& trace, const Variant* variant, Verdicts& verdicts) {
  const ExpectedReport expected = expectedOf(trace, variant);
  const Analysis analysis = analyse(trace);
  bool found = false;
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    found |= isFound(trace, analysis.launches[i], expected);
    if (expected.kind != ReportKind::None) continue;
    const auto flow = findDataFlow(trace.launches[i], analysis.launches[i]);
    const auto trouble = troubleOf({trace, trace.launches[i], analysis.launches[i], flow, 0});
    if (trouble.empty()) continue;
    tell(verdicts, trouble.front());
    return ReportVerdict::Unexpected;
  }
  if (expected.kind == ReportKind::None) return ReportVerdict::NoneExpected;
  if (found) return ReportVerdict::Found;
  const std::string between =
      expected.first.empty() ? "" : fmt::format(" between {} and {}", expected.first, expected.second);
  tell(verdicts, fmt::format("The {}{} was not found.", whatIs(expected.kind), between));
  return ReportVerdict::Missing;
}

}  // namespace

std::string_view nameOf(ResultVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames{"right", "wrong", "not compared"};
  return kNames[std::size_t(verdict)];
}

std::string_view nameOf(TracesVerdict verdict) {
  constexpr std::array<std::string_view, 3> kNames{"equal", "different", "not compared"};
  return kNames[std::size_t(verdict)];
}

std::string_view nameOf(ReportVerdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"expected report found", "missing", "none expected",
                                                   "unexpected"};
  return kNames[std::size_t(verdict)];
}

bool Verdicts::isGood() const {
  return result != ResultVerdict::Wrong && traces != TracesVerdict::Different &&
         report != ReportVerdict::Missing && report != ReportVerdict::Unexpected;
}

Verdicts verdictsOf(const Trace& trace, const Trace* other, const std::string& whyAlone) {
  const Variant* const variant = findVariant(trace.experiment.variant);
  Verdicts verdicts;
  verdicts.result = compareResult(trace, variant, verdicts);
  verdicts.report = lookForReports(trace, variant, verdicts);
  verdicts.traces = compareTraces(trace, other, whyAlone, variant, verdicts);
  return verdicts;
}

Verdicts notCompared(std::string why) { return {.why = std::move(why)}; }

}  // namespace stridescope
