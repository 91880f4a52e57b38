// The one way to ask another process: calls, one at a time. Whatever the server does, each ends with the
// answer or a sentence. It is waited for as long as it is heard of; one that is silent for too long, that
// hangs in a library's call, or that says what makes no sense, is stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

struct ClientLimits {
  // For a cancelled call to end by itself before the next one begins; the server is stopped then. 0: it is
  // stopped at once when a call is cancelled.
  std::chrono::milliseconds cancelling{0};
  // Between two calls of JobControl::progress, whether the server says something or not; 0: only when it
  // does.
  std::chrono::milliseconds report{0};
};

// What one call may take; 0 is no limit.
struct CallLimits {
  std::chrono::milliseconds silence{0};  // without a byte from the server
  std::chrono::milliseconds whole{0};    // whatever it says meanwhile
  // The most bytes of the reply as it is sent, in place of its type's limit; and of memory when it is read.
  std::uint64_t replyBytes = 0, replyMemory = 0;
  ErrorKind onSilence = ErrorKind::Limit;
};

// Use it on one thread at a time.
class RpcClient {
 public:
  // Nothing is started yet. The command's words are those of the sentences, whatever the stream.
  RpcClient(WorkerCommand command, const Service& service, const ClientLimits& limits = {});
  ~RpcClient();  // stops the server at once
  RpcClient(const RpcClient&) = delete;
  RpcClient& operator=(const RpcClient&) = delete;

  // Starts the command as the server, in place of one that there was.
  Result<void> start();
  // Speaks over this in place of a process that it starts.
  void connect(StreamEnds ends);

  // Waits until the server says that it is ready, and as what; gives its own error if it fails.
  template <class Ready>
  Result<Ready> ready(std::chrono::milliseconds limit, JobControl& job) {
    const auto message = awaitReady(limit, job);
    if (!message) return tl::unexpected(message.error());
    return bodyOf<Ready>(*message, 0);
  }

  template <class Type>
  Result<typename Type::Answered> call(const Type& type, const typename Type::Asked& asked,
                                       const CallLimits& limits, JobControl& job) {
    const auto message =
        await([&](const Subject& subject) { return sendMessage(stream(), subject, asked, kSendTime); },
              type.number, limits.replyBytes != 0 ? limits.replyBytes : type.mostReplyBytes, limits, job);
    if (!message) return tl::unexpected(message.error());
    return bodyOf<typename Type::Answered>(*message, limits.replyMemory);
  }

  // False: the server has ended or was stopped.
  bool isOpen() const { return line_ != nullptr; }
  // Waits until what was cancelled has ended, or ends the server. The error: the job was cancelled meanwhile.
  Result<void> settle(JobControl& job);
  // Whether it is there and says nothing, as it should once it is ready and nothing was asked.
  bool isIdle();
  // Whether nothing is being done there, as far as it is known: it can be asked to end in order.
  bool isFree() const;

  // Closes the stream, which ends a server that is free, and gives it so long; then it is stopped.
  void letEnd(std::chrono::milliseconds wait);
  void stop();

  // Stops it: what it said makes no sense. `why` is among the details.
  tl::unexpected<Error> nonsense(const std::string& why);

 private:
  struct Line;  // the process or the descriptors, and what reads the stream
  struct Cancelled {
    std::uint32_t call = 0;
    std::chrono::steady_clock::time_point since;
  };
  class Reporting;
  struct Waiting;
  // A server reads all the time. One that does not take a message for so long is lost.
  static constexpr std::chrono::milliseconds kSendTime{1'000};

  template <class Body>
  Result<Body> bodyOf(const Message& message, std::uint64_t mostMemory) {
    auto body = message.body<Body>(mostMemory);
    if (!body) return nonsense("What it answers cannot be read.");
    return std::move(*body);
  }
  const ByteStream& stream() const;
  Result<Message> awaitReady(std::chrono::milliseconds limit, JobControl& job);
  Result<Message> await(const std::function<bool(const Subject&)>& send, std::uint16_t type,
                        std::uint64_t mostReplyBytes, const CallLimits& limits, JobControl& job);
  Result<Message> answerTo(const Waiting& waiting, JobControl& job);
  std::optional<Result<Message>> judge(Message message, const Waiting& waiting);
  void takeIn(const Arrived& arrived);
  tl::unexpected<Error> otherBuild(const Greeting& greeting);
  tl::unexpected<Error> ended();
  tl::unexpected<Error> hangs(const OpenCall& call);
  tl::unexpected<Error> silent(std::chrono::milliseconds limit, ErrorKind kind);
  tl::unexpected<Error> tooLong(std::chrono::milliseconds limit);
  std::string complaints() const;

  WorkerCommand command_;
  Greeting expected_;
  ClientLimits limits_;
  std::unique_ptr<Line> line_;  // null: there is no server
  std::uint32_t calls_ = 0;
  std::optional<Cancelled> cancelled_;  // the server is still busy with it
};

}  // namespace stridescope::engine::worker
