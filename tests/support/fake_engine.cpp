#include "support/fake_engine.h"

#include <chrono>
#include <stdexcept>

#include "engine/experiment_check.h"
#include "lab/known/recorded.h"
#include "support/ladder_trace.h"

namespace stridescope::support {

class FakeEngines::Engine final : public stridescope::engine::Engine {
 public:
  explicit Engine(FakeEngines& engines) : engines_(engines) {}

  model::Executor executor() const override { return {}; }

  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    ++engines_.recordings_;
    if (job.progress) job.progress(0.5f, "Half way");
    engines_.waitForLeave(job);
    if (job.cancel) return cancelled();
    if (engines_.outOfMemory) throw std::bad_alloc();
    if (engines_.refusal) return tl::unexpected(*engines_.refusal);
    if (engines_.trace) return *engines_.trace;
    if (!hasLadderTrace(experiment.variant))
      return tl::unexpected(unavailable("This engine knows the ladder's first five variants."));
    model::Trace trace = ladderTrace(experiment.variant, experiment.threads, experiment.type);
    trace.experiment = experiment;
    const model::LaunchTrace first = trace.launches.front();
    while (trace.launches.size() < engines_.launches) trace.launches.push_back(first);
    return trace;
  }

 private:
  FakeEngines& engines_;
};

void FakeEngines::hold() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}

void FakeEngines::letGo() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  changed_.notify_all();
}

void FakeEngines::waitUntilHeld() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_ > 0; });
}

// The cancelling flag has no condition to wait for, so it is looked at every millisecond.
void FakeEngines::waitForLeave(const engine::JobControl& job) {
  std::unique_lock lock(mutex_);
  ++waiting_;
  changed_.notify_all();
  while (held_ && !job.cancel) changed_.wait_for(lock, std::chrono::milliseconds(1));
  --waiting_;
}

std::vector<std::string> FakeEngines::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

session::SessionServices FakeEngines::services() {
  return {
      .makeEngine = [this](const std::string& id) -> Result<std::shared_ptr<stridescope::engine::Engine>> {
        {
          const std::lock_guard lock(mutex_);
          made_.push_back(id);
        }
        if (noEngine && id != "host") return tl::unexpected(*noEngine);
        return std::make_shared<Engine>(*this);
      },
      .listEngines =
          [] {
            return std::vector<session::EngineChoice>{
                {.id = "gpu:0", .label = "a GPU", .why = "No NVIDIA driver was found."},
                {.id = "host", .label = "CPU executor"}};
          },
      .greet = {},
      .wake = {},
      .known = {.recorded = [this](const std::string&) { return recorded(); }}};
}

lab::Recorded FakeEngines::recorded() {
  const auto ofVariant = [](const auto& records) {
    return [&records](const model::Experiment& experiment) {
      auto found = records;
      std::erase_if(found, [&](const auto& each) { return each.experiment.variant != experiment.variant; });
      return found;
    };
  };
  lab::Recorded recorded;
  recorded.of<model::ClockRecord>() = [this](const model::Experiment&) { return clocks; };
  recorded.of<model::CounterRecord>() = [this](const model::Experiment&) { return counters; };
  recorded.of<model::TimelineRecord>() = [this](const model::Experiment&) { return timelines; };
  recorded.of<model::CostRecord>() = ofVariant(costs);
  recorded.of<model::PeelRecord>() = ofVariant(prices);
  recorded.of<model::MachineCode>() = [this](const model::Experiment&) { return codes; };
  return recorded;
}

model::Experiment ladderExperiment(const std::string& variant, unsigned threads, model::ElementType type) {
  model::Experiment experiment;
  experiment.variant = variant;
  experiment.threads = threads;
  experiment.type = type;
  auto checked = engine::checkedExperiment(experiment, false);
  if (!checked) throw std::logic_error(checked.error().sentence);
  return *checked;
}

std::unique_ptr<session::Session> sessionOf(FakeEngines& engines, const model::Experiment& experiment,
                                            unsigned round, const session::Settings& settings) {
  auto session = std::make_unique<session::Session>(
      engines.services(), settings,
      session::Start{.experiment = experiment, .elementsGiven = false, .round = round, .engine = "host"});
  session->waitForJobs();
  return session;
}

}  // namespace stridescope::support
