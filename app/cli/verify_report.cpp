#include "cli/verify_report.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/plain_text.h"
#include "cli/counters_report.h"
#include "cli/engine_choice.h"
#include "cli/json_writer.h"
#include "cli/long_work.h"
#include "engine/experiment_check.h"
#include "lab/known/measured_runs.h"
#include "narration/measured_sentences.h"

namespace stridescope::cli {
namespace {

std::string inCapitals(std::string_view text) {
  std::string capitals(text);
  for (char& c : capitals)
    if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
  return capitals;
}

// What is bad catches the eye.
std::string loud(std::string_view name, bool isBad) { return isBad ? inCapitals(name) : std::string(name); }

// How many cases have each verdict, in the words of both: "12 right, 0 wrong, 0 not compared".
template <class Verdict>
std::string countsText(std::span<const std::size_t> counts) {
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i)
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", counts[i], nameOf(Verdict(i)));
  return text;
}

template <class Verdict>
void writeCounts(JsonWriter& json, std::string_view name, std::span<const std::size_t> counts) {
  json.key(name);
  json.beginObject();
  for (std::size_t i = 0; i < counts.size(); ++i) json.member(nameOf(Verdict(i)), counts[i]);
  json.endObject();
}

}  // namespace

VerifyReport::VerifyReport(std::ostream& out, std::string pairing, std::string whyAlone, bool json)
    : out_(out), pairing_(std::move(pairing)), whyAlone_(std::move(whyAlone)) {
  if (!json) return;
  json_.emplace(out);
  json_->beginObject();
  json_->key("cases");
  json_->beginArray();
}

void VerifyReport::add(const model::Experiment& experiment, const Verdicts& verdicts, ExitCode failure) {
  const bool failed = failure != ExitCode::Right;
  if (json_)
    addJson(experiment, verdicts, failed);
  else
    addText(experiment, verdicts, failed);
  ++cases_;
  if (failed) ++failed_;
  if (failure == ExitCode::Limit) ++limited_;
  if (!verdicts.isGood()) ++bad_;
  ++results_[std::size_t(verdicts.result)];
  ++traces_[std::size_t(verdicts.traces)];
  ++reports_[std::size_t(verdicts.report)];
}

void VerifyReport::addText(const model::Experiment& experiment, const Verdicts& verdicts, bool failed) {
  std::string line = engine::summaryOf(experiment) + ": ";
  if (failed) {
    line += "FAILED";
  } else {
    line += "result " + loud(nameOf(verdicts.result), verdicts.result == ResultVerdict::Wrong);
    line += ", traces " + loud(nameOf(verdicts.traces), verdicts.traces == TracesVerdict::Different);
    if (verdicts.report == ReportVerdict::Found) line += ", expected report found";
    if (verdicts.report == ReportVerdict::Missing) line += ", expected report MISSING";
    if (verdicts.report == ReportVerdict::Unexpected) line += ", UNEXPECTED report";
  }
  out_ << line << (verdicts.why.empty() ? "" : ". " + verdicts.why) << "\n";
}

void VerifyReport::addJson(const model::Experiment& experiment, const Verdicts& verdicts, bool failed) {
  constexpr std::array<std::string_view, 6> kFields{"variant", "type", "op", "threads", "elements", "data"};
  json_->breakLine();
  json_->beginObject();
  writeFields(*json_, experiment, kFields);
  json_->member("result", nameOf(verdicts.result));
  json_->member("traces", nameOf(verdicts.traces));
  json_->member("report", nameOf(verdicts.report));
  json_->member("failed", failed);
  const bool alone = !failed && verdicts.traces == TracesVerdict::NotCompared && !whyAlone_.empty();
  json_->member("why", !alone                 ? verdicts.why
                       : verdicts.why.empty() ? whyAlone_
                                              : verdicts.why + ' ' + whyAlone_);
  json_->endObject();
  json_->flush();
}

std::string VerifyReport::totalsText() const {
  std::string text = fmt::format("results: {}\n", countsText<ResultVerdict>(results_));
  text += fmt::format("traces ({}): {}{}\n", pairing_, countsText<TracesVerdict>(traces_),
                      whyAlone_.empty() ? "" : ". " + whyAlone_);
  text += fmt::format("reports: {}\n", countsText<ReportVerdict>(reports_));
  return text + fmt::format("{} cases{}: {}\n", cases_,
                            failed_ > 0 ? fmt::format(", {} failed", failed_) : "",
                            bad_ > 0      ? fmt::format("{} NOT as they should be", bad_)
                            : failed_ > 0 ? "the rest as they should be"
                                          : "all as they should be");
}

void VerifyReport::writeTotals() {
  json_->breakLine();
  json_->endArray();
  json_->key("totals");
  json_->beginObject();
  json_->member("cases", cases_);
  json_->member("compared", pairing_);
  writeCounts<ResultVerdict>(*json_, "result", results_);
  writeCounts<TracesVerdict>(*json_, "traces", traces_);
  writeCounts<ReportVerdict>(*json_, "report", reports_);
  json_->member("failed", failed_);
  json_->endObject();
  json_->endObject();
  json_->endLine();
}

ExitCode VerifyReport::finish() {
  if (json_)
    writeTotals();
  else
    out_ << totalsText();
  if (bad_ > 0) return ExitCode::Wrong;
  if (failed_ > limited_) return ExitCode::Missing;
  return limited_ > 0 ? ExitCode::Limit : ExitCode::Right;
}

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
  auto runs = lab::measuredRuns<model::CounterRecord>(
      context.services.sources, engine, experiments, job, [&](const model::Experiment&) {
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
  const auto cpu = context.services.sources.makeHost();
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
