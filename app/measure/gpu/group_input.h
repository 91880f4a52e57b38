// What the subjects over several GPUs work on: the data on each GPU, what is done before each run, and what a
// result is compared with.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "measure/gpu/gpu_group.h"
#include "measure/gpu/gpu_limits.h"
#include "measure/timing_device.h"

namespace stridescope::measure::gpu {

inline constexpr std::uint64_t kWordBytes = 16;  // what one element, or one number, is given room in

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

}  // namespace stridescope::measure::gpu
