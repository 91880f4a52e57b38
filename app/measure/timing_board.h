// Live timings, for a window that draws them and for the command line: a thread of its own samples a plan,
// and what it has is read as a snapshot at any time.
//
//   board.start(plan)        at once; a plan that runs is replaced. The thread opens the devices it needs.
//   board.snapshot()         a pointer to an immutable value: reading it every frame costs nothing.
//   board.stop()             at once; the devices are given back by the thread, with all their memory.
//   board.holdGpu()          for the job that records on the GPU: no sample is taken while the hold lives.
//
// Memory does not grow with the samples: each line keeps the newest kKeptSamples of a case.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/catalog.h"
#include "measure/statistics.h"
#include "measure/timing_device.h"
#include "model/timing_record.h"

namespace stridescope::measure {

// The cases are all sizes with the first block size, then the first size with the other block sizes.
struct TimingPlan {
  model::ElementType type = model::ElementType::Int;
  model::Operator op = model::Operator::Add;
  std::vector<model::TimingSubject> subjects{};  // in the order in which they are taught; baselines last
  std::vector<std::uint64_t> sizes{};            // n; at least one
  std::vector<unsigned> threads{0};              // per block; 0: each variant's default
  std::uint64_t samplesPerCase = 0;              // per subject; 0: no limit
  double secondsPerCase = 0;     // 0: no limit. Without either limit the first case goes on until stop()
  double secondsPerSubject = 0;  // of samplesPerCase, then only so many: kMinSamples at least; 0: no limit
  bool warmL2 = false, graph = false;  // TimingCase
  bool interleaved = false;            // else each subject is sampled alone with CUB, where that is timed
  unsigned gpu = 0;                    // the driver's number
  unsigned gpus = 0;                   // of subjects over several GPUs: how many, from number 0 on
  friend bool operator==(const TimingPlan&, const TimingPlan&) = default;
};

enum class TimingState : std::uint8_t {
  Idle,       // nothing was started, or it was stopped
  Preparing,  // devices are opened, kernels compiled, inputs filled
  Sampling,
  Paused,  // by a person
  Held,    // the GPU records
  Done,    // the plan is through
  Failed,  // `failure` says why
};

enum class SeriesSource : std::uint8_t { Live, Recorded };

// One subject at one case, from all samples that are kept.
struct TimingPoint {
  model::TimingCase timingCase;
  unsigned threads = 0;                             // as it ran; 0: no blocks of ours
  double emptyMicroseconds = 0;                     // empty kernels' in the same grids; 0: not known
  Summary time;                                     // microseconds
  std::uint64_t taken = 0;                          // samples ever taken, at least time.count
  std::optional<Ratio> toCub, toFirst, toPrevious;  // time over the other's: below 1 is faster; the first is
                                                    // a variant of the plan, the one before of its family
  std::optional<Ratio> toOneGpu, toNccl;  // over several GPUs: to one that does it alone, and to NCCL
};
// In 10^9 bytes per second, with each element of the input read once.
double gigabytesPerSecond(const TimingPoint& point);
// Whether its median is known: its interval does not span a factor of two.
bool isSettled(const TimingPoint& point);

// A line of the plots. Recorded ones never change.
struct TimingSeries {
  model::TimingSubject subject;
  std::string label;  // "sequential", "CUB DeviceReduce", "OpenMP"
  unsigned mark = 0;  // the same as long as the board lives: a colour and a plot mark, as well as an order
  SeriesSource source = SeriesSource::Live;
  model::Executor executor;                // where it ran; a recording's with its date
  std::optional<MeasuredCeiling> ceiling;  // that device's
  std::optional<model::GpuLimits> limits;  // a live series's
  unsigned gpus = 0;                       // over so many, all alike; 0: over one, or on the CPU
  std::vector<model::GpuLink> links;       // between them
  // The samples of the current case, oldest first: seconds since the board began, and microseconds.
  std::vector<float> recentSeconds, recentMicroseconds;
  std::vector<TimingPoint> points;  // every case that has a sample; the current one last
  std::string fault;                // a sentence: why it is not timed (any more); empty: it is
};

struct TimingSnapshot {
  std::uint64_t revision = 0;  // another number: something changed
  TimingState state = TimingState::Idle;
  TimingPlan plan;                   // the last that was started
  std::string doing;                 // "2^24 elements: 12 of 101 repetitions"
  float fraction = -1;               // how much of the plan is done; below 0: not known
  model::TimingCase timingCase;      // while Sampling, Paused or Held: the current one
  std::vector<TimingSeries> series;  // in the plan's order (soon after start(): the plan's before), then the
                                     // recorded ones
  std::vector<std::string> notes;  // sentences, each once: throttled clocks, a size that does not fit, no GPU
  unsigned wrongResults = 0;       // subjects, each once a case, that gave one: a note says which
  std::optional<Error> failure;
};

// How the board comes to devices; called on its thread. A maker that is not set: there is no such device.
// Making a GPU returns soon after `job` was cancelled.
struct TimingMakers {
  std::function<Result<std::unique_ptr<TimingDevice>>(unsigned gpu, engine::JobControl& job)> makeGpu;
  std::function<Result<std::unique_ptr<TimingDevice>>()> makeCpu;
  std::function<Result<std::unique_ptr<TimingDevice>>(unsigned gpus, engine::JobControl& job)> makeGpus;
  std::function<double()> now;  // a steady clock's seconds; not set: the machine's
  std::uint64_t seed = 1;       // decides the order of samples
};

// One thread (the window's) starts, pauses and stops; snapshot() and holdGpu() may be called from any.
class TimingBoard {
 public:
  // `wake` is called from the sampling thread, at most some 20 times a second, when there is a new snapshot;
  // it may be empty.
  explicit TimingBoard(TimingMakers makers, std::function<void()> wake = {});
  ~TimingBoard();  // stops; waits for the sample in progress
  TimingBoard(const TimingBoard&) = delete;
  TimingBoard& operator=(const TimingBoard&) = delete;

  void start(TimingPlan plan);  // keeps the points of an earlier plan of the same type, operator and GPU
  void stop();                  // what was measured stays
  void pause();
  void resume();
  void clear();  // forgets all live samples and points; a running plan goes on

  // Shows recordings' series beside the live ones, with what launching cost in them. They replace those added
  // before.
  void showRecorded(const std::vector<model::TimingRecord>& records,
                    const std::vector<model::CostRecord>& costs = {},
                    const std::vector<model::GroupTimingRecord>& groups = {},
                    const std::vector<model::LinkRecord>& links = {});

  // Never null.
  std::shared_ptr<const TimingSnapshot> snapshot() const;

  // All live samples that are kept, for a recording.
  std::vector<model::TimingRecord> records() const;
  // The same of what was timed over several GPUs (group_series.h).
  std::vector<model::GroupTimingRecord> groupRecords() const;

  // Waits until the plan is through or has failed, at most so long. True: it is.
  bool waitUntilDone(double seconds) const;

  // While one lives, no sample is taken. Making one waits for the GPU's sample in progress (a reduction
  // long), not for compiling; it may outlive the board.
  class Hold {
   public:
    Hold() = default;
    explicit Hold(std::function<void()> release) : release_(std::move(release)) {}
    Hold(Hold&& other) noexcept : release_(std::exchange(other.release_, {})) {}
    Hold& operator=(Hold&& other) noexcept {
      std::swap(release_, other.release_);
      return *this;
    }
    ~Hold() {
      if (release_) release_();
    }

   private:
    std::function<void()> release_;
  };
  [[nodiscard]] Hold holdGpu();

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;  // with the thread, and with holds that outlive the board
};

// No reduction, but what bounds one from below on a GPU: the blocks of single_pass read all elements and
// leave their results, which nobody combines.
inline const model::TimingSubject kFloor{model::SubjectKind::GpuBaseline, "floor"};

// One GPU that reduces the whole input alone, timed as several are: by the host, until it has the result. The
// fastest of the catalogue's kernels that takes the type and operator.
inline const model::TimingSubject kOneGpu{model::SubjectKind::SeveralGpus, "one_gpu"};

// What a subject is called: a variant's title, "CUB DeviceReduce", "thrust::reduce, to host", "std::reduce,
// par".
std::string labelOf(const model::TimingSubject& subject);

// The variants that are timed with the type and operator, in the order of the catalogue, but that the
// Ladder's come first; the same as subjects; and the baselines.
std::vector<const kernels::Variant*> timedVariants(model::ElementType type, model::Operator op);
std::vector<model::TimingSubject> variantSubjects(model::ElementType type, model::Operator op);
std::vector<model::TimingSubject> baselineSubjects(model::ElementType type, model::Operator op);
// Over several GPUs: one GPU alone, which stands first, and the variants that leave one result; and those
// that leave an array on each GPU.
std::vector<model::TimingSubject> groupSubjects(model::ElementType type, model::Operator op);

}  // namespace stridescope::measure
