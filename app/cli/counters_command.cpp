// stridescope counters, and verify --counters
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/requests.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
#include "cli/verify_check.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"
#include "lab/run.h"
#include "report/measured.h"

namespace stridescope::cli {
namespace {

// Takes out the records in which no launch has a counter, and notes each: there is nothing to show of them.
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

// Every record beside the model: the CPU executor steps its experiment. Where it cannot, no counter has a
// modelled value, and standard error is told why. Errors: `job` was cancelled.
Result<std::vector<report::CountedCase>> besideTheModel(const Context& context,
                                                        std::vector<model::CounterRecord> records,
                                                        engine::JobControl& job, ProgressLine& line) {
  const auto cpu = context.services.sources.makeHost();
  std::vector<report::CountedCase> cases;
  for (model::CounterRecord& record : records) {
    auto trace = cpu->record(record.experiment, job);
    line.clear();
    if (job.cancel) return cancelled();
    std::optional<lab::Run> run;
    if (!trace)
      context.streams.error << printable(trace.error().sentence) << "\n";
    else if (trace->launches.size() == record.launches.size())
      run = lab::runOf(*std::move(trace));
    report::CountedCase& counted = cases.emplace_back();
    for (std::size_t i = 0; i < record.launches.size(); ++i) {
      std::vector<report::CounterRow>& rows = counted.launches.emplace_back();
      for (const model::Counter counter : model::kCounters) {
        report::CounterRow row{.counter = counter, .measured = record.launches[i].find(counter)};
        if (run)
          row.modelled = analysis::modelled(counter, run->trace.launches[i], run->analysis.launches[i]);
        rows.push_back(row);
      }
    }
    counted.record = std::move(record);
  }
  return cases;
}

class CountersCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "counters";
    options.about = "Reads the GPU's hardware counters, beside what the model says";
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options.flag("--all", all_, "Every variant");
    options_.declare(options);
    kernel_.declare(options);
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "The clean kernel runs, with nothing recorded; it runs again until all counters are read. The model\n"
        "is the CPU executor's and says what a launch of one block does in shared memory.\n"
        "Examples:\n"
        "  stridescope counters interleaved_contiguous\n"
        "  stridescope counters sequential --threads 1024 --type double --json\n"
        "  stridescope counters --all -n 2^20\n"
        "  stridescope counters transpose.cu";
  }

  ExitCode run(const Context& context) override {
    if (model::isKernelFile(variant_)) return countKernelFile(context);
    if (const std::string option = kernel_.firstGiven(); !option.empty())
      return tell(context, {ErrorKind::Usage, option + " goes with a file of your own, FILE.cu."});
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
    const auto cases = besideTheModel(context, std::move(runs->records), work.job, work.line);
    if (!cases) return tell(context, cases.error());
    if (json_)
      report::writeCountersJson(context.streams.out, *cases);
    else
      context.streams.out << report::countersText(*cases);
    return ExitCode::Right;
  }

 private:
  ExitCode countKernelFile(const Context& context) const {
    if (const auto refused = KernelOptions::refuseOthers(options_); !refused)
      return tell(context, refused.error());
    return countOwnKernel(context, kernel_,
                          {.file = variant_,
                           .block = options_.typed("--block"),
                           .gpu = engine::gpuOf(options_.engine),
                           .asJson = json_});
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
  KernelOptions kernel_;
  bool all_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeCountersCommand() { return std::make_unique<CountersCommand>(); }

// stridescope verify --counters

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
        line.show(fmt::format("{} of {} counted", figure(done++), figure(experiments.size())));
      });
  line.clear();
  if (!runs) return tell(context, runs.error());
  leaveOutUncounted(*runs);
  constexpr std::size_t kFew = 4;
  const std::size_t missing = experiments.size() - std::min(experiments.size(), runs->records.size());
  if (runs->notes.size() > kFew)
    context.streams.error << fmt::format("{} of {} have no counters, such as: {}\n", figure(missing),
                                         figure(experiments.size()), printable(runs->notes.back()));
  else
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
  if (runs->records.empty()) return tell(context, unavailable("No counters could be read.").value());
  const auto cases = besideTheModel(context, std::move(runs->records), job, line);
  if (!cases) return tell(context, cases.error());
  const report::CounterTotals totals = report::totalsOf(*cases);
  if (json)
    report::writeCountersJson(context.streams.out, *cases);
  else
    context.streams.out << report::differencesText(*cases, missing, experiments.size());
  if (totals.compared == 0)
    return tell(context,
                unavailable("No counter could be held against the model, so nothing was verified.").value());
  return totals.unknown() > 0 ? ExitCode::Wrong : ExitCode::Right;
}

}  // namespace stridescope::cli
