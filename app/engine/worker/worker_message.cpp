#include "engine/worker/worker_message.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>

#include "trace/trace_check.h"

namespace stridescope {
namespace {

constexpr std::uint32_t kMark = 0x53575247;  // far from any text and from small numbers

// The largest trace that holds together (trace_check.h), twice over.
constexpr std::uint64_t kMostBodyBytes =
    2 * (kMaxTraceEvents * sizeof(Event) + kMaxBarrierCopyBytes + kMaxSiteAndProblemTextBytes);

}  // namespace

bool sendBytes(int socket, MessageKind kind, std::uint32_t request, std::span<const std::byte> body) {
  MessageReader::Head head{kMark, kWorkerFormat, static_cast<std::uint32_t>(kind), request, body.size()};
  std::array<iovec, 2> parts{iovec{&head, sizeof head},
                             iovec{const_cast<std::byte*>(body.data()), body.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  while (message.msg_iovlen > 0) {
    const ssize_t sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    auto left = static_cast<std::size_t>(sent);
    while (message.msg_iovlen > 0 && left >= message.msg_iov->iov_len) {
      left -= message.msg_iov->iov_len;
      ++message.msg_iov;
      --message.msg_iovlen;
    }
    if (message.msg_iovlen > 0) {
      message.msg_iov->iov_base = static_cast<std::byte*>(message.msg_iov->iov_base) + left;
      message.msg_iov->iov_len -= left;
    }
  }
  return true;
}

bool MessageReader::isSensible(const Head& head) {
  return head.mark == kMark && head.format == kWorkerFormat && head.bytes <= kMostBodyBytes &&
         head.kind <= static_cast<std::uint32_t>(kLastMessageKind);
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
      return Message{static_cast<MessageKind>(head_.kind), head_.request, std::move(body_), head_.bytes};
    }
  }
}

}  // namespace stridescope
