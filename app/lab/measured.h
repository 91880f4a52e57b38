// What was measured of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/grid_timeline.h"
#include "analysis/reduction_cost.h"
#include "analysis/round_cycles.h"
#include "analysis/run_differences.h"
#include "base/result.h"
#include "lab/run.h"
#include "model/clock_record.h"
#include "model/counters.h"
#include "model/machine_code.h"

namespace stridescope::archive {
struct Measured;
}
namespace stridescope::engine {
class Engine;
struct JobControl;
}  // namespace stridescope::engine
namespace stridescope::measure {
class TimingBoard;
class TimingDevice;
}  // namespace stridescope::measure

namespace stridescope::lab {

// A measurement of a run's experiment. Immutable.
template <class Record>
struct RunRecord {
  std::optional<Record> record{};
  bool live = false;  // measured for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
};

// What the hardware counted of a run's experiment.
using RunCounters = RunRecord<model::CounterRecord>;

// What other variants' rounds are compared with.
inline constexpr const char* kReferenceVariant = "sequential";

// What one block of a variant takes alone, at the run's type, operator and block size.
struct VariantCycles {
  std::string variant;
  analysis::Cycles block;
  bool live = false;  // clocked on the GPU that ran the run; false: recorded
};

// What the rounds of a run cost in cycles, where a GPU has clocked its block. Immutable.
struct RunCycles {
  std::vector<model::ClockRecord> clocks{};          // one GPU's that tell of the run
  std::vector<analysis::LaunchCycles> launches{};    // one per launch of the run: what the clocks say
  std::map<unsigned, analysis::Cycles> reference{};  // the reference variant's, by active threads
  std::vector<VariantCycles> variants{};             // on the same GPU, in the catalogue's order
  bool live = false;  // clocked for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not clocked; empty: it was, or there is none
  std::vector<std::string> notes{};  // sentences: where they are from, why some are missing
};

// Where and when the blocks of a run's experiment ran on a GPU.
struct MarkedGrid {
  model::TimelineRecord record;
  analysis::GridTimeline timeline;  // the record's
};
std::shared_ptr<const MarkedGrid> markedGridOf(model::TimelineRecord record);

// Immutable, and shared: a grid has up to two million blocks.
struct RunTimeline {
  std::shared_ptr<const MarkedGrid> grid{};  // null: not known
  bool live = false;                         // marked for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
  std::vector<std::uint64_t> sizes{};  // for which n a timeline of this variant is recorded, ascending
};

// What is known of the run's time. Immutable.
struct RunCosts {
  std::optional<analysis::ReductionCost> own{};
  std::optional<analysis::ReductionCost> before{};  // the variant's that it is taught after, on the same GPU
  bool live = false;  // measured for this run, on the GPU that ran it; false: recorded
  std::string why{};  // a sentence: why the GPU that ran it was not asked; empty: it was, or there is none
  std::vector<std::uint64_t>
      pricedSizes{};  // for which n prices of this variant's steps are recorded, ascending
};

struct RunMeasured {
  RunCycles cycles{};
  RunCounters counters{};
  RunTimeline timeline{};
  RunCosts costs{};
  RunRecord<model::MachineCode> code{};  // live: compiled for this run
};

// What a recording of the run keeps of it; `measured` must outlive it.
archive::Measured keptOf(const RunMeasured& measured);

// A run with what was measured of it.
struct KnownRun {
  Run run{};
  RunMeasured measured{};

  // What the launch's rounds cost; empty: nothing is known.
  const analysis::LaunchCycles& cycles(unsigned launch) const;
  // "recorded on NVIDIA H100 80GB HBM3"; empty: no cycles are known.
  std::string cyclesOrigin() const;
};

struct Recorded;  // lab/known/recorded.h

// Steps what a run is compared with, on the CPU executor. Empty, or an error: nothing is compared.
using MakeHost = std::function<Result<std::shared_ptr<engine::Engine>>()>;

// Where what was measured is known from (lab/known/known.h). Each may be empty; jobs call them on their
// threads.
struct KnownFrom {
  // `engineId`: the engine's, which may be a recording.
  std::function<Recorded(const std::string& engineId)> recorded = {};
  // Compiles the experiment's kernel for reading, for the GPU of the driver's number; nothing: for one that
  // many have.
  std::function<Result<model::MachineCode>(const model::Experiment&, std::optional<unsigned> gpu)>
      compileCode = {};
  // The GPU of the driver's number as what clocks blocks and reads counters, for runs that were recorded on
  // one.
  std::function<Result<std::unique_ptr<measure::TimingDevice>>(unsigned gpu, engine::JobControl& job)>
      measuringGpu = {};
  std::shared_ptr<measure::TimingBoard> timings = nullptr;  // times nothing while the GPU is measured
  MakeHost makeHost = {};
};

// Adds what is known of the side's launch to it; `measured` must outlive it. The times are not in it
// (measure::comparedTimes).
void addMeasured(const RunMeasured& measured, analysis::ComparedSide& side);

}  // namespace stridescope::lab
