// Measures what is shown on the GPU that ran it, and remembers it: the cycles of a block, and the hardware's
// counters.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "measure/measured_runs.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"
#include "session/run_measured.h"
#include "session/services.h"

namespace stridescope::session {

// Jobs use it, on one thread at a time. The GPU's processes that measure live as long as this: one clocks,
// marks and times, and another reads counters, after which launches may take longer.
class LiveGpu {
 public:
  using Maker =
      std::function<Result<std::unique_ptr<measure::TimingDevice>>(unsigned gpu, engine::JobControl& job)>;
  explicit LiveGpu(Maker maker) : maker_(std::move(maker)) {}

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
  Result<std::shared_ptr<const lab::MarkedGrid>> mark(unsigned gpu, const model::Experiment& experiment,
                                                      engine::JobControl& job);

 private:
  using Device = std::unique_ptr<measure::TimingDevice>;
  void use(unsigned gpu);
  Result<measure::TimingDevice*> opened(Device& device, engine::JobControl& job) const;
  template <class Record>
  Result<Record> measured(std::vector<Record>& known, Device& device, measure::Measure<Record> measure,
                          const model::Experiment& experiment, engine::JobControl& job);

  Maker maker_;
  std::mutex turn_;
  unsigned gpu_ = 0;
  Device clocking_, counting_;              // the devices of gpu_; null: not opened yet, or lost
  std::vector<model::ClockRecord> clocks_;  // clocked on gpu_, the newest last
  std::vector<model::CounterRecord> counters_;
  std::vector<model::CostRecord> costs_;
  std::vector<std::shared_ptr<const lab::MarkedGrid>> grids_;
};

// What is measured of a run on the GPU that ran it, and no sample is timed meanwhile; where that cannot be,
// what is recorded, and why. `engineId` as of
// recordedMeasurements() (session/run_measured.h). It begins after a moment: a person on the way
// through the variants does not look at each. nullopt: `job` was cancelled.
// `live` may be null: then only the kernel's machine code is looked for, unless it is recorded.
std::optional<lab::RunMeasured> measuredLive(LiveGpu* live, const std::string& engineId, const lab::Run& run,
                                             lab::RunMeasured recorded, const SessionServices& services,
                                             engine::JobControl& job);

}  // namespace stridescope::session
