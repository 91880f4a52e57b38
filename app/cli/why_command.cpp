// stridescope why
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "analysis/grid_timeline.h"
#include "analysis/reduction_cost.h"
#include "analysis/round_cycles.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/experiment_options.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
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
    options.about = "What each step of a reduction costs on a GPU, and what differs from the variant before";
    options.value("variant", variant_, "One of `stridescope list`, or FILE.cu", "VARIANT");
    options.value("other", other_, "With FILE.cu: another file, from which the first differs", "OTHER.cu");
    options.value("--size", size_, "The number of elements, as -n", "N");
    options_.declare(options);
    kernel_.declare(options);
    options.flag("--peel", peel_, "The prices of the steps alone");
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "The kernel is ended behind each of its barriers and shuffles in turn: neighbouring times differ by "
        "the\n"
        "price of a step. Bounds come from empty kernels, hardware counters and a timeline.\n"
        "Examples:\n"
        "  stridescope why sequential --size 2^24\n"
        "  stridescope why grid_stride --size 2^20 --json\n"
        "  stridescope why transpose.cu\n"
        "  stridescope why padded.cu transpose.cu";
  }

  ExitCode run(const Context& context) override {
    if (model::isKernelFile(variant_)) return explainKernelFile(context);
    if (const std::string option = kernel_.firstGiven(); !option.empty())
      return tell(context, {ErrorKind::Usage, option + " goes with a file of your own, FILE.cu."});
    if (variant_.empty() || !other_.empty())
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
    auto prices = lab::measuredRuns<model::PeelRecord>(context.services.sources, options_.engine, experiments,
                                                       work.job);
    work.line.clear();
    if (work.job.cancel) return tell(context, cancelled().value());
    for (const std::string& note : costs->notes) context.streams.error << printable(note) << "\n";
    if (!counters) context.streams.error << printable(counters.error().sentence) << "\n";
    if (!prices) context.streams.error << printable(prices.error().sentence) << "\n";
    if (prices)
      for (const std::string& note : prices->notes)
        if (std::ranges::find(costs->notes, note) == costs->notes.end())
          context.streams.error << printable(note) << "\n";
    if (costs->records.empty() || costs->records.front().experiment.variant != experiment->variant)
      return tell(context, unavailable("There is no time to explain.").value());

    const lab::MakeHost makeHost = hostOf(context);
    std::vector<analysis::ReductionCost> reductions;
    for (model::CostRecord& cost : costs->records) {
      // The CPU executor's blocks run in the order that was asked for.
      model::Experiment stepped = cost.experiment;
      stepped.blockOrder = experiment->blockOrder;
      stepped.blockOrderSeed = experiment->blockOrderSeed;
      lab::MeasuredReduction measured{.counters = ofSameRun(counters, cost),
                                      .prices = ofSameRun(prices, cost)};
      if (auto timeline = ofSameRun(timelines, cost)) measured.grid = lab::markedGridOf(*std::move(timeline));
      measured.cost = std::move(cost);
      reductions.push_back(*lab::reductionCost(stepped, std::move(measured), makeHost, work.job));
    }
    if (work.job.cancel) return tell(context, cancelled().value());
    const analysis::ReductionCost* const before = reductions.size() > 1 ? &reductions[1] : nullptr;
    if (json_)
      report::writeWhyJson(context.streams.out, reductions.front(), before);
    else
      context.streams.out << report::whyText(reductions.front(), before);
    return ExitCode::Right;
  }

 private:
  ExitCode explainKernelFile(const Context& context) const {
    if (const auto refused = KernelOptions::refuseOthers(options_); !refused)
      return tell(context, refused.error());
    if (peel_)
      return tell(context,
                  {ErrorKind::Usage,
                   "--peel ends a kernel early at its barriers, by calls that only a variant's text is "
                   "given. `stridescope step " +
                       variant_ + " --cycles` has the cycles of each round."});
    if (!other_.empty() && !model::isKernelFile(other_))
      return tell(context, {ErrorKind::Usage, other_ + " is no file of your own, OTHER.cu: " + variant_ +
                                                  " is compared with such a file."});
    if (!size_.empty())
      return tell(context, {ErrorKind::Usage,
                            "--size is for a variant of `stridescope list`, not for " + variant_ + "."});
    return explainOwnKernel(context, kernel_,
                            {.file = variant_,
                             .block = options_.typed("--block"),
                             .gpu = engine::gpuOf(options_.engine),
                             .asJson = json_},
                            other_);
  }

  ExitCode tellPrices(const Context& context, const model::Experiment& experiment) const {
    LongWork work(context.terminal);
    auto peels = lab::measuredRuns<model::PeelRecord>(context.services.sources, options_.engine,
                                                      std::span(&experiment, 1), work.job);
    std::optional<analysis::StepPrices> prices;
    if (peels && !peels->records.empty()) {
      auto trace = context.services.sources.makeHost()->record(experiment, work.job);
      prices = trace && !trace->launches.empty()
                   ? lab::stepPrices(lab::runOf(*std::move(trace)), peels->records.front(), hostOf(context),
                                     work.job)
                   : analysis::StepPrices{peels->records.front()};
    }
    work.line.clear();
    if (work.job.cancel) return tell(context, cancelled().value());
    if (!peels) return tell(context, peels.error());
    for (const std::string& note : peels->notes) context.streams.error << printable(note) << "\n";
    if (!prices) return tell(context, unavailable("There are no prices to tell.").value());
    if (json_)
      report::writePeelJson(context.streams.out, *prices);
    else
      context.streams.out << report::peelText(*prices);
    return ExitCode::Right;
  }

  // The record of the cost's experiment.
  template <class Record>
  static std::optional<Record> ofSameRun(const Result<lab::MeasuredRuns<Record>>& runs,
                                         const model::CostRecord& cost) {
    if (runs)
      for (const Record& record : runs->records)
        if (record.experiment.variant == cost.experiment.variant) return record;
    return std::nullopt;
  }

  std::string variant_, other_, size_;
  ExperimentOptions options_;
  KernelOptions kernel_;
  bool json_ = false, peel_ = false;
};

}  // namespace

std::unique_ptr<Command> makeWhyCommand() { return std::make_unique<WhyCommand>(); }

}  // namespace stridescope::cli
