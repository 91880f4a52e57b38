#include "cli/own_kernel_measured.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/requests.h"
#include "base/numbers.h"
#include "base/plain_text.h"
#include "cli/long_work.h"
#include "engine/access/gpu_access.h"
#include "engine/access/kernel_run.h"
#include "lab/run.h"
#include "measure/gpu/own_kernel_worker.h"
#include "model/trace_check.h"
#include "report/kernel_measured.h"
#include "report/kernel_step.h"
#include "report/measured.h"
#include "report/recorded_blocks.h"

namespace stridescope::cli {

namespace access = engine::access;

namespace {

// The file as it is launched, and the order for a GPU's process.
struct Asked {
  std::unique_ptr<access::GpuAccess> recorder;
  access::KernelFile file;
  access::KernelRunOptions options;
  access::GpuAccessOrder order;
  report::KernelCall call;
};

Result<Asked> askedOf(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request,
                      engine::JobControl& job) {
  auto launches = kernel.launches(request.file, request.block);
  if (!launches) return tl::unexpected(launches.error());
  access::KernelFile& file = launches->file;
  auto options = kernel.runOptionsOnGpu();
  if (!options) return tl::unexpected(options.error());
  auto recorder = context.services.sources.recordOwnOnGpu(request.gpu);
  options->gpu = recorder.get();
  auto order = access::gpuOrderOf(file, job, *options);
  if (!order) return tl::unexpected(order.error());
  const access::AccessLaunch& first = order->order.launches.front();
  report::KernelCall call{.file = file.name,
                          .name = first.function,
                          .templateArguments = file.launches.launches.front().templateArguments,
                          .grid = first.grid,
                          .block = first.block,
                          .sharedBytes = first.sharedBytes};
  return Asked{std::move(recorder), std::move(file), *options, *std::move(order), std::move(call)};
}

}  // namespace

Error noGpuForOwnKernels() {
  return {ErrorKind::Unavailable, "This build has no GPU engine, and only a GPU is measured.", {}};
}

namespace {

std::vector<float> floatsOf(const std::vector<double>& values) { return {values.begin(), values.end()}; }

// The launches of which all blocks can be recorded have all of them recorded: a counter counts them all.
bool recordsAllBlocks(const access::GpuAccessOrder& order) {
  return std::ranges::all_of(order.order.launches, [](const access::AccessLaunch& launch) {
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

}  // namespace

ExitCode timeOwnKernel(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request) {
  const lab::sources::Sources& sources = context.services.sources;
  if (!sources.measureOwnOnGpu || !sources.recordOwnOnGpu) return tell(context, noGpuForOwnKernels());
  LongWork work(context.terminal);
  const auto asked = askedOf(context, kernel, request, work.job);
  if (!asked) {
    work.line.clear();
    return tell(context, asked.error());
  }
  const auto times = sources.measureOwnOnGpu(request.gpu)->time(asked->order, work.job);
  work.line.clear();
  if (!times) return tell(context, times.error());
  const report::KernelTimes shown{.call = asked->call,
                                  .launches = asked->order.order.launches.size(),
                                  .executor = times->executor,
                                  .whole = floatsOf(times->whole),
                                  .empty = floatsOf(times->empty)};
  if (request.asJson)
    report::writeKernelTimeJson(context.streams.out, shown);
  else
    context.streams.out << report::kernelTimeText(shown);
  return ExitCode::Right;
}

ExitCode timeOwnBlocks(const Context& context, const KernelOptions& kernel, const OwnKernelRequest& request) {
  if (!context.services.sources.recordOwnOnGpu) return tell(context, noGpuForOwnKernels());
  LongWork work(context.terminal);
  const auto asked = askedOf(context, kernel, request, work.job);
  if (!asked) {
    work.line.clear();
    return tell(context, asked.error());
  }
  auto timeline = asked->recorder->timeline(asked->order, asked->options.limit, work.job);
  work.line.clear();
  if (!timeline) return tell(context, timeline.error());
  const report::KernelTimeline shown{.call = asked->call, .record = *std::move(timeline)};
  if (request.asJson)
    report::writeKernelTimelineJson(context.streams.out, shown);
  else
    context.streams.out << report::kernelTimelineText(shown);
  return ExitCode::Right;
}

ExitCode countOwnKernel(const Context& context, const KernelOptions& kernel,
                        const OwnKernelRequest& request) {
  const lab::sources::Sources& sources = context.services.sources;
  if (!sources.measureOwnOnGpu || !sources.recordOwnOnGpu) return tell(context, noGpuForOwnKernels());
  LongWork work(context.terminal);
  auto asked = askedOf(context, kernel, request, work.job);
  if (!asked) {
    work.line.clear();
    return tell(context, asked.error());
  }
  auto counts = sources.measureOwnOnGpu(request.gpu)->count(asked->order, work.job);
  work.line.clear();
  if (!counts) return tell(context, counts.error());
  asked->options.inspectsAll = recordsAllBlocks(asked->order);
  auto recorded = access::runKernelFile(asked->file, work.job, asked->options);
  work.line.clear();
  std::optional<lab::Run> run;
  if (recorded)
    run = lab::runOf(std::move(recorded->trace));
  else
    context.streams.error << printable(recorded.error().sentence) << "\n";
  report::CountedCase counted;
  counted.own = asked->call;
  counted.launches = besideTheRecorder(counts->launches, run ? &*run : nullptr);
  counted.record.executor = counts->executor;
  counted.record.launches = std::move(counts->launches);
  if (request.asJson)
    report::writeCountersJson(context.streams.out, {&counted, 1});
  else
    context.streams.out << report::countersText({&counted, 1});
  return ExitCode::Right;
}

ExitCode explainOwnKernel(const Context& context, const KernelOptions& kernel,
                          const OwnKernelRequest& request) {
  if (const ExitCode timed = timeOwnKernel(context, kernel, request); timed != ExitCode::Right) return timed;
  context.streams.out << "\n";
  if (const ExitCode marked = timeOwnBlocks(context, kernel, request); marked != ExitCode::Right)
    return marked;
  context.streams.out << "\n";
  const ExitCode counted = countOwnKernel(context, kernel, request);
  // Without the permission to read them, the rest is known all the same.
  return counted == ExitCode::Missing ? ExitCode::Right : counted;
}

}  // namespace stridescope::cli
