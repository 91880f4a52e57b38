// Stands in for the GPU engine in a build that found no CUDA headers.
#include "engine/gpu/gpu_engine.h"
#include "engine/gpu/machine_code.h"

namespace stridescope::engine::gpu {
namespace {

constexpr const char* kSentence =
    "This program was built without CUDA's headers and cannot use a GPU. Build it where the CUDA toolkit is "
    "installed, or use the CPU executor (on the command line: --engine host).";

}  // namespace

Result<std::unique_ptr<Engine>> makeGpuEngine(unsigned, const GpuPlaces&, const RecordLimits&) {
  return unavailable(kSentence);
}

GpuStatus queryGpus(const GpuPlaces&) {
  GpuStatus status;
  status.problems.push_back(kSentence);
  return status;
}

Result<model::MachineCode> machineCodeOf(const model::Experiment&, std::optional<unsigned>,
                                         const GpuPlaces&) {
  return unavailable(kSentence);
}

}  // namespace stridescope::engine::gpu
