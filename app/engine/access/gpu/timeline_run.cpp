#include "engine/access/gpu/timeline_run.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "access_gpu/log.h"
#include "base/numbers.h"
#include "engine/access/gpu/loaded_kernels.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/gpu/gpu_device.h"

namespace stridescope::engine::access::gpu {
namespace {

using engine::gpu::DeviceMemory;
using engine::gpu::GpuDevice;
using engine::gpu::GpuSession;
using patched::BlockTime;

constexpr std::chrono::seconds kTimedLimit{20};
constexpr unsigned kTimedRuns = 21, kTimedWarmUps = 3;  // caches and clocks settle
constexpr std::uint64_t kMostBlocks = std::uint64_t(1) << 20;

class TimelineRun {
 public:
  TimelineRun(GpuSession& session, const SanitizerApi& sanitizer, const GpuAccessOrder& asked,
              JobControl& job)
      : session_(session),
        device_(*session.device),
        sanitizer_(sanitizer),
        asked_(asked),
        job_(job),
        arrays_(device_),
        logs_(device_),
        times_(device_) {}

  Result<model::TimelineRecord> run() {
    STRIDESCOPE_TRY(load());
    STRIDESCOPE_TRY(arrays_.fill(asked_.order.buffers));
    auto watch = engine::gpu::Stopwatch::make(device_);
    if (!watch) return tl::unexpected(watch.error());
    std::vector<double> clean;
    std::vector<std::pair<double, std::vector<BlockTime>>> marked;
    for (unsigned run = 0; run < kTimedWarmUps + kTimedRuns; ++run) {
      if (job_.cancel) return cancelled();
      STRIDESCOPE_TRY(arrays_.restore());
      STRIDESCOPE_TRY(prepareLogs());
      const auto markedTime = (*watch)->timed([&] { return launchAll(true); }, kTimedLimit);
      if (!markedTime) return tl::unexpected(markedTime.error());
      std::vector<BlockTime> times(blocks_);
      STRIDESCOPE_TRY(copyFromGpu(device_, times.data(), times_.address(), times.size() * sizeof(BlockTime)));
      STRIDESCOPE_TRY(arrays_.restore());
      const auto cleanTime = (*watch)->timed([&] { return launchAll(false); }, kTimedLimit);
      if (!cleanTime) return tl::unexpected(cleanTime.error());
      if (run < kTimedWarmUps) continue;
      clean.push_back(*cleanTime);
      marked.emplace_back(*markedTime, std::move(times));
    }
    return timeline(std::move(clean), std::move(marked));
  }

 private:
  Result<void> load() {
    for (const AccessLaunch& launch : asked_.order.launches) blocks_ += launch.grid.count();
    if (blocks_ > kMostBlocks)
      return limitMet("The launches have " + figure(blocks_) + " blocks; " + figure(kMostBlocks) +
                      " can be timed. Launch fewer.");
    if (job_.progress) job_.progress(0, "timing the blocks of " + asked_.order.textFile);
    auto marked = PatchedKernels::load(session_, sanitizer_, asked_, Patching::Times);
    if (!marked) return tl::unexpected(marked.error());
    marked_ = *std::move(marked);
    auto clean = LoadedKernels::load(session_, asked_, Contraction::Separate);
    if (!clean) return tl::unexpected(clean.error());
    clean_ = *std::move(clean);
    return clean_->find();
  }

  // One log for each launch: they follow one another without a pause.
  Result<void> prepareLogs() {
    const std::size_t launches = asked_.order.launches.size();
    STRIDESCOPE_TRY(logs_.reserve(launches * sizeof(patched::Log)));
    STRIDESCOPE_TRY(times_.reserve(blocks_ * sizeof(BlockTime)));
    const std::vector<BlockTime> none(blocks_);
    STRIDESCOPE_TRY(copyToGpu(device_, times_.address(), none.data(), none.size() * sizeof(BlockTime)));
    std::vector<patched::Log> logs(launches);
    std::uint64_t first = 0;
    for (std::size_t k = 0; k < launches; ++k) {
      logs[k].times = reinterpret_cast<BlockTime*>(times_.address()) + first;
      first += asked_.order.launches[k].grid.count();
    }
    return copyToGpu(device_, logs_.address(), logs.data(), launches * sizeof(patched::Log));
  }

  Result<void> launchAll(bool isMarked) {
    for (std::size_t k = 0; k < asked_.order.launches.size(); ++k) {
      const AccessLaunch& launch = asked_.order.launches[k];
      auto values = arrays_.argumentsOf(launch);
      std::vector<void*> arguments = addressesOf(values);
      STRIDESCOPE_TRY(isMarked
                          ? marked_->launch(launch, arguments, logs_.address() + k * sizeof(patched::Log))
                          : clean_->launch(launch, arguments));
    }
    return {};
  }

  Result<model::TimelineRecord> timeline(std::vector<double> clean,
                                         std::vector<std::pair<double, std::vector<BlockTime>>> marked) {
    const auto byTime = [](const auto& run) { return run.first; };
    std::ranges::sort(clean);
    std::ranges::sort(marked, {}, byTime);
    const auto& [time, times] = marked[marked.size() / 2];
    model::TimelineRecord timeline{.experiment = {},
                                   .kernelHash = {},
                                   .executor = session_.executor(),
                                   .multiprocessors = device_.facts().multiprocessors,
                                   .runs = kTimedRuns,
                                   .cleanMicroseconds = clean[clean.size() / 2],
                                   .markedMicroseconds = time};
    const std::uint64_t begin = std::ranges::min(times, {}, &BlockTime::start).start;
    const auto api = engine::gpu::loadTimingApi(device_.api());
    if (!api) return tl::unexpected(api.error());
    auto next = times.begin();
    for (const AccessLaunch& launch : asked_.order.launches) {
      int resident = 0;
      STRIDESCOPE_TRY(device_.check(api->residentBlocks(&resident, clean_->function(launch.kernel),
                                                        int(launch.block.count()), launch.sharedBytes),
                                    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                                    "ask how many blocks fit on a multiprocessor"));
      model::LaunchTimeline& kept = timeline.launches.emplace_back();
      kept.block = launch.block.count();
      kept.residentBlocks = unsigned(std::max(0, resident));
      for (std::uint64_t block = 0; block < launch.grid.count(); ++block, ++next) {
        // A block whose first thread was ended by a fault has no end.
        const std::uint64_t end = std::max(next->end, next->start);
        kept.blocks.push_back(
            {.start = next->start - begin,
             .nanoseconds = unsigned(std::min<std::uint64_t>(end - next->start, ~0u)),
             .multiprocessor = std::min(next->multiprocessor, timeline.multiprocessors - 1)});
        timeline.nanoseconds = std::max(timeline.nanoseconds, end - begin);
      }
    }
    return timeline;
  }

  GpuSession& session_;
  GpuDevice& device_;
  const SanitizerApi& sanitizer_;
  const GpuAccessOrder& asked_;
  JobControl& job_;
  DeviceArrays arrays_;
  DeviceMemory logs_, times_;
  std::uint64_t blocks_ = 0;
  std::unique_ptr<PatchedKernels> marked_;
  std::unique_ptr<LoadedKernels> clean_;
};

}  // namespace

Result<model::TimelineRecord> timeBlocks(GpuSession& session, const SanitizerApi& sanitizer,
                                         const GpuAccessOrder& asked, JobControl& job) {
  return TimelineRun(session, sanitizer, asked, job).run();
}

}  // namespace stridescope::engine::access::gpu
