#include "engine/worker/rpc_message.h"

#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace stridescope::engine::worker {
namespace {

constexpr std::uint32_t kMark = 0x53575247;  // far from any text and from small numbers

bool mayBeLong(MessageKind kind) { return kind == MessageKind::Call || kind == MessageKind::Reply; }

}  // namespace

bool isSocket(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

namespace {

using std::chrono::milliseconds;

// Whether something comes of it within this time (negative: for ever): also an end, or an error.
bool isReady(int descriptor, short event, milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(end - std::chrono::steady_clock::now()).count();
    pollfd waited{.fd = descriptor, .events = event, .revents = 0};
    const int polled =
        ::poll(&waited, 1, wait.count() < 0 ? -1 : int(std::clamp<long long>(left, 0, INT_MAX)));
    if (polled >= 0 || errno != EINTR) return polled != 0;
  }
}

// A pipe whose reader is gone sends the thread that writes to it a signal, where a socket can be told not to.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    ::sigpending(&pending);
    wasPending_ = ::sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    constexpr timespec kAtOnce{};
    const int error = errno;
    if (!wasPending_)
      while (::sigtimedwait(&pipe_, nullptr, &kAtOnce) < 0 && errno == EINTR) {
      }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
  bool wasPending_ = false;
};

// send, not sendmsg: a worker that may hand over no descriptor may not call the latter
// (sandbox/confinement.h).
ssize_t sendSome(int socket, std::span<const std::byte> bytes, bool waits) {
  return ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
}

// A pipe that poll() calls writable takes so much without waiting.
ssize_t writeSome(int pipe, std::span<const std::byte> bytes) {
  const WithoutPipeSignal noSignal;
  return ::write(pipe, bytes.data(), std::min<std::size_t>(bytes.size(), PIPE_BUF));
}

}  // namespace

ByteStream::ByteStream(int in, int out)
    : in_(in), out_(out), inIsSocket_(isSocket(in)), outIsSocket_(in == out ? inIsSocket_ : isSocket(out)) {}

bool ByteStream::send(std::span<const std::byte> bytes, milliseconds patience) const {
  const bool waits = patience.count() < 0;
  while (!bytes.empty()) {
    if (!outIsSocket_ && !isReady(out_, POLLOUT, patience)) return false;
    const ssize_t sent = outIsSocket_ ? sendSome(out_, bytes, waits) : writeSome(out_, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN && isReady(out_, POLLOUT, patience)) continue;
    if (sent < 0) return false;
    bytes = bytes.subspan(std::size_t(sent));
  }
  return true;
}

ByteStream::Received ByteStream::receive(std::span<std::byte> room, milliseconds wait) const {
  bool waited = false;
  for (;;) {
    if (!inIsSocket_ && !waited && !isReady(in_, POLLIN, wait)) return {};
    const ssize_t got = inIsSocket_ ? ::recv(in_, room.data(), room.size(), MSG_DONTWAIT)
                                    : ::read(in_, room.data(), room.size());
    if (got > 0) return {.state = State::Some, .bytes = std::size_t(got)};
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || errno != EAGAIN) return {.state = State::Closed};  // ECONNRESET: it was killed
    if (waited || !isReady(in_, POLLIN, wait)) return {};
    waited = true;
  }
}

void ByteStream::shutDown() const {
  if (inIsSocket_) ::shutdown(in_, SHUT_RDWR);
}

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
