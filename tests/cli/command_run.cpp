#include "command_run.h"

#include <sstream>

#include "engine/host/host_engine.h"

namespace stridescope {
namespace {

class ToldEngine : public Engine {
 public:
  explicit ToldEngine(std::function<Result<Trace>(const Experiment&, JobControl&)> record)
      : record_(std::move(record)) {}
  Executor executor() const override {
    Executor executor;
    executor.kind = EngineKind::Gpu;
    executor.device = "Told GPU";
    return executor;
  }
  Result<Trace> record(const Experiment& experiment, JobControl& job) override {
    return record_(experiment, job);
  }

 private:
  std::function<Result<Trace>(const Experiment&, JobControl&)> record_;
};

}  // namespace

Services hostOnly() {
  Services services;
  services.version = "1.2.3";
  services.makeHostEngine = [] { return makeHostEngine(); };
  services.makeGpuEngine = [](unsigned) -> Result<std::unique_ptr<Engine>> {
    return unavailable("There is no GPU in this test.");
  };
  return services;
}

Services withGpu(std::function<Result<Trace>(const Experiment&)> record) {
  Services services = hostOnly();
  services.makeGpuEngine = [record](unsigned) -> Result<std::unique_ptr<Engine>> {
    return std::make_unique<ToldEngine>(
        [record](const Experiment& experiment, JobControl&) { return record(experiment); });
  };
  return services;
}

Services withHost(std::function<Result<Trace>(const Experiment&, JobControl&)> record) {
  Services services = hostOnly();
  services.makeHostEngine = [record] { return std::make_unique<ToldEngine>(record); };
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

Trace hostTrace(const Experiment& experiment) {
  JobControl job;
  return makeHostEngine()->record(experiment, job).value();
}

}  // namespace stridescope
