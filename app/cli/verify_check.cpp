#include "cli/verify_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "analysis/compare.h"
#include "base/numbers.h"
#include "engine/rounding.h"
#include "kernels/catalog.h"
#include "model/trace.h"
#include "narration/outcome.h"

namespace stridescope::cli {
namespace {

void tell(Verdicts& verdicts, const std::string& sentence) {
  if (sentence.empty()) return;
  if (!verdicts.why.empty()) verdicts.why += ' ';
  verdicts.why += sentence;
  if (sentence.back() != '.') verdicts.why += '.';
}

bool isUpToTheOrder(const model::Trace& trace) {
  const bool isFinite = trace.result.find_first_of("in") == std::string::npos;  // "inf", "-inf", "nan"
  return !trace.result.empty() && !isFinite && engine::mayOverflow(trace.experiment);
}

// What a recording says of a result that this program cannot compute. A person's own operator was run again
// where there is another trace: the result must be what a plain loop gave then.
ResultVerdict compareRecorded(const model::Trace& trace, const model::Trace* other, Verdicts& verdicts) {
  if (other != nullptr && trace.experiment.op == model::Operator::Custom && !other->expected.empty()) {
    if (trace.result == other->expected) return ResultVerdict::Right;
    tell(verdicts, fmt::format("The recorded result is {}; a plain loop gives {}.", grouped(trace.result),
                               grouped(other->expected)));
    return ResultVerdict::Wrong;
  }
  tell(verdicts, narration::resultAndExpected(trace));
  return model::isWrong(trace) ? ResultVerdict::Wrong : ResultVerdict::NotCompared;
}

ResultVerdict compareResult(const model::Trace& trace, const model::Trace* other, const model::Kernel* kernel,
                            Verdicts& verdicts) {
  if (kernel != nullptr && kernel->isWrong()) {
    tell(verdicts, "The variant is broken on purpose, so its result is not compared.");
    return ResultVerdict::NotCompared;
  }
  if (trace.verdictIsRecorded && model::hasEnded(trace)) return compareRecorded(trace, other, verdicts);
  if (!model::isWrong(trace)) {
    if (trace.ok) return ResultVerdict::Right;
    tell(verdicts, "There is nothing to hold the result against.");
    return ResultVerdict::NotCompared;
  }
  if (isUpToTheOrder(trace)) {
    tell(verdicts,
         fmt::format("The result {} is not compared, as this order overflows.", grouped(trace.result)));
    return ResultVerdict::NotCompared;
  }
  tell(verdicts, narration::resultAndExpected(trace));
  return ResultVerdict::Wrong;
}

// Where the order of threads, or what lies past the end, is not the kernel's, each engine has its own.
bool dependsOnChance(model::ReportKind kind) {
  return kind != model::ReportKind::None && kind != model::ReportKind::OrderMatters &&
         kind != model::ReportKind::LostElements;
}

// What this program recorded, as an older one would have, whose trace is `older`. nullopt: it would have
// recorded other sites, or events were dropped at a limit, some of them for want of the room that assignments
// took.
std::optional<model::Trace> asInOlder(const model::Trace& older, const model::Trace& trace) {
  if (model::isCut(trace)) return std::nullopt;
  model::Trace same = analysis::withoutAssignments(trace);
  if (same.sites != older.sites) return std::nullopt;
  same.kernel = older.kernel;  // what this program reads in the text about these sites
  return same;
}

bool isOfOlderTextPass(const model::Trace& trace, const model::Trace& other) {
  return trace.executor.kind == model::EngineKind::Recorded && trace.kernelText == other.kernelText &&
         trace.sites != other.sites;
}

TracesVerdict compareEvents(const model::Trace& trace, const model::Trace& other, const model::Kernel* kernel,
                            Verdicts& verdicts) {
  const bool ofClusters = kernel != nullptr && kernel->launch.cluster > 1;
  const auto difference = analysis::firstDifference(trace, other, ofClusters);
  if (difference) tell(verdicts, *difference);
  return difference ? TracesVerdict::Different : TracesVerdict::Equal;
}

TracesVerdict compareWithOlder(const model::Trace& older, const model::Trace& other,
                               const model::Kernel* kernel, Verdicts& verdicts) {
  const auto same = asInOlder(older, other);
  if (!same) {
    tell(verdicts,
         "An older program recorded other events of this kernel text: they cannot be compared with this "
         "program's.");
    return TracesVerdict::NotCompared;
  }
  const TracesVerdict verdict = compareEvents(older, *same, kernel, verdicts);
  tell(verdicts, "An older program recorded no assignments to variables: these are not compared.");
  return verdict;
}

TracesVerdict compareTraces(const model::Trace& trace, const model::Trace* other, const std::string& whyAlone,
                            const model::Kernel* kernel, Verdicts& verdicts) {
  if (const auto difference = analysis::replayDifference(trace)) {
    tell(verdicts, *difference);
    return TracesVerdict::Different;
  }
  if (other == nullptr) {
    tell(verdicts, whyAlone);
    return TracesVerdict::NotCompared;
  }
  if (kernel != nullptr && dependsOnChance(kernel->report.kind)) {
    tell(verdicts, "Its trace depends on chance and is not compared.");
    return TracesVerdict::NotCompared;
  }
  return isOfOlderTextPass(trace, *other) ? compareWithOlder(trace, *other, kernel, verdicts)
                                          : compareEvents(trace, *other, kernel, verdicts);
}

bool isSite(const model::Trace& trace, std::uint32_t site, std::string_view text) {
  return site < trace.sites.size() && trace.sites[site].text == text;
}

// Between these two sites, whichever thread came first.
bool hasRace(const model::Trace& trace, const analysis::LaunchAnalysis& analysis,
             const model::ExpectedReport& expected) {
  return std::ranges::any_of(analysis.races, [&](const analysis::Race& race) {
    const auto isBetween = [&](std::uint32_t a, std::uint32_t b) {
      return isSite(trace, a, expected.first) && isSite(trace, b, expected.second);
    };
    return isBetween(race.first.site, race.second.site) || isBetween(race.second.site, race.first.site);
  });
}

bool hasProblem(const analysis::LaunchAnalysis& analysis, model::ProblemKind kind) {
  return std::ranges::any_of(analysis.problems,
                             [&](const model::Problem& problem) { return problem.kind == kind; });
}

// A thread leaves a result in shared memory, and nothing that leads to the block's result reads it.
bool losesElements(const std::vector<analysis::RoundFlow>& flow) {
  return std::ranges::any_of(flow, [](const analysis::RoundFlow& round) {
    return std::ranges::any_of(round.work, [](const analysis::ThreadWork& work) {
      return work.ofElements && work.result && !work.useful;
    });
  });
}

bool isFound(const lab::Run& run, std::size_t launch, const model::ExpectedReport& expected) {
  const model::Trace& trace = run.trace;
  const analysis::LaunchAnalysis& analysis = run.analysis.launches[launch];
  switch (expected.kind) {
    case model::ReportKind::Race:
      return hasRace(trace, analysis, expected);
    case model::ReportKind::UndefinedShuffle:
      return hasProblem(analysis, model::ProblemKind::UndefinedShuffle);
    case model::ReportKind::DivergentBarrier:
      return hasProblem(analysis, model::ProblemKind::DivergentBarrier);
    case model::ReportKind::OrderMatters:
      return model::isWrong(trace) && model::hasEnded(trace);
    case model::ReportKind::OutOfBounds:
      return hasProblem(analysis, model::ProblemKind::OutOfBounds);
    case model::ReportKind::LostElements:
      return losesElements(run.flow[launch]);
    case model::ReportKind::None:
      break;
  }
  return false;
}

std::string_view whatIs(model::ReportKind kind) {
  switch (kind) {
    case model::ReportKind::Race:
      return "race";
    case model::ReportKind::UndefinedShuffle:
      return "undefined shuffle";
    case model::ReportKind::DivergentBarrier:
      return "divergent barrier";
    case model::ReportKind::OrderMatters:
      return "result that depends on the order";
    case model::ReportKind::OutOfBounds:
      return "access out of bounds";
    case model::ReportKind::LostElements:
      return "result that nobody reads";
    case model::ReportKind::None:
      break;
  }
  return "report";
}

// Nothing is expected where the bug does not show: one or two numbers have only one order, and full blocks
// stay within their input.
model::ExpectedReport expectedOf(const model::Trace& trace, const model::Kernel* kernel) {
  if (kernel == nullptr) return {};
  const bool oneOrder =
      kernel->report.kind == model::ReportKind::OrderMatters && trace.experiment.elements <= 2;
  const bool staysWithin = kernel->report.kind == model::ReportKind::OutOfBounds &&
                           std::ranges::all_of(trace.launches, [](const model::LaunchTrace& launch) {
                             return launch.grid * launch.block <= launch.elements;
                           });
  return oneOrder || staysWithin ? model::ExpectedReport() : kernel->report;
}

// A GPU records the inspected blocks alone: what another block does beyond the input is not seen there.
bool inspectedBlocksAreFull(const model::Trace& trace) {
  return std::ranges::all_of(trace.launches, [](const model::LaunchTrace& launch) {
    return (launch.recorded().block + 1) * launch.block <= launch.elements;
  });
}

ReportVerdict lookForReports(const lab::Run& run, const model::Kernel* kernel, Verdicts& verdicts) {
  const model::Trace& trace = run.trace;
  const model::ExpectedReport expected = expectedOf(trace, kernel);
  bool found = false;
  for (std::size_t i = 0; i < trace.launches.size(); ++i) {
    found |= isFound(run, i, expected);
    if (expected.kind != model::ReportKind::None) continue;
    const auto trouble = narration::troubleOf(run.at(unsigned(i), 0));
    if (trouble.empty()) continue;
    tell(verdicts, trouble.front());
    return ReportVerdict::Unexpected;
  }
  if (expected.kind == model::ReportKind::None) return ReportVerdict::NoneExpected;
  if (found) return ReportVerdict::Found;
  if (expected.kind == model::ReportKind::OutOfBounds && inspectedBlocksAreFull(trace))
    return ReportVerdict::NoneExpected;
  const std::string between =
      expected.first.empty() ? "" : fmt::format(" between {} and {}", expected.first, expected.second);
  tell(verdicts, fmt::format("The {}{} was not found.", whatIs(expected.kind), between));
  return ReportVerdict::Missing;
}

}  // namespace

Verdicts verdictsOf(const lab::Run& run, const model::Trace* other, const std::string& whyAlone) {
  const model::Trace& trace = run.trace;
  const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
  Verdicts verdicts;
  verdicts.result = compareResult(trace, other, kernel, verdicts);
  verdicts.report = lookForReports(run, kernel, verdicts);
  verdicts.traces = compareTraces(trace, other, whyAlone, kernel, verdicts);
  return verdicts;
}

Verdicts notCompared(std::string why) { return {.why = std::move(why)}; }

namespace {

constexpr std::uint64_t kSeed = 1;

// Numbers of elements that are none, one, less than a block, and several blocks with a rest.
constexpr std::array<std::uint64_t, 4> kOddElements{0, 1, 100, 5000};

// A merge reduces once for every element: threads times elements whose trace stays within its budget.
constexpr std::uint64_t kMaxMergeSteps = 1u << 16;
constexpr std::uint64_t kMaxMergedElements = 256;  // each takes some barriers, whose copies are limited

// Whole warps, halved down to one: the blocks that --full crosses with everything. Random data are enough for
// the others.
bool isOfWholeWarps(unsigned threads) { return threads >= model::kWarpSize && std::has_single_bit(threads); }

// Adds the experiments of one variant, each only once.
class VariantMatrix {
 public:
  VariantMatrix(const kernels::Variant& variant, std::vector<model::Experiment>& experiments)
      : variant_(variant), experiments_(experiments), first_(experiments.size()) {}

  void add(model::ElementType type, model::Operator op, unsigned threads, model::DataPattern data) {
    addSized(type, op, threads, data, variant_.firstElements(threads));
  }

  void addSized(model::ElementType type, model::Operator op, unsigned threads, model::DataPattern data,
                std::uint64_t elements) {
    if (!variant_.offers(type, op)) return;
    if (variant_.merges()) elements = std::min({elements, kMaxMergeSteps / threads, kMaxMergedElements});
    const model::Experiment experiment{.variant = std::string(variant_.id),
                                       .type = type,
                                       .op = op,
                                       .threads = threads,
                                       .elements = elements,
                                       .data = data,
                                       .seed = kSeed,
                                       .launch = 0,
                                       .block = 0};
    const auto begin = experiments_.begin() + std::ptrdiff_t(first_);
    if (std::find(begin, experiments_.end(), experiment) == experiments_.end())
      experiments_.push_back(experiment);
  }

  void quick() {
    for (model::ElementType type : variant_.types)
      add(type, variant_.operators.front(), variant_.defaultThreads, model::DataPattern::Random);
    for (unsigned threads : {variant_.threads.front(), variant_.threads.back()})
      add(variant_.types.front(), variant_.operators.front(), threads, model::DataPattern::Ramp);
  }

  void defaults() {
    quick();
    for (model::ElementType type : variant_.types)
      for (model::Operator op : variant_.operators)
        add(type, op, variant_.defaultThreads, model::DataPattern::Random);
    const model::ElementType type = variant_.types.front();
    const model::Operator op = variant_.operators.front();
    for (unsigned threads : variant_.threads) add(type, op, threads, model::DataPattern::Random);
    for (model::DataPattern data : model::kDataPatterns) add(type, op, variant_.defaultThreads, data);
    for (std::uint64_t elements : kOddElements) {
      addSized(type, op, variant_.defaultThreads, model::DataPattern::Ramp, elements);
      if (variant_.threads.front() < model::kWarpSize)
        addSized(type, op, variant_.threads.front(), model::DataPattern::Ramp, elements);
    }
  }

  void full() {
    defaults();
    for (model::ElementType type : variant_.types)
      for (model::Operator op : variant_.operators) {
        for (unsigned threads : variant_.threads)
          if (isOfWholeWarps(threads))
            for (model::DataPattern data : model::kDataPatterns) add(type, op, threads, data);
          else
            add(type, op, threads, model::DataPattern::Random);
        for (std::uint64_t elements : kOddElements)
          addSized(type, op, variant_.defaultThreads, model::DataPattern::Random, elements);
      }
  }

 private:
  const kernels::Variant& variant_;
  std::vector<model::Experiment>& experiments_;
  std::size_t first_;  // where this variant's begin
};

}  // namespace

std::vector<model::Experiment> verifyMatrix(std::span<const kernels::Variant* const> variants,
                                            Thoroughness thoroughness) {
  std::vector<model::Experiment> experiments;
  for (const kernels::Variant* variant : variants) {
    VariantMatrix matrix(*variant, experiments);
    switch (thoroughness) {
      case Thoroughness::Quick:
        matrix.quick();
        break;
      case Thoroughness::Default:
        matrix.defaults();
        break;
      case Thoroughness::Full:
        matrix.full();
        break;
    }
  }
  return experiments;
}

}  // namespace stridescope::cli
