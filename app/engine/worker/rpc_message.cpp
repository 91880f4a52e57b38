#include "engine/worker/rpc_message.h"

#include <algorithm>

namespace stridescope::engine::worker {
namespace {

constexpr std::uint32_t kMark = 0x53575247;  // far from any text and from small numbers

bool mayBeLong(MessageKind kind) { return kind == MessageKind::Call || kind == MessageKind::Reply; }

}  // namespace

Greeting greetingOf(const Service& service) {
  return {.version = STRIDESCOPE_VERSION, .service = std::string(service.name), .form = service.form};
}

bool sendBytes(const ByteStream& stream, const Subject& subject, std::span<const std::byte> body,
               std::chrono::milliseconds patience) {
  const MessageReader::Head head{.mark = kMark,
                                 .format = kRpcFormat,
                                 .kind = std::uint16_t(subject.kind),
                                 .type = subject.type,
                                 .call = subject.call,
                                 .bytes = body.size()};
  return stream.send(std::as_bytes(std::span(&head, 1)), patience) && stream.send(body, patience);
}

bool MessageReader::isSensible(const Head& head) const {
  if (head.mark != kMark || head.format != kRpcFormat || head.kind > std::uint16_t(kLastMessageKind))
    return false;
  return head.bytes <= (mayBeLong(MessageKind(head.kind)) ? mostBodyBytes_ : kMaxWordsBytes);
}

Arrived MessageReader::next(std::chrono::milliseconds wait) {
  if (end_) return *end_;
  Arrived arrived = read(wait);
  if (const auto* end = std::get_if<ReadEnd>(&arrived)) end_ = *end;
  return arrived;
}

Arrived MessageReader::read(std::chrono::milliseconds wait) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const auto end = Clock::now() + wait;
  for (;;) {
    const bool inHead = headArrived_ < sizeof head_;
    const std::span<std::byte> room = inHead
                                          ? std::as_writable_bytes(std::span(&head_, 1)).subspan(headArrived_)
                                          : std::span(body_.get(), head_.bytes).subspan(bodyArrived_);
    if (!room.empty()) {
      const auto left = std::chrono::duration_cast<milliseconds>(end - Clock::now());
      const auto got = stream_.receive(room, wait.count() < 0 ? kForEver : std::max(left, milliseconds(0)));
      if (got.state == ByteStream::State::Closed) return ReadEnd::Closed;
      if (got.state == ByteStream::State::Nothing) return std::monostate{};
      arrived_ += got.bytes;
      (inHead ? headArrived_ : bodyArrived_) += got.bytes;
    }
    if (inHead && headArrived_ == sizeof head_) {
      if (!isSensible(head_)) return ReadEnd::Nonsense;
      // Not cleared: a length that is not meant takes no memory until its bytes arrive.
      body_ = std::make_unique_for_overwrite<std::byte[]>(head_.bytes);
    }
    if (headArrived_ == sizeof head_ && bodyArrived_ == head_.bytes) {
      headArrived_ = bodyArrived_ = 0;
      return Message{{MessageKind(head_.kind), head_.type, head_.call}, std::move(body_), head_.bytes};
    }
  }
}

}  // namespace stridescope::engine::worker
