// stridescope counters
#include <fmt/format.h>

#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/counted_case.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/measured_source.h"
#include "kernels/catalog.h"

namespace stridescope::cli {
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
    auto runs = measuredRuns(context, options_.engine, counterSource(), *experiments, work.job);
    work.line.clear();
    if (!runs) return tell(context, runs.error());
    leaveOutUncounted(*runs);
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
    if (runs->records.empty()) return tell(context, unavailable("No counters could be read.").value());
    const auto cpu = context.services.makeHostEngine();
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
