// The worker's side.
#include "measure/gpu/timing_worker.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "base/result.h"
#include "engine/worker/worker_message.h"
#include "engine/worker/worker_process.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/gpu/timing_messages.h"

namespace stridescope::measure::gpu {
namespace {

constexpr int kNotAWorker = 2;  // exit codes
constexpr int kNoDevice = 3;
constexpr std::chrono::milliseconds kForEver{-1};

// Answers one call after another. When the program goes away in the middle of one, it kills this process.
class TimingServer {
 public:
  TimingServer(TimingDevice& device, int socket) : device_(device), socket_(socket) {}

  void answer(const engine::worker::Message& message) {
    call_ = message.call;
    const auto answered = withoutExceptions("taking times", [&] { answerIt(message); });
    if (!answered)
      send(engine::worker::MessageKind::Failed,
           engine::worker::Failure{answered.error(), device_.isUsable()});
  }

 private:
  void answerIt(const engine::worker::Message& message) {
    engine::JobControl job;
    job.progress = [this](float fraction, const std::string& doing) {
      send(engine::worker::MessageKind::Progress, engine::worker::ProgressReport{fraction, doing});
    };
    if (message.kind == kPrepareTiming)
      if (const auto asked = message.body<PrepareCall>())
        return give(kTimingPrepared, device_.prepare(asked->timingCase, asked->subjects, job));
    if (message.kind == kTakeSample)
      if (const auto asked = message.body<std::uint64_t>())
        return give(kSampleTaken, device_.sample(*asked, job));
    if (message.kind == kClockBlock)
      if (const auto asked = message.body<ClockCall>())
        return give(kBlockClocked, device_.clock(asked->experiment, asked->company, job));
    if (message.kind == kCountRun)
      if (const auto asked = message.body<model::Experiment>())
        return give(kRunCounted, device_.count(*asked, job));
    if (message.kind == kMarkGrid)
      if (const auto asked = message.body<model::Experiment>())
        return give(kGridMarked, device_.mark(*asked, job));
    if (message.kind == kCostRun)
      if (const auto asked = message.body<model::Experiment>())
        return give(kRunCosted, device_.cost(*asked, job));
    if (message.kind == kAskDisturbances) return give(kDisturbances, device_.disturbances(job));
    give(engine::worker::MessageKind::Failed,
         Result<std::string>(
             unavailable("The timing worker does not understand the program. Install it anew.")));
  }
  template <class Body>
  void send(engine::worker::MessageKind kind, const Body& body) {
    engine::worker::sendMessage(socket_, kind, call_, body);
  }
  template <class Body>
  void give(engine::worker::MessageKind kind, const Result<Body>& answer) {
    if (answer) return send(kind, *answer);
    send(engine::worker::MessageKind::Failed, engine::worker::Failure{answer.error(), device_.isUsable()});
  }

  TimingDevice& device_;
  int socket_;
  std::uint32_t call_ = 0;
};

bool isSocket(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

std::optional<unsigned> timingWorkerIndex(int argc, const char* const* argv) {
  return engine::worker::indexAfter(kTimingWorkerCommand, argc, argv);
}

int serveTimings(const std::function<Result<std::unique_ptr<TimingDevice>>()>& make) {
  const int socket = engine::worker::kWorkerSocket;
  if (!isSocket(socket)) {
    std::cerr << "The program starts this command by itself, to take times on the GPU.\n";
    return kNotAWorker;
  }
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);
  ::prctl(PR_SET_NAME, program_invocation_short_name);
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the program's, which closes the socket
  auto device = withoutExceptions("opening the GPU", make);
  if (!device) {
    engine::worker::sendMessage(socket, engine::worker::MessageKind::Failed, 0,
                                engine::worker::Failure{device.error(), false});
    return kNoDevice;
  }
  engine::worker::sendMessage(socket, engine::worker::MessageKind::Ready, 0, (*device)->facts());
  TimingServer server(**device, socket);
  engine::worker::MessageReader reader(socket);
  for (;;) {
    const auto arrived = reader.next(kForEver);
    const auto* message = std::get_if<engine::worker::Message>(&arrived);
    if (message == nullptr) return EXIT_SUCCESS;
    server.answer(*message);
  }
}

int serveGpuTimings(unsigned index) {
  return serveTimings([index] { return makeGpuTimingDevice(index); });
}

}  // namespace stridescope::measure::gpu
