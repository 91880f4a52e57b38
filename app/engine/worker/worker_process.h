// A child process with a stream of bytes to it. What it writes to standard error is kept for the details of
// an error; this program's standard input and output are none of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/regular_file.h"
#include "base/result.h"
#include "engine/library_call.h"
#include "engine/worker/rpc_message.h"

namespace stridescope::engine::worker {

// The program's side of library_call.h: which calls of others' libraries a worker process is in, and for how
// long. It works whatever the worker does: one that hangs, or that has ended, leaves its page as it was.

// A call that has not returned.
struct OpenCall {
  std::string name;  // "cuInit"
  std::chrono::milliseconds limit{0};
};

// Use it on one thread at a time.
class CallWatch {
 public:
  // Null: there is no memory for it.
  static std::unique_ptr<CallWatch> make();
  ~CallWatch();
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;

  // To be given to the worker, which calls showLibraryCalls() with it.
  const Descriptor& descriptor() const { return descriptor_; }

  // A call that has lasted longer than its patience times `limit`, as far as it was looked at: look often.
  std::optional<OpenCall> overdue(std::chrono::milliseconds limit);

  // The name of a call that the worker is in, or ended in; empty: none.
  std::string current() const;

 private:
  CallWatch(Descriptor descriptor, CallBoard* board) : descriptor_(std::move(descriptor)), board_(board) {}
  std::size_t used() const;

  struct Seen {
    std::uint64_t turn = 0;
    std::chrono::steady_clock::time_point since{};
  };
  Descriptor descriptor_;
  CallBoard* board_;
  std::vector<Seen> seen_;  // one for each slot that was ever used
};

// The descriptor on which a worker finds its socket.
inline constexpr int kWorkerSocket = 3;
// The one on which it finds the page for showLibraryCalls() (engine/library_call.h), where it is watched.
inline constexpr int kWorkerCalls = 4;

// A path to this very program. Not the path behind it: an update may have put another program there since
// this one was started.
inline constexpr const char* kThisProgram = "/proc/self/exe";

// The N of `COMMAND N`, if that is what the program was started with.
std::optional<unsigned> indexAfter(std::string_view command, int argc, const char* const* argv);

struct WorkerCommand {
  std::string program;  // a file's path
  std::vector<std::string> arguments;
  std::string name = {};  // what lists of processes call it; empty: the path
  // The stream is its standard input and output, as for `ssh` and what it starts on another machine
  // (takeStandardStreams() in rpc_server.h), in place of a socket at kWorkerSocket.
  bool overStandardStreams = false;
  // "NAME=value", and no other variable; nullopt: this program's.
  std::optional<std::vector<std::string>> environment = {};
  // It calls libraries that may hang, and shows which (engine/library_call.h): how long a plain call may
  // take. 0: it is not watched.
  std::chrono::milliseconds callLimit{0};
  std::string adviceOnHang = {};
  // Asked before each start. May be empty.
  std::function<Result<void>()> mayStart = {};
  // Told the error when such a call did not return. May be empty.
  std::function<void(const Error&)> onHang = {};
  // In sentences on how it ended: who, why it may have said nothing for so long, and what to do.
  std::string subject = "The GPU's worker process";
  std::string causeOfSilence = "the kernel, or the driver, hangs";
  std::string advice =
      "Try again, which starts a new one, or use the CPU executor (on the command line: "
      "--engine host).";
};

// That a call of a library did not return, so that the worker was stopped; told to onHang, too.
Error hangOf(const WorkerCommand& command, const OpenCall& call);

// A time as sentences have it: "5 s", "0.5 s".
std::string inSeconds(std::chrono::milliseconds time);

// Use it on one thread at a time. It is stopped at once with the object. It is not told of its parent's death
// by a signal, since such a signal comes when the thread that started it ends: it reads its stream. What it
// starts ends with it.
class WorkerProcess {
 public:
  static Result<std::unique_ptr<WorkerProcess>> start(const WorkerCommand& command);

  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  // As long as letEnd() was not called.
  ByteStream stream() const { return ends_.stream(); }

  // Closes the stream, which ends an idle worker, and waits so long for that.
  void letEnd(std::chrono::milliseconds wait);

  // Gives it so long to end, then kills it. How it ended: "was killed by SIGSEGV (Segmentation fault)",
  // "ended with exit code 3", "was stopped"; " in cuInit" behind it where it ended within such a call.
  std::string ending(std::chrono::milliseconds wait);

  // The end of what it wrote to standard error.
  std::string standardError() const;

  // A library's call that lasts too long (WorkerCommand::callLimit). Look often.
  std::optional<OpenCall> overdueCall() { return watch_ ? watch_->overdue(callLimit_) : std::nullopt; }
  // The name of the library's call that it is in, or ended in; empty: none, or it is not watched.
  std::string currentCall() const { return watch_ ? watch_->current() : std::string(); }

 private:
  WorkerProcess(ChildProcess process, StreamEnds ends, OutputFile errors, std::unique_ptr<CallWatch> watch,
                std::chrono::milliseconds callLimit)
      : process_(std::move(process)),
        ends_(std::move(ends)),
        errors_(std::move(errors)),
        watch_(std::move(watch)),
        callLimit_(callLimit) {}

  ChildProcess process_;
  StreamEnds ends_;
  OutputFile errors_;
  std::unique_ptr<CallWatch> watch_;  // null: it is not watched
  std::chrono::milliseconds callLimit_;
};

}  // namespace stridescope::engine::worker
