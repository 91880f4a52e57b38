#include "command_run.h"

#include <sstream>

#include "engine/host/host_engine.h"

namespace stridescope::cli {
namespace {

class ToldEngine : public engine::Engine {
 public:
  explicit ToldEngine(
      std::function<Result<model::Trace>(const model::Experiment&, engine::JobControl&)> record)
      : record_(std::move(record)) {}
  model::Executor executor() const override {
    model::Executor executor;
    executor.kind = model::EngineKind::Gpu;
    executor.device = "Told GPU";
    return executor;
  }
  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    return record_(experiment, job);
  }

 private:
  std::function<Result<model::Trace>(const model::Experiment&, engine::JobControl&)> record_;
};

}  // namespace

Services hostOnly() {
  Services services;
  services.version = "1.2.3";
  services.sources.makeHost = [] { return engine::host::makeHostEngine(); };
  services.sources.makeGpu = [](unsigned) -> Result<std::unique_ptr<engine::Engine>> {
    return unavailable("There is no GPU in this test.");
  };
  return services;
}

Services withGpu(std::function<Result<model::Trace>(const model::Experiment&)> record) {
  Services services = hostOnly();
  services.sources.makeGpu = [record](unsigned) -> Result<std::unique_ptr<engine::Engine>> {
    return std::make_unique<ToldEngine>(
        [record](const model::Experiment& experiment, engine::JobControl&) { return record(experiment); });
  };
  return services;
}

Services withHost(std::function<Result<model::Trace>(const model::Experiment&, engine::JobControl&)> record) {
  Services services = hostOnly();
  services.sources.makeHost = [record] { return std::make_unique<ToldEngine>(record); };
  return services;
}

CommandRun runCommand(const std::vector<std::string>& arguments, const Services& services) {
  std::vector<const char*> argv{"stridescope"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, error;
  Streams streams{out, error, false};
  CommandRun run;
  run.code = runCommandLine(int(argv.size()), argv.data(), streams, services);
  run.out = out.str();
  run.error = error.str();
  return run;
}

model::Trace hostTrace(const model::Experiment& experiment) {
  engine::JobControl job;
  return engine::host::makeHostEngine()->record(experiment, job).value();
}

}  // namespace stridescope::cli
