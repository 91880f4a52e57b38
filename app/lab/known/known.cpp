#include "lab/known/known.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/experiment_check.h"
#include "kernels/catalog.h"
#include "lab/known/measured_runs.h"

namespace stridescope::lab {
namespace {

constexpr std::ptrdiff_t kKept = 64;      // clocks: some hundred KB each
constexpr std::ptrdiff_t kKeptGrids = 8;  // some have many megabytes
constexpr std::chrono::milliseconds kMoment{250}, kLookAtCancel{10};

void waitAMoment(const engine::JobControl& job) {
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!job.cancel && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLookAtCancel);
}

}  // namespace

// The GPU that measures, and what it has measured.
class Known::Live {
 public:
  using Maker =
      std::function<Result<std::unique_ptr<measure::TimingDevice>>(unsigned gpu, engine::JobControl& job)>;
  explicit Live(Maker maker) : maker_(std::move(maker)) {}

  // While it is held, other jobs wait for theirs. Not held: `job` was cancelled.
  std::unique_lock<std::mutex> takeTurn(const engine::JobControl& job);

  // The clocks that tell of the experiment on the GPU with the driver's number, one for each kind of grid
  // that it can be clocked in; there is at least one. Errors: why there is none, `job` was cancelled.
  Result<std::vector<model::ClockRecord>> clock(unsigned gpu, const model::Experiment& experiment,
                                                engine::JobControl& job);

  // The experiment's clocks that clock() has taken before.
  std::vector<model::ClockRecord> knownClocks(const model::Experiment& experiment) const;

  // The experiment's counters, its cost, its timeline. Errors: why there are none, `job` was cancelled.
  Result<model::CounterRecord> count(unsigned gpu, const model::Experiment& experiment,
                                     engine::JobControl& job);
  Result<model::CostRecord> cost(unsigned gpu, const model::Experiment& experiment, engine::JobControl& job);
  Result<model::PeelRecord> price(unsigned gpu, const model::Experiment& experiment, engine::JobControl& job);
  Result<std::shared_ptr<const MarkedGrid>> mark(unsigned gpu, const model::Experiment& experiment,
                                                 engine::JobControl& job);

 private:
  using Device = std::unique_ptr<measure::TimingDevice>;
  void use(unsigned gpu);
  Result<measure::TimingDevice*> opened(Device& device, engine::JobControl& job) const;
  template <class Record>
  Result<Record> measured(std::vector<Record>& known, Device& device, const model::Experiment& experiment,
                          engine::JobControl& job);

  Maker maker_;
  std::mutex turn_;
  unsigned gpu_ = 0;
  Device clocking_, counting_;              // the devices of gpu_; null: not opened yet, or lost
  std::vector<model::ClockRecord> clocks_;  // clocked on gpu_, the newest last
  std::vector<model::CounterRecord> counters_;
  std::vector<model::CostRecord> costs_;
  std::vector<model::PeelRecord> prices_;
  std::vector<std::shared_ptr<const MarkedGrid>> grids_;
};

std::unique_lock<std::mutex> Known::Live::takeTurn(const engine::JobControl& job) {
  std::unique_lock<std::mutex> turn(turn_, std::defer_lock);
  while (!job.cancel && !turn.try_lock()) std::this_thread::sleep_for(kLookAtCancel);
  return turn;
}

std::vector<model::ClockRecord> Known::Live::knownClocks(const model::Experiment& experiment) const {
  std::vector<model::ClockRecord> telling;
  std::ranges::copy_if(clocks_, std::back_inserter(telling),
                       [&](const model::ClockRecord& each) { return model::tellsOf(each, experiment); });
  return telling;
}

Result<std::vector<model::ClockRecord>> Known::Live::clock(unsigned gpu, const model::Experiment& experiment,
                                                           engine::JobControl& job) {
  use(gpu);
  if (auto before = knownClocks(experiment); !before.empty()) return before;
  const auto device = opened(clocking_, job);
  if (!device) return tl::unexpected(device.error());
  auto blocks = measureRuns<model::ClockRecord>(**device, {&experiment, 1}, job);
  if (!blocks) return tl::unexpected(blocks.error());
  if (blocks->records.empty())
    return unavailable(blocks->notes.empty() ? "No block could be clocked." : blocks->notes.front());
  std::ranges::copy(blocks->records, std::back_inserter(clocks_));
  if (std::ssize(clocks_) > kKept) clocks_.erase(clocks_.begin(), clocks_.end() - kKept);
  return std::move(blocks->records);
}

void Known::Live::use(unsigned gpu) {
  if (gpu == gpu_) return;
  clocking_.reset(), counting_.reset();
  clocks_.clear(), counters_.clear(), costs_.clear(), prices_.clear(), grids_.clear();
  gpu_ = gpu;
}

Result<measure::TimingDevice*> Known::Live::opened(Device& device, engine::JobControl& job) const {
  if (!device || !device->isUsable()) {
    auto made = maker_(gpu_, job);
    if (!made) return tl::unexpected(made.error());
    device = std::move(*made);
  }
  return device.get();
}

template <class Record>
Result<Record> Known::Live::measured(std::vector<Record>& known, Device& device,
                                     const model::Experiment& experiment, engine::JobControl& job) {
  for (const Record& each : known)
    if (model::tellsOf(each, experiment)) return each;
  const auto gpu = opened(device, job);
  if (!gpu) return tl::unexpected(gpu.error());
  auto record = (*gpu)->measure<Record>(experiment, job);
  if (!record) return record;
  known.push_back(*record);
  if (std::ssize(known) > kKept) known.erase(known.begin());
  return record;
}

Result<model::CounterRecord> Known::Live::count(unsigned gpu, const model::Experiment& experiment,
                                                engine::JobControl& job) {
  use(gpu);
  return measured(counters_, counting_, experiment, job);
}

Result<model::CostRecord> Known::Live::cost(unsigned gpu, const model::Experiment& experiment,
                                            engine::JobControl& job) {
  use(gpu);
  return measured(costs_, clocking_, experiment, job);
}

Result<model::PeelRecord> Known::Live::price(unsigned gpu, const model::Experiment& experiment,
                                             engine::JobControl& job) {
  use(gpu);
  return measured(prices_, clocking_, experiment, job);
}

Result<std::shared_ptr<const MarkedGrid>> Known::Live::mark(unsigned gpu, const model::Experiment& experiment,
                                                            engine::JobControl& job) {
  use(gpu);
  for (const auto& each : grids_)
    if (model::tellsOf(each->record, experiment)) return each;
  const auto device = opened(clocking_, job);
  if (!device) return tl::unexpected(device.error());
  auto record = (*device)->measure<model::TimelineRecord>(experiment, job);
  if (!record) return tl::unexpected(record.error());
  grids_.push_back(markedGridOf(std::move(*record)));
  if (std::ssize(grids_) > kKeptGrids) grids_.erase(grids_.begin());
  return grids_.back();
}

Known::Known(KnownFrom from)
    : from_(std::move(from)),
      live_(from_.measuringGpu ? std::make_unique<Live>(from_.measuringGpu) : nullptr) {}
Known::~Known() = default;

RunMeasured Known::recorded(const Run& run, const std::string& engineId, engine::JobControl& job) const {
  const Recorded recorded = from_.recorded ? from_.recorded(engineId) : Recorded();
  return recordedMeasurements(run, recorded, from_.makeHost, job);
}

Known::Asks Known::asks(const Run& run, const RunMeasured& recorded) const {
  if (live_ && run.trace.executor.kind == model::EngineKind::Gpu) return Asks::Gpu;
  return from_.compileCode && !recorded.code.record ? Asks::Compiler : Asks::Nobody;
}

RunRecord<model::MachineCode> Known::compiled(std::optional<unsigned> gpu, const Run& run,
                                              RunRecord<model::MachineCode> recorded) const {
  // Another text than the catalogue's is not compiled.
  const bool isOurs =
      model::hashOf(run.trace.kernelText) == model::hashOf(kernels::kernelText(run.trace.experiment));
  if (!from_.compileCode || !isOurs || run.trace.experiment.op == model::Operator::Custom) return recorded;
  if (recorded.record && !gpu) return recorded;
  auto code = from_.compileCode(run.trace.experiment, gpu);
  if (code) return {.record = std::move(*code), .live = true, .why = {}};
  recorded.why = code.error().sentence;
  return recorded;
}

// One run on the GPU that ran it.
class Known::Measuring {
 public:
  Measuring(Known& known, unsigned gpu, const Run& run, engine::JobControl& job)
      : from_(known.from_), live_(*known.live_), gpu_(gpu), run_(run), job_(job) {}

  RunCycles cycles(const std::string& engineId, RunCycles recorded) const {
    const auto clocked = live_.clock(gpu_, experiment(), job_);
    if (!clocked) return notMeasured(std::move(recorded), clocked.error());
    const auto clocks = [this](const model::Experiment& each) { return live_.clock(gpu_, each, job_); };
    RunCycles cycles = cyclesOf(run_, *clocked);
    addReference(cycles, run_, clocks, from_.makeHost, job_);
    cycles.live = true;
    if (!cycles.clocks.empty())
      cycles.variants = variantCycles(
          experiment(), cycles.clocks.back().executor.device,
          [this](const model::Experiment& each) { return live_.knownClocks(each); },
          from_.recorded ? from_.recorded(engineId).of<model::ClockRecord>() : nullptr);
    return cycles;
  }

  RunCounters counters(RunCounters recorded) const {
    auto counted = live_.count(gpu_, experiment(), job_);
    if (!counted) return notMeasured(std::move(recorded), counted.error());
    if (counted->launches.size() != run_.trace.launches.size()) return recorded;
    return {.record = std::move(*counted), .live = true};
  }

  RunTimeline timeline(RunTimeline recorded) const {
    auto grid = live_.mark(gpu_, experiment(), job_);
    if (!grid) return notMeasured(std::move(recorded), grid.error());
    recorded.grid = std::move(*grid);
    recorded.live = true;
    return recorded;
  }

  RunCosts costs(RunCosts recorded, const RunMeasured& measured) const {
    auto cost = live_.cost(gpu_, experiment(), job_);
    if (!cost) return notMeasured(std::move(recorded), cost.error());
    RunCosts costs{.own = reductionCost(run_,
                                        {.cost = std::move(*cost),
                                         .counters = measured.counters.record,
                                         .grid = measured.timeline.grid,
                                         .prices = price(experiment())},
                                        from_.makeHost, job_),
                   .live = true,
                   .pricedSizes = std::move(recorded.pricedSizes)};
    const auto before = engine::rungBefore(experiment());
    if (!before) return costs;
    auto costBefore = live_.cost(gpu_, *before, job_);
    if (!costBefore) return costs;
    std::optional<model::CounterRecord> counters;
    if (measured.counters.live)
      if (auto counted = live_.count(gpu_, *before, job_)) counters = std::move(*counted);
    costs.before = reductionCost(
        *before, {.cost = std::move(*costBefore), .counters = std::move(counters), .prices = price(*before)},
        from_.makeHost, job_);
    return costs;
  }

 private:
  const model::Experiment& experiment() const { return run_.trace.experiment; }
  // nullopt: its steps have none on this GPU.
  std::optional<model::PeelRecord> price(const model::Experiment& priced) const {
    auto prices = live_.price(gpu_, priced, job_);
    return prices ? std::optional(std::move(*prices)) : std::nullopt;
  }
  template <class Figure>
  static Figure notMeasured(Figure recorded, const Error& why) {
    recorded.why = why.sentence;
    return recorded;
  }

  const KnownFrom& from_;
  Live& live_;
  unsigned gpu_;
  const Run& run_;
  engine::JobControl& job_;
};

std::optional<RunMeasured> Known::measured(const Run& run, const std::string& engineId, RunMeasured recorded,
                                           engine::JobControl& job) {
  waitAMoment(job);
  if (asks(run, recorded) != Asks::Gpu) {
    if (job.cancel) return std::nullopt;
    recorded.code = compiled(std::nullopt, run, std::move(recorded.code));
    return recorded;
  }
  const auto turn = live_->takeTurn(job);
  if (job.cancel) return std::nullopt;
  measure::TimingBoard::Hold hold;
  if (from_.timings) hold = from_.timings->holdGpu();
  const unsigned gpu = engine::gpuOf(engineId);
  const Measuring measuring(*this, gpu, run, job);
  RunMeasured measured{.cycles = measuring.cycles(engineId, std::move(recorded.cycles))};
  measured.code = compiled(gpu, run, std::move(recorded.code));
  if (!job.cancel) measured.timeline = measuring.timeline(std::move(recorded.timeline));
  if (!job.cancel) measured.counters = measuring.counters(std::move(recorded.counters));
  if (!job.cancel) measured.costs = measuring.costs(std::move(recorded.costs), measured);
  return job.cancel ? std::nullopt : std::optional(std::move(measured));
}

}  // namespace stridescope::lab
