// Stands in for the runner of clean kernels in a build that found no CUDA headers.
#include <cstdlib>

#include "measure/gpu/clean_kernel.h"
#include "measure/gpu/group_status.h"
#include "measure/gpu/nccl.h"
#include "measure/gpu/own_kernel_worker.h"

namespace stridescope::measure::gpu {

// The engine says what is missing.
Result<std::unique_ptr<CleanRunner>> makeCleanRunner(unsigned index, const engine::gpu::GpuPlaces& places) {
  return tl::unexpected(engine::gpu::makeGpuEngine(index, places).error());
}

// Nobody comes so far: no GPU is opened.
struct Nccl::Library {
  std::string none;
};
Nccl::Nccl(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nccl::~Nccl() = default;
Result<std::unique_ptr<Nccl>> Nccl::open(unsigned) {
  return unavailable("This program was built without CUDA's headers, and so without NCCL.");
}
Result<Nccl::File> Nccl::find() { return tl::unexpected(open(0).error()); }
const std::string& Nccl::version() const { return library_->none; }
const std::string& Nccl::path() const { return library_->none; }
std::string Nccl::whyNot(model::ElementType, model::Operator) { return {}; }
Result<void> Nccl::reduce(std::span<const std::uint64_t>, std::uint64_t, std::uint64_t, model::ElementType,
                          model::Operator, std::span<void* const>) {
  return open(0).map([](auto) {});
}
Result<void> Nccl::allReduce(std::span<const std::uint64_t>, std::span<const std::uint64_t>, std::uint64_t,
                             model::ElementType, model::Operator, std::span<void* const>) {
  return open(0).map([](auto) {});
}

engine::GroupStatus queryGroup(const engine::gpu::GpuPlaces& places) {
  engine::GroupStatus status;
  status.whyNotAsked = engine::gpu::makeGpuEngine(0, places).error().sentence;
  status.whyNoNccl = Nccl::find().error().sentence;
  return status;
}

// Nobody is sent here: no GPU is listed.
int serveOwnKernels(unsigned) { return EXIT_FAILURE; }

}  // namespace stridescope::measure::gpu
