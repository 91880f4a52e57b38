#include "engine/worker/worker_message.h"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>

namespace stridescope::engine::worker {
namespace {

constexpr std::uint32_t kMark = 0x53575247;  // far from any text and from small numbers

// The most that a worker says beside a trace: a few sentences, or a compiler's log.
constexpr std::uint64_t kMaxWordsBytes = 4 << 20;

bool isWords(MessageKind kind) {
  switch (kind) {
    case MessageKind::Ready:
    case MessageKind::Progress:
    case MessageKind::Prepared:
    case MessageKind::Tried:
    case MessageKind::Folded:
    case MessageKind::Failed:
      return true;
    default:
      return false;
  }
}

// send, not sendmsg: a worker that may hand over no descriptor may not call the latter
// (custom/call_filter.h).
bool sendAll(int socket, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

bool sendBytes(int socket, MessageKind kind, std::uint32_t call, std::span<const std::byte> body) {
  MessageReader::Head head{kMark, kWorkerFormat, static_cast<std::uint32_t>(kind), call, body.size()};
  return sendAll(socket, std::as_bytes(std::span(&head, 1))) && sendAll(socket, body);
}

bool MessageReader::isSensible(const Head& head) const {
  if (head.mark != kMark || head.format != kWorkerFormat ||
      head.kind > static_cast<std::uint32_t>(kLastMessageKind))
    return false;
  return head.bytes <= (isWords(MessageKind(head.kind)) ? kMaxWordsBytes : mostBodyBytes_);
}

Arrived MessageReader::next(std::chrono::milliseconds wait) {
  if (end_) return *end_;
  Arrived arrived = read(wait);
  if (const auto* end = std::get_if<ReadEnd>(&arrived)) end_ = *end;
  return arrived;
}

Arrived MessageReader::read(std::chrono::milliseconds wait) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + wait;
  for (;;) {
    const bool inHead = headArrived_ < sizeof head_;
    std::byte* const to =
        inHead ? reinterpret_cast<std::byte*>(&head_) + headArrived_ : body_.get() + bodyArrived_;
    const std::size_t wanted = inHead ? sizeof head_ - headArrived_ : head_.bytes - bodyArrived_;
    const ssize_t got = ::recv(socket_, to, wanted, MSG_DONTWAIT);
    if (got == 0) return ReadEnd::Closed;
    if (got < 0 && errno != EAGAIN && errno != EINTR) return ReadEnd::Closed;  // ECONNRESET: it was killed
    if (got < 0 && errno == EAGAIN) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
      if (wait.count() >= 0 && left.count() <= 0) return std::monostate{};
      pollfd waited{.fd = socket_, .events = POLLIN, .revents = 0};
      ::poll(&waited, 1, wait.count() < 0 ? -1 : static_cast<int>(left.count()));
    }
    if (got > 0) {
      arrived_ += static_cast<std::uint64_t>(got);
      (inHead ? headArrived_ : bodyArrived_) += static_cast<std::size_t>(got);
    }
    if (inHead && headArrived_ == sizeof head_) {
      if (!isSensible(head_)) return ReadEnd::Nonsense;
      // Not cleared: a length that is not meant takes no memory until its bytes arrive.
      body_ = std::make_unique_for_overwrite<std::byte[]>(head_.bytes);
    }
    if (headArrived_ == sizeof head_ && bodyArrived_ == head_.bytes) {
      headArrived_ = bodyArrived_ = 0;
      return Message{static_cast<MessageKind>(head_.kind), head_.call, std::move(body_), head_.bytes};
    }
  }
}

}  // namespace stridescope::engine::worker
