// stridescope why
#include <string>

#include "analysis/grid_timeline.h"
#include "analysis/step_prices.h"
#include "analysis/time_parts.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/experiment_options.h"
#include "cli/long_work.h"
#include "engine/experiment_check.h"
#include "lab/known/measured_runs.h"
#include "lab/run.h"
#include "report/measured.h"

namespace stridescope::cli {
namespace {

class WhyCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "why";
    options.about =
        "What the time of a reduction on a GPU is made of, and what changed from the variant before";
    options.value("variant", variant_, "One of `stridescope list`", "VARIANT");
    options.value("--size", size_, "The number of elements, as -n", "N");
    options_.declare(options);
    options.flag(
        "--peel", peel_,
        "What each step costs, of the kernel ended behind each of its barriers and shuffles in turn");
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "Launching is the time of empty kernels in the same grids, memory that of reading the input once at\n"
        "the measured peak bandwidth; what binds the rest comes from hardware counters and a timeline.\n"
        "Examples:\n"
        "  stridescope why sequential --size 2^24\n"
        "  stridescope why grid_stride --size 2^20 --json";
  }

  ExitCode run(const Context& context) override {
    if (variant_.empty())
      return tell(context, usageError("why takes one variant; `stridescope list` has them.").value());
    if (const auto fault = engineNameFault(options_.engine)) return tell(context, *fault);
    auto experiment = sizedExperiment(context, variant_, size_, options_);
    if (!experiment) return tell(context, experiment.error());
    // The time is the same whatever the data are; counters are recorded of these.
    experiment->data = kernels::defaultData(*experiment);
    experiment->seed = 1;
    if (peel_) return tellPrices(context, *experiment);
    std::vector<model::Experiment> experiments{*experiment};
    if (const auto before = engine::rungBefore(*experiment)) experiments.push_back(*before);
    LongWork work(context.terminal);
    auto costs = lab::measuredRuns<model::CostRecord>(context.services.sources, options_.engine, experiments,
                                                      work.job);
    if (!costs) {
      work.line.clear();
      return tell(context, costs.error());
    }
    // What explains the rest may be missing, where counters cannot be read.
    auto counters = lab::measuredRuns<model::CounterRecord>(context.services.sources, options_.engine,
                                                            experiments, work.job);
    auto timelines = lab::measuredRuns<model::TimelineRecord>(context.services.sources, options_.engine,
                                                              std::span(experiments).first(1), work.job);
    work.line.clear();
    if (work.job.cancel) return tell(context, cancelled().value());
    for (const std::string& note : costs->notes) context.streams.error << printable(note) << "\n";
    if (!counters) context.streams.error << printable(counters.error().sentence) << "\n";
    if (costs->records.empty() || costs->records.front().experiment.variant != experiment->variant)
      return tell(context, unavailable("There is no time to explain.").value());

    const auto cpu = context.services.sources.makeHost();
    std::vector<analysis::ReductionCost> reductions;
    for (model::CostRecord& cost : costs->records)
      reductions.push_back(reductionOf(std::move(cost), *experiment, counters ? &*counters : nullptr,
                                       timelines ? &*timelines : nullptr, *cpu, work.job));
    if (work.job.cancel) return tell(context, cancelled().value());
    const analysis::ReductionCost* const before = reductions.size() > 1 ? &reductions[1] : nullptr;
    if (json_)
      report::writeWhyJson(context.streams.out, reductions.front(), before);
    else
      context.streams.out << report::whyText(reductions.front(), before);
    return ExitCode::Right;
  }

 private:
  ExitCode tellPrices(const Context& context, const model::Experiment& experiment) const {
    LongWork work(context.terminal);
    auto peels = lab::measuredRuns<model::PeelRecord>(context.services.sources, options_.engine,
                                                      std::span(&experiment, 1), work.job);
    std::vector<analysis::PricedStep> steps;
    if (peels && !peels->records.empty()) {
      const auto cpu = context.services.sources.makeHost();
      if (auto trace = cpu->record(experiment, work.job); trace && !trace->launches.empty())
        steps = analysis::pricedSteps(peels->records.front(),
                                      lab::runOf(*std::move(trace)).analysis.launches.front());
    }
    work.line.clear();
    if (work.job.cancel) return tell(context, cancelled().value());
    if (!peels) return tell(context, peels.error());
    for (const std::string& note : peels->notes) context.streams.error << printable(note) << "\n";
    if (peels->records.empty()) return tell(context, unavailable("There are no prices to tell.").value());
    if (json_)
      report::writePeelJson(context.streams.out, peels->records.front(), steps);
    else
      context.streams.out << report::peelText(peels->records.front(), steps);
    return ExitCode::Right;
  }

  // With what else is known of the same experiment on the same GPU. The CPU executor steps it for its loads,
  // its blocks in the order of `asked`.
  static analysis::ReductionCost reductionOf(model::CostRecord cost, const model::Experiment& asked,
                                             const lab::MeasuredRuns<model::CounterRecord>* counters,
                                             const lab::MeasuredRuns<model::TimelineRecord>* timelines,
                                             engine::Engine& cpu, engine::JobControl& job) {
    analysis::ReductionCost reduction{.cost = std::move(cost)};
    const auto isOfIt = [&](const auto& record) {
      return record.experiment.variant == reduction.cost.experiment.variant &&
             record.executor.device == reduction.cost.executor.device;
    };
    if (counters)
      for (const model::CounterRecord& record : counters->records)
        if (isOfIt(record)) reduction.counters = record;
    if (timelines)
      for (const model::TimelineRecord& record : timelines->records)
        if (isOfIt(record)) reduction.firstLaunch = analysis::gridTimelineOf(record).launches.front();
    model::Experiment stepped = reduction.cost.experiment;
    stepped.blockOrder = asked.blockOrder;
    stepped.blockOrderSeed = asked.blockOrderSeed;
    if (auto trace = cpu.record(stepped, job); trace && !trace->launches.empty()) {
      const lab::Run run = lab::runOf(*std::move(trace));
      reduction.loads = analysis::loadsPerThread(run.trace.launches.front(), run.analysis.launches.front());
    }
    return reduction;
  }

  std::string variant_, size_;
  ExperimentOptions options_;
  bool json_ = false, peel_ = false;
};

}  // namespace

std::unique_ptr<Command> makeWhyCommand() { return std::make_unique<WhyCommand>(); }

}  // namespace stridescope::cli
