#include "cli/counters_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/requests.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/json_writer.h"
#include "cli/long_work.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"
#include "lab/run.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "report/table.h"

namespace stridescope::cli {
namespace {

constexpr const char* kNone = "-";

const std::vector<report::Column>& counterColumns() {
  static const std::vector<report::Column> all{
      {.isText = true, .width = 36, .gap = 2},
      {.heading = "modelled", .width = 14},
      {.heading = "measured", .width = 14},
      {.heading = "difference", .isText = true, .gap = 2},
  };
  return all;
}

std::string amountText(const std::optional<double>& value, model::CounterUnit unit) {
  return value ? narration::counterAmount(*value, unit) : kNone;
}

std::string_view unitName(model::CounterUnit unit) {
  switch (unit) {
    case model::CounterUnit::Bytes:
      return "bytes";
    case model::CounterUnit::Percent:
      return "percent";
    case model::CounterUnit::Warps:
      return "warps per issue";
    case model::CounterUnit::Count:
      break;
  }
  return "count";
}

// The value before a ratio above 100 % was capped.
std::optional<double> countedAs(const model::LaunchCounters& launch, const CounterRow& row) {
  const auto found = std::ranges::find(launch.values, row.counter, &model::CounterValue::counter);
  return found == launch.values.end() ? row.measured : std::optional(found->value);
}

std::string who(const model::Executor& executor) {
  if (executor.kind != model::EngineKind::Recorded) return executor.device;
  return fmt::format("recorded on {}, {}", executor.device,
                     executor.recordedOn.substr(0, executor.recordedOn.find('T')));
}

}  // namespace

CounterTotals totalsOf(std::span<const CountedCase> cases) {
  CounterTotals totals;
  for (const CountedCase& each : cases)
    for (const auto& rows : each.launches)
      for (const CounterRow& row : rows) {
        totals.compared += row.isCompared();
        totals.equal += row.isEqual();
      }
  return totals;
}

std::string countersText(const CountedCase& counted) {
  const model::CounterRecord& record = counted.record;
  std::string text = fmt::format("{}\n{}\n{}\n", engine::summaryOf(record.experiment), who(record.executor),
                                 narration::kWarm);
  for (std::size_t i = 0; i < counted.launches.size(); ++i) {
    const model::LaunchCounters& launch = record.launches[i];
    text += fmt::format("\nlaunch {} of {}: {} of {}\n", i + 1, counted.launches.size(),
                        narration::count(launch.grid, "block"), narration::count(launch.block, "thread"));
    text += report::headLine(counterColumns()) + "\n";
    for (const CounterRow& row : counted.launches[i]) {
      const model::CounterFacts& facts = model::factsOf(row.counter);
      std::string line = report::textLine(
          counterColumns(), {std::string(facts.title), amountText(row.modelled, facts.unit),
                             amountText(row.measured, facts.unit),
                             narration::counterDifference(row.modelled, row.measured, facts.unit)});
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    if (const std::string capped = narration::cappedRatios(launch); !capped.empty())
      text += narration::wrapped(capped, narration::kTextColumns) + "\n";
  }
  return text;
}

void writeCountersJson(std::ostream& out, std::span<const CountedCase> cases) {
  JsonWriter json(out);
  json.beginObject();
  json.member("format", 1);
  json.key("cases");
  json.beginArray();
  for (const CountedCase& each : cases) {
    json.breakLine();
    json.beginObject();
    writeRun(json, each.record.experiment, each.record.executor);
    json.key("launches");
    json.beginArray();
    for (std::size_t i = 0; i < each.launches.size(); ++i) {
      json.beginObject();
      json.member("grid", each.record.launches[i].grid);
      json.member("threads", each.record.launches[i].block);
      json.key("counters");
      json.beginObject();
      for (const CounterRow& row : each.launches[i]) {
        const model::CounterFacts& facts = model::factsOf(row.counter);
        json.key(facts.id);
        json.beginObject();
        json.member("metric", facts.metric);
        json.member("unit", unitName(facts.unit));
        json.member("modelled", row.modelled);
        json.member("measured", row.measured);
        if (const auto counted = countedAs(each.record.launches[i], row); counted != row.measured)
          json.member("counted", counted);
        json.endObject();
      }
      json.endObject();
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.breakLine();
  json.endArray();
  const CounterTotals totals = totalsOf(cases);
  json.key("totals");
  json.beginObject();
  json.member("compared", totals.compared);
  json.member("equal", totals.equal);
  json.endObject();
  json.endObject();
  json.endLine();
}

void leaveOutUncounted(lab::MeasuredRuns<model::CounterRecord>& runs) {
  std::erase_if(runs.records, [&](const model::CounterRecord& record) {
    const bool counted = std::ranges::any_of(
        record.launches, [](const model::LaunchCounters& launch) { return !launch.values.empty(); });
    if (!counted)
      runs.note("Nothing was counted of " + engine::summaryOf(record.experiment) +
                (record.launches.empty() ? ": it launches no kernel."
                                         : ": this GPU has none of the counters, or the driver gave none."));
    return !counted;
  });
}

CountedCase besideTheModel(model::CounterRecord record, engine::Engine& cpu, engine::JobControl& job,
                           std::string& why) {
  auto trace = cpu.record(record.experiment, job);
  std::optional<lab::Run> run;
  if (!trace)
    why = trace.error().sentence;
  else if (trace->launches.size() == record.launches.size())
    run = lab::runOf(*std::move(trace));
  CountedCase counted{.record = std::move(record), .launches = {}};
  for (std::size_t i = 0; i < counted.record.launches.size(); ++i) {
    std::vector<CounterRow> rows;
    for (const model::Counter counter : model::kCounters) {
      CounterRow row{.counter = counter, .measured = counted.record.launches[i].find(counter)};
      if (run) row.modelled = analysis::modelled(counter, run->trace.launches[i], run->analysis.launches[i]);
      rows.push_back(row);
    }
    counted.launches.push_back(std::move(rows));
  }
  return counted;
}

// stridescope counters

namespace {

class CountersCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "counters";
    options.about = "Reads the GPU's hardware counters, beside what the model says";
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options.flag("--all", all_, "Every variant");
    options_.declare(options);
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "The clean kernel runs, with nothing recorded; it runs again until all counters are read. The model\n"
        "is the CPU executor's and says what a launch of one block does in shared memory.\n"
        "Examples:\n"
        "  stridescope counters interleaved_contiguous\n"
        "  stridescope counters sequential --threads 1024 --type double --json\n"
        "  stridescope counters --all -n 2^20";
  }

  ExitCode run(const Context& context) override {
    const auto experiments = readExperiments(context);
    if (!experiments) return tell(context, experiments.error());
    LongWork work(context.terminal);
    auto runs = lab::measuredRuns<model::CounterRecord>(context.services.sources, options_.engine,
                                                        *experiments, work.job);
    work.line.clear();
    if (!runs) return tell(context, runs.error());
    leaveOutUncounted(*runs);
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
    if (runs->records.empty()) return tell(context, unavailable("No counters could be read.").value());
    const auto cpu = context.services.sources.makeHost();
    std::vector<CountedCase> cases;
    for (model::CounterRecord& record : runs->records) {
      std::string why;
      cases.push_back(besideTheModel(std::move(record), *cpu, work.job, why));
      work.line.clear();
      if (work.job.cancel) return tell(context, cancelled().value());
      if (!why.empty()) context.streams.error << printable(why) << "\n";
    }
    print(context, cases);
    return ExitCode::Right;
  }

 private:
  void print(const Context& context, const std::vector<CountedCase>& cases) const {
    if (json_) return writeCountersJson(context.streams.out, cases);
    for (const CountedCase& each : cases) context.streams.out << countersText(each) << "\n";
    const CounterTotals totals = totalsOf(cases);
    context.streams.out << fmt::format("{} of {} modelled counters equal\n", totals.equal, totals.compared);
  }

  // With --all, variants that do not offer what the options ask for are left out, and a note says so.
  Result<std::vector<model::Experiment>> readExperiments(const Context& context) const {
    if (variant_.empty() == !all_)
      return usageError("counters takes one variant, or --all; `stridescope list` has them.");
    if (const auto fault = engineNameFault(options_.engine)) return tl::unexpected(*fault);
    std::vector<std::string> ids;
    if (!all_) ids.push_back(variant_);
    if (all_)
      for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);
    std::vector<model::Experiment> experiments;
    for (const std::string& id : ids) {
      const auto request = readExperimentRequest(id, options_);
      if (!request) return tl::unexpected(request.error());
      allowTypedCode(*request, *context.services.trust);
      auto experiment = completed(*request);
      if (!experiment && !all_) return tl::unexpected(experiment.error());
      if (experiment)
        experiments.push_back(std::move(*experiment));
      else
        context.streams.error << "Left out: " << printable(experiment.error().sentence) << "\n";
    }
    return experiments;
  }

  std::string variant_;
  ExperimentOptions options_;
  bool all_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeCountersCommand() { return std::make_unique<CountersCommand>(); }

}  // namespace stridescope::cli
