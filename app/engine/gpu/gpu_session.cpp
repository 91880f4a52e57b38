#include "engine/gpu/gpu_session.h"

#include "base/try.h"
#include "engine/gpu/kernel_compiler.h"

namespace stridescope::engine::gpu {

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
                                                      CompileCache::usualFolder(places.cacheFolder));
  session.driverRelease = installedDriverRelease();
  if (session.driverRelease.empty()) session.driverRelease = "CUDA " + cudaVersionText((*driver)->version);
  return session;
}

Result<std::unique_ptr<GpuModule>> GpuSession::loadClean(const KernelText& kernel) {
  const auto compiled = compiler->clean(kernel);
  if (!compiled) return tl::unexpected(compiled.error());
  return GpuModule::load(*device, *compiled, kernel.kernel);
}

}  // namespace stridescope::engine::gpu
