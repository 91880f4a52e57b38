#include "cli/verify_counters.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <sstream>

#include "base/plain_text.h"
#include "cli/counted_case.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/measured_source.h"
#include "engine/experiment_check.h"
#include "engine/experiment_summary.h"
#include "narration/counters_sentence.h"

namespace stridescope::cli {
namespace {

constexpr std::array kTypes{model::ElementType::Int, model::ElementType::Int64, model::ElementType::Float,
                            model::ElementType::Double};

std::vector<model::Experiment> experimentsOf(std::span<const kernels::Variant* const> variants) {
  std::vector<model::Experiment> experiments;
  for (const kernels::Variant* variant : variants)
    for (const model::ElementType type : kTypes)
      for (const unsigned threads : variant->threads) {
        if (variant->isWrong()) continue;
        model::Experiment experiment{.variant = std::string(variant->id), .type = type, .threads = threads};
        experiment.data = kernels::defaultData(experiment);
        if (const auto checked = engine::checkedExperiment(std::move(experiment), false))
          experiments.push_back(*checked);
      }
  return experiments;
}

struct Differences {
  std::size_t known = 0, unknown = 0;
};

// Prints a line for each; what is known to differ gets one per variant and counter.
Differences tellDifferences(std::ostream& out, std::span<const CountedCase> cases) {
  Differences differences;
  std::set<std::pair<std::string, model::Counter>> told;
  for (const CountedCase& each : cases)
    for (std::size_t launch = 0; launch < each.launches.size(); ++launch)
      for (const CounterRow& row : each.launches[launch]) {
        if (!row.isCompared() || row.isEqual()) continue;
        const model::CounterFacts& facts = model::factsOf(row.counter);
        const std::string& variant = each.record.experiment.variant;
        const std::string known = narration::knownDifference(variant, row.counter);
        ++(known.empty() ? differences.unknown : differences.known);
        if (!known.empty() && !told.emplace(variant, row.counter).second) continue;
        out << fmt::format("{}, launch {}: {} modelled {}, measured {}{}\n",
                           engine::summaryOf(each.record.experiment), launch + 1, facts.title,
                           narration::counterAmount(*row.modelled, facts.unit),
                           narration::counterAmount(*row.measured, facts.unit),
                           known.empty() ? ": DIFFERENT" : ". Known: " + known);
      }
  return differences;
}

}  // namespace

ExitCode verifyCounters(const Context& context, const std::string& engine,
                        std::span<const kernels::Variant* const> variants, bool json) {
  if (const auto fault = engineNameFault(engine)) return tell(context, *fault);
  const std::vector<model::Experiment> experiments = experimentsOf(variants);
  if (experiments.empty()) return tell(context, usageError("These variants have no counters.").value());
  engine::JobControl job;
  const CancelOnSignal signals(job);
  ProgressLine line(context.terminal);
  std::size_t done = 0;
  auto runs = measuredRuns(context, engine, counterSource(), experiments, job, [&](const model::Experiment&) {
    line.show(fmt::format("{} of {} counted", done++, experiments.size()));
  });
  line.clear();
  if (!runs) return tell(context, runs.error());
  leaveOutUncounted(*runs);
  constexpr std::size_t kFew = 4;
  const std::size_t missing = experiments.size() - std::min(experiments.size(), runs->records.size());
  if (runs->notes.size() > kFew)
    context.streams.error << fmt::format("{} of {} have no counters, such as: {}\n", missing,
                                         experiments.size(), printable(runs->notes.back()));
  else
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
  if (runs->records.empty()) return tell(context, unavailable("No counters could be read.").value());
  const auto cpu = context.services.makeHostEngine();
  std::vector<CountedCase> cases;
  for (const model::CounterRecord& record : runs->records) {
    std::string why;
    cases.push_back(besideTheModel(record, *cpu, job, why));
    if (job.cancel) return tell(context, cancelled().value());
    if (!why.empty()) context.streams.error << printable(why) << "\n";
  }
  if (json) writeCountersJson(context.streams.out, cases);
  std::ostringstream unsaid;
  const Differences differences =
      tellDifferences(json ? static_cast<std::ostream&>(unsaid) : context.streams.out, cases);
  const CounterTotals totals = totalsOf(cases);
  if (!json)
    context.streams.out << fmt::format(
        "{} of {} equal{}{}{}\n", totals.equal, totals.compared,
        differences.known == 0 ? "" : fmt::format(", {} known to differ", differences.known),
        differences.unknown == 0 ? "" : fmt::format(", {} DIFFERENT", differences.unknown),
        missing == 0 ? "" : fmt::format("; {} of {} not compared", missing, experiments.size()));
  if (totals.compared == 0)
    return tell(context,
                unavailable("No counter could be held against the model, so nothing was verified.").value());
  return differences.unknown > 0 ? ExitCode::Wrong : ExitCode::Right;
}

}  // namespace stridescope::cli
