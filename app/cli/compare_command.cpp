// stridescope compare
#include <fmt/format.h>

#include <algorithm>

#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "lab/known/measured_runs.h"
#include "measure/timing_rows.h"
#include "report/runs.h"

namespace stridescope::cli {
namespace {

using analysis::LockedBy;

// What one side asks for.
struct SideRequest {
  std::string engineName;
  ExperimentRequest request;
};

// Measured on the GPU that executed the run; what it cannot measure is noted.
template <class Record>
std::optional<Record> measuredNow(const Context& context, const std::string& engineName,
                                  const model::Experiment& experiment, std::vector<std::string>& notes,
                                  engine::JobControl& job) {
  auto runs = lab::measuredOnGpu<Record>(context.services.sources, engineName, {&experiment, 1}, job);
  if (!runs) {
    notes.push_back(runs.error().sentence);
    return std::nullopt;
  }
  std::ranges::copy(runs->notes, std::back_inserter(notes));
  return runs->records.empty() ? std::nullopt : std::optional(std::move(runs->records.front()));
}

// Steps the experiment, and takes what is recorded of it. With `measures`, a GPU that executes it clocks a
// block and counts. `notes` tell what could not be measured.
Result<report::ComparedRun> comparedRun(const Context& context, const ChosenEngine& engine,
                                        const std::string& engineName, const ExperimentRequest& request,
                                        bool measures, std::vector<std::string>& notes,
                                        engine::JobControl& job) {
  auto trace = engine.traceOf(request, job);
  if (!trace) return tl::unexpected(trace.error());
  for (const std::string& warning : model::warningsOf(trace->trial)) notes.push_back("warning: " + warning);
  report::ComparedRun compared{.known = {.run = lab::runOf(*std::move(trace))}};
  const lab::Run& run = compared.run();
  lab::RunMeasured& measured = compared.known.measured;
  const bool live = measures && run.trace.executor.kind == model::EngineKind::Gpu;
  const model::Experiment& experiment = run.trace.experiment;
  std::optional<model::CostRecord> cost;
  std::optional<model::PeelRecord> prices;
  if (live) {
    measured.cycles = findCycles(context, engine, engineName, run, job);
    std::ranges::copy(measured.cycles.notes, std::back_inserter(notes));
    auto counters = measuredNow<model::CounterRecord>(context, engineName, experiment, notes, job);
    // A record of a run with other launches tells nothing.
    if (counters && counters->launches.size() == run.trace.launches.size())
      measured.counters.record = std::move(counters);
    cost = measuredNow<model::CostRecord>(context, engineName, experiment, notes, job);
    prices = measuredNow<model::PeelRecord>(context, engineName, experiment, notes, job);
  } else {
    const lab::Recorded recorded = recordedOf(context, engine);
    measured.cycles = recordedCycles(recorded, engine, run);
    measured.counters = lab::recordedCounters(run, recorded);
    cost = lab::recordedCost(run, recorded);
    prices = lab::recordedPrices(experiment, recorded);
    const auto tellDamage = [&](const auto& recordsOf) {
      if (const auto records = recordsOf(experiment); !records) notes.push_back(records.error().sentence);
    };
    tellDamage(recorded.of<model::CounterRecord>());
    tellDamage(recorded.of<model::CostRecord>());
  }
  measured.counters.live = measured.costs.live = live;
  measured.costs.own =
      lab::reductionCost(run, {.cost = std::move(cost), .prices = std::move(prices)}, hostOf(context), job);
  if (job.cancel) return cancelled();
  return compared;
}

// Adds recorded times of both.
void findTimes(const Context& context, analysis::BothSides<report::ComparedRun>& runs) {
  measure::TimingBoard board({});
  board.showRecorded(context.services.sources.shipped.of<model::TimingRecord>().all());
  const model::Trace &left = runs.left.run().trace, &right = runs.right.run().trace;
  const measure::ComparedTimes times = measure::comparedTimes(
      *board.snapshot(), measure::timedExperiment(left), measure::timedExperiment(right));
  runs.left.time = times.left, runs.right.time = times.right;
}

class CompareCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "compare";
    options.about = "Two runs side by side: what differs, which is better, and by how much";
    options.value("left", left_, "The variant on the left, one of `stridescope list`, or FILE.cu", "A");
    options.value("right", right_, "The one on the right", "B");
    options.value("--round", rounds_, "Show only these rounds, such as 4 or 2-5, and more of each", "ROUND");
    options.value("--by", by_, "What stands side by side: the same round (default) or the same stride",
                  "round|stride");
    options_.declare(options);
    kernels_.declare(options);
    leftOptions_.declareOf("left", options);
    rightOptions_.declareOf("right", options);
    options.flag("--measure", measure_, "On a GPU: also clock a block and read counters there");
    options.flag("--json", json_, "As JSON, format 1");
    options.footer =
        "An option stands for both sides. With --left- or --right- in its name it stands for one of them:\n"
        "--left-threads 128, --right-type double, --left-engine gpu, --right-engine FILE.stride.\n"
        "Examples:\n"
        "  stridescope compare interleaved_contiguous sequential\n"
        "  stridescope compare interleaved_contiguous sequential --by stride --round 4\n"
        "  stridescope compare sequential sequential --left-type int --right-type double\n"
        "  stridescope compare naive.cu tiled.cu --grid 2x2 --block 32x8 --arg n=64\n"
        "  stridescope compare sequential sequential --left-engine gpu --right-engine h100.stride --json";
  }

  ExitCode run(const Context& context) override {
    const std::string sides[2]{left_, right_};
    if (const auto taken = kernels_.takes(sides, options_); !taken) return tell(context, taken.error());
    RecordedKernels own[2];  // of the sides that are persons' own kernels
    const auto left = readSide(context, left_, leftOptions_.over(options_), own[0]);
    if (!left) return tell(context, left.error());
    const auto right = readSide(context, right_, rightOptions_.over(options_), own[1]);
    if (!right) return tell(context, right.error());
    const auto by = readLock();
    if (!by) return tell(context, by.error());
    if (rounds_)
      if (const auto range = parseRounds(*rounds_); !range) return tell(context, range.error());

    LongWork work(context.terminal);
    std::vector<std::string> notes;
    auto runs = recordBoth(context, *left, *right, notes, work.job);
    work.line.clear();
    for (const std::string& note : notes) context.streams.error << printable(note) << "\n";
    if (!runs) return tell(context, runs.error());
    findTimes(context, *runs);
    report::Comparison comparison{.runs = *std::move(runs), .by = *by};
    if (rounds_) comparison.rounds = *parseRounds(*rounds_);
    if (const auto fault = roundsFault(comparison)) return tell(context, *fault);
    if (json_)
      report::writeCompareJson(context.streams.out, comparison);
    else
      context.streams.out << report::compareText(comparison);
    const auto codeOf = [&](const report::ComparedRun& run) {
      return exitCodeOf(run.run().trace, tellLimit(context, run.run().analysis) == ExitCode::Limit);
    };
    return worseOf(codeOf(comparison.runs.left), codeOf(comparison.runs.right));
  }

 private:
  // What cannot run at all is said before an engine is started; a recording may hold what the catalogue no
  // longer has.
  Result<SideRequest> readSide(const Context& context, const std::string& variant,
                               const ExperimentOptions& options, RecordedKernels& own) const {
    if (variant.empty())
      return usageError(
          "compare takes two variants, such as `stridescope compare interleaved_contiguous "
          "sequential`; `stridescope list` has them.");
    if (kernels_.takes(variant, options)) {
      auto recorded = recordKernels(context, {variant}, kernels_, options);
      if (!recorded) return tl::unexpected(recorded.error());
      own = *std::move(recorded);
      const auto request = readExperimentRequest(own.names.front(), ExperimentOptions());
      if (!request) return tl::unexpected(request.error());
      return SideRequest{own.recording, *request};
    }
    const auto request = readExperimentRequest(variant, options);
    if (!request) return tl::unexpected(request.error());
    allowTypedCode(*request, *context.services.trust);
    if (const auto fault = engineNameFault(options.engine)) return tl::unexpected(*fault);
    if (!isRecordingName(options.engine))
      if (const auto experiment = completed(*request); !experiment) return tl::unexpected(experiment.error());
    return SideRequest{options.engine, *request};
  }

  Result<LockedBy> readLock() const {
    for (const LockedBy by : analysis::kLockedBy)
      if (by_ == analysis::nameOf(by)) return by;
    return tl::unexpected(notOneOf("--by", by_, {"round", "stride"}));
  }

  using BothRuns = analysis::BothSides<report::ComparedRun>;
  Result<BothRuns> recordBoth(const Context& context, const SideRequest& left, const SideRequest& right,
                              std::vector<std::string>& notes, engine::JobControl& job) const {
    const auto first = openEngine(context, left.engineName);
    if (!first) return tl::unexpected(first.error());
    const bool sameEngine = left.engineName == right.engineName;
    const auto other = sameEngine ? std::nullopt : std::optional(openEngine(context, right.engineName));
    if (other && !*other) return tl::unexpected(other->error());
    auto leftRun = comparedRun(context, *first, left.engineName, left.request, measure_, notes, job);
    if (!leftRun) return tl::unexpected(leftRun.error());
    auto rightRun =
        comparedRun(context, other ? **other : *first, right.engineName, right.request, measure_, notes, job);
    if (!rightRun) return tl::unexpected(rightRun.error());
    return BothRuns{*std::move(leftRun), *std::move(rightRun)};
  }

  // A round that neither side has is told.
  std::optional<Error> roundsFault(const report::Comparison& comparison) const {
    if (!rounds_) return std::nullopt;
    const auto locked = comparison.locked();
    if (std::ranges::any_of(locked, [&](const auto& each) { return comparison.shows(each); }))
      return std::nullopt;
    unsigned last = 0;
    for (const analysis::LockedRound& each : locked)
      last = std::max({last, each.round.left.value_or(0), each.round.right.value_or(0)});
    if (locked.empty())
      return Error{ErrorKind::Usage, "--round " + *rounds_ + " is not there: nothing was recorded."};
    return Error{ErrorKind::Usage,
                 fmt::format("--round {} is not there: the rounds are 0 to {}.", *rounds_, figure(last))};
  }

  std::string left_, right_, by_ = "round";
  std::optional<std::string> rounds_;
  ExperimentOptions options_, leftOptions_, rightOptions_;
  KernelOptions kernels_;
  bool measure_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeCompareCommand() { return std::make_unique<CompareCommand>(); }

}  // namespace stridescope::cli
