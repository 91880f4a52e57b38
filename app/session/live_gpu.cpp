#include "session/live_gpu.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "engine/engine_name.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "measure/measured_runs.h"
#include "session/run_measured.h"

namespace stridescope::session {
namespace {

constexpr std::ptrdiff_t kKept = 64;      // clocks: some hundred KB each
constexpr std::ptrdiff_t kKeptGrids = 8;  // some have many megabytes
constexpr std::chrono::milliseconds kMoment{250}, kLookAtCancel{10};

void waitAMoment(const engine::JobControl& job) {
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!job.cancel && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLookAtCancel);
}

}  // namespace

std::unique_lock<std::mutex> LiveGpu::takeTurn(const engine::JobControl& job) {
  std::unique_lock<std::mutex> turn(turn_, std::defer_lock);
  while (!job.cancel && !turn.try_lock()) std::this_thread::sleep_for(kLookAtCancel);
  return turn;
}

std::vector<model::ClockRecord> LiveGpu::knownClocks(const model::Experiment& experiment) const {
  std::vector<model::ClockRecord> telling;
  std::ranges::copy_if(clocks_, std::back_inserter(telling),
                       [&](const model::ClockRecord& each) { return model::tellsOf(each, experiment); });
  return telling;
}

Result<std::vector<model::ClockRecord>> LiveGpu::clock(unsigned gpu, const model::Experiment& experiment,
                                                       engine::JobControl& job) {
  use(gpu);
  if (auto before = knownClocks(experiment); !before.empty()) return before;
  const auto device = opened(clocking_, job);
  if (!device) return tl::unexpected(device.error());
  auto blocks = measure::clockBlocks(**device, {&experiment, 1}, job);
  if (!blocks) return tl::unexpected(blocks.error());
  if (blocks->records.empty())
    return unavailable(blocks->notes.empty() ? "No block could be clocked." : blocks->notes.front());
  std::ranges::copy(blocks->records, std::back_inserter(clocks_));
  if (std::ssize(clocks_) > kKept) clocks_.erase(clocks_.begin(), clocks_.end() - kKept);
  return std::move(blocks->records);
}

void LiveGpu::use(unsigned gpu) {
  if (gpu == gpu_) return;
  clocking_.reset(), counting_.reset();
  clocks_.clear(), counters_.clear(), costs_.clear(), grids_.clear();
  gpu_ = gpu;
}

Result<measure::TimingDevice*> LiveGpu::opened(Device& device, engine::JobControl& job) const {
  if (!device || !device->isUsable()) {
    auto made = maker_(gpu_, job);
    if (!made) return tl::unexpected(made.error());
    device = std::move(*made);
  }
  return device.get();
}

template <class Record>
Result<Record> LiveGpu::measured(std::vector<Record>& known, Device& device, measure::Measure<Record> measure,
                                 const model::Experiment& experiment, engine::JobControl& job) {
  for (const Record& each : known)
    if (model::tellsOf(each, experiment)) return each;
  const auto gpu = opened(device, job);
  if (!gpu) return tl::unexpected(gpu.error());
  auto record = ((*gpu)->*measure)(experiment, job);
  if (!record) return record;
  known.push_back(*record);
  if (std::ssize(known) > kKept) known.erase(known.begin());
  return record;
}

Result<model::CounterRecord> LiveGpu::count(unsigned gpu, const model::Experiment& experiment,
                                            engine::JobControl& job) {
  use(gpu);
  return measured(counters_, counting_, &measure::TimingDevice::measure<model::CounterRecord>, experiment,
                  job);
}

Result<model::CostRecord> LiveGpu::cost(unsigned gpu, const model::Experiment& experiment,
                                        engine::JobControl& job) {
  use(gpu);
  return measured(costs_, clocking_, &measure::TimingDevice::measure<model::CostRecord>, experiment, job);
}

Result<std::shared_ptr<const lab::MarkedGrid>> LiveGpu::mark(unsigned gpu,
                                                             const model::Experiment& experiment,
                                                             engine::JobControl& job) {
  use(gpu);
  for (const auto& each : grids_)
    if (model::tellsOf(each->record, experiment)) return each;
  const auto device = opened(clocking_, job);
  if (!device) return tl::unexpected(device.error());
  auto record = (*device)->measure<model::TimelineRecord>(experiment, job);
  if (!record) return tl::unexpected(record.error());
  grids_.push_back(lab::markedGridOf(std::move(*record)));
  if (std::ssize(grids_) > kKeptGrids) grids_.erase(grids_.begin());
  return grids_.back();
}

namespace {

lab::RunCycles clockedLive(LiveGpu& live, unsigned gpu, const std::string& engineId, const lab::Run& run,
                           lab::RunCycles recorded, const SessionServices& services,
                           engine::JobControl& job) {
  const auto clocked = live.clock(gpu, run.trace.experiment, job);
  if (!clocked) {
    recorded.why = clocked.error().sentence;
    return recorded;
  }
  const auto clocksOf = [&](const model::Experiment& experiment) {
    return live.clock(gpu, experiment, job).value_or(std::vector<model::ClockRecord>());
  };
  lab::RunCycles cycles = cyclesOf(run, clocksOf, services, job);
  cycles.live = true;
  if (!cycles.clocks.empty())
    cycles.variants = variantCycles(
        run.trace.experiment, cycles.clocks.back().executor.device,
        [&](const model::Experiment& each) { return live.knownClocks(each); },
        recordedOf(services, engineId).clocks);
  return cycles;
}

lab::RunCounters countedLive(LiveGpu& live, unsigned gpu, const lab::Run& run, lab::RunCounters recorded,
                             engine::JobControl& job) {
  auto counted = live.count(gpu, run.trace.experiment, job);
  if (!counted) {
    recorded.why = counted.error().sentence;
    return recorded;
  }
  if (counted->launches.size() != run.trace.launches.size()) return recorded;
  return {.record = std::move(*counted), .live = true};
}

lab::RunTimeline markedLive(LiveGpu& live, unsigned gpu, const lab::Run& run, lab::RunTimeline recorded,
                            engine::JobControl& job) {
  auto grid = live.mark(gpu, run.trace.experiment, job);
  if (!grid) {
    recorded.why = grid.error().sentence;
    return recorded;
  }
  recorded.grid = std::move(*grid);
  recorded.live = true;
  return recorded;
}

lab::RunCosts costedLive(LiveGpu& live, unsigned gpu, const lab::Run& run, lab::RunCosts recorded,
                         const lab::RunMeasured& measured, const SessionServices& services,
                         engine::JobControl& job) {
  auto cost = live.cost(gpu, run.trace.experiment, job);
  if (!cost) {
    recorded.why = cost.error().sentence;
    return recorded;
  }
  lab::RunCosts costs{.own = reductionCost(run, std::move(*cost), measured), .before = {}, .live = true};
  const auto before = engine::rungBefore(run.trace.experiment);
  if (!before) return costs;
  auto costBefore = live.cost(gpu, *before, job);
  if (!costBefore) return costs;
  std::optional<model::CounterRecord> counters;
  if (measured.counters.live)
    if (auto counted = live.count(gpu, *before, job)) counters = std::move(*counted);
  costs.before = reductionCost(*before, std::move(*costBefore), std::move(counters), services, job);
  return costs;
}

lab::RunRecord<model::MachineCode> compiledCode(std::optional<unsigned> gpu, const lab::Run& run,
                                                lab::RunRecord<model::MachineCode> recorded,
                                                const SessionServices& services) {
  // Another text than the catalogue's is not compiled.
  const bool isOurs =
      model::hashOf(run.trace.kernelText) == model::hashOf(kernels::kernelText(run.trace.experiment));
  if (!services.compileCode || !isOurs || run.trace.experiment.op == model::Operator::Custom) return recorded;
  if (recorded.record && !gpu) return recorded;
  auto code = services.compileCode(run.trace.experiment, gpu);
  if (code) return {.record = std::move(*code), .live = true, .why = {}};
  recorded.why = code.error().sentence;
  return recorded;
}

}  // namespace

std::optional<lab::RunMeasured> measuredLive(LiveGpu* live, const std::string& engineId, const lab::Run& run,
                                             lab::RunMeasured recorded, const SessionServices& services,
                                             engine::JobControl& job) {
  waitAMoment(job);
  if (live == nullptr) {
    if (job.cancel) return std::nullopt;
    recorded.code = compiledCode(std::nullopt, run, std::move(recorded.code), services);
    return recorded;
  }
  const auto turn = live->takeTurn(job);
  if (job.cancel) return std::nullopt;
  measure::TimingBoard::Hold hold;
  if (services.timings) hold = services.timings->holdGpu();
  const unsigned gpu = engine::gpuOf(engineId);
  lab::RunMeasured measured{
      .cycles = clockedLive(*live, gpu, engineId, run, std::move(recorded.cycles), services, job)};
  measured.code = compiledCode(gpu, run, std::move(recorded.code), services);
  if (!job.cancel) measured.timeline = markedLive(*live, gpu, run, std::move(recorded.timeline), job);
  if (!job.cancel) measured.counters = countedLive(*live, gpu, run, std::move(recorded.counters), job);
  if (!job.cancel)
    measured.costs = costedLive(*live, gpu, run, std::move(recorded.costs), measured, services, job);
  return job.cancel ? std::nullopt : std::optional(std::move(measured));
}

}  // namespace stridescope::session
