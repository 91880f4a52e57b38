// Questions to a worker process that is no engine (serve_calls.h), one at a time: whatever it does, each ends
// with the answer or a sentence. It is waited for as long as it tells of progress; one that is silent for
// too long, that hangs in a library's call, or that is cancelled, is stopped.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/plain_text.h"
#include "engine/engine.h"
#include "engine/worker/worker_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

class Conversation {
 public:
  // `silence`: how long it may be without a word.
  static Result<Conversation> start(WorkerCommand command, std::chrono::milliseconds silence) {
    auto process = WorkerProcess::start(command);
    if (!process) return tl::unexpected(process.error());
    return Conversation(std::move(command), silence, std::move(*process));
  }

  // False: the worker has ended or was stopped.
  bool isOpen() const { return process_ != nullptr; }

  template <class Answer, class Body>
  Result<Answer> ask(MessageKind kind, const Body& body, MessageKind wanted, JobControl& job) {
    if (job.cancel) return cancelled();
    if (!process_) return unavailable(command_.subject + " has ended. " + command_.advice);
    if (!sendMessage(process_->socket(), kind, ++calls_, body)) return ended();
    return await<Answer>(wanted, job);
  }

  // What it says unasked: Ready, before anything is asked.
  template <class Answer>
  Result<Answer> await(MessageKind wanted, JobControl& job) {
    const auto message = next(wanted, job);
    if (!message) return tl::unexpected(message.error());
    auto answer = message->template body<Answer>();
    if (!answer) return lost("Its answer cannot be read.");
    return std::move(*answer);
  }

  // Stops it: what it said makes no sense.
  tl::unexpected<Error> lost(const std::string& why);

 private:
  Conversation(WorkerCommand command, std::chrono::milliseconds silence,
               std::unique_ptr<WorkerProcess> process)
      : command_(std::move(command)),
        silence_(silence),
        process_(std::move(process)),
        reader_(std::make_unique<MessageReader>(process_->socket())) {}

  Result<Message> next(MessageKind wanted, JobControl& job);
  tl::unexpected<Error> ended();
  tl::unexpected<Error> hangs(const OpenCall& call);

  WorkerCommand command_;
  std::chrono::milliseconds silence_;
  std::unique_ptr<WorkerProcess> process_;  // null: it has ended
  std::unique_ptr<MessageReader> reader_;
  std::uint32_t calls_ = 0;
};

}  // namespace stridescope::engine::worker
