// The worker's side of own_kernel_worker.h.
#include <cstdlib>

#include "engine/access/gpu/loaded_kernels.h"
#include "engine/gpu/gpu_device.h"
#include "engine/gpu/gpu_session.h"
#include "engine/worker/rpc_server.h"
#include "measure/gpu/hardware_counters.h"
#include "measure/gpu/own_kernel_worker.h"
#include "model/quantity.h"

namespace stridescope::measure::gpu {
namespace {

using engine::access::AccessLaunch;
using engine::access::GpuAccessOrder;
using engine::access::gpu::addressesOf;
using engine::access::gpu::Contraction;
using engine::access::gpu::DeviceArrays;
using engine::access::gpu::LoadedKernels;
using engine::gpu::GpuSession;

constexpr std::chrono::seconds kKernelTime{20};

// The launches of an order, ready to run.
class OwnRun {
 public:
  OwnRun(GpuSession& session, const GpuAccessOrder& order)
      : session_(session), order_(order), arrays_(*session.device) {}

  Result<void> load(Contraction contraction) {
    auto loaded = LoadedKernels::load(session_, order_, contraction);
    if (!loaded) return tl::unexpected(loaded.error());
    kernels_ = *std::move(loaded);
    STRIDESCOPE_TRY(kernels_->find());
    STRIDESCOPE_TRY(arrays_.fill(order_.order.buffers));
    for (const AccessLaunch& launch : order_.order.launches) values_.push_back(arrays_.argumentsOf(launch));
    return {};
  }

  Result<void> launch() {
    for (std::size_t k = 0; k < order_.order.launches.size(); ++k) {
      std::vector<void*> arguments = addressesOf(values_[k]);
      STRIDESCOPE_TRY(kernels_->launch(order_.order.launches[k], arguments));
    }
    return {};
  }

  Result<void> restore() { return arrays_.restore(); }

 private:
  GpuSession& session_;
  const GpuAccessOrder& order_;
  std::unique_ptr<LoadedKernels> kernels_;
  DeviceArrays arrays_;
  std::vector<std::vector<std::vector<std::uint8_t>>> values_;  // by launch and argument
};

// The same launches of a kernel that does nothing.
GpuAccessOrder emptyOrder(const GpuAccessOrder& order) {
  GpuAccessOrder empty{.order = {.textFile = "empty.cu"},
                       .text = "__global__ void doNothing() {}\n",
                       .kernels = {"doNothing"}};
  for (AccessLaunch launch : order.order.launches) {
    launch.kernel = 0;
    launch.function = "doNothing";
    launch.arguments.clear();
    empty.order.launches.push_back(std::move(launch));
  }
  return empty;
}

// The GPU, opened at the first call.
class OwnKernelServer {
 public:
  explicit OwnKernelServer(unsigned index) : index_(index) {}

  Result<OwnTimes> time(const GpuAccessOrder& order, engine::JobControl& job) {
    STRIDESCOPE_TRY(open());
    const auto entered = session_->device->enter();
    if (!entered) return tl::unexpected(entered.error());
    const GpuAccessOrder nothing = emptyOrder(order);
    OwnRun own(*session_, order), empty(*session_, nothing);
    STRIDESCOPE_TRY(own.load(Contraction::Fused));
    STRIDESCOPE_TRY(empty.load(Contraction::Fused));
    auto watch = engine::gpu::Stopwatch::make(*session_->device);
    if (!watch) return tl::unexpected(watch.error());
    OwnTimes times{.executor = session_->executor()};
    for (unsigned i = 0; i < kOwnWarmUps + kOwnSamples; ++i) {
      if (job.cancel) return cancelled();
      STRIDESCOPE_TRY(own.restore());
      const auto whole = (*watch)->timed([&] { return own.launch(); }, kKernelTime);
      if (!whole) return tl::unexpected(whole.error());
      const auto none = (*watch)->timed([&] { return empty.launch(); }, kKernelTime);
      if (!none) return tl::unexpected(none.error());
      if (i < kOwnWarmUps) continue;
      times.whole.push_back(*whole);
      times.empty.push_back(*none);
    }
    return times;
  }

  // What is recorded is counted: the same code, whose multiplications and additions are not contracted.
  Result<OwnCounts> count(const GpuAccessOrder& order, engine::JobControl&) {
    STRIDESCOPE_TRY(open());
    const auto entered = session_->device->enter();
    if (!entered) return tl::unexpected(entered.error());
    OwnRun own(*session_, order);
    STRIDESCOPE_TRY(own.load(Contraction::Separate));
    if (!counters_) {
      auto opened = openCuptiCounters(index_, session_->device->facts().device);
      if (!opened) return tl::unexpected(opened.error());
      counters_ = *std::move(opened);
    }
    const engine::LibraryCall counting("CUPTI", engine::kLongCall);
    auto lists = counters_->count(order.order.launches.size(), [&]() -> Result<void> {
      STRIDESCOPE_TRY(own.launch());
      return session_->device->finish("run the kernel", kKernelTime);
    });
    if (!lists) return tl::unexpected(lists.error());
    OwnCounts counts{.executor = session_->executor()};
    for (std::size_t k = 0; k < lists->size() && k < order.order.launches.size(); ++k) {
      const AccessLaunch& launch = order.order.launches[k];
      counts.launches.push_back({launch.grid.count(), launch.block.count(), std::move((*lists)[k])});
    }
    return counts;
  }

  bool isUsable() const { return !session_ || session_->device->isUsable(); }

 private:
  Result<void> open() {
    if (session_) return {};
    auto session = GpuSession::open(index_, {}, engine::gpu::ContextKind::Primary);
    if (!session) return tl::unexpected(session.error());
    session_ = std::make_unique<GpuSession>(*std::move(session));
    return {};
  }

  unsigned index_;
  std::unique_ptr<GpuSession> session_;
  std::unique_ptr<HardwareCounters> counters_;
};

}  // namespace

int serveOwnKernels(unsigned index) {
  const auto stream = engine::worker::beginWorker();
  if (!stream) return engine::worker::kNotAWorker;
  engine::worker::RpcServer rpc(kOwnKernelService, *stream);
  rpc.ready(engine::worker::Nothing::Nothing);
  OwnKernelServer server(index);
  engine::worker::CallTable calls;
  calls.on(kTimeOwn, [&](const GpuAccessOrder& order, engine::JobControl& job) {
    return withoutExceptions("timing your kernel", [&] { return server.time(order, job); });
  });
  calls.on(kCountOwn, [&](const GpuAccessOrder& order, engine::JobControl& job) {
    return withoutExceptions("counting your kernel", [&] { return server.count(order, job); });
  });
  rpc.serve(calls, [&] { return server.isUsable(); });
  return EXIT_SUCCESS;
}

}  // namespace stridescope::measure::gpu
