#include "engine/worker/rpc_server.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <utility>

namespace stridescope::engine::worker {
namespace {

using namespace std::chrono_literals;

constexpr int kReadingFailed = 3;  // exit code
// How often a reader that nobody can wake looks whether the server is done.
constexpr auto kBetweenLooks = 100ms;
// For an idle server to free what it holds once its client is gone: a library may hang in that, too.
constexpr auto kLeavingTime = 2s;

}  // namespace

std::optional<ByteStream> beginWorker() {
  if (!isSocket(kWorkerSocket)) {
    std::cerr << "The program starts this command by itself.\n";
    return std::nullopt;
  }
  ::fcntl(kWorkerSocket, F_SETFD, FD_CLOEXEC);          // a tool that the worker starts is no worker
  ::prctl(PR_SET_NAME, program_invocation_short_name);  // not "exe", after the path it was started by
  std::signal(SIGINT, SIG_IGN);                         // Ctrl-C is the program's, which closes the socket
  return ByteStream(kWorkerSocket);
}

ByteStream takeStandardStreams() {
  const int in = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
  return {in, out};
}

RpcServer::RpcServer(const Service& service, const ByteStream& stream, std::function<void()> giveUp)
    : stream_(stream), giveUp_(std::move(giveUp)), reading_([this] { read(); }) {
  send({.kind = MessageKind::Greeting}, greetingOf(service));
  // Calls that a thread makes when it begins may be forbidden from now on (sandbox/confinement.h).
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return begun_; });
}

RpcServer::~RpcServer() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = left_ = true;
  }
  changed_.notify_all();
  stream_.shutDown();
  reading_.join();
}

void RpcServer::serve(const CallTable& calls, const std::function<bool()>& isUsable) {
  while (const auto call = next()) answer(calls, isUsable, *call);
}

void RpcServer::answer(const CallTable& calls, const std::function<bool()>& isUsable, Call& call) {
  Subject subject = call.message.subject;
  call.control.progress = [this, subject](float fraction, const std::string& doing) mutable {
    subject.kind = MessageKind::Progress;
    send(subject, ProgressReport{fraction, doing});
  };
  const auto failed = [&](const Error& error) {
    subject.kind = MessageKind::Failed;
    send(subject, Failure{error, !isUsable || isUsable()});
  };
  const auto done = withoutExceptions("answering", [&] {
    const auto answered = calls.answer(call.message, call.control);
    if (!answered)
      return failed({.kind = ErrorKind::Unavailable,
                     .sentence = "The worker process does not understand the program. Install it anew."});
    if (!*answered) return failed(answered->error());
    subject.kind = MessageKind::Reply;
    const std::scoped_lock lock(sending_);
    sendBytes(stream_, subject, (*answered)->bytes());
  });
  if (!done) failed(done.error());
}

// Waits for the next call; nullptr when there will be none. Except while it waits here, the process counts as
// working.
std::shared_ptr<RpcServer::Call> RpcServer::next() {
  std::unique_lock lock(mutex_);
  current_.reset();
  working_ = false;
  changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
  if (ended_) return nullptr;
  working_ = true;
  current_ = waiting_.front();
  waiting_.pop_front();
  return current_;
}

void RpcServer::read() {
  {
    const std::scoped_lock lock(mutex_);
    begun_ = true;
  }
  changed_.notify_all();
  const auto whole = withoutExceptions("reading a message", [this] { readAll(); });
  if (whole) return;
  std::cerr << whole.error().sentence << "\n";  // which the program tells
  std::_Exit(kReadingFailed);
}

void RpcServer::readAll() {
  MessageReader reader(stream_);
  for (;;) {
    auto arrived = reader.next(stream_.canShutDown() ? kForEver : kBetweenLooks);
    std::unique_lock lock(mutex_);
    if (left_) return;
    if (std::holds_alternative<std::monostate>(arrived)) continue;
    if (auto* const message = std::get_if<Message>(&arrived)) {
      take(std::move(*message));
      continue;
    }
    if (working_ && !giveUp_) std::_Exit(EXIT_SUCCESS);  // nobody wants to know any more
    if (current_) giveUp(*current_);
    ended_ = true;
    changed_.notify_all();
    if (!giveUp_ && !changed_.wait_for(lock, kLeavingTime, [this] { return left_; }))
      std::_Exit(EXIT_SUCCESS);
    return;
  }
}

void RpcServer::take(Message message) {
  if (message.subject.kind != MessageKind::Cancel) {
    auto call = std::make_shared<Call>();
    call->message = std::move(message);
    waiting_.push_back(std::move(call));
    changed_.notify_all();
    return;
  }
  if (current_ && current_->message.subject.call == message.subject.call) giveUp(*current_);
  for (const auto& call : waiting_)
    if (call->message.subject.call == message.subject.call) call->control.cancel = true;
}

void RpcServer::giveUp(Call& call) {
  call.control.cancel = true;
  if (!std::exchange(call.isGivenUp, true) && giveUp_) giveUp_();
}

}  // namespace stridescope::engine::worker
