#include "engine/worker/serve_engine.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>

#include "base/result.h"
#include "engine/worker/worker_message.h"

namespace stridescope::engine::worker {
namespace {

constexpr int kNotAWorker = 2;  // exit codes
constexpr int kNoEngine = 3;
constexpr std::chrono::milliseconds kForEver{-1};

struct Call {
  Message message;
  JobControl control;
};

// The socket: one thread reads it all the time, others send. No other thread is ever started.
class Line {
 public:
  explicit Line(int socket) : socket_(socket), reading_([this] { read(); }) {
    // The engine may forbid calls that a thread makes when it begins (sandbox/call_filter.h).
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return begun_; });
  }
  ~Line() {
    {
      const std::scoped_lock lock(mutex_);
      ended_ = true;
    }
    ::shutdown(socket_, SHUT_RDWR);  // what was sent still arrives
    reading_.join();
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  // Whether it arrives is not known here: that the program is gone is noticed by reading.
  template <class Body>
  void send(MessageKind kind, std::uint32_t call, const Body& body) {
    const std::scoped_lock lock(sending_);
    sendMessage(socket_, kind, call, body);
  }
  void send(MessageKind kind, std::uint32_t call) {
    const std::scoped_lock lock(sending_);
    sendBytes(socket_, kind, call, {});
  }

  // Waits for the next call; nullptr when there will be none. Between two calls, and before the first, the
  // process counts as working.
  std::shared_ptr<Call> next() {
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

 private:
  void read() {
    {
      const std::scoped_lock lock(mutex_);
      begun_ = true;
    }
    changed_.notify_all();
    const auto whole = withoutExceptions("reading a message", [this] { readAll(); });
    if (whole) return;
    std::cerr << whole.error().sentence << "\n";  // which the program tells
    std::_Exit(kNoEngine);
  }

  void readAll() {
    MessageReader reader(socket_);
    for (;;) {
      auto arrived = reader.next(kForEver);
      const std::scoped_lock lock(mutex_);
      if (auto* const message = std::get_if<Message>(&arrived)) {
        take(std::move(*message));
        continue;
      }
      if (working_ && !ended_) std::_Exit(EXIT_SUCCESS);  // nobody wants to know any more
      ended_ = true;
      changed_.notify_all();
      return;
    }
  }

  void take(Message message) {
    if (message.kind != MessageKind::Cancel) {
      auto call = std::make_shared<Call>();
      call->message = std::move(message);
      waiting_.push_back(std::move(call));
      changed_.notify_all();
      return;
    }
    if (current_ && current_->message.call == message.call) current_->control.cancel = true;
    for (const auto& call : waiting_)
      if (call->message.call == message.call) call->control.cancel = true;
  }

  int socket_;
  std::mutex sending_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> current_;
  bool begun_ = false, working_ = true, ended_ = false;
  std::thread reading_;  // last: it uses the others
};

void fail(Line& line, const Engine& engine, const Call& call, const Error& error) {
  line.send(MessageKind::Failed, call.message.call, Failure{error, engine.isUsable()});
}

void answer(Line& line, Engine& engine, Call& call) {
  const std::uint32_t number = call.message.call;
  const auto fail = [&](const Error& error) { worker::fail(line, engine, call, error); };
  call.control.progress = [&](float fraction, const std::string& doing) {
    line.send(MessageKind::Progress, number, ProgressReport{fraction, doing});
  };
  if (call.message.kind == MessageKind::Record)
    if (const auto experiment = call.message.body<model::Experiment>()) {
      const auto trace = engine.record(*experiment, call.control);
      return trace ? line.send(MessageKind::Recorded, number, *trace) : fail(trace.error());
    }
  if (call.message.kind == MessageKind::Try)
    if (const auto experiment = call.message.body<model::Experiment>()) {
      const auto tried = engine.tryOperator(*experiment, call.control);
      return tried ? line.send(MessageKind::Tried, number, *tried) : fail(tried.error());
    }
  if (call.message.kind == MessageKind::Fold)
    if (const auto experiment = call.message.body<model::Experiment>()) {
      const auto folded = engine.foldInput(*experiment, call.control);
      return folded ? line.send(MessageKind::Folded, number, *folded) : fail(folded.error());
    }
  if (call.message.kind == MessageKind::Prepare)
    if (const auto experiments = call.message.body<std::vector<model::Experiment>>()) {
      const auto prepared = engine.prepare(*experiments, call.control);
      return prepared ? line.send(MessageKind::Prepared, number) : fail(prepared.error());
    }
  fail({.kind = ErrorKind::Unavailable,
        .sentence = "The worker process does not understand the program. Install it anew."});
}

bool isSocket(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

}  // namespace

int serveEngine(const EngineMaker& make, int socket) {
  if (!isSocket(socket)) {
    std::cerr << "The program starts this command by itself.\n";
    return kNotAWorker;
  }
  ::fcntl(socket, F_SETFD, FD_CLOEXEC);                 // a compiler that the engine starts is no worker
  ::prctl(PR_SET_NAME, program_invocation_short_name);  // not "exe", after the path it was started by
  Line line(socket);
  auto engine = withoutExceptions("starting the engine", make);
  if (!engine) {
    line.send(MessageKind::Failed, 0, Failure{engine.error(), false});
    return kNoEngine;
  }
  line.send(MessageKind::Ready, 0, (*engine)->executor());
  JobControl nobodyWatches;
  (void)(*engine)->prepare({}, nobodyWatches);  // what fails here fails again, and is told, when it is needed
  while (const auto call = line.next())
    if (const auto answered = withoutExceptions("answering", [&] { answer(line, **engine, *call); });
        !answered)
      fail(line, **engine, *call, answered.error());
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::worker
