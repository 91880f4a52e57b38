#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <new>
#include <thread>

#include "measure/series_store.h"
#include "measure/timing_board.h"
#include "stand_in.h"

namespace stridescope::measure {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;

struct Board : testing::Test {
  std::shared_ptr<StandInBehaviour> gpu = std::make_shared<StandInBehaviour>(),
                                    cpu = std::make_shared<StandInBehaviour>();
  std::shared_ptr<StandInClock> clock = std::make_shared<StandInClock>();
  TimingMakers makers{
      .makeGpu = [this](unsigned, engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
        return makeStandIn(TimingDeviceKind::Gpu, gpu, clock);
      },
      .makeCpu = [this]() -> Result<std::unique_ptr<TimingDevice>> {
        return makeStandIn(TimingDeviceKind::Cpu, cpu, clock);
      },
      .makeGpus = {},
      .now = [this] { return clock->now(); }};
  TimingPlan plan{.subjects = {variantNamed("interleaved_modulo"),
                               variantNamed("sequential"),
                               {model::SubjectKind::GpuBaseline, "cub"},
                               {model::SubjectKind::CpuBaseline, "cpu_loop"}},
                  .sizes = {1 << 20},
                  .samplesPerCase = 20};

  static void until(const std::function<bool()>& condition) {
    for (int i = 0; i < 5000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
    ASSERT_TRUE(condition());
  }
};

TEST_F(Board, SamplesAPlanThroughAndComparesItsSubjects) {
  gpu->microseconds = {{"interleaved_modulo", 40}, {"sequential", 10}, {"cub", 20}};
  cpu->microseconds = {{"cpu_loop", 400}};
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  const auto seen = board.snapshot();
  EXPECT_EQ(seen->state, TimingState::Done);
  ASSERT_EQ(seen->series.size(), 4u);
  const TimingSeries& sequential = seen->series[1];
  EXPECT_EQ(sequential.label, "sequential");
  EXPECT_EQ(sequential.executor.device, "Stand-in GPU");
  EXPECT_EQ(sequential.source, SeriesSource::Live);
  EXPECT_EQ(sequential.recentMicroseconds.size(), 20u);
  ASSERT_EQ(sequential.points.size(), 1u);
  const TimingPoint& point = sequential.points[0];
  EXPECT_DOUBLE_EQ(point.time.median, 10);
  EXPECT_EQ(point.taken, 20u);
  EXPECT_EQ(point.threads, 256u);
  EXPECT_EQ(point.emptyMicroseconds, kStandInEmptyTime);
  EXPECT_DOUBLE_EQ(point.toCub->median, 0.5);
  EXPECT_EQ(point.toCub->pairs, 20u);
  EXPECT_DOUBLE_EQ(point.toFirst->median, 0.25);
  EXPECT_DOUBLE_EQ(point.toPrevious->median, 0.25);
  EXPECT_FALSE(seen->series[0].points[0].toFirst);
  EXPECT_NEAR(gigabytesPerSecond(point), 4.0 * (1 << 20) / 10e-6 / 1e9, 1e-3);
  EXPECT_EQ(seen->series[3].executor.device, "Stand-in CPU");
}

TEST_F(Board, GivesTheDevicesBackWhenThePlanIsThrough) {
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(gpu->living, 0);
  EXPECT_EQ(cpu->living, 0);
}

TEST_F(Board, VisitsAllSizesThenTheOtherBlockSizes) {
  plan.sizes = {1024, 4096};
  plan.threads = {0, 512};
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  ASSERT_EQ(gpu->prepared.size(), 3u);
  EXPECT_EQ(gpu->prepared[1].elements, 4096u);
  EXPECT_EQ(gpu->prepared[2].elements, 1024u);
  EXPECT_EQ(gpu->prepared[2].threads, 512u);
  EXPECT_EQ(board.snapshot()->series[0].points.size(), 3u);
}

TEST_F(Board, StopsAtOnceAndKeepsWhatItHas) {
  plan.samplesPerCase = 0;
  TimingBoard board(makers);
  board.start(plan);
  until([&] { return !board.snapshot()->series.empty() && !board.snapshot()->series[0].points.empty(); });
  const auto begin = std::chrono::steady_clock::now();
  board.stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 50ms);
  EXPECT_EQ(board.snapshot()->state, TimingState::Idle);
  until([&] { return gpu->living == 0 && cpu->living == 0; });
  EXPECT_FALSE(board.records().empty());
}

TEST_F(Board, StartsWhileAnotherPlanRuns) {
  plan.samplesPerCase = 0;
  TimingBoard board(makers);
  board.start(plan);
  until([&] { return board.snapshot()->state == TimingState::Sampling; });
  plan.sizes = {2048};
  plan.samplesPerCase = 5;
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->timingCase.elements, 2048u);
  EXPECT_EQ(board.snapshot()->series[0].points.back().taken, 5u);
}

// A plot of the newest samples goes on where the plan before was stopped.
TEST_F(Board, KeepsOneTimeForAllItsPlans) {
  TimingBoard board(makers);
  for (int plans = 1; plans <= 3; ++plans) {
    board.start(plan);
    ASSERT_TRUE(board.waitUntilDone(20));
    const std::vector<float> seconds = board.snapshot()->series[0].recentSeconds;
    EXPECT_EQ(seconds.size(), plans * plan.samplesPerCase);
    EXPECT_TRUE(std::ranges::is_sorted(seconds));
    clock->advance(60);
  }
  EXPECT_GT(board.snapshot()->series[0].recentSeconds.back(), 120);
}

// A driver may take minutes to open a GPU.
TEST_F(Board, StopsWhileAGpuIsOpened) {
  std::atomic<bool> opening{false};
  makers.makeGpu = [&](unsigned, engine::JobControl& job) -> Result<std::unique_ptr<TimingDevice>> {
    opening = true;
    for (int i = 0; i < 20'000 && !job.cancel; ++i) std::this_thread::sleep_for(1ms);
    return cancelled();
  };
  const auto begin = std::chrono::steady_clock::now();
  {
    TimingBoard board(makers);
    board.start(plan);
    until([&] { return opening.load(); });
    board.stop();
    until([&] { return !board.snapshot()->series.empty(); });
    for (const TimingSeries& series : board.snapshot()->series) EXPECT_EQ(series.fault, "");
    board.start(plan);
  }  // as when the window closes
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST_F(Board, TakesNoSampleWhilePaused) {
  plan.samplesPerCase = 0;
  TimingBoard board(makers);
  board.start(plan);
  until([&] { return board.snapshot()->state == TimingState::Sampling; });
  board.pause();
  until([&] { return board.snapshot()->state == TimingState::Paused; });
  const std::size_t calls = gpu->calls.size();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(gpu->calls.size(), calls);
  board.resume();
  until([&] { return board.snapshot()->state == TimingState::Sampling; });
}

TEST_F(Board, TakesNoSampleWhileTheGpuIsHeld) {
  plan.samplesPerCase = 0;
  std::atomic<bool> held{false}, sampledWhileHeld{false};
  gpu->onSample = [&](const std::string&) { sampledWhileHeld = sampledWhileHeld || held; };
  TimingBoard board(makers);
  board.start(plan);
  until([&] { return board.snapshot()->state == TimingState::Sampling; });
  for (int i = 0; i < 50; ++i) {
    const auto hold = board.holdGpu();
    held = true;
    std::this_thread::sleep_for(200us);
    held = false;
  }
  EXPECT_FALSE(sampledWhileHeld);
  until([&] { return board.snapshot()->state == TimingState::Sampling; });
}

// The CPU is not waited for, but what it did meanwhile does not count.
TEST_F(Board, DropsTheCpusSamplesThatAHoldDisturbed) {
  plan.subjects = {{model::SubjectKind::CpuBaseline, "cpu_loop"}};
  int calls = 0;
  TimingBoard board(makers);
  cpu->onSample = [&](const std::string&) {
    if (++calls % 2 == 0) const auto hold = board.holdGpu();
  };
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->series[0].points[0].taken, plan.samplesPerCase / 2);
}

// The one before is of the same family: what one warp takes says nothing about the ladder's last rung.
TEST_F(Board, ComparesWithTheFirstAndWithTheOneBefore) {
  plan.subjects = {variantNamed("interleaved_modulo"),
                   variantNamed("sequential"),
                   variantNamed("warp_guarded"),
                   variantNamed("warp_padded"),
                   {model::SubjectKind::GpuBaseline, "cub"}};
  gpu->microseconds = {
      {"interleaved_modulo", 80}, {"sequential", 20}, {"warp_guarded", 40}, {"warp_padded", 10}, {"cub", 20}};
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  const auto snapshot = board.snapshot();
  const auto point = [&](std::size_t place) { return snapshot->series[place].points[0]; };
  EXPECT_FALSE(point(0).toFirst || point(0).toPrevious);
  EXPECT_DOUBLE_EQ(point(1).toPrevious->median, 0.25);
  EXPECT_FALSE(point(2).toPrevious);
  EXPECT_DOUBLE_EQ(point(3).toFirst->median, 0.125);
  EXPECT_DOUBLE_EQ(point(3).toPrevious->median, 0.25);
  EXPECT_DOUBLE_EQ(point(4).toFirst->median, 0.25);
  EXPECT_FALSE(point(4).toPrevious);
}

TEST_F(Board, HoldsMayOutliveIt) {
  auto board = std::make_unique<TimingBoard>(makers);
  auto hold = board->holdGpu();
  board.reset();
}

TEST_F(Board, EndsWhileItIsHeld) {
  TimingBoard board(makers);
  const auto hold = board.holdGpu();
  board.start(plan);
}

TEST_F(Board, OutOfMemoryInASampleFailsThePlanAndReleasesTheGpu) {
  TimingBoard board(makers);
  gpu->onSample = [](const std::string&) { throw std::bad_alloc(); };
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->state, TimingState::Failed);
  ASSERT_TRUE(board.snapshot()->failure);
  EXPECT_THAT(board.snapshot()->failure->sentence, HasSubstr("Out of memory while taking times"));
  until([&] { return gpu->living == 0; });
  (void)board.holdGpu();  // would wait for the end of the sample
  gpu->onSample = nullptr;
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->state, TimingState::Done);
}

TEST_F(Board, TimesTheCpuWhereThereIsNoGpu) {
  makers.makeGpu = [](unsigned, engine::JobControl&) -> Result<std::unique_ptr<TimingDevice>> {
    return unavailable("There is no GPU here.");
  };
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  const auto seen = board.snapshot();
  EXPECT_EQ(seen->state, TimingState::Done);
  EXPECT_THAT(seen->notes, Contains("There is no GPU here."));
  EXPECT_EQ(seen->series[0].fault, "There is no GPU here.");
  EXPECT_EQ(seen->series[3].points.size(), 1u);
}

TEST_F(Board, CountsWrongResults) {
  gpu->wrongFromCall["sequential"] = 0;
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->wrongResults, 1u);
  EXPECT_THAT(board.snapshot()->notes, Contains(HasSubstr("sequential gave")));
  EXPECT_TRUE(board.snapshot()->series[1].points.empty());
}

TEST_F(Board, KeepsPointsOfEarlierPlansOfTheSameReduction) {
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  plan.sizes = {4096};
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->series[0].points.size(), 2u);
  plan.op = model::Operator::Max;
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  EXPECT_EQ(board.snapshot()->series[0].points.size(), 1u);
}

TEST_F(Board, ShowsRecordedTimingsAsRecorded) {
  model::TimingRecord record{.subject = variantNamed("sequential"),
                             .timingCase = {.elements = 1024},
                             .threads = 256,
                             .executor = {},
                             .samples = {{1, 4}, {2, 6}, {3, 5}}};
  record.executor.device = "NVIDIA H200";
  model::TimingRecord cub = record;
  cub.subject = {model::SubjectKind::GpuBaseline, "cub"};
  cub.samples = {{1, 8}, {2, 12}, {3, 10}};
  TimingBoard board(makers);
  board.showRecorded({record, cub});
  const auto seen = board.snapshot();
  ASSERT_EQ(seen->series.size(), 2u);
  EXPECT_EQ(seen->series[0].source, SeriesSource::Recorded);
  EXPECT_EQ(seen->series[0].executor.device, "NVIDIA H200");
  EXPECT_DOUBLE_EQ(seen->series[0].points[0].time.median, 5);
  EXPECT_DOUBLE_EQ(seen->series[0].points[0].toCub->median, 0.5);
}

// The newest cost of the same reduction on the same GPU is shown.
TEST_F(Board, ShowsWhatLaunchingCostBesideRecordedTimings) {
  const model::TimingRecord record{.subject = variantNamed("sequential"),
                                   .timingCase = {.elements = 1024},
                                   .threads = 256,
                                   .executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H200"},
                                   .samples = {{1, 4}}};
  model::CostRecord cost;
  cost.experiment = {.variant = "sequential", .threads = 256, .elements = 1024};
  cost.executor = {.kind = model::EngineKind::Gpu, .device = "NVIDIA H200", .recordedOn = "2026-02-01"};
  cost.emptyMicroseconds = 3;
  model::CostRecord older = cost, elsewhere = cost, larger = cost, smallBlocks = cost;
  older.executor.recordedOn = "2026-01-01";
  elsewhere.executor.device = "NVIDIA H100";
  larger.experiment.elements = 2048;
  smallBlocks.experiment.threads = 64;
  for (model::CostRecord* other : {&older, &elsewhere, &larger, &smallBlocks}) other->emptyMicroseconds = 9;
  TimingBoard board(makers);
  board.showRecorded({record}, {older, elsewhere, larger, smallBlocks});
  EXPECT_EQ(board.snapshot()->series[0].points[0].emptyMicroseconds, 9) << "the older one";
  board.showRecorded({record}, {cost, older, elsewhere, larger, smallBlocks});
  EXPECT_EQ(board.snapshot()->series[0].points[0].emptyMicroseconds, 3);
  board.showRecorded({record}, {elsewhere, larger, smallBlocks});
  EXPECT_EQ(board.snapshot()->series[0].points[0].emptyMicroseconds, 0);
}

TEST_F(Board, ReadsBackWhatItRecords) {
  TimingBoard board(makers);
  board.start(plan);
  ASSERT_TRUE(board.waitUntilDone(20));
  const auto records = board.records();
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].samples.size(), 20u);
  TimingBoard other(makers);
  other.showRecorded(records);
  EXPECT_EQ(other.snapshot()->series[1].points[0].time, board.snapshot()->series[1].points[0].time);
}

}  // namespace
}  // namespace stridescope::measure
