// What is known of runs: what recordings have measured of them, and what is measured on the GPU that ran
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "lab/known/recorded.h"
#include "lab/measured.h"
#include "lab/run.h"
#include "measure/timing_board.h"
#include "measure/timing_device.h"
#include "model/machine_code.h"

namespace stridescope::lab {

// Jobs use it, on one thread at a time. The GPU's processes that measure live as long as this: one clocks and
// marks, and another reads counters, after which launches may take longer. What they have measured is
// remembered.
class Known {
 public:
  explicit Known(KnownFrom from);
  ~Known();
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  // All that recordings have of the run, the newest of each. `engineId`: who ran or recorded it.
  RunMeasured recorded(const Run& run, const std::string& engineId, engine::JobControl& job) const;

  // What measured() would ask of the run: the GPU that ran it, a compiler alone, nobody.
  enum class Asks : std::uint8_t { Gpu, Compiler, Nobody };
  Asks asks(const Run& run, const RunMeasured& recorded) const;

  // What is measured of the run on the GPU that ran it, and no sample is timed meanwhile; where that cannot
  // be, what is `recorded`, and why. Of a run that no GPU made only the machine code is looked for, unless it
  // is recorded. It begins after a moment: a person on the way through the variants does not look at each.
  // nullopt: `job` was cancelled.
  std::optional<RunMeasured> measured(const Run& run, const std::string& engineId, RunMeasured recorded,
                                      engine::JobControl& job);

 private:
  class Live;
  class Measuring;
  RunRecord<model::MachineCode> compiled(std::optional<unsigned> gpu, const Run& run,
                                         RunRecord<model::MachineCode> recorded) const;

  KnownFrom from_;
  std::unique_ptr<Live> live_;  // null: nothing is measured
};

}  // namespace stridescope::lab
