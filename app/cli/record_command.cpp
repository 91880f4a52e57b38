// stridescope record
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <vector>

#include "base/numbers.h"
#include "base/pending_file.h"
#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/engine_choice.h"
#include "cli/long_work.h"
#include "cli/own_kernel.h"
#include "cli/recorded_experiments.h"
#include "cli/time_options.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"
#include "model/clock_record.h"
#include "model/trace.h"
#include "model/trace_check.h"
#include "narration/outcome.h"

namespace stridescope::cli {
namespace {

constexpr std::uint64_t kTimedSize = 1ull << 24;
constexpr std::uint64_t kTimingSamples = 51;
constexpr double kSecondsPerSubject = 0.6;  // of those that take long

class RecordCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "record";
    options.about = "Runs reductions and keeps their traces in a recording";
    options.value("variants", variants_, "Some of `stridescope list`", "VARIANT");
    options.flag("--all", all_, "Every variant");
    options.value("-o,--output", file_, "The recording to write", "FILE.stride");
    options.flag("--force", force_, "Replace a file that is there already");
    options.flag("--timings", timed_,
                 "Times them and the baselines, too: 2^24 elements in every block size, and");
    options.flag("--cycles", clocked_,
                 "Clocks a block of each on the GPU, too, in every block size from 32 on");
    options.flag(
        "--counters", counted_,
        "Reads the GPU's hardware counters of each, too: in every block size, and at 2^16, 2^20, 2^24");
    options.flag("--timelines", marked_,
                 "Marks when and where each block runs on the GPU, too, at 2^16 and 2^20, and some at 2^24");
    options.flag(
        "--machine-code", listed_,
        "Keeps their machine code, too, also with float and double: SASS where nvdisasm is installed");
    options.flag("--prices", priced_, "Times what each step of them costs, too, at 2^16, 2^20 and 2^24");
    options.flag("--costs", costed_, "Times them beside empty kernels, too, at 2^10 to 2^26");
    options.value("--timings-over", group_,
                  "Times the variants of several GPUs over so many of them, too, and their links", "GPUS");
    options.value("--measured-in", measuredIn_,
                  "Recordings: what they have of this is taken from them and not measured again",
                  "FILE.stride ...");
    options.value("--timing-sizes", timingSizes_, "these sizes: 2^10..2^28 unless given", "A..B");
    options.value("--timing-reductions", timingReductions_,
                  "of these: int:+,float:+,int:min; else of --type and --op", "TYPE:OP,...");
    options_.declare(options);
    kernel_.declare(options);
    options.footer =
        "Examples:\n"
        "  stridescope record interleaved_contiguous sequential -o lecture.stride\n"
        "  stridescope record --all --threads 1024 --type float -o ladder.stride --force\n"
        "  stridescope record transpose.cu -o transpose.stride";
  }

  ExitCode run(const Context& context) override {
    const auto isOwn = kernel_.takes(variants_, options_);
    if (!isOwn) return tell(context, isOwn.error());
    if (*isOwn) return recordKernels(context);
    if (kernel_.wantsAccesses())
      return tell(context,
                  {ErrorKind::Usage, "--recorder access records variants that are named. Name them."});
    for (std::string& id : variants_) id = variantNamed(id);
    const auto experimentRequests = readExperimentRequests(context);
    if (!experimentRequests) return tell(context, experimentRequests.error());
    const auto plans = timingPlans(experimentRequests->front().experiment);
    if (!plans) return tell(context, plans.error());
    const auto groupPlans = groupTimingPlans(experimentRequests->front().experiment);
    if (!groupPlans) return tell(context, groupPlans.error());
    const auto engine = openEngine(context, options_.engine);
    if (!engine) return tell(context, engine.error());
    engine::JobControl job;
    const CancelOnSignal signals(job);
    ProgressLine line(context.terminal);
    ExitCode code = ExitCode::Right;
    std::vector<model::Trace> traces;
    for (const ExperimentRequest& experimentRequest : *experimentRequests) {
      if (context.streams.errorIsTerminal)
        context.streams.error << "recording " << experimentRequest.experiment.variant << "\n";
      job.progress = line.follower();
      auto trace = engine->traceOf(experimentRequest, job);
      line.clear();
      if (!trace) return tell(context, trace.error());
      // What goes wrong on purpose is kept because it does.
      const model::Kernel* const kernel = kernels::kernelOf(trace->experiment);
      const ExitCode ofTrace = exitCodeOf(*trace, metLimit(*trace));
      if (ofTrace != ExitCode::Wrong || !kernel || !kernel->isWrong()) code = worseOf(code, ofTrace);
      traces.push_back(std::move(*trace));
    }
    const auto timings = keptOr<model::TimingRecord>([&] { return takeTimings(*plans, context, job); });
    if (!timings) return tell(context, timings.error());
    const auto groups = takeGroups(*groupPlans, context, job);
    if (!groups) return tell(context, groups.error());
    const auto blocks = experimentsToClock(traces);
    const auto clocks =
        take<model::ClockRecord>(clocked_ && !blocks.empty(), blocks, "clocking", context, job);
    if (!clocks) return tell(context, clocks.error());
    const auto timelines =
        take<model::TimelineRecord>(marked_, experimentsToMark(traces), "marking", context, job);
    if (!timelines) return tell(context, timelines.error());
    auto costs = take<model::CostRecord>(costed_, experimentsToCost(traces), "costing", context, job);
    if (!costs) return tell(context, costs.error());
    for (model::CostRecord& cost : *costs) takeTime(*timings, cost);
    const auto peels = take<model::PeelRecord>(priced_, experimentsToPeel(traces), "peeling", context, job);
    if (!peels) return tell(context, peels.error());
    const auto codes = keptOr<model::MachineCode>([&] { return listCodes(traces, context); });
    if (!codes) return tell(context, codes.error());
    // Last: what is timed after counters were read may take longer.
    const auto counters =
        take<model::CounterRecord>(counted_, experimentsToCount(traces), "counting", context, job);
    if (!counters) return tell(context, counters.error());
    if (const auto written = archive::writeRecording(file_, traces, force_,
                                                     {*timings, *clocks, *counters, *timelines, *costs,
                                                      *peels, *codes, groups->timings, groups->links},
                                                     &job.cancel);
        !written)
      return tell(context, written.error());
    for (const model::Trace& trace : traces)
      context.streams.out << fmt::format("{}: {}\n", engine::summaryOf(trace.experiment),
                                         narration::verdictOf(trace));
    context.streams.out << fmt::format("{}: {} trace{}\n", printable(file_), figure(traces.size()),
                                       traces.size() == 1 ? "" : "s");
    if (timed_)
      context.streams.out << fmt::format("{}: {} timings\n", printable(file_), figure(timings->size()));
    if (!groups->timings.empty())
      context.streams.out << fmt::format("{}: {} timings over several GPUs\n", printable(file_),
                                         figure(groups->timings.size()));
    if (clocked_)
      context.streams.out << fmt::format("{}: {} clocked blocks\n", printable(file_), figure(clocks->size()));
    if (counted_)
      context.streams.out << fmt::format("{}: {} runs' counters\n", printable(file_),
                                         figure(counters->size()));
    if (marked_)
      context.streams.out << fmt::format("{}: {} timelines\n", printable(file_), figure(timelines->size()));
    if (costed_)
      context.streams.out << fmt::format("{}: {} runs' costs\n", printable(file_), figure(costs->size()));
    if (priced_)
      context.streams.out << fmt::format("{}: {} runs' prices\n", printable(file_), figure(peels->size()));
    return code;
  }

 private:
  // Persons' own kernels, or what else KernelOptions takes.
  ExitCode recordKernels(const Context& context) const {
    if (file_.empty())
      return tell(context, Error{ErrorKind::Usage, "record needs a file to write: -o FILE.stride."});
    if (all_) return tell(context, {ErrorKind::Usage, "record takes either names or --all, not both."});
    if (!std::ranges::all_of(variants_,
                             [&](const std::string& name) { return kernel_.takes(name, options_); }))
      return tell(context,
                  {ErrorKind::Usage,
                   "record takes variants or files of your own, not both at once. Record them one by "
                   "one."});
    if (timed_ || !group_.empty() || clocked_ || counted_ || marked_ || costed_ || priced_ ||
        !measuredIn_.empty())
      return tell(context,
                  {ErrorKind::Usage,
                   "Of a kernel of your own, record keeps the run, and its --machine-code: --timings, "
                   "--cycles, --counters and what else is measured are for variants."});
    if (const auto file = PendingFile::create(file_, force_); !file) return tell(context, file.error());
    std::vector<model::Trace> traces;
    std::vector<model::MachineCode> codes;
    ExitCode code = ExitCode::Right;
    for (const std::string& name : variants_) {
      auto step = kernel_.run(context, name, options_, {.code = listed_});
      if (!step) return tell(context, step.error());
      tellRun(context, *step);
      code = worseOf(code, exitCodeOf(*step, false));
      if (step->kernel.code)
        codes.push_back(*std::move(step->kernel.code));
      else if (listed_)
        return tell(context, unavailable("The machine code of " + step->file +
                                         " is not known: it is that of a run on a GPU (--engine gpu), and is "
                                         "listed by nvdisasm of the CUDA toolkit.")
                                 .value());
      traces.push_back(std::move(step->run.trace));
    }
    if (auto written = archive::writeRecording(file_, traces, force_, {codes}); !written)
      return tell(context, written.error());
    context.streams.out << fmt::format("{}: {} trace{}\n", printable(file_), figure(traces.size()),
                                       traces.size() == 1 ? "" : "s");
    return code;
  }

  // The blocks of what was recorded, of every size that can be clocked.
  static std::vector<model::Experiment> experimentsToClock(std::span<const model::Trace> traces) {
    std::vector<model::Experiment> experiments;
    for (const model::Trace& trace : traces) {
      const model::Kernel* const kernel = kernels::kernelOf(trace.experiment);
      if (kernel == nullptr) continue;
      model::Experiment experiment = trace.experiment;
      for (const unsigned threads : kernel->threads) {
        if (threads < model::kWarpSize) continue;
        experiment.threads = threads;
        experiments.push_back(experiment);
      }
    }
    return experiments;
  }

  // Measures the experiments; nothing unless asked for.
  template <class Record>
  Result<std::vector<Record>> take(bool asked, const std::vector<model::Experiment>& experiments,
                                   const char* doing, const Context& context, engine::JobControl& job) const {
    return keptOr<Record>([&]() -> Result<std::vector<Record>> {
      if (!asked) return std::vector<Record>();
      return measured<Record>(experiments, doing, context, job);
    });
  }

  // What the recordings of --measured-in have, if any are given and have any; else what `measure` gives.
  template <class Record, class Measure>
  Result<std::vector<Record>> keptOr(const Measure& measure) const {
    std::vector<Record> all;
    for (const std::string& file : measuredIn_) {
      auto kept = archive::readQuantity<Record>(file);
      if (!kept) return kept;
      std::ranges::move(*kept, std::back_inserter(all));
    }
    return all.empty() ? measure() : std::move(all);
  }

  template <class Record>
  Result<std::vector<Record>> measured(const std::vector<model::Experiment>& experiments, const char* doing,
                                       const Context& context, engine::JobControl& job) const {
    auto runs = lab::measuredOnGpu<Record>(context.services.sources, options_.engine, experiments, job,
                                           [&](const model::Experiment& experiment) {
                                             if (context.streams.errorIsTerminal)
                                               context.streams.error << doing << " "
                                                                     << engine::summaryOf(experiment) << "\n";
                                           });
    if (!runs) return tl::unexpected(runs.error());
    for (const std::string& note : runs->notes) context.streams.error << printable(note) << "\n";
    if (runs->records.empty())
      return unavailable("No " + std::string(model::kQuantity<Record>.one) +
                         " could be measured, so nothing was written.");
    return std::move(runs->records);
  }

  // A reduction has one time in a recording: that of the timings, which has more samples, where they are of
  // the same GPU.
  static void takeTime(const std::vector<model::TimingRecord>& timings, model::CostRecord& cost) {
    const model::Experiment& experiment = cost.experiment;
    for (const model::TimingRecord& timing : timings) {
      const model::TimingCase& of = timing.timingCase;
      if (timing.subject.kind != model::SubjectKind::Variant || timing.subject.id != experiment.variant ||
          of.type != experiment.type || of.op != experiment.op || of.elements != experiment.elements ||
          timing.threads != experiment.threads || of.warmL2 || of.graph ||
          timing.executor.device != cost.executor.device)
        continue;
      std::vector<float> times;
      for (const model::TimingSample& sample : timing.samples) times.push_back(float(sample.microseconds));
      const measure::Summary summary = measure::summarize(times);
      cost.runs = unsigned(times.size());
      cost.microseconds = summary.median;
      cost.lowerQuartile = summary.lowerQuartile;
      cost.upperQuartile = summary.upperQuartile;
      return;
    }
  }

  // None unless asked for.
  Result<std::vector<model::MachineCode>> listCodes(std::span<const model::Trace> traces,
                                                    const Context& context) const {
    std::vector<model::MachineCode> codes;
    if (!listed_) return codes;
    if (!context.services.sources.compileCode) return unavailable("This program cannot compile for a GPU.");
    for (const model::Experiment& experiment : experimentsToCompile(traces)) {
      auto code = context.services.sources.compileCode(experiment, engine::gpuOf(options_.engine));
      if (!code) return tl::unexpected(code.error());
      codes.push_back(std::move(*code));
    }
    return codes;
  }

  // The times over several GPUs, and what was measured between them.
  struct Groups {
    std::vector<model::GroupTimingRecord> timings;
    std::vector<model::LinkRecord> links;
  };

  // Each reduction's, at the sizes of the other timings; none where they were not asked for.
  Result<std::vector<measure::TimingPlan>> groupTimingPlans(const model::Experiment& experiment) const {
    std::vector<measure::TimingPlan> plans;
    if (group_.empty()) return plans;
    const auto gpus = parseNumberWithin("--timings-over", group_, model::kMinGpusTogether, model::kMaxGpus);
    if (!gpus) return tl::unexpected(gpus.error());
    const auto sizes = parseSizes("--timing-sizes", timingSizes_);
    if (!sizes) return tl::unexpected(sizes.error());
    const auto reductions = timedReductions(experiment);
    if (!reductions) return tl::unexpected(reductions.error());
    for (const auto& [type, op] : *reductions)
      plans.push_back({.type = type,
                       .op = op,
                       .subjects = measure::groupSubjects(type, op),
                       .sizes = *sizes,
                       .samplesPerCase = kTimingSamples,
                       .gpus = unsigned(*gpus)});
    return plans;
  }

  Result<Groups> takeGroups(const std::vector<measure::TimingPlan>& plans, const Context& context,
                            const engine::JobControl& job) const {
    Groups groups;
    auto kept = keptOr<model::GroupTimingRecord>([]() -> Result<std::vector<model::GroupTimingRecord>> {
      return std::vector<model::GroupTimingRecord>();
    });
    if (!kept) return tl::unexpected(kept.error());
    auto keptLinks = keptOr<model::LinkRecord>(
        []() -> Result<std::vector<model::LinkRecord>> { return std::vector<model::LinkRecord>(); });
    if (!keptLinks) return tl::unexpected(keptLinks.error());
    groups = {*std::move(kept), *std::move(keptLinks)};
    if (!groups.timings.empty()) return groups;
    for (const measure::TimingPlan& plan : plans) {
      measure::TimingBoard board(context.services.sources.timing);
      if (const auto taken = runWhole(board, plan, context, job); !taken)
        return tl::unexpected(taken.error());
      auto records = board.groupRecords();
      if (records.empty()) return unavailable("Several GPUs could not be timed, so nothing was written.");
      std::ranges::move(records, std::back_inserter(groups.timings));
      const auto seen = board.snapshot();
      const auto linked = std::ranges::find_if(
          seen->series, [](const measure::TimingSeries& series) { return !series.links.empty(); });
      if (groups.links.empty() && linked != seen->series.end())
        groups.links.push_back({.executor = linked->executor, .gpus = linked->gpus, .links = linked->links});
    }
    return groups;
  }

  // One plan after the other, each on a board of its own: a board keeps the samples of one reduction.
  static Result<std::vector<model::TimingRecord>> takeTimings(const std::vector<measure::TimingPlan>& plans,
                                                              const Context& context,
                                                              const engine::JobControl& job) {
    std::vector<model::TimingRecord> all;
    for (const measure::TimingPlan& plan : plans) {
      const bool ofBlocks = plan.threads.front() != 0;
      if (ofBlocks && std::ranges::none_of(all, [](const model::TimingRecord& record) {
            return record.executor.kind == model::EngineKind::Gpu;
          }))
        continue;
      auto records = takeTimings(plan, context, job);
      if (!records) return records;
      std::ranges::move(*records, std::back_inserter(all));
    }
    return all;
  }

  static Result<std::vector<model::TimingRecord>> takeTimings(const measure::TimingPlan& plan,
                                                              const Context& context,
                                                              const engine::JobControl& job) {
    measure::TimingBoard board(context.services.sources.timing);
    if (const auto taken = runWhole(board, plan, context, job); !taken) return tl::unexpected(taken.error());
    auto records = board.records();
    if (records.empty()) return unavailable("Nothing could be timed, so nothing was written.");
    return records;
  }

  // Runs the plan to its end. What disturbs it is told as it goes.
  static Result<void> runWhole(measure::TimingBoard& board, const measure::TimingPlan& plan,
                               const Context& context, const engine::JobControl& job) {
    if (!runTimingPlan(board, plan, context.terminal, job))
      return tl::unexpected(
          Error{ErrorKind::Cancelled, "Cancelled: the timings are not whole, so nothing was written."});
    const auto seen = board.snapshot();
    for (const std::string& note : seen->notes) context.streams.error << printable(note) << "\n";
    if (seen->failure) return tl::unexpected(*seen->failure);
    if (seen->wrongResults > 0) return unavailable("A timed result was wrong, so no timings are kept.");
    return {};
  }

  // None where none were asked for. `experiment`: the first (timedReductions()).
  Result<std::vector<measure::TimingPlan>> timingPlans(const model::Experiment& experiment) const {
    std::vector<measure::TimingPlan> plans;
    if (!timed_) return plans;
    const auto sizes = parseSizes("--timing-sizes", timingSizes_);
    if (!sizes) return tl::unexpected(sizes.error());
    const auto reductions = timedReductions(experiment);
    if (!reductions) return tl::unexpected(reductions.error());
    for (const auto& [type, op] : *reductions) {
      plans.push_back(sizesPlan(type, op, *sizes));
      plans.push_back(blocksPlan(type, op));
    }
    return plans;
  }

  // Those that are named, or the first experiment's.
  Result<std::vector<std::pair<model::ElementType, model::Operator>>> timedReductions(
      const model::Experiment& experiment) const {
    if (timingReductions_.empty()) return std::vector{std::pair(experiment.type, experiment.op)};
    return parseReductions("--timing-reductions", timingReductions_);
  }

  // The variants at one size in their own block size.
  measure::TimingPlan variantsPlan(model::ElementType type, model::Operator op) const {
    measure::TimingPlan plan{.type = type,
                             .op = op,
                             .sizes = {kTimedSize},
                             .samplesPerCase = kTimingSamples,
                             .secondsPerSubject = kSecondsPerSubject};
    for (const model::TimingSubject& subject : measure::variantSubjects(plan.type, plan.op))
      if (all_ || std::ranges::find(variants_, subject.id) != variants_.end())
        plan.subjects.push_back(subject);
    return plan;
  }

  // Each of them and of the baselines alone with CUB.
  measure::TimingPlan sizesPlan(model::ElementType type, model::Operator op,
                                const std::vector<std::uint64_t>& sizes) const {
    measure::TimingPlan plan = variantsPlan(type, op);
    plan.sizes = sizes;
    for (model::TimingSubject& baseline : measure::baselineSubjects(plan.type, plan.op))
      plan.subjects.push_back(std::move(baseline));
    return plan;
  }

  // In every block size; the baselines have none.
  measure::TimingPlan blocksPlan(model::ElementType type, model::Operator op) const {
    measure::TimingPlan plan = variantsPlan(type, op);
    plan.threads.clear();
    for (unsigned threads = model::kWarpSize; threads <= model::kMaxThreads; threads *= 2)
      plan.threads.push_back(threads);
    return plan;
  }

  // Everything that can be wrong is said before anything runs. With --all, variants that do not offer what
  // the options ask for are left out, and a note says so.
  Result<std::vector<ExperimentRequest>> readExperimentRequests(const Context& context) const {
    if (file_.empty()) return usageError("record needs a file to write: -o FILE.stride.");
    if (variants_.empty() && !all_)
      return usageError("record needs one variant or more, or --all; `stridescope list` has them.");
    if (!variants_.empty() && all_) return usageError("record takes either variants or --all, not both.");
    if (const auto file = PendingFile::create(file_, force_); !file) return tl::unexpected(file.error());
    if (const auto fault = engineNameFault(options_.engine)) return tl::unexpected(*fault);
    std::vector<std::string> ids = variants_;
    if (all_)
      for (const kernels::Variant& variant : kernels::catalog()) ids.emplace_back(variant.id);

    std::vector<ExperimentRequest> experimentRequests;
    for (const std::string& id : ids) {
      auto experimentRequest = readExperimentRequest(id, options_);
      if (!experimentRequest) return tl::unexpected(experimentRequest.error());
      allowTypedCode(*experimentRequest, *context.services.trust);
      const auto experiment = completed(*experimentRequest);
      if (!experiment && !isRecordingName(options_.engine)) {
        if (!all_) return tl::unexpected(experiment.error());
        context.streams.error << "Left out: " << printable(experiment.error().sentence) << "\n";
        continue;
      }
      experimentRequests.push_back(std::move(*experimentRequest));
    }
    if (experimentRequests.empty()) return usageError("No variant offers what these options ask for.");
    return experimentRequests;
  }

  std::vector<std::string> variants_;
  std::string file_;
  KernelOptions kernel_;
  std::vector<std::string> measuredIn_;
  std::string timingSizes_ = "2^10..2^28", timingReductions_, group_;
  bool all_ = false, force_ = false, timed_ = false, clocked_ = false, counted_ = false, marked_ = false,
       listed_ = false, costed_ = false, priced_ = false;
  ExperimentOptions options_;
};

}  // namespace

std::unique_ptr<Command> makeRecordCommand() { return std::make_unique<RecordCommand>(); }

}  // namespace stridescope::cli
