// An engine in a process of its own, behind the engines' interface. What a kernel can do to the process that
// launched it (a GPU that refuses every further call, a thread that waits for ever, a crash) ends one
// record() with a sentence; the next one begins in a fresh process.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/worker/rpc_message.h"
#include "engine/worker/worker_process.h"

namespace stridescope::engine::worker {

struct WorkerLimits {
  using Duration = std::chrono::milliseconds;
  // For the worker to find its engine, all calls of libraries together.
  Duration start{60'000};
  // Without a word from it while it works; it is killed then. A library's call that does not return is
  // noticed before, where the worker is watched (WorkerCommand::callLimit).
  Duration silence{20'000};
  // More of that for every element, since input and check are one step each however large.
  std::chrono::nanoseconds silencePerElement{20};
  // For a cancelled call to end by itself before the next one begins; the worker is killed then.
  Duration cancelling{5'000};
  // For tryOperator(), and for record() or foldInput(), whatever it says meanwhile; the worker is killed
  // then. 0: as long as it likes.
  Duration trial{0}, run{0};
  // Between two calls of JobControl::progress, whether the worker says something or not; 0: only when it
  // does.
  Duration report{0};
  // For an idle worker to free what it holds when the object goes; it is killed then.
  Duration leaving{500};
  // The most bytes that a trace may have as it is sent; a longer one is no answer. 0: as many as any trace
  // that holds together can have (trace_check.h).
  std::uint64_t traceBytes = 0;
  // The most memory that the trace may take when it is read; 0: no limit of its own.
  std::uint64_t decodedBytes = 0;
};

// Starts the worker and waits until its engine stands; fails with that engine's own error. record() and
// prepare() may be called from any thread; one call at a time does the work. A cancelled call returns at
// once. The worker ends at once when the object is destroyed, whether it works or not.
Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command,
                                                 const WorkerLimits& limits = {});
// The same, with progress, and given up when it is cancelled.
Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command, const WorkerLimits& limits,
                                                 JobControl& job);

// The worker that answers.

using EngineMaker = std::function<Result<std::unique_ptr<Engine>>()>;

// Makes the engine, makes it ready (Engine::prepare with nothing to prepare), and answers until the stream is
// closed. Gives the process's exit code. When the stream closes in the middle of work, nobody waits for it:
// the process ends there and then, whatever the GPU does.
int serveEngine(const EngineMaker& make, const ByteStream& stream);
// The same over the socket that the program gave this process (beginWorker() in rpc_server.h).
int serveEngine(const EngineMaker& make);

// What an engine in a process of its own is asked: the engines' interface (engine/engine.h), call by call.

inline constexpr CallType<std::vector<model::Experiment>, Nothing> kPrepare{1};
inline constexpr CallType<model::Experiment, model::Trace> kRecord{2, kMaxBodyBytes};
inline constexpr CallType<model::Experiment, model::OperatorTrial> kTry{3};
inline constexpr CallType<model::Experiment, std::string> kFold{4};
// It says that it is ready as its Engine::executor().
inline constexpr Service kEngineService =
    serviceOf<model::Executor>("engine", kPrepare, kRecord, kTry, kFold);

}  // namespace stridescope::engine::worker
