// A name opens what it says, or a sentence says why not.
#include "lab/sources/sources.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/host/host_engine.h"
#include "engine/worker/gpu_worker.h"

namespace stridescope::lab::sources {
namespace {

const model::Experiment kLadder{.variant = "sequential", .threads = 32, .elements = 32};

// Gives what it is told, as a GPU of that number.
class StandInGpu : public engine::Engine {
 public:
  StandInGpu(unsigned index, bool works) : index_(index), works_(works) {}
  model::Executor executor() const override {
    return {.kind = model::EngineKind::Gpu, .device = "GPU " + std::to_string(index_)};
  }
  Result<model::Trace> record(const model::Experiment& experiment, engine::JobControl& job) override {
    if (!works_) return unavailable("The driver failed.");
    auto trace = engine::host::makeHostEngine()->record(experiment, job);
    if (trace) trace->executor = executor();
    return trace;
  }

 private:
  unsigned index_;
  bool works_;
};

Sources withGpu(bool works = true) {
  Sources sources;
  sources.makeHost = [] { return engine::host::makeHostEngine(); };
  sources.makeGpu = [works](unsigned index) -> Result<std::unique_ptr<engine::Engine>> {
    return std::make_unique<StandInGpu>(index, works);
  };
  return sources;
}

Sources withoutGpu() {
  Sources sources = withGpu();
  sources.makeGpu = [](unsigned) -> Result<std::unique_ptr<engine::Engine>> {
    return unavailable("There is no GPU.");
  };
  return sources;
}

TEST(Sources, OpenEnginesByName) {
  const Sources sources = withGpu();
  EXPECT_EQ(sources.open("host")->engine->executor().kind, model::EngineKind::Host);
  EXPECT_EQ(sources.open("gpu")->engine->executor().device, "GPU 0");
  EXPECT_EQ(sources.open("gpu:3")->engine->executor().device, "GPU 3");
  EXPECT_EQ(sources.open("auto")->engine->executor().device, "GPU 0");
  EXPECT_EQ(sources.open("auto")->whyNoGpu, "");
  const auto unknown = sources.open("gpu:x");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::Usage);
}

TEST(Sources, TakeTheCpuExecutorWhereThereIsNoGpuAndSayWhy) {
  const auto opened = withoutGpu().open("auto");
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->engine->executor().kind, model::EngineKind::Host);
  EXPECT_EQ(opened->whyNoGpu, "There is no GPU.");
  EXPECT_EQ(withoutGpu().open("gpu").error().sentence, "There is no GPU.") << "it was asked for by name";
}

TEST(Sources, RunOnTheCpuWhatAGpuFailsAtUnlessItIsExamined) {
  const Sources sources = withGpu(false);
  engine::JobControl job;
  const auto trace = sources.open("auto")->engine->record(kLadder, job);
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->executor.kind, model::EngineKind::Host);
  const auto told = sources.open("auto", engine::OnGpuFailure::Tell)->engine->record(kLadder, job);
  ASSERT_FALSE(told);
  EXPECT_EQ(told.error().sentence, "The driver failed.");
}

TEST(Sources, ThatAProgramDoesNotHaveAreToldInASentence) {
  const Sources none;
  EXPECT_EQ(none.open("host").error().sentence, "This build has no CPU executor.");
  EXPECT_EQ(none.open("auto").error().sentence, "This build has no CPU executor.");
  EXPECT_EQ(none.open("gpu").error().sentence,
            "This build has no GPU engine; use the CPU executor (on the command line: --engine host) or a "
            "recording.");
  Sources gpuAlone = withGpu();
  gpuAlone.makeHost = {};
  EXPECT_EQ(gpuAlone.open("auto")->engine->executor().device, "GPU 0");
}

TEST(Sources, OpenARecordingWithWhatItHas) {
  const std::string file = testing::TempDir() + "lab_sources.stride";
  engine::JobControl job;
  const std::vector<model::Trace> traces{*engine::host::makeHostEngine()->record(kLadder, job)};
  ASSERT_TRUE(archive::writeRecording(file, traces, true, {}));
  const auto opened = Sources().open(file);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->recording);
  ASSERT_EQ(opened->recording->traces.size(), 1u);
  EXPECT_EQ(opened->recording->traces[0].experiment, traces[0].experiment);
  EXPECT_EQ(opened->engine->executor().kind, model::EngineKind::Recorded);
  const auto trace = opened->engine->record(traces[0].experiment, job);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(trace->result, traces[0].result);
  std::filesystem::remove(file);
  EXPECT_FALSE(Sources().open(file)) << "it is gone";
  EXPECT_FALSE(withGpu().open("host")->recording) << "an engine runs";
}

TEST(ThisMachine, RunsOnItsCpuAndHasWhatCameWithTheProgram) {
  const auto trust = std::make_shared<engine::CodeTrust>();
  const Sources sources = ofThisMachine(trust, std::make_shared<engine::worker::GpuWorkers>());
  engine::JobControl job;
  const auto trace = sources.open("host")->engine->record(kLadder, job);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->ok);
  EXPECT_TRUE(sources.makeGpu && sources.timing.makeGpu && sources.timing.makeCpu && sources.compileCode);
  ASSERT_FALSE(shippedRecordings().empty());
  EXPECT_FALSE(sources.shipped.of<model::TimingRecord>().all().empty());
  EXPECT_FALSE(sources.shipped.of<model::ClockRecord>().all().empty());
  EXPECT_FALSE(sources.shipped.of<model::CounterRecord>().all().empty());
  EXPECT_FALSE(sources.shipped.of<model::TimelineRecord>().all().empty());
  EXPECT_FALSE(sources.shipped.of<model::CostRecord>().all().empty());
}

}  // namespace
}  // namespace stridescope::lab::sources
