// One subject on the GPU, ready to be timed: its kernels compiled, its memory filled, its launches planned.
#pragma once

#include <functional>
#include <memory>

#include "measure/baselines/gpu_baselines.h"
#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// Where the inputs lie and how caches are emptied, the same for all subjects of a case.
struct CaseMemory {
  std::uint64_t inputPlace = 0;  // an address that stands for the input's
  std::uint64_t room = 0;        // elements that every input has, the last ones identities
  const MemoryPasses* passes = nullptr;
  std::uint64_t emptying = 0,
                emptyingBytes = 0;  // memory that is read to empty L2 of the rest; 0 bytes: L2 stays
  unsigned emptyingBlocks = 0;
  unsigned gpu = 0;  // the driver's number
};

class TimedSubject {
 public:
  virtual ~TimedSubject() = default;
  virtual Result<Timed> run(std::uint64_t input) = 0;
  virtual unsigned threads() const = 0;  // per block; 0: there are no blocks of ours
  // The time of empty kernels in the same grids, microseconds; 0: it has no grids of ours.
  virtual Result<double> emptyTime() { return 0.0; }
};

// How many elements of input a variant reads at the case, filled up to whole blocks; an error that says
// why it is not timed there.
Result<std::uint64_t> roomOf(const model::TimingSubject& variant, const model::TimingCase& timingCase,
                             const model::Executor& gpu);

Result<std::unique_ptr<TimedSubject>> makeTimedVariant(CleanRunner& runner,
                                                       const model::TimingSubject& variant,
                                                       const model::TimingCase& timingCase,
                                                       const CaseMemory& memory);
// The floor (timing_board.h): the grid of single_pass, whose blocks read all elements, and nobody combines
// what they leave. The result that is told is what the CPU makes of it outside the time: whether all was
// read.
Result<std::unique_ptr<TimedSubject>> makeTimedFloor(CleanRunner& runner, const model::TimingCase& timingCase,
                                                     const CaseMemory& memory);
Result<std::unique_ptr<TimedSubject>> makeTimedBaseline(CleanRunner& runner,
                                                        const model::TimingSubject& baseline,
                                                        const model::TimingCase& timingCase,
                                                        const CaseMemory& memory);

}  // namespace stridescope::measure::gpu
