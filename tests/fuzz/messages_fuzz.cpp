// Any bytes as what a worker process says: messages of every kind are put together and read, or not
// understood.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "engine/worker/worker_message.h"
#include "fuzz_one.h"
#include "input_bytes.h"
#include "measure/gpu/timing_fields.h"
#include "model/trace_check.h"

namespace stridescope::fuzz {
namespace {

void readBody(const Message& message) {
  switch (message.kind) {
    case MessageKind::Ready:
      message.body<Executor>();
      break;
    case MessageKind::Prepare:
      message.body<std::vector<Experiment>>();
      break;
    case MessageKind::Record:
    case MessageKind::Try:
    case MessageKind::Fold:
      if (const auto experiment = message.body<Experiment>()) faultOfOwnData(*experiment);
      break;
    case MessageKind::Progress:
      message.body<ProgressReport>();
      break;
    case MessageKind::Recorded:
      if (const auto trace = message.body<Trace>()) faultOf(*trace);
      break;
    case MessageKind::Tried:
      message.body<OperatorTrial>();
      break;
    case MessageKind::Folded:
      message.body<std::string>();
      break;
    case MessageKind::Failed:
      message.body<Failure>();
      break;
    case MessageKind::PrepareTiming:
      message.body<StationRequest>();
      break;
    case MessageKind::TimingPrepared:
      message.body<std::vector<PreparedSubject>>();
      break;
    case MessageKind::SampleTaken:
      message.body<Timed>();
      break;
    case MessageKind::Disturbances:
      message.body<std::vector<std::string>>();
      break;
    default:
      message.body<std::uint64_t>();
  }
}

}  // namespace

// The first byte says whether bodies come in heads that hold together, or everything as it is.
void fuzzOne(std::span<const std::uint8_t> bytes) {
  InputBytes input(bytes);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
  const bool framed = input.flip();
  const auto kind = MessageKind(input.below(std::uint64_t(kLastMessageKind) + 1));
  const auto body = input.rest();
  std::thread sender([&] {
    if (framed)
      sendBytes(ends[0], kind, 1, std::as_bytes(body));
    else
      (void)!::send(ends[0], body.data(), body.size(), MSG_NOSIGNAL);
    ::shutdown(ends[0], SHUT_WR);
  });
  MessageReader reader(ends[1]);
  for (;;) {
    const Arrived arrived = reader.next(std::chrono::seconds(5));
    const auto* const message = std::get_if<Message>(&arrived);
    if (message == nullptr) break;
    readBody(*message);
  }
  ::close(ends[1]);
  sender.join();
  ::close(ends[0]);
}

}  // namespace stridescope::fuzz
