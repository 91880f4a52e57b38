// A session begins while a driver does not answer: the CPU executor runs what is asked for meanwhile, and the
// GPU does once it is there.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "session/session.h"
#include "support/fake_engine.h"

namespace stridescope::session {
namespace {

using namespace std::chrono_literals;
using support::FakeEngines;
using support::ladderExperiment;

// Records as another does, by an executor of this kind.
class EngineOfKind final : public engine::Engine {
 public:
  EngineOfKind(std::shared_ptr<engine::Engine> engine, model::EngineKind kind)
      : engine_(std::move(engine)), kind_(kind) {}
  model::Executor executor() const override {
    model::Executor executor;
    executor.kind = kind_;
    return executor;
  }
  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    auto trace = engine_->record(experiment, job);
    if (trace) trace->executor.kind = kind_;
    return trace;
  }

 private:
  std::shared_ptr<engine::Engine> engine_;
  model::EngineKind kind_;
};

// A driver that answers when it is told to, and then has a GPU or not.
struct SlowDriver {
  FakeEngines engines;
  std::atomic<bool> answers{false};
  bool hasGpu = true;

  SessionServices services() {
    SessionServices services = engines.services();
    services.makeEngine =
        [this, make = services.makeEngine](const std::string& id) -> Result<std::shared_ptr<engine::Engine>> {
      while (id == "auto" && !answers) std::this_thread::sleep_for(1ms);
      const bool gpu = id == "auto" && hasGpu;
      return make(id).map([&](auto made) -> std::shared_ptr<engine::Engine> {
        return std::make_shared<EngineOfKind>(std::move(made),
                                              gpu ? model::EngineKind::Gpu : model::EngineKind::Host);
      });
    };
    services.listEngines = [this] {
      return std::vector<EngineChoice>{
          {.id = "gpu:0", .label = "a GPU", .why = hasGpu ? "" : "The driver hangs. Restart the machine."},
          {.id = "host", .label = "CPU executor"}};
    };
    return services;
  }

  std::unique_ptr<Session> open(bool cpuMeanwhile = true) {
    return std::make_unique<Session>(
        services(), Settings(),
        Start{.experiment = ladderExperiment("sequential"), .engine = "auto", .cpuMeanwhile = cpuMeanwhile});
  }
};

// Until it shows a run, at most ten seconds.
void waitForRun(Session& session) {
  for (int i = 0; i < 1000 && !session.replay().run(); ++i) {
    std::this_thread::sleep_for(10ms);
    session.update(0.01);
  }
  ASSERT_TRUE(session.replay().run());
}

TEST(SessionOpening, TheCpuRunsWhatIsAskedForUntilTheGpuAnswers) {
  SlowDriver driver;
  const auto session = driver.open();
  waitForRun(*session);
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Host);
  EXPECT_EQ(session->workspace().engineId(), "auto");
  ASSERT_TRUE(session->app().message());
  EXPECT_NE(session->app().message()->sentence.find("has not answered yet"), std::string::npos);
  session->apply(Choose(&model::Experiment::variant, "interleaved_modulo"));
  // A job that has ended shows its run in the next update.
  for (int i = 0; i < 1000 && session->replay().run()->trace.experiment.variant == "sequential"; ++i) {
    std::this_thread::sleep_for(10ms);
    session->update(0.01);
  }
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_modulo");

  driver.answers = true;
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Gpu);
  EXPECT_EQ(session->replay().run()->trace.experiment.variant, "interleaved_modulo");
  EXPECT_FALSE(session->app().message());
  EXPECT_EQ(session->workspace().engines().size(), 2u);
}

TEST(SessionOpening, TheCpuGoesOnWhereTheDriverNeverAnswers) {
  SlowDriver driver;
  driver.hasGpu = false;
  const auto session = driver.open();
  waitForRun(*session);
  driver.answers = true;  // the limit of its time is over
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Host);
  ASSERT_TRUE(session->app().message());
  EXPECT_EQ(session->app().message()->sentence,
            "The CPU executor runs the kernels, because no GPU can be used: The driver hangs. Restart the "
            "machine.");
  EXPECT_EQ(driver.engines.recordings(), 1) << "what the CPU executor ran is not run again";
}

TEST(SessionOpening, ADriverThatAnswersAtOnceIsTheFirstToRun) {
  SlowDriver driver;
  driver.answers = true;
  const auto session = driver.open();
  session->waitForJobs();
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Gpu);
  EXPECT_EQ(driver.engines.recordings(), 1);
  EXPECT_EQ(driver.engines.made(), std::vector<std::string>{"auto"});
}

TEST(SessionOpening, APictureWaitsForTheGpu) {
  SlowDriver driver;
  const auto session = driver.open(false);
  std::thread answering([&] {
    std::this_thread::sleep_for(1200ms);
    driver.answers = true;
  });
  session->waitForJobs();
  answering.join();
  EXPECT_EQ(session->replay().run()->trace.executor.kind, model::EngineKind::Gpu);
  EXPECT_EQ(driver.engines.recordings(), 1);
}

}  // namespace
}  // namespace stridescope::session
