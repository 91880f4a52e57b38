// Any bytes as what a worker process says: messages of every kind are put together and read, or not
// understood.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "engine/worker/worker_message.h"
#include "fuzz_one.h"
#include "input_bytes.h"
#include "measure/gpu/timing_messages.h"
#include "measure/timing_device.h"
#include "model/trace_check.h"

namespace stridescope::fuzz {
namespace {

void readOfTiming(const engine::worker::Message& message) {
  if (message.kind == measure::gpu::kPrepareTiming)
    message.body<measure::gpu::PrepareCall>();
  else if (message.kind == measure::gpu::kTimingPrepared)
    message.body<std::vector<measure::PreparedSubject>>();
  else if (message.kind == measure::gpu::kSampleTaken)
    message.body<measure::Timed>();
  else if (message.kind == measure::gpu::kDisturbances)
    message.body<std::vector<std::string>>();
  else
    message.body<std::uint64_t>();
}

void readBody(const engine::worker::Message& message) {
  switch (message.kind) {
    case engine::worker::MessageKind::Ready:
      message.body<model::Executor>();
      break;
    case engine::worker::MessageKind::Prepare:
      message.body<std::vector<model::Experiment>>();
      break;
    case engine::worker::MessageKind::Record:
    case engine::worker::MessageKind::Try:
    case engine::worker::MessageKind::Fold:
      if (const auto experiment = message.body<model::Experiment>()) model::faultOfOwnData(*experiment);
      break;
    case engine::worker::MessageKind::Progress:
      message.body<engine::worker::ProgressReport>();
      break;
    case engine::worker::MessageKind::Recorded:
      if (const auto trace = message.body<model::Trace>()) model::faultOf(*trace);
      break;
    case engine::worker::MessageKind::Tried:
      message.body<model::OperatorTrial>();
      break;
    case engine::worker::MessageKind::Folded:
      message.body<std::string>();
      break;
    case engine::worker::MessageKind::Failed:
      message.body<engine::worker::Failure>();
      break;
    default:
      readOfTiming(message);
  }
}

}  // namespace

// The first byte says whether bodies come in heads that hold together, or everything as it is.
void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
  const bool framed = input.flip();
  const auto kind =
      engine::worker::MessageKind(input.below(std::uint64_t(engine::worker::kLastMessageKind) + 1));
  const auto body = input.rest();
  std::thread sender([&] {
    if (framed)
      engine::worker::sendBytes(ends[0], kind, 1, std::as_bytes(body));
    else
      (void)!::send(ends[0], body.data(), body.size(), MSG_NOSIGNAL);
    ::shutdown(ends[0], SHUT_WR);
  });
  engine::worker::MessageReader reader(ends[1]);
  for (;;) {
    const engine::worker::Arrived arrived = reader.next(std::chrono::seconds(5));
    const auto* const message = std::get_if<engine::worker::Message>(&arrived);
    if (message == nullptr) break;
    readBody(*message);
  }
  ::close(ends[1]);
  sender.join();
  ::close(ends[0]);
}

}  // namespace stridescope::fuzz
