// Any bytes as what another process says: messages of every kind are put together and read as what they may
// be about, or not understood.
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_engine.h"
#include "fuzz_one.h"
#include "input_bytes.h"
#include "measure/gpu/timing_worker.h"
#include "measure/timing_device.h"
#include "model/quantities.h"
#include "model/trace_check.h"

namespace stridescope::fuzz {
namespace {

using engine::worker::Message;
using engine::worker::MessageKind;

void check(const model::Experiment& experiment) { model::faultOfOwnData(experiment); }
void check(const model::Trace& trace) { model::faultOf(trace); }
template <class Body>
void check(const Body&) {}

template <class Body>
void readAs(const Message& message) {
  if (const auto body = message.body<Body>()) check(*body);
}

// A call or a reply, if it is one of these.
template <class... Types>
void readOneOf(const Message& message, const Types&... types) {
  const auto readIf = [&message]<class Type>(const Type& type) {
    if (message.subject.type != type.number) return;
    if (message.subject.kind == MessageKind::Call)
      readAs<typename Type::Asked>(message);
    else
      readAs<typename Type::Answered>(message);
  };
  (readIf(types), ...);
}

template <class... Records>
void readMeasured(const Message& message, model::RecordList<Records...>) {
  readOneOf(message, measure::gpu::kMeasure<Records>...);
}

void readBody(const Message& message) {
  using namespace measure::gpu;
  switch (message.subject.kind) {
    case MessageKind::Greeting:
      return readAs<engine::worker::Greeting>(message);
    case MessageKind::Ready:
      readAs<model::Executor>(message);
      return readAs<measure::TimingDeviceFacts>(message);
    case MessageKind::Progress:
      return readAs<engine::worker::ProgressReport>(message);
    case MessageKind::Failed:
      return readAs<engine::worker::Failure>(message);
    case MessageKind::Call:
    case MessageKind::Reply:
      readOneOf(message, engine::worker::kPrepare, engine::worker::kRecord, engine::worker::kTry,
                engine::worker::kFold);
      readMeasured(message, model::MeasuredQuantities());
      return readOneOf(message, kPrepareTiming, kTakeSample, kAskDisturbances, kClockBlock);
    case MessageKind::Cancel:
      break;
  }
}

}  // namespace

// The first byte says whether bodies come in heads that hold together, whose kind and type follow, or
// everything as it is.
void fuzzOne(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t kTypes = 8;
  InputBytes input(bytes);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) std::abort();
  const bool framed = input.flip();
  const engine::worker::Subject subject{
      .kind = MessageKind(input.below(std::uint64_t(engine::worker::kLastMessageKind) + 1)),
      .type = std::uint16_t(input.below(kTypes)),
      .call = 1};
  const auto body = input.rest();
  std::thread sender([&] {
    if (framed)
      engine::worker::sendBytes(engine::worker::ByteStream(ends[0]), subject, std::as_bytes(body));
    else
      (void)!::send(ends[0], body.data(), body.size(), MSG_NOSIGNAL);
    ::shutdown(ends[0], SHUT_WR);
  });
  engine::worker::MessageReader reader(engine::worker::ByteStream{ends[1]});
  for (;;) {
    const engine::worker::Arrived arrived = reader.next(std::chrono::seconds(5));
    const auto* const message = std::get_if<Message>(&arrived);
    if (message == nullptr) break;
    readBody(*message);
  }
  ::close(ends[1]);
  sender.join();
  ::close(ends[0]);
}

}  // namespace stridescope::fuzz
