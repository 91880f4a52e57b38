#include "cli/own_kernel_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

#include "analysis/compare.h"
#include "analysis/requests.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/long_work.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "lab/run.h"
#include "measure/gpu/own_kernel_worker.h"
#include "model/trace_check.h"
#include "report/measured.h"
#include "report/own_kernel.h"
#include "report/runs.h"

namespace stridescope::cli {

namespace access = engine::access;

Error noGpuForOwnKernels() {
  return {ErrorKind::Unavailable, "This build has no GPU engine, and only a GPU is measured.", {}};
}

namespace {

std::vector<float> floatsOf(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// Whether all blocks of each launch can be recorded: counters count them all.
bool canRecordAllBlocks(const access::KernelFile& file) {
  return std::ranges::all_of(file.launches.launches, [](const access::LaunchRequest& launch) {
    return launch.grid.count() <= model::kMaxBlockTraces;
  });
}

// The recorder's value of a counter, over the blocks of a launch. nullopt: of one of them it is not known, or
// not all were recorded.
std::optional<double> recordedOf(model::Counter counter, const lab::Run& run, std::size_t launch,
                                 const std::vector<lab::Run>& others) {
  const model::LaunchTrace& all = run.trace.launches[launch];
  if (all.blocks.size() != all.grid) return std::nullopt;
  auto sum = analysis::modelledOfBlock(counter, all, run.analysis.launches[launch]);
  for (const lab::Run& other : others) {
    const auto own =
        analysis::modelledOfBlock(counter, other.trace.launches.front(), other.analysis.launches.front());
    sum = sum && own ? std::optional(*sum + *own) : std::nullopt;
  }
  return sum;
}

// What the recorder's run comes to, launch by launch. Empty: it is not known.
std::vector<std::vector<report::CounterRow>> besideTheRecorder(
    const std::vector<model::LaunchCounters>& counted, const lab::Run* run) {
  std::vector<std::vector<report::CounterRow>> launches;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const bool isRecorded = run != nullptr && i < run->trace.launches.size();
    std::vector<lab::Run> others;
    for (std::size_t b = 1; isRecorded && b < run->trace.launches[i].blocks.size(); ++b)
      others.push_back(report::runOfBlock(run->trace, i, b));
    std::vector<report::CounterRow>& rows = launches.emplace_back();
    for (const model::Counter counter : model::kCounters) {
      report::CounterRow row{.counter = counter, .measured = counted[i].find(counter)};
      if (isRecorded) row.modelled = recordedOf(counter, *run, i, others);
      rows.push_back(row);
    }
  }
  return launches;
}

// A file that was read and compiled, and what measures it on the GPU.
class MeasuredFile {
 public:
  // `countsAll`: what is recorded stands beside counters.
  static Result<std::unique_ptr<MeasuredFile>> open(const Context& context, const KernelOptions& kernel,
                                                    const OwnKernelRequest& request, bool countsAll,
                                                    engine::JobControl& job) {
    const lab::sources::Sources& sources = context.services.sources;
    if (!sources.measureOwnOnGpu || !sources.recordOwnOnGpu) return tl::unexpected(noGpuForOwnKernels());
    auto launches = kernel.launches(request.file, request.block);
    if (!launches) return tl::unexpected(launches.error());
    auto options = kernel.runOptionsOnGpu();
    if (!options) return tl::unexpected(options.error());
    std::unique_ptr<MeasuredFile> file(new MeasuredFile(std::move(launches->file), job));
    file->recorder_ = sources.recordOwnOnGpu(request.gpu);
    file->measuring_ = sources.measureOwnOnGpu(request.gpu);
    options->gpu = file->recorder_.get();
    file->limit_ = options->limit;
    if (countsAll) options->inspectsAll = options->inspectsAll || canRecordAllBlocks(file->file_);
    auto kernels = access::KernelsForGpu::prepare(file->file_, job, *std::move(options));
    if (!kernels) return tl::unexpected(kernels.error());
    file->kernels_ = *std::move(kernels);
    return file;
  }

  Result<report::KernelTimes> times() {
    const auto times = measuring_->time(order(), job_);
    if (!times) return tl::unexpected(times.error());
    return report::KernelTimes{.call = call(),
                               .launches = order().order.launches.size(),
                               .executor = times->executor,
                               .whole = floatsOf(times->whole),
                               .empty = floatsOf(times->empty)};
  }

  Result<report::KernelTimeline> timeline() {
    auto timeline = recorder_->timeline(order(), limit_, job_);
    if (!timeline) return tl::unexpected(timeline.error());
    return report::KernelTimeline{.call = call(), .record = *std::move(timeline)};
  }

  // Beside what the recorder has of the same launches, where they can be recorded.
  Result<report::CountedCase> counters() {
    auto counts = measuring_->count(order(), job_);
    if (!counts) return tl::unexpected(counts.error());
    auto recorded = kernels_->record(job_);
    std::optional<lab::Run> run;
    if (recorded)
      run = lab::runOf(std::move(recorded->trace));
    else
      notes_.push_back(recorded.error().sentence);
    report::CountedCase counted;
    counted.own = call();
    counted.launches = besideTheRecorder(counts->launches, run ? &*run : nullptr);
    counted.record.executor = counts->executor;
    counted.record.launches = std::move(counts->launches);
    return counted;
  }

  // Time and timeline, and the counters if they can be read.
  Result<report::KernelWhy> why() {
    auto times = this->times();
    if (!times) return tl::unexpected(times.error());
    auto timeline = this->timeline();
    if (!timeline) return tl::unexpected(timeline.error());
    report::KernelWhy why{.times = *std::move(times), .timeline = *std::move(timeline)};
    auto counted = counters();
    if (job_.cancel) return cancelled();
    // Without the permission to read them, the rest is known all the same.
    if (!counted && counted.error().kind != ErrorKind::Unavailable) return tl::unexpected(counted.error());
    if (counted)
      why.counted = *std::move(counted);
    else
      why.whyNotCounted = counted.error().sentence;
    return why;
  }

  // Sentences about what was left out.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  MeasuredFile(access::KernelFile file, engine::JobControl& job) : file_(std::move(file)), job_(job) {}

  const access::GpuAccessOrder& order() const { return kernels_->order(); }
  report::KernelCall call() const {
    const access::AccessLaunch& first = order().order.launches.front();
    return {.file = file_.name,
            .name = first.function,
            .templateArguments = file_.launches.launches.front().templateArguments,
            .grid = first.grid,
            .block = first.block,
            .sharedBytes = first.sharedBytes};
  }

  const access::KernelFile file_;
  engine::JobControl& job_;
  std::unique_ptr<access::GpuAccess> recorder_;
  std::unique_ptr<measure::gpu::OwnKernelMeasuring> measuring_;
  std::optional<access::KernelsForGpu> kernels_;  // refers to the file and the recorder
  std::chrono::milliseconds limit_{};
  std::vector<std::string> notes_;
};

// Opens the file and asks it one thing.
template <class Ask>
auto asked(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request,
           bool countsAll, const Ask& ask) -> decltype(ask(std::declval<MeasuredFile&>())) {
  LongWork work(context.terminal);
  const auto file = MeasuredFile::open(context, kernel, request, countsAll, work.job);
  if (!file) {
    work.line.clear();
    return tl::unexpected(file.error());
  }
  auto answer = ask(**file);
  work.line.clear();
  for (const std::string& note : (*file)->notes()) context.streams.error << printable(note) << "\n";
  return answer;
}

}  // namespace

ExitCode timeOwnKernel(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request) {
  const auto times = asked(context, kernel, request, false, [](MeasuredFile& file) { return file.times(); });
  if (!times) return tell(context, times.error());
  if (request.asJson)
    report::writeKernelTimeJson(context.streams.out, *times);
  else
    context.streams.out << report::kernelTimeText(*times);
  return ExitCode::Right;
}

ExitCode timeOwnBlocks(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request) {
  const auto timeline =
      asked(context, kernel, request, false, [](MeasuredFile& file) { return file.timeline(); });
  if (!timeline) return tell(context, timeline.error());
  if (request.asJson)
    report::writeKernelTimelineJson(context.streams.out, *timeline);
  else
    context.streams.out << report::kernelTimelineText(*timeline);
  return ExitCode::Right;
}

ExitCode countOwnKernel(const Context& context, const KernelOptions& kernel,
                        const OwnKernelRequest& request) {
  const auto counted =
      asked(context, kernel, request, true, [](MeasuredFile& file) { return file.counters(); });
  if (!counted) return tell(context, counted.error());
  if (request.asJson)
    report::writeCountersJson(context.streams.out, {&*counted, 1});
  else
    context.streams.out << report::countersText({&*counted, 1});
  return ExitCode::Right;
}

ExitCode explainOwnKernel(const Context& context, const KernelOptions& kernel,
                          const OwnKernelRequest& request, const std::string& other) {
  const auto explain = [](MeasuredFile& file) { return file.why(); };
  const auto why = asked(context, kernel, request, true, explain);
  if (!why) return tell(context, why.error());
  std::optional<report::KernelWhy> before;
  if (!other.empty()) {
    OwnKernelRequest alike = request;
    alike.file = other;
    auto measured = asked(context, kernel, alike, true, explain);
    if (!measured) return tell(context, measured.error());
    before = *std::move(measured);
  }
  if (!why->counted) context.streams.error << printable(why->whyNotCounted) << "\n";
  const report::KernelWhy* const otherSide = before ? &*before : nullptr;
  if (request.asJson)
    report::writeKernelWhyJson(context.streams.out, *why, otherSide);
  else
    context.streams.out << report::kernelWhyText(*why, otherSide);
  return ExitCode::Right;
}

namespace {

// How the arrays of two runs compare.
struct OutputsCompared {
  std::uint64_t members = 0, different = 0;
  double largest = 0;     // difference relative to the larger of the value and 1
  std::string where{};    // of it
  bool isNumeric = true;  // all that differ are numbers
};

OutputsCompared compareOutputs(const std::vector<access::KernelOutput>& one,
                               const std::vector<access::KernelOutput>& other) {
  OutputsCompared compared;
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k)
    for (std::size_t i = 0; i < std::min(one[k].members.size(), other[k].members.size()); ++i) {
      ++compared.members;
      const std::string &mine = one[k].members[i], &theirs = other[k].members[i];
      if (mine == theirs) continue;
      ++compared.different;
      char *end = nullptr, *otherEnd = nullptr;
      const double a = std::strtod(mine.c_str(), &end), b = std::strtod(theirs.c_str(), &otherEnd);
      compared.isNumeric = compared.isNumeric && *end == '\0' && *otherEnd == '\0' && std::isfinite(a - b);
      const double distance = std::abs(a - b) / std::max({1.0, std::abs(a), std::abs(b)});
      if (!compared.where.empty() && !(distance > compared.largest)) continue;
      compared.largest = distance;
      compared.where = one[k].nameOf(i) + ": " + mine + " and " + theirs;
    }
  return compared;
}

// What mathematical functions of a GPU may be away from those of a CPU (CUDA C++ Programming Guide,
// "Mathematical Functions": at most some units in the last place of a float).
constexpr double kFunctionsApart = 1e-5;

bool hasRaces(const lab::Run& run) {
  return std::ranges::any_of(run.analysis.launches,
                             [](const analysis::LaunchAnalysis& launch) { return !launch.races.empty(); });
}

}  // namespace

ExitCode verifyOwnKernel(const Context& context, const KernelOptions& kernel,
                         const OwnKernelRequest& request) {
  if (!context.services.sources.recordOwnOnGpu) return tell(context, noGpuForOwnKernels());
  const auto launches = kernel.launches(request.file, request.block);
  if (!launches) return tell(context, launches.error());
  const access::KernelFile& file = launches->file;
  auto options = kernel.runOptionsOnGpu();
  if (!options) return tell(context, options.error());
  options->recorder = access::RecorderChoice::Access;  // the GPU records accesses, too
  LongWork work(context.terminal);
  const auto recorder = context.services.sources.recordOwnOnGpu(request.gpu);
  if (const auto opened = recorder->open(work.job); !opened) {
    work.line.clear();
    return tell(context, opened.error());
  }
  auto onCpu = access::runKernelFile(file, work.job, *options);
  options->gpu = recorder.get();
  auto onGpu = onCpu ? access::runKernelFile(file, work.job, *options) : onCpu;
  work.line.clear();
  if (!onGpu) return tell(context, onGpu.error());
  const bool bothEnded = onCpu->hasEnded && onGpu->hasEnded;
  const lab::Run cpu = lab::runOf(std::move(onCpu->trace));
  const lab::Run gpu = lab::runOf(std::move(onGpu->trace));
  const OutputsCompared outputs = compareOutputs(onCpu->outputs, onGpu->outputs);
  const bool isRacy = hasRaces(cpu) || hasRaces(gpu);
  std::string text =
      printable(file.name) + ": " + printable(gpu.trace.executor.device) + " against the CPU executor\n";
  bool isDifferent = false;
  if (!bothEnded) {
    text += "arrays      not compared: a run did not end\n";
  } else if (outputs.different == 0) {
    text += fmt::format("arrays      equal: {} values\n", figure(outputs.members));
  } else {
    const bool isClose = outputs.isNumeric && outputs.largest <= kFunctionsApart;
    isDifferent = !isClose && !isRacy;
    text += fmt::format("arrays      {}: {} of {} values differ, most by {:.1e} of the value, at {}\n",
                        isClose ? "close" : "different", figure(outputs.different), figure(outputs.members),
                        outputs.largest, printable(outputs.where));
  }
  if (isRacy) {
    text += "snapshots   not compared: the kernel has races, and no two runs need be the same\n";
  } else {
    const analysis::CopiesCompared copies = analysis::compareBarrierCopies(cpu.trace, gpu.trace);
    if (copies.difference) {
      text += "snapshots   different: " + printable(*copies.difference) + "\n";
      isDifferent = isDifferent || outputs.different == 0;
    } else {
      text += fmt::format("snapshots   equal: {} bytes at {} block barriers\n", figure(copies.bytes),
                          figure(copies.barriers));
    }
  }
  context.streams.out << text;
  return isDifferent ? ExitCode::Wrong : ExitCode::Right;
}

}  // namespace stridescope::cli
