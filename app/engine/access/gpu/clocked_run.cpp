#include "engine/access/gpu/clocked_run.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/gpu/gpu_device.h"

namespace stridescope::engine::access::gpu {
namespace {

constexpr std::chrono::seconds kClockedTime{20};
constexpr unsigned kClockedRuns = 21, kClockedWarmUps = 3;  // caches and clocks settle

double medianOf(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

// `runs`: by run and warp.
void keepMarks(const std::vector<std::vector<model::WarpMarks>>& runs, ClockedLaunch& kept) {
  std::vector<std::pair<std::uint64_t, std::size_t>> lasting;  // the cycles of a run's first warp
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (runs[run].empty() || runs[run].front().empty()) continue;
    const model::WarpMarks& first = runs[run].front();
    kept.firstWarp.push_back(first);
    lasting.emplace_back(first.back().clock - first.front().clock, run);
  }
  std::ranges::sort(lasting);
  if (!lasting.empty()) kept.warps = runs[lasting[lasting.size() / 2].second];
}

// A launch that reads the clock: its time in microseconds, and its marks in `written`.
Result<double> timed(const ClockedOrder& order, engine::gpu::Stopwatch& watch, PatchedKernels& clocked,
                     const AccessLaunch& launch, std::vector<patched::Entry>& written) {
  AccessLaunch one = launch;
  if (std::exchange(one.recordsAll, false)) one.inspected = 0;
  const RecordedLaunch recorded{.launch = one, .keepsCopies = false};
  STRIDESCOPE_TRY(order.log.prepare(recorded, order.arrays));
  auto values = order.arrays.argumentsOf(launch);
  std::vector<void*> arguments = addressesOf(values);
  const auto time =
      watch.timed([&] { return clocked.launch(launch, arguments, order.log.address()); }, kClockedTime);
  if (!time) return tl::unexpected(time.error());
  auto log = order.log.fetch(recorded);
  if (!log) return tl::unexpected(log.error());
  written = std::move(log->blocks.front().entries);
  return *time;
}

Result<void> launchAll(const ClockedOrder& order, LoadedKernels& kernels) {
  for (const AccessLaunch& launch : order.asked.order.launches) {
    auto values = order.arrays.argumentsOf(launch);
    std::vector<void*> arguments = addressesOf(values);
    STRIDESCOPE_TRY(kernels.launch(launch, arguments));
  }
  return {};
}

}  // namespace

Result<void> clockLaunches(const ClockedOrder& order, GpuAccessRecord& answer) {
  const GpuAccessOrder& asked = order.asked;
  if (order.job.progress) order.job.progress(0, "clocking " + asked.order.textFile);
  auto clocked = PatchedKernels::load(order.session, order.sanitizer, asked, Patching::Clock);
  if (!clocked) return tl::unexpected(clocked.error());
  auto clean = LoadedKernels::load(order.session, asked, Contraction::Separate);
  if (!clean) return tl::unexpected(clean.error());
  STRIDESCOPE_TRY((*clean)->find());
  auto watch = engine::gpu::Stopwatch::make(*order.session.device);
  if (!watch) return tl::unexpected(watch.error());
  const auto siteOf = [&](std::uint64_t pc) {
    return order.siteAt((*clocked)->placeOf(pc, asked.order.textFile));
  };
  const std::size_t launches = asked.order.launches.size();
  answer.clocks.resize(launches);
  std::vector<std::vector<std::vector<model::WarpMarks>>> runs(launches);  // by launch, run and warp
  std::vector<double> cleanTimes, clockedTimes;
  for (unsigned run = 0; run < kClockedWarmUps + kClockedRuns; ++run) {
    if (order.job.cancel) return cancelled();
    const bool isKept = run >= kClockedWarmUps;
    STRIDESCOPE_TRY(order.arrays.restore());
    double clockedTime = 0;
    for (std::size_t k = 0; k < launches; ++k) {
      const AccessLaunch& launch = asked.order.launches[k];
      std::vector<patched::Entry> written;
      const auto taken = timed(order, **watch, **clocked, launch, written);
      if (!taken) return tl::unexpected(taken.error());
      clockedTime += *taken;
      if (isKept) runs[k].push_back(clockMarks(written, unsigned(launch.block.count()), siteOf));
    }
    STRIDESCOPE_TRY(order.arrays.restore());
    const auto cleanTime = (*watch)->timed([&] { return launchAll(order, **clean); }, kClockedTime);
    if (!cleanTime) return tl::unexpected(cleanTime.error());
    if (!isKept) continue;
    cleanTimes.push_back(*cleanTime);
    clockedTimes.push_back(clockedTime);
  }
  for (std::size_t k = 0; k < launches; ++k) keepMarks(runs[k], answer.clocks[k]);
  answer.cleanMicroseconds = medianOf(cleanTimes);
  answer.clockedMicroseconds = medianOf(clockedTimes);
  return {};
}

}  // namespace stridescope::engine::access::gpu
