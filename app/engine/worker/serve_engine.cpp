#include "engine/worker/serve_engine.h"

#include <cstdlib>

#include "base/result.h"
#include "engine/worker/rpc_server.h"

namespace stridescope::engine::worker {
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
