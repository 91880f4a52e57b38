// The worker's side.
#include "measure/gpu/timing_worker.h"

#include "base/result.h"
#include "engine/worker/serve_calls.h"
#include "engine/worker/worker_process.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/timing_messages.h"

namespace stridescope::measure::gpu {
namespace {

using engine::worker::Message;
using engine::worker::Replies;

void answer(TimingDevice& device, const Message& message, const Replies& replies) {
  engine::JobControl job;
  replies.report(job);
  const auto give = [&](engine::worker::MessageKind kind, const auto& result) {
    replies.give(kind, result, device.isUsable());
  };
  if (message.kind == kPrepareTiming)
    if (const auto asked = message.body<PrepareCall>())
      return give(kTimingPrepared, device.prepare(asked->timingCase, asked->subjects, job));
  if (message.kind == kTakeSample)
    if (const auto asked = message.body<std::uint64_t>())
      return give(kSampleTaken, device.sample(*asked, job));
  if (message.kind == kClockBlock)
    if (const auto asked = message.body<ClockCall>())
      return give(kBlockClocked, device.clock(asked->experiment, asked->company, job));
  if (message.kind == kCountRun)
    if (const auto asked = message.body<model::Experiment>())
      return give(kRunCounted, device.count(*asked, job));
  if (message.kind == kMarkGrid)
    if (const auto asked = message.body<model::Experiment>())
      return give(kGridMarked, device.mark(*asked, job));
  if (message.kind == kCostRun)
    if (const auto asked = message.body<model::Experiment>())
      return give(kRunCosted, device.cost(*asked, job));
  if (message.kind == kAskDisturbances) return give(kDisturbances, device.disturbances(job));
  replies.fail(unavailable("The timing worker does not understand the program. Install it anew.").value());
}

}  // namespace

std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv) {
  return engine::worker::indexAfter(kTimingWorkerCommand, argc, argv);
}

int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make) {
  std::unique_ptr<TimingDevice> device;
  return engine::worker::serveCalls(
      [&](const Replies& unasked) {
        auto made = withoutExceptions("opening the GPU", make);
        if (!made) {
          unasked.fail(made.error(), false);
          return false;
        }
        device = std::move(*made);
        unasked.send(engine::worker::MessageKind::Ready, device->facts());
        return true;
      },
      [&](const Message& message, const Replies& replies) {
        const auto answered = withoutExceptions("taking times", [&] { answer(*device, message, replies); });
        if (!answered) replies.fail(answered.error(), device->isUsable());
      });
}

int serveGpuTimings(unsigned index) {
  return serveTimings([index] { return makeGpuTimingDevice(index); });
}

}  // namespace stridescope::measure::gpu
