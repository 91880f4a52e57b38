// Clocks what is shown on the GPU that ran it, and remembers it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "measure/timing_device.h"
#include "model/clock_record.h"
#include "session/run_cycles.h"
#include "session/services.h"

namespace stridescope::session {

// On one thread, a job's. The GPU's process that clocks lives as long as this.
class LiveClocks {
 public:
  using Maker =
      std::function<Result<std::unique_ptr<measure::TimingDevice>>(unsigned gpu, engine::JobControl& job)>;
  explicit LiveClocks(Maker maker) : maker_(std::move(maker)) {}

  // The clocks that tell of the experiment on the GPU of the driver's number, in each company that it can be
  // clocked in; at least one. Errors: why there is none, `job` was cancelled.
  Result<std::vector<model::ClockRecord>> clock(unsigned gpu, const model::Experiment& experiment,
                                                engine::JobControl& job);

  // Those of them that were clocked before.
  std::vector<model::ClockRecord> known(const model::Experiment& experiment) const;

 private:
  Maker maker_;
  unsigned gpu_ = 0;
  std::unique_ptr<measure::TimingDevice> device_;  // of gpu_; null: none was opened yet, or it was lost
  std::vector<model::ClockRecord> clocks_;         // of gpu_, the newest last
};

// The cycles of a run on the GPU that ran it, and no sample is timed meanwhile;
// where it cannot be clocked, the recorded ones, and why. `engineId` as of recordedCycles(). It begins after
// a moment: a person on the way through the variants does not look at each. nullopt: `job` was cancelled.
std::optional<RunCycles> clockedCycles(LiveClocks& live, const std::string& engineId, const Run& run,
                                       RunCycles recorded, const SessionServices& services,
                                       engine::JobControl& job);

}  // namespace stridescope::session
