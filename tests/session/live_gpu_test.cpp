// A run of a GPU is clocked there after it is shown; a stand-in clocks.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "lab/known/known.h"
#include "support/fake_engine.h"
#include "support/ladder_trace.h"
#include "support/stand_in_clock.h"

namespace stridescope::session {
namespace {

using support::FakeEngines;
using support::ladderExperiment;

// What the stand-ins of one test did and shall do.
struct Clocking {
  std::atomic<int> opened{0}, clocked{0}, counted{0};
  std::atomic<bool> waits{false}, waiting{false};  // clock() waits for its cancellation
  bool refuses = false;
};

class StandIn final : public measure::TimingDevice {
 public:
  explicit StandIn(Clocking& clocking) : clocking_(clocking) {
    ++clocking.opened;
    measures<model::CounterRecord>(
        [this](const model::Experiment& experiment, engine::JobControl&) { return count(experiment); });
  }

  const measure::TimingDeviceFacts& facts() const override { return facts_; }
  Result<std::vector<measure::PreparedSubject>> prepare(const model::TimingCase&,
                                                        std::span<const model::TimingSubject>,
                                                        engine::JobControl&) override {
    return unavailable("Not asked for.");
  }
  Result<measure::Timed> sample(std::size_t, engine::JobControl&) override {
    return unavailable("Not asked for.");
  }
  Result<model::ClockRecord> clock(const model::Experiment& experiment, model::ClockedGrid company,
                                   engine::JobControl& job) override {
    ++clocking_.clocked;
    while (clocking_.waits && !job.cancel) {
      clocking_.waiting = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (job.cancel) return cancelled();
    if (clocking_.refuses) return usageError("This GPU has no clock.");
    return support::standInRecord(
        support::ladderTrace(experiment.variant, experiment.threads, experiment.type), company, 3,
        [](std::size_t mark) { return 10 * mark * mark; });
  }

 private:
  Result<model::CounterRecord> count(const model::Experiment& experiment) {
    ++clocking_.counted;
    if (clocking_.refuses) return unavailable("Only administrators read counters.");
    model::CounterRecord record{.experiment = experiment,
                                .kernelHash = "of the text",
                                .executor = {.kind = model::EngineKind::Gpu, .device = "Stand-in GPU"},
                                .launches = {}};
    record.launches.assign(1, {.grid = 1, .block = 256, .values = {{model::Counter::Instructions, 1960}}});
    return record;
  }

  Clocking& clocking_;
  measure::TimingDeviceFacts facts_;
};

class LiveGpuTest : public testing::Test {
 protected:
  std::unique_ptr<Session> open(model::EngineKind kind, const std::string& variant = "interleaved_modulo") {
    engines_.trace = support::ladderTrace(variant, 256, model::ElementType::Int);
    engines_.trace->executor = {.kind = kind, .device = "Stand-in GPU"};
    SessionServices services = engines_.services();
    services.known.measuringGpu = [this](unsigned gpu, engine::JobControl&) {
      gpu_ = gpu;
      return Result<std::unique_ptr<measure::TimingDevice>>(std::make_unique<StandIn>(clocking_));
    };
    auto session = std::make_unique<Session>(
        services, Settings(),
        Start{
            .experiment = ladderExperiment(variant), .elementsGiven = false, .round = 2, .engine = "gpu:1"});
    if (!clocking_.waits) session->waitForJobs();
    return session;
  }
  // Until the stand-in waits.
  void waitUntilClocking(Session& session) const {
    while (!clocking_.waiting) {
      session.update(0);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  Clocking clocking_;
  FakeEngines engines_;
  unsigned gpu_ = 0;
};

TEST_F(LiveGpuTest, ARunOfAGpuIsClockedOnThatGpu) {
  const auto session = open(model::EngineKind::Gpu);
  const lab::RunCycles& cycles = session->replay().cycles();
  EXPECT_TRUE(cycles.live);
  EXPECT_EQ(cycles.why, "");
  EXPECT_EQ(gpu_, 1u);
  ASSERT_EQ(cycles.launches.size(), 1u);
  ASSERT_NE(cycles.launches[0].alone.at(3), nullptr);
  EXPECT_GT(cycles.launches[0].alone.at(3)->median, 0u);
  ASSERT_NE(cycles.launches[0].inGrid.at(3), nullptr);
  const lab::RunCounters& counters = session->replay().counters();
  EXPECT_TRUE(counters.live);
  ASSERT_TRUE(counters.record);
  EXPECT_EQ(counters.record->launches[0].find(model::Counter::Instructions), 1960.0);
}

TEST_F(LiveGpuTest, WhatWasClockedIsNotClockedAgain) {
  const auto session = open(model::EngineKind::Gpu, "sequential");
  EXPECT_EQ(clocking_.clocked, 2);  // alone and in a full grid
  session->apply(Choose(&model::Experiment::seed, 7));
  session->waitForJobs();
  EXPECT_EQ(clocking_.clocked, 2);
  EXPECT_EQ(clocking_.opened, 2) << "one clocks, and one reads counters";
  EXPECT_TRUE(session->replay().cycles().live);
}

TEST_F(LiveGpuTest, ARunOfTheCpuIsNotClocked) {
  const auto session = open(model::EngineKind::Host);
  EXPECT_EQ(clocking_.opened, 0);
  EXPECT_FALSE(session->replay().cycles().live);
}

TEST_F(LiveGpuTest, WhereItCannotBeClockedTheRecordedOnesStayAndTheReasonIsKept) {
  clocking_.refuses = true;
  engines_.clocks = {
      support::standInRecord(support::ladderTrace("interleaved_modulo", 256, model::ElementType::Int),
                             model::ClockedGrid::Alone, 3, [](std::size_t mark) { return 20 * mark; })};
  const auto session = open(model::EngineKind::Gpu);
  const lab::RunCycles& cycles = session->replay().cycles();
  EXPECT_FALSE(cycles.live);
  EXPECT_EQ(cycles.why, "This GPU has no clock.");
  ASSERT_EQ(cycles.launches.size(), 1u);
  EXPECT_NE(cycles.launches[0].alone.at(3), nullptr);
  EXPECT_FALSE(session->replay().counters().live);
  EXPECT_EQ(session->replay().counters().why, "Only administrators read counters.");
}

// The newest that was recorded of the very kernel, with as many launches.
TEST_F(LiveGpuTest, OfARunOfTheCpuTheRecordedCountersAreShown) {
  engines_.trace = support::ladderTrace("sequential", 256, model::ElementType::Int);
  const std::string hash = model::hashOf(engines_.trace->kernelText);
  SessionServices services = engines_.services();
  const auto counters = [&](const model::Experiment& experiment) {
    std::vector<model::CounterRecord> records(4);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].experiment = experiment;
      records[i].kernelHash = hash;
      records[i].executor.recordedOn = "202" + std::to_string(i);
      records[i].launches.assign(1, {.grid = i + 1, .block = 256, .values = {}});
    }
    std::swap(records[0], records[1]);
    records[2].kernelHash = "of another text";
    records[3].launches.resize(2, {.grid = 1, .block = 256, .values = {}});
    return records;
  };
  services.known.recorded = [&](const std::string&) {
    lab::Recorded recorded;
    recorded.of<model::CounterRecord>() = counters;
    return recorded;
  };
  Session session(
      services, Settings(),
      Start{.experiment = ladderExperiment("sequential"), .elementsGiven = false, .engine = "host"});
  session.waitForJobs();
  const lab::RunCounters& shown = session.replay().counters();
  EXPECT_FALSE(shown.live);
  ASSERT_TRUE(shown.record);
  EXPECT_EQ(shown.record->launches[0].grid, 2u);
}

TEST_F(LiveGpuTest, ARunIsShownBeforeItIsClockedAndCancellingLeavesIt) {
  clocking_.waits = true;
  const auto session = open(model::EngineKind::Gpu);
  waitUntilClocking(*session);
  ASSERT_NE(session->replay().run(), nullptr);
  EXPECT_FALSE(session->workspace().job());
  ASSERT_TRUE(session->workspace().measuring());
  EXPECT_EQ(session->workspace().measuring()->doing, "Measuring interleaved_modulo");
  session->apply(CancelJob{});
  session->waitForJobs();
  EXPECT_FALSE(session->workspace().measuring());
  EXPECT_NE(session->replay().run(), nullptr);
  EXPECT_FALSE(session->replay().cycles().live);
}

TEST_F(LiveGpuTest, AnotherRunEndsTheClockingOfTheOneBefore) {
  clocking_.waits = true;
  const auto session = open(model::EngineKind::Gpu);
  waitUntilClocking(*session);
  clocking_.waits = false;
  session->apply(Choose(&model::Experiment::seed, 7));
  session->waitForJobs();
  EXPECT_TRUE(session->replay().cycles().live);
}

}  // namespace
}  // namespace stridescope::session
