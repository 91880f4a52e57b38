#include "session/live_clocks.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "engine/engine_name.h"
#include "measure/clocked_blocks.h"

namespace stridescope::session {
namespace {

constexpr std::ptrdiff_t kKept = 64;  // clocks: some hundred KB each
constexpr std::chrono::milliseconds kMoment{250}, kLookAtCancel{10};

void waitAMoment(const engine::JobControl& job) {
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!job.cancel && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLookAtCancel);
}

}  // namespace

std::vector<model::ClockRecord> LiveClocks::known(const model::Experiment& experiment) const {
  std::vector<model::ClockRecord> telling;
  std::ranges::copy_if(clocks_, std::back_inserter(telling),
                       [&](const model::ClockRecord& each) { return model::tellsOf(each, experiment); });
  return telling;
}

Result<std::vector<model::ClockRecord>> LiveClocks::clock(unsigned gpu, const model::Experiment& experiment,
                                                          engine::JobControl& job) {
  if (gpu != gpu_) device_.reset(), clocks_.clear();
  gpu_ = gpu;
  if (auto before = known(experiment); !before.empty()) return before;
  if (!device_ || !device_->isUsable()) {
    auto device = maker_(gpu, job);
    if (!device) return tl::unexpected(device.error());
    device_ = std::move(*device);
  }
  auto blocks = measure::clockBlocks(*device_, {&experiment, 1}, job);
  if (!blocks) return tl::unexpected(blocks.error());
  if (blocks->records.empty())
    return unavailable(blocks->notes.empty() ? "No block could be clocked." : blocks->notes.front());
  std::ranges::copy(blocks->records, std::back_inserter(clocks_));
  if (std::ssize(clocks_) > kKept) clocks_.erase(clocks_.begin(), clocks_.end() - kKept);
  return std::move(blocks->records);
}

std::optional<RunCycles> clockedCycles(LiveClocks& live, const std::string& engineId, const Run& run,
                                       RunCycles recorded, const SessionServices& services,
                                       engine::JobControl& job) {
  waitAMoment(job);
  if (job.cancel) return std::nullopt;
  measure::TimingBoard::Hold hold;
  if (services.timings) hold = services.timings->holdGpu();
  const unsigned gpu = engine::gpuOf(engineId);
  const auto clocked = live.clock(gpu, run.trace.experiment, job);
  if (job.cancel) return std::nullopt;
  if (!clocked) {
    recorded.why = clocked.error().sentence;
    return recorded;
  }
  const auto clocksOf = [&](const model::Experiment& experiment) {
    return live.clock(gpu, experiment, job).value_or(std::vector<model::ClockRecord>());
  };
  RunCycles cycles = cyclesOf(run, clocksOf, services, job);
  cycles.live = true;
  if (!cycles.clocks.empty())
    cycles.variants = variantCycles(
        run.trace.experiment, cycles.clocks.back().executor.device,
        [&](const model::Experiment& each) { return live.known(each); },
        [&](const model::Experiment& each) {
          return services.clocks ? services.clocks(engineId, each) : std::vector<model::ClockRecord>();
        });
  return job.cancel ? std::nullopt : std::optional(std::move(cycles));
}

}  // namespace stridescope::session
