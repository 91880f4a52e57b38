// The one loop that answers calls (rpc_client.h): a thread reads the stream all the time, so that a call that
// is cancelled ends soon and a client that is gone is noticed whatever the process does; the thread that
// called serve() answers.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

// What a server does: a function for each of its calls.
class CallTable {
 public:
  // `answer`: Result<Type::Answered>(const Type::Asked&, JobControl&).
  template <class Type, class Answer>
  CallTable& on(const Type& type, Answer answer) {
    entries_[type.number] = [answer](const Message& asked,
                                     JobControl& job) -> std::optional<Result<ByteWriter>> {
      const auto body = asked.body<typename Type::Asked>();
      if (!body) return std::nullopt;
      const Result<typename Type::Answered> answered = answer(*body, job);
      if (!answered) return tl::unexpected(answered.error());
      ByteWriter writer;
      writer(*answered);
      return writer;
    };
    return *this;
  }

  // Nothing: there is no such call, or what it is asked with is not what it takes.
  std::optional<Result<ByteWriter>> answer(const Message& asked, JobControl& job) const {
    const auto found = entries_.find(asked.subject.type);
    return found == entries_.end() ? std::nullopt : found->second(asked, job);
  }

 private:
  std::map<std::uint16_t, std::function<std::optional<Result<ByteWriter>>(const Message&, JobControl&)>>
      entries_;
};

// What a worker does first: nothing that it starts has its stream, it is called as the program is, and Ctrl-C
// is the program's. Its stream is the socket that the program gave it (kWorkerSocket); nothing: a person
// started it, and that is told.
std::optional<ByteStream> beginWorker();
// The exit code of a process that has no stream.
inline constexpr int kNotAWorker = 2;

// For a server that is reached through its standard input and output, as by `ssh`: the stream over them. From
// then on, whatever else the process prints goes nowhere, and it has no other input.
ByteStream takeStandardStreams();

class RpcServer {
 public:
  // Greets, and reads from then on. `giveUp` is called, on the reading thread, once for each call that is
  // cancelled or whose client is gone before it was answered; without it, a client that is gone ends the
  // process there and then. No other thread is started here afterwards.
  explicit RpcServer(const Service& service, const ByteStream& stream, std::function<void()> giveUp = {});
  ~RpcServer();
  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  // Says what the server is, before it is asked; or why there is nothing to ask.
  template <class Ready>
  void ready(const Ready& what) {
    send({.kind = MessageKind::Ready}, what);
  }
  void failed(const Error& error) { send({.kind = MessageKind::Failed}, Failure{error, false}); }

  // Answers until the client is gone. `isUsable`: whether more can be asked after a failure; may be empty.
  void serve(const CallTable& calls, const std::function<bool()>& isUsable = {});

 private:
  struct Call {
    Message message;
    JobControl control;
    bool isGivenUp = false;  // guarded by mutex_
  };

  // Whether it arrives is not known here: that the client is gone is noticed by reading.
  template <class Body>
  void send(const Subject& subject, const Body& body) {
    const std::scoped_lock lock(sending_);
    sendMessage(stream_, subject, body);
  }
  std::shared_ptr<Call> next();
  void answer(const CallTable& calls, const std::function<bool()>& isUsable, Call& call);
  void read();
  void readAll();
  void take(Message message);
  void giveUp(Call& call);

  ByteStream stream_;
  std::function<void()> giveUp_;
  std::mutex sending_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> current_;
  bool begun_ = false, working_ = true, ended_ = false, left_ = false;
  std::thread reading_;  // last: it uses the others
};

}  // namespace stridescope::engine::worker
