// The side of a worker that is no engine: it answers one call after another on its socket (conversation.h).
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "engine/engine.h"
#include "engine/worker/worker_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

// Answers to the call that is being served.
class Replies {
 public:
  Replies(int socket, std::uint32_t call) : socket_(socket), call_(call) {}

  template <class Body>
  void send(MessageKind kind, const Body& body) const {
    sendMessage(socket_, kind, call_, body);
  }
  void fail(const Error& error, bool usable = true) const {
    send(MessageKind::Failed, Failure{error, usable});
  }
  // The value, or its error. `usable`: the worker can go on after that.
  template <class Body>
  void give(MessageKind kind, const Result<Body>& answer, bool usable = true) const {
    if (answer)
      send(kind, *answer);
    else
      fail(answer.error(), usable);
  }
  // Whose progress is sent.
  void report(JobControl& job) const {
    job.progress = [*this](float fraction, const std::string& doing) {
      send(MessageKind::Progress, ProgressReport{fraction, doing});
    };
  }

 private:
  int socket_;
  std::uint32_t call_;
};

// What a worker does first: its calls of libraries are shown where it is watched, Ctrl-C is the program's,
// and the process ends with the program, whatever it is doing then. False: a person started it; that is told.
bool beginWorker(int socket = kWorkerSocket);

// Begins, calls `ready` (false: the worker ends, with exit code 3), and answers until the socket is closed.
// The process's exit code.
int serveCalls(const std::function<bool(const Replies& unasked)>& ready,
               const std::function<void(const Message& call, const Replies& replies)>& answer,
               int socket = kWorkerSocket);

}  // namespace stridescope::engine::worker
