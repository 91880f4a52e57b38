// Opening a GPU, and what there is to open; every missing thing a sentence.
#include "engine/gpu/gpu_session.h"

#include <algorithm>

#include "base/result.h"
#include "engine/gpu/kernel_compiler.h"
#include "model/quantity.h"

namespace stridescope::engine::gpu {
namespace {

GpuDescription describe(const DriverApi& api, const NvrtcApi* nvrtc, unsigned index) {
  GpuDescription gpu;
  gpu.index = index;
  const auto facts = deviceFacts(api, index);
  if (!facts) {
    gpu.problems.push_back(facts.error().sentence);
    return gpu;
  }
  gpu.name = facts->name;
  gpu.computeCapability = facts->capabilityText();
  gpu.memoryBytes = facts->memoryBytes;
  gpu.multiprocessors = facts->multiprocessors;
  if (facts->computeMode == CU_COMPUTEMODE_PROHIBITED)
    gpu.problems.push_back(
        "Its compute mode lets no program compute. An administrator allows it with "
        "nvidia-smi --compute-mode=DEFAULT.");
  if (nvrtc != nullptr) {
    const auto architecture = architectureOption(*nvrtc, facts->computeCapability);
    if (!architecture) gpu.problems.push_back(architecture.error().sentence);
  }
  return gpu;
}

void query(GpuStatus& status, const GpuPlaces& places) {
  status.compiledIn = true;
  const CompileCache cache(CompileCache::defaultFolder(places.cacheFolder));
  status.cacheFolder = cache.folder();
  status.cacheBytes = cache.bytes();
  if (cache.folder().empty())
    status.problems.push_back(
        "Compiled kernels are not kept: there is no folder to write them to. Set "
        "STRIDESCOPE_KERNEL_CACHE to one that you may write.");

  const auto driver = loadDriver(places.driver);
  if (driver) {
    status.driverLibrary = (*driver)->library->path();
    status.driverVersion = installedDriverRelease();
    status.cudaVersion = cudaVersionText((*driver)->version);
  } else {
    status.problems.push_back(driver.error().sentence);
  }
  const auto nvrtc = loadNvrtc(places.nvrtc, driver ? (*driver)->version : 0);
  if (nvrtc) {
    status.nvrtcLibrary = (*nvrtc)->library->path();
    status.nvrtcVersion = (*nvrtc)->versionText();
  } else {
    status.problems.push_back(nvrtc.error().sentence);
  }
  if (!driver) return;
  const auto count = countDevices(**driver);
  if (!count) status.problems.push_back(count.error().sentence);
  for (unsigned index = 0; index < count.value_or(0); ++index)
    status.gpus.push_back(describe(**driver, nvrtc ? nvrtc->get() : nullptr, index));
}

}  // namespace

GpuSession::GpuSession() = default;
GpuSession::GpuSession(GpuSession&&) noexcept = default;
GpuSession& GpuSession::operator=(GpuSession&&) noexcept = default;
GpuSession::~GpuSession() = default;

Result<GpuSession> GpuSession::open(unsigned index, const GpuPlaces& places, ContextKind kind) {
  const auto driver = loadDriver(places.driver);
  if (!driver) return tl::unexpected(driver.error());
  auto facts = deviceFacts(**driver, index);
  if (!facts) return tl::unexpected(facts.error());
  const auto nvrtc = loadNvrtc(places.nvrtc, (*driver)->version);
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  auto architecture = architectureOption(**nvrtc, facts->computeCapability);
  if (!architecture) return tl::unexpected(architecture.error());

  GpuSession session;
  session.device = std::make_unique<GpuDevice>(*driver, std::move(*facts), kind);
  session.compiler = std::make_unique<KernelCompiler>(*nvrtc, std::move(*architecture),
                                                      CompileCache::defaultFolder(places.cacheFolder));
  session.driverRelease = installedDriverRelease();
  if (session.driverRelease.empty()) session.driverRelease = "CUDA " + cudaVersionText((*driver)->version);
  return session;
}

std::string GpuSession::compilerName() const { return "NVRTC " + compiler->nvrtc().versionText(); }

model::Executor GpuSession::executor() const {
  const DeviceFacts& facts = device->facts();
  return {.kind = model::EngineKind::Gpu,
          .device = facts.name,
          .computeCapability = facts.capabilityText(),
          .driver = driverRelease,
          .compiler = compilerName(),
          .recordedOn = model::utcNow()};
}

Result<CompiledKernel> GpuSession::compile(Program program) { return compiler->compiled(std::move(program)); }

Result<std::unique_ptr<GpuModule>> GpuSession::load(const KernelText& kernel, TimedForm form) {
  const auto compiled = compiler->timed(kernel, form);
  if (!compiled) return tl::unexpected(compiled.error());
  return GpuModule::load(*device, *compiled, kernel.kernel);
}

GpuStatus queryGpus(const GpuPlaces& places) {
  GpuStatus status;
  const auto done = withoutExceptions("looking for GPUs", [&] { query(status, places); });
  if (!done) status.problems.push_back(done.error().sentence);
  return status;
}

}  // namespace stridescope::engine::gpu
