// One subject over several GPUs, ready to be timed: memory on each GPU, kernels compiled for each, and what
// is enqueued on which.
#pragma once

#include <memory>
#include <vector>

#include "measure/gpu/gpu_group.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/gpu/nccl.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

// What all subjects of a case work on. Data are those of one GPU's timings (timing_data.h): n elements, of
// which each GPU has its part, or, for subjects that leave arrays, n elements on each GPU, from another
// element on each.
class GroupInput {
 public:
  // `gpus`: how many of the group's take part.
  static Result<std::unique_ptr<GroupInput>> make(GpuGroup& group, const model::TimingCase& timingCase,
                                                  bool sums, bool arrays);

  GpuGroup& group() const { return group_; }
  const model::TimingCase& timingCase() const { return case_; }
  std::uint64_t expected() const { return expected_; }

  // The elements of GPU `gpu`'s part, from which on and how many. A part begins with 16 bytes of its own.
  struct Part {
    std::uint64_t from = 0, count = 0;
  };
  Part partOf(unsigned gpu) const;
  // Where they lie on it. GPU 0 has all n from there on.
  std::uint64_t sumAddress(unsigned gpu) const { return sums_[gpu]->address(); }
  std::uint64_t arrayAddress(unsigned gpu) const { return arrays_[gpu]->address(); }

  // What empties the GPU's L2 of its input, before a run; none where it shall stay.
  std::vector<TimedStep> emptying(unsigned gpu) const;

  // Compares the array at that address of the GPU with what all GPUs' arrays come to, element by element: the
  // first that is another one.
  Result<std::unique_ptr<TimedRun>> comparison(unsigned gpu, std::uint64_t address) const;

 private:
  struct Emptying {
    MemoryPasses passes;
    std::unique_ptr<GpuBuffer> memory;
    unsigned blocks = 0;
  };
  struct Comparing {
    std::unique_ptr<GpuBuffer> expected, first;
    std::unique_ptr<CleanKernel> kernel;
    unsigned blocks = 0;
  };

  GroupInput(GpuGroup& group, const model::TimingCase& timingCase) : group_(group), case_(timingCase) {}
  Result<void> fillSums();
  Result<void> fillArrays();
  Result<void> prepareComparing();
  Result<void> prepareEmptying();
  Result<std::unique_ptr<GpuBuffer>> filled(unsigned gpu, std::uint64_t from, std::uint64_t count);

  GpuGroup& group_;
  const model::TimingCase case_;
  std::uint64_t expected_ = 0;
  std::vector<std::unique_ptr<GpuBuffer>> sums_, arrays_;
  std::vector<Emptying> emptying_;  // none where L2 shall stay warm
  std::vector<Comparing> comparing_;
};

class GroupSubject {
 public:
  virtual ~GroupSubject() = default;
  virtual Result<Timed> run() = 0;
  virtual unsigned threads() const = 0;  // per block; 0: there are no blocks of ours
};

// Errors: why it is not timed at the case. `nccl`: the library, or the sentence why there is none.
Result<std::unique_ptr<GroupSubject>> makeGroupSubject(GroupInput& input, const model::TimingSubject& subject,
                                                       const Result<std::unique_ptr<Nccl>>& nccl);

}  // namespace stridescope::measure::gpu
