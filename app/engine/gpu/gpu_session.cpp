#include "engine/gpu/gpu_session.h"

#include "engine/gpu/try.h"

namespace stridescope::engine::gpu {

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
                                                      CompileCache::usualFolder(places.cacheFolder));
  session.driverRelease = installedDriverRelease();
  if (session.driverRelease.empty()) session.driverRelease = "CUDA " + cudaVersionText((*driver)->version);
  return session;
}

}  // namespace stridescope::engine::gpu
