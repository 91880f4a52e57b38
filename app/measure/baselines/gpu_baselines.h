// What the field uses on a GPU, compiled by nvcc where a CUDA toolkit is there at build time: CUB's and
// Thrust's reductions, on the context that is current.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "model/experiment.h"

namespace stridescope::measure::baselines {

class GpuBaseline {
 public:
  virtual ~GpuBaseline() = default;

  // Reduces the elements at `input` on the stream (a CUstream). CUB leaves the result at `output`, in the
  // GPU's memory, and returns before it is there. Thrust's plain reduce waits and hands the result to the
  // host: it is put into hostResult(), as bits of the type.
  virtual Result<void> enqueue(std::uint64_t input, std::uint64_t output, void* stream) = 0;
  virtual bool givesToHost() const { return false; }
  virtual std::uint64_t hostResult() const { return 0; }
};

// "cub" or "thrust", for n elements on the GPU of that number; its scratch memory is allocated here where the
// library takes it from outside. Compiled are + in every type and min and max in int and float; the rest
// fails with a sentence.
Result<std::unique_ptr<GpuBaseline>> makeGpuBaseline(const std::string& id, model::ElementType type,
                                                     model::Operator op, std::uint64_t elements,
                                                     unsigned gpu);

// "CUB 3.0.1, CUDA 13.0"; empty where this program was built without.
std::string gpuBaselineVersion();

}  // namespace stridescope::measure::baselines
