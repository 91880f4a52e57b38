// stridescope time
#include <algorithm>
#include <string>

#include "base/plain_text.h"
#include "cli/commands.h"
#include "cli/long_work.h"
#include "cli/own_kernel_measured.h"
#include "cli/time_options.h"
#include "measure/timing_rows.h"
#include "report/measured.h"

namespace stridescope::cli {
namespace {

class TimeCommand : public Command {
 public:
  void declare(Options& options) override {
    options.command = "time";
    options.about = "Times whole reductions on this machine's GPU and CPU";
    options_.declare(options);
    kernel_.declareWithBlock(options);
    options.flag("--csv", csv_, "As comma-separated values");
    options.flag("--json", json_, "As JSON");
    options.footer =
        "Timed is the whole reduction, from n elements in the GPU's memory to one result there. Times are "
        "in\n"
        "microseconds (us), 1 GB is 10^9 bytes. With --baselines each is sampled alone with CUB in turn, "
        "and\n"
        "ratios to CUB are within such a pair. Inputs rotate, so that nothing lies in a cache. Ctrl-C "
        "prints\n"
        "what is there.\n"
        "CSV: least, quartiles, median and its 95 % interval in us; GB/s of the input; its share of "
        "the\n"
        "measured peak read bandwidth; the time over CUB's, the first variant's and the one before's, with "
        "intervals.\n"
        "Examples:\n"
        "  stridescope time --all --baselines\n"
        "  stridescope time sequential --sizes 2^10..2^30 --baselines --csv > times.csv\n"
        "  stridescope time unrolled_last_warp --threads 64,128,256,512,1024\n"
        "  stridescope time --gpus 2 --sizes 2^12..2^28\n"
        "  stridescope time transpose.cu --grid 32x32 --block 32x8 --arg in=ramp:2^20 --arg out=zero:2^20";
  }

  ExitCode run(const Context& context) override {
    if (csv_ && json_)
      return tell(context, {ErrorKind::Usage, "time takes either --csv or --json, not both."});
    if (std::ranges::any_of(options_.variants, model::isKernelFile)) return timeKernelFile(context);
    if (const std::string option = kernel_.firstGiven(); !option.empty())
      return tell(context, {ErrorKind::Usage, option + " goes with a file of your own, FILE.cu."});
    auto plan = readTimingPlan(options_);
    if (!plan) return tell(context, plan.error());
    measure::TimingBoard board(context.services.sources.timing);
    engine::JobControl job;
    const CancelOnSignal signals(job);
    const bool whole = runTimingPlan(board, *plan, context.terminal, job);
    // What was recorded elsewhere stands in for a GPU that is not here.
    if (!hasTimesOfGpu(*board.snapshot()))
      board.showRecorded(context.services.sources.shipped.of<model::TimingRecord>().all(), {},
                         context.services.sources.shipped.of<model::GroupTimingRecord>().all(),
                         context.services.sources.shipped.of<model::LinkRecord>().all());
    const auto seen = board.snapshot();
    if (whole && plan->gpus == 0 && !options_.baselines && !options_.noCpu && !hasLiveTimes(*seen))
      return timeCpuInstead(board, *plan, context, job);
    return reportAndEnd(*seen, whole, context);
  }

 private:
  ExitCode timeKernelFile(const Context& context) const {
    if (options_.variants.size() > 1)
      return tell(context, {ErrorKind::Usage, "time takes one file of your own at a time."});
    if (csv_ || options_.hasMore())
      return tell(context,
                  {ErrorKind::Usage,
                   "Of a kernel of your own, time takes --gpu, --json and how it is launched; the other "
                   "options are for variants."});
    unsigned gpu = 0;
    if (options_.gpu) {
      const auto number = parseNumberWithin("--gpu", *options_.gpu, 0, engine::kMaxGpus - 1);
      if (!number) return tell(context, number.error());
      gpu = unsigned(*number);
    }
    return timeOwnKernel(
        context, kernel_,
        {.file = options_.variants.front(), .block = kernel_.block(), .gpu = gpu, .asJson = json_});
  }

  // The board waits for the sample in progress when it goes; what there is was printed before.
  ExitCode reportAndEnd(const measure::TimingSnapshot& seen, bool whole, const Context& context) const {
    const ExitCode code = tellTimes(seen, whole, context);
    context.streams.out.flush();
    if (!whole) EndOnSignal::endQuietlyWith(code);
    return code;
  }

  static bool hasTimesOfGpu(const measure::TimingSnapshot& snapshot) {
    return std::ranges::any_of(snapshot.series, [](const measure::TimingSeries& series) {
      return series.subject.kind != model::SubjectKind::CpuBaseline && !series.points.empty();
    });
  }

  static bool hasLiveTimes(const measure::TimingSnapshot& snapshot) {
    for (const measure::TimingSeries& series : snapshot.series)
      if (series.source == measure::SeriesSource::Live && !series.points.empty()) return true;
    return false;
  }

  static bool hasRecordedTimes(const measure::TimingSnapshot& snapshot) {
    return std::ranges::find(snapshot.series, measure::SeriesSource::Recorded,
                             &measure::TimingSeries::source) != snapshot.series.end();
  }

  // Where no GPU can be used: what the CPU does, beside recorded times. The reason was noted.
  ExitCode timeCpuInstead(measure::TimingBoard& board, const measure::TimingPlan& plan,
                          const Context& context, const engine::JobControl& job) const {
    const auto before = board.snapshot();
    for (const std::string& note : before->notes) context.streams.error << printable(note) << "\n";
    if (before->wrongResults > 0) return ExitCode::Wrong;
    context.streams.error << "The CPU is timed instead"
                          << (hasRecordedTimes(*before) ? ", beside what was recorded.\n" : ".\n");
    measure::TimingPlan onCpu = plan;
    for (model::TimingSubject& baseline : measure::baselineSubjects(plan.type, plan.op))
      onCpu.subjects.push_back(std::move(baseline));
    measure::TimingPlan live = onCpu;
    std::erase_if(live.subjects, [](const model::TimingSubject& subject) {
      return subject.kind != model::SubjectKind::CpuBaseline;
    });
    const bool whole = runTimingPlan(board, live, context.terminal, job);
    measure::TimingSnapshot seen = *board.snapshot();
    seen.plan.subjects = onCpu.subjects;  // the recorded rows that were asked for
    return reportAndEnd(seen, whole, context);
  }

  // Notes, and why a subject that was asked for has no times; each sentence once.
  static std::vector<std::string> whatIsMissing(const measure::TimingSnapshot& seen) {
    std::vector<std::string> sentences = seen.notes;
    for (const measure::TimingSeries& series : seen.series)
      if (!series.fault.empty() && std::ranges::find(sentences, series.fault) == sentences.end())
        sentences.push_back(series.fault);
    return sentences;
  }

  ExitCode tellTimes(const measure::TimingSnapshot& seen, bool whole, const Context& context) const {
    if (json_)
      report::writeTimesJson(context.streams.out, seen);
    else
      context.streams.out << (csv_ ? measure::timeCsv(measure::timeRows(seen)) : report::timesText(seen));
    for (const std::string& sentence : whatIsMissing(seen))
      context.streams.error << printable(sentence) << "\n";
    if (!whole)
      context.streams.error << "Cancelled: not all samples were taken, and what has none is missing.\n";
    if (seen.wrongResults > 0) return ExitCode::Wrong;
    if (seen.failure) return tell(context, *seen.failure);
    if (whole && !hasLiveTimes(seen)) return tell(context, {ErrorKind::Unavailable, "Nothing was timed."});
    return ExitCode::Right;
  }

  TimeOptions options_;
  KernelOptions kernel_;
  bool csv_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> makeTimeCommand() { return std::make_unique<TimeCommand>(); }

}  // namespace stridescope::cli
