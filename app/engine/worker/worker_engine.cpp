#include "engine/worker/worker_engine.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>

#include "archive/printable_labels.h"
#include "base/plain_text.h"
#include "base/result.h"
#include "engine/worker/rpc_client.h"
#include "engine/worker/rpc_server.h"
#include "model/trace_check.h"

namespace stridescope::engine::worker {
namespace {

using std::chrono::milliseconds;

class WorkerEngine final : public Engine {
 public:
  WorkerEngine(const WorkerCommand& command, const WorkerLimits& limits)
      : limits_(limits),
        client_(command, kEngineService, {.cancelling = limits.cancelling, .report = limits.report}) {}
  ~WorkerEngine() override {
    if (client_.isFree()) client_.letEnd(limits_.leaving);
  }

  // Sets executor(). Call it before anything else.
  Result<void> open(JobControl& job) {
    auto executor = start(job);
    if (!executor) return tl::unexpected(executor.error());
    executor_ = std::move(*executor);
    return {};
  }

  model::Executor executor() const override { return executor_; }

  Result<void> prepare(std::span<const model::Experiment> experiments, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    const std::vector<model::Experiment> all(experiments.begin(), experiments.end());
    STRIDESCOPE_TRY(call(kPrepare, all, {.silence = limits_.silence}, job));
    return {};
  }

  Result<model::OperatorTrial> tryOperator(const model::Experiment& experiment, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    auto trial = call(kTry, experiment, {.silence = silenceFor(experiment), .whole = limits_.trial}, job);
    if (trial) archive::makeLabelsPrintable(*trial);
    return trial;
  }

  Result<std::string> foldInput(const model::Experiment& experiment, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    return call(kFold, experiment, {.silence = silenceFor(experiment), .whole = limits_.run}, job)
        .map([](const std::string& value) { return printable(value); });
  }

  Result<model::Trace> record(const model::Experiment& experiment, JobControl& job) override {
    const std::scoped_lock lock(mutex_);
    auto trace = call(kRecord, experiment,
                      {.silence = silenceFor(experiment),
                       .whole = limits_.run,
                       .replyBytes = limits_.traceBytes,
                       .replyMemory = limits_.decodedBytes},
                      job);
    if (!trace) return trace;
    if (const auto fault = model::faultOf(*trace)) return client_.nonsense("Of the trace: " + *fault + ".");
    if (trace->experiment.kernel != experiment.kernel)
      return client_.nonsense("Of the trace: its kernel is another one.");
    archive::makeLabelsPrintable(*trace);
    return trace;
  }

 private:
  milliseconds silenceFor(const model::Experiment& experiment) const {
    constexpr std::uint64_t kMaxCounted = 1ull << 40;  // an hour is long enough, and no overflow
    const auto more = limits_.silencePerElement * std::min(experiment.elements, kMaxCounted);
    return limits_.silence + std::chrono::duration_cast<milliseconds>(more);
  }

  Result<model::Executor> start(JobControl& job) {
    STRIDESCOPE_TRY(client_.start());
    auto executor = client_.ready<model::Executor>(limits_.start, job);
    if (executor) archive::makeLabelsPrintable(*executor);
    return executor;
  }

  // To a worker that is alive and idle: a fresh one, if the last is gone.
  template <class Type>
  Result<typename Type::Answered> call(const Type& type, const typename Type::Asked& asked,
                                       const CallLimits& limits, JobControl& job) {
    if (job.cancel) return cancelled();
    STRIDESCOPE_TRY(client_.settle(job));
    if (!client_.isIdle()) STRIDESCOPE_TRY(start(job));
    return client_.call(type, asked, limits, job);
  }

  WorkerLimits limits_;
  model::Executor executor_;
  std::mutex mutex_;  // guards the next
  RpcClient client_;
};

}  // namespace

Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command, const WorkerLimits& limits) {
  JobControl nobodyCancels;
  return makeWorkerEngine(command, limits, nobodyCancels);
}

Result<std::unique_ptr<Engine>> makeWorkerEngine(const WorkerCommand& command, const WorkerLimits& limits,
                                                 JobControl& job) {
  auto engine = std::make_unique<WorkerEngine>(command, limits);
  if (auto opened = engine->open(job); !opened) return tl::unexpected(opened.error());
  return engine;
}

namespace {

constexpr int kNoEngine = 3;  // exit code

}  // namespace

int serveEngine(const EngineMaker& make) {
  const auto stream = beginWorker();
  return stream ? serveEngine(make, *stream) : kNotAWorker;
}

int serveEngine(const EngineMaker& make, const ByteStream& stream) {
  RpcServer server(kEngineService, stream);
  auto made = withoutExceptions("starting the engine", make);
  if (!made) {
    server.failed(made.error());
    return kNoEngine;
  }
  Engine& engine = **made;
  server.ready(engine.executor());
  JobControl nobodyWatches;
  (void)engine.prepare({}, nobodyWatches);  // what fails here fails again, and is told, when it is needed
  CallTable calls;
  calls
      .on(kPrepare,
          [&](const std::vector<model::Experiment>& experiments, JobControl& job) {
            return engine.prepare(experiments, job).map([] { return Nothing(); });
          })
      .on(kRecord, [&](const model::Experiment& experiment,
                       JobControl& job) { return engine.record(experiment, job); })
      .on(kTry, [&](const model::Experiment& experiment,
                    JobControl& job) { return engine.tryOperator(experiment, job); })
      .on(kFold, [&](const model::Experiment& experiment, JobControl& job) {
        return engine.foldInput(experiment, job);
      });
  server.serve(calls, [&] { return engine.isUsable(); });
  return EXIT_SUCCESS;
}

}  // namespace stridescope::engine::worker
