#include "engine/access/gpu/serve_gpu_accesses.h"

#include <cstdlib>
#include <memory>
#include <optional>

#include "engine/access/gpu/access_run.h"
#include "engine/access/gpu/patched_kernels.h"
#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu/timeline_run.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"
#include "engine/worker/rpc_server.h"

namespace stridescope::engine::access::gpu {
namespace {

using engine::gpu::GpuSession;

std::optional<std::string> faultOf(const GpuAccessOrder& asked) {
  if (asked.shared.size() != asked.order.launches.size()) return "a launch has no shared arrays";
  for (const AccessLaunch& launch : asked.order.launches) {
    if (launch.kernel >= asked.kernels.size()) return "there is no such kernel";
    if (auto fault = faultOfArguments(launch, asked.order.buffers.size())) return fault;
    if (launch.inspected >= launch.grid.count()) return "there is no such block";
    if (launch.recordsAll && launch.grid.count() > model::kMaxBlockTraces) return "there are too many blocks";
  }
  return std::nullopt;
}

class Server {
 public:
  // Opens the GPU.
  Result<void> open(unsigned index) {
    // Without a driver there is no GPU, whatever else is missing. It is not called yet.
    const auto driver = engine::gpu::SharedLibrary::open(engine::gpu::driverCandidates({}));
    // Functions that are loaded later would not be patched.
    ::setenv("CUDA_MODULE_LOADING", "EAGER", 1);
    if (driver) {
      auto sanitizer = subscribeToSanitizer();
      if (!sanitizer) return tl::unexpected(sanitizer.error());
      sanitizer_ = *std::move(sanitizer);
    }
    auto session = GpuSession::open(index, {}, engine::gpu::ContextKind::Own);
    if (!session) return tl::unexpected(session.error());
    session_ = std::make_unique<GpuSession>(*std::move(session));
    return {};
  }

  Result<GpuAccessRecord> record(const GpuAccessOrder& asked, JobControl& job) {
    if (const auto fault = faultOf(asked))
      return unavailable("The process that records on the GPU was asked for what makes no sense.", *fault);
    const auto entered = session_->device->enter();
    if (!entered) return tl::unexpected(entered.error());
    STRIDESCOPE_TRY(addPatches());
    return recordAccesses(*session_, *sanitizer_, asked, job);
  }
  Result<model::TimelineRecord> timeline(const GpuAccessOrder& asked, JobControl& job) {
    if (const auto fault = faultOf(asked))
      return unavailable("The process that times blocks on the GPU was asked for what makes no sense.",
                         *fault);
    const auto entered = session_->device->enter();
    if (!entered) return tl::unexpected(entered.error());
    STRIDESCOPE_TRY(addPatches());
    return timeBlocks(*session_, *sanitizer_, asked, job);
  }
  Result<GpuKernelFacts> describe(const GpuAccessOrder& asked) { return factsOf(*session_, asked); }
  bool isUsable() const { return session_->device->isUsable(); }

 private:
  Result<void> addPatches() {
    if (hasPatches_) return {};
    const auto patches = compiledPatches(*session_);
    if (!patches) return tl::unexpected(patches.error());
    const LibraryCall adding("sanitizerAddPatches", kLongCall);
    STRIDESCOPE_TRY(
        sanitizer_->check(sanitizer_->addPatches(patches->c_str(), nullptr), "sanitizerAddPatches"));
    hasPatches_ = true;
    return {};
  }

  std::shared_ptr<const SanitizerApi> sanitizer_;
  std::unique_ptr<GpuSession> session_;
  bool hasPatches_ = false;
};

}  // namespace

int serveGpuAccesses(unsigned index) {
  const auto stream = worker::beginWorker();
  if (!stream) return worker::kNotAWorker;
  worker::RpcServer rpc(kGpuAccessService, *stream);
  Server server;
  const auto opened = withoutExceptions("opening the GPU", [&] { return server.open(index); });
  if (!opened) {
    rpc.failed(opened.error());
    return worker::kNotAWorker;
  }
  rpc.ready(worker::Nothing::Nothing);
  worker::CallTable calls;
  calls.on(kRecordGpuAccesses, [&](const GpuAccessOrder& asked, JobControl& job) {
    return withoutExceptions("recording on the GPU", [&] { return server.record(asked, job); });
  });
  calls.on(kAskGpuKernels, [&](const GpuAccessOrder& asked, JobControl&) {
    return withoutExceptions("compiling for the GPU", [&] { return server.describe(asked); });
  });
  calls.on(kTimeGpuBlocks, [&](const GpuAccessOrder& asked, JobControl& job) {
    return withoutExceptions("timing blocks on the GPU", [&] { return server.timeline(asked, job); });
  });
  rpc.serve(calls, [&] { return server.isUsable(); });
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::access::gpu
