// What a launch leaves in the control block and the log, as a LaunchTrace. In place of a GPU a function of
// the test writes what the recording kernel would.
#include "engine/gpu/launch_recorder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_session.h"
#include "stand_in.h"

namespace stridescope::engine::gpu {
namespace {

using recording::eventHead;
using recording::GpuControl;
using recording::GpuReportKind;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kInspected = 3;
constexpr unsigned kThreads = 64;

model::Event branch(unsigned site, bool taken) {
  return {eventHead(0, site, model::EventKind::Branch, 0, 0), taken};
}
model::Event warpBarrier(unsigned site) {
  return {eventHead(0xffffffff, site, model::EventKind::WarpBarrier, 0, 0), 0};
}
model::Event copied(unsigned site, std::uint64_t offset, std::uint64_t value) {
  return {eventHead(offset, site, model::EventKind::Copied, recording::kSharedSpace, 2), value};
}

void append(GpuControl& control, unsigned threads, unsigned thread, model::Event event) {
  const unsigned index = control.counts[thread]++;
  if (index < control.eventLimit) control.events[std::size_t(index) * threads + thread] = event;
}

void report(GpuControl& control, GpuReportKind kind, unsigned site, unsigned thread) {
  const unsigned index = control.reportCount++;
  if (index < recording::kMaxGpuReports) control.reports[index] = {kind, site, thread, 0, 0};
}

// Thread t logs t branches of site t, so that columns are of every length.
void staircase(GpuControl& control, const StandInLaunch& launch) {
  for (unsigned thread = 0; thread < launch.threads; ++thread)
    for (unsigned k = 0; k < thread; ++k) append(control, launch.threads, thread, branch(thread, k % 2 == 0));
}

class LaunchRecorderTest : public StandInTest {
 protected:
  void SetUp() override {
    StandInTest::SetUp();
    auto driver = loadDriver(places.driver);
    ASSERT_TRUE(driver) << driver.error().sentence;
    auto facts = deviceFacts(**driver, 0);
    ASSERT_TRUE(facts);
    device = std::make_unique<GpuDevice>(*driver, *facts, ContextKind::Own);
    instrumented.kernel = "kernel";
    instrumented.parameters = {"in", "out"};
    instrumented.shared = {
        {.name = "data", .elementType = "int", .extent = {}, .line = 1, .dynamic = true},
        {.name = "flags", .elementType = "bool", .extent = "[3]", .line = 2, .dynamic = false}};
    instrumented.sites.resize(100);
    instrumented.sites[7] = {.id = 7,
                             .kind = model::SiteKind::Load,
                             .line = 12,
                             .column = 3,
                             .length = 9,
                             .statement = 1,
                             .loops = {},
                             .text = "data[tid]"};
  }

  Result<model::LaunchTrace> record(StandInKernel kernel, RecordLimits limits = {}) {
    state->kernel = kernel;
    const auto entered = device->enter();
    EXPECT_TRUE(entered);
    LaunchRecorder recorder(*device, limits);
    DeviceMemory memory(*device);
    EXPECT_TRUE(memory.reserve(1024));
    auto module = GpuModule::load(*device, {"image", "kernel"}, "kernel");
    EXPECT_TRUE(module);
    const std::vector<KernelArgument> buffers{{"in", 4, 768, memory.address()},
                                              {"out", 4, 256, memory.address() + 768}};
    auto launch = recorder.record(**module, instrumented, {.grid = 8, .block = kThreads, .sharedBytes = 256},
                                  kInspected, buffers);
    if (!launch) return tl::unexpected(launch.error());
    finished = launch->finished;
    return std::move(launch->trace);
  }

  std::unique_ptr<GpuDevice> device;
  instrument::Instrumented instrumented;
  bool finished = false;
};

TEST_F(LaunchRecorderTest, TellsTheKernelWhatToRecord) {
  const auto trace = record([](GpuControl& control, const StandInLaunch& launch) {
    const bool right = control.inspectedBlock == kInspected && launch.grid == 8 &&
                       launch.threads == kThreads &&
                       control.buffers[0].base == *static_cast<const std::uintptr_t*>(launch.arguments[0]) &&
                       control.buffers[0].bytes == 768 && control.buffers[1].bytes == 256 &&
                       control.eventLimit > 1000 && control.slotLimit > 100 && control.timeLimit > 0 &&
                       control.startTime == 0 && control.reportCount == 0;
    append(control, launch.threads, 0, branch(1, right));
  });
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->recorded().events.size(), 1u);
  EXPECT_EQ(trace->recorded().events[0].value, 1u);
  EXPECT_EQ(trace->grid, 8u);
  EXPECT_EQ(trace->block, kThreads);
  EXPECT_EQ(trace->recorded().block, kInspected);
  EXPECT_THAT(trace->buffers, ElementsAre(model::Array{"in", 4, 768}, model::Array{"out", 4, 256}));
  EXPECT_FALSE(trace->recorded().cut);
}

TEST_F(LaunchRecorderTest, BringsEveryColumnBackInThreadOrder) {
  const auto trace = record(staircase);
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->recorded().first.size(), kThreads + 1);
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    ASSERT_EQ(trace->recorded().first[thread + 1] - trace->recorded().first[thread], thread);
    for (unsigned k = 0; k < thread; ++k)
      EXPECT_EQ(trace->recorded().events[trace->recorded().first[thread] + k], branch(thread, k % 2 == 0));
  }
}

TEST_F(LaunchRecorderTest, BringsMoreBackThanFitsAtOnce) {
  // 10,000 rows of 64 events of 16 bytes: 10 MB, through a staging buffer of 8 MiB.
  const auto trace = record([](GpuControl& control, const StandInLaunch& launch) {
    for (unsigned k = 0; k < 10000; ++k)
      for (unsigned thread = 0; thread < launch.threads; ++thread)
        append(control, launch.threads, thread, {eventHead(k, thread, model::EventKind::Branch, 0, 0), k});
  });
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->recorded().events.size(), 10000u * kThreads);
  for (const unsigned thread : {0u, 1u, kThreads - 1})
    for (const unsigned k : {0u, 8191u, 8192u, 9999u}) {
      const model::Event event = trace->recorded().events[trace->recorded().first[thread] + k];
      EXPECT_EQ(event.value, k);
      EXPECT_EQ(event.site(), thread);
    }
}

TEST_F(LaunchRecorderTest, MovesCopiedWordsToTheirBarrier) {
  const auto trace = record([](GpuControl& control, const StandInLaunch& launch) {
    append(control, launch.threads, 2, branch(1, true));
    append(control, launch.threads, 2, warpBarrier(5));
    append(control, launch.threads, 2, copied(5, 8, 80));
    append(control, launch.threads, 2, copied(5, 4, 40));
    append(control, launch.threads, 2, copied(5, 8, 80));  // touched twice
    append(control, launch.threads, 2, branch(2, false));
    append(control, launch.threads, 2, warpBarrier(6));
    append(control, launch.threads, 2, copied(6, 8, 81));
    append(control, launch.threads, 1, warpBarrier(5));
    append(control, launch.threads, 1, copied(5, 12, 120));
  });
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->recorded().first[3] - trace->recorded().first[2], 4u);
  using Word = model::BlockTrace::CopiedWord;
  EXPECT_THAT(trace->recorded().copied,
              ElementsAre(Word{1, 0, copied(5, 12, 120)}, Word{2, 0, copied(5, 4, 40)},
                          Word{2, 0, copied(5, 8, 80)}, Word{2, 1, copied(6, 8, 81)}));
}

// Threads 2 and 5 store into block 6's shared memory, thread 2 once more behind a barrier.
TEST_F(LaunchRecorderTest, MovesAccessesToOtherBlocksOfTheClusterBesideTheEvents) {
  const auto trace = record([](GpuControl& control, const StandInLaunch& launch) {
    control.shared[0] = {.bytes = 64, .base = 0, .elementBytes = 4};
    const auto remote = [](std::uint64_t offset) -> model::Event {
      return {eventHead(offset, 7, model::EventKind::Remote, recording::kSharedSpace, 2), 6};
    };
    append(control, launch.threads, 2, branch(1, true));
    append(control, launch.threads, 2, remote(8));
    append(control, launch.threads, 2, {eventHead(0, 3, model::EventKind::BlockBarrier, 0, 0), 0});
    append(control, launch.threads, 2, remote(12));
    append(control, launch.threads, 2, branch(2, false));
    append(control, launch.threads, 5, remote(20));
  });
  ASSERT_TRUE(trace);
  const model::BlockTrace& block = trace->recorded();
  EXPECT_EQ(block.first[3] - block.first[2], 3u);
  EXPECT_EQ(block.first[6] - block.first[5], 0u);
  ASSERT_EQ(block.others.size(), 2u);
  const auto act = [](std::uint64_t threads, std::uint32_t eventsBefore,
                      std::string what) -> model::OtherAct {
    return {.kind = "remote load",
            .line = 12,
            .clusterRank = 6,
            .threads = threads,
            .times = threads,
            .bytes = 4 * threads,
            .sentence = "Line 12: " + what,
            .thread = 2,
            .eventsBefore = eventsBefore};
  };
  EXPECT_EQ(block.others[0],
            act(2, 1,
                "2 threads load 4 bytes each in the shared memory of block 6 of the cluster, from data[2] to "
                "data[5]."));
  EXPECT_EQ(block.others[1],
            act(1, 2, "Thread 2 loads 4 bytes in the shared memory of block 6 of the cluster, at data[3]."));
}

TEST_F(LaunchRecorderTest, PacksTheArraysOfASnapshot) {
  const auto trace = record([](GpuControl& control, const StandInLaunch& launch) {
    control.shared[0] = {.bytes = 20, .base = 0, .elementBytes = 4};
    control.shared[1] = {.bytes = 3, .base = 20, .elementBytes = 1};
    for (unsigned thread = 0; thread < launch.threads; ++thread)
      control.barriers[thread] = thread == 9 ? 2 : 1;
    for (unsigned slot = 0; slot < 2; ++slot) {
      recording::U8* bytes = control.slots + slot * control.slotBytes;
      for (unsigned i = 0; i < 20; ++i) bytes[i] = recording::U8(i + 100 * slot);
      std::memcpy(bytes + 32, "abc", 3);  // 20 rounded up to 16s
    }
  });
  ASSERT_TRUE(trace);
  EXPECT_THAT(trace->recorded().shared,
              ElementsAre(model::Array{"data", 4, 20}, model::Array{"flags", 1, 3}));
  ASSERT_EQ(trace->recorded().barrierCopies.size(), 2u);
  for (unsigned slot = 0; slot < 2; ++slot) {
    ASSERT_EQ(trace->recorded().barrierCopies[slot].size(), 23u);
    EXPECT_EQ(trace->recorded().barrierCopies[slot][19], 19 + 100 * slot);
    EXPECT_EQ(trace->recorded().barrierCopies[slot][20], 'a');
    EXPECT_EQ(trace->recorded().barrierCopies[slot][22], 'c');
  }
}

TEST_F(LaunchRecorderTest, ADamagedRecordIsASentence) {
  for (const std::uint64_t bytes : {std::uint64_t(100000), ~std::uint64_t(0), ~std::uint64_t(0) - 100}) {
    static std::uint64_t wild;  // the stand-in's kernel captures nothing
    wild = bytes;
    const auto trace = record([](GpuControl& control, const StandInLaunch&) {
      control.shared[3].bytes = wild;
      control.barriers[0] = 1;
    });
    ASSERT_FALSE(trace) << bytes;
    EXPECT_THAT(trace.error().sentence, HasSubstr("damaged"));
  }
}

TEST_F(LaunchRecorderTest, ReportsAThreadThatMadeTooMuch) {
  const auto trace = record(
      [](GpuControl& control, const StandInLaunch& launch) {
        for (unsigned k = 0; k < 11; ++k) append(control, launch.threads, 40, branch(1, true));
        for (unsigned k = 0; k < 10; ++k) append(control, launch.threads, 41, branch(1, true));
        report(control, GpuReportKind::EventLimit, 1, 40);
      },
      {.eventsPerThread = 10});
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->recorded().cut);
  EXPECT_FALSE(finished);
  EXPECT_EQ(trace->recorded().first[41] - trace->recorded().first[40], 10u);
  ASSERT_EQ(trace->recorded().problems.size(), 1u);
  EXPECT_EQ(trace->recorded().problems[0].kind, model::ProblemKind::Limit);
  EXPECT_EQ(trace->recorded().problems[0].thread, 40u);
  EXPECT_THAT(trace->recorded().problems[0].text, HasSubstr("more than 10 events"));
}

TEST_F(LaunchRecorderTest, AThreadThatMadeJustEnoughIsNotCut) {
  const auto trace = record(
      [](GpuControl& control, const StandInLaunch& launch) {
        for (unsigned k = 0; k < 10; ++k) append(control, launch.threads, 41, branch(1, true));
      },
      {.eventsPerThread = 10});
  ASSERT_TRUE(trace);
  EXPECT_FALSE(trace->recorded().cut);
  EXPECT_TRUE(finished);
  EXPECT_TRUE(trace->recorded().problems.empty());
}

TEST_F(LaunchRecorderTest, AnotherBlockThatTookTooLongSpoilsTheLaunch) {
  const auto trace = record([](GpuControl& control, const StandInLaunch&) {
    control.stoppedThreads = 1;
    report(control, GpuReportKind::TimeLimit, 7, 5);
  });
  ASSERT_TRUE(trace);
  EXPECT_FALSE(finished);
  EXPECT_FALSE(trace->recorded().cut) << "nothing of the inspected block was dropped";
  ASSERT_EQ(trace->recorded().problems.size(), 1u);
  EXPECT_EQ(trace->recorded().problems[0].kind, model::ProblemKind::Limit);
  EXPECT_THAT(trace->recorded().problems[0].text, HasSubstr("did not end within 10 s"));
}

TEST_F(LaunchRecorderTest, BoundsTheTrace) {
  const auto trace = record(
      [](GpuControl& control, const StandInLaunch& launch) {
        for (unsigned k = 0; k < 100; ++k)
          for (unsigned thread = 0; thread < launch.threads; ++thread)
            append(control, launch.threads, thread, branch(k, true));
      },
      {.traceBytes = 20 * kThreads * sizeof(model::Event)});
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->recorded().cut);
  EXPECT_EQ(trace->recorded().events.size(), 20u * kThreads);
  ASSERT_EQ(trace->recorded().problems.size(), 1u);
  EXPECT_EQ(trace->recorded().problems[0].kind, model::ProblemKind::Limit);
}

TEST_F(LaunchRecorderTest, NamesTheAccessThatWasOutOfBounds) {
  const auto trace = record([](GpuControl& control, const StandInLaunch&) {
    for (const unsigned thread : {33u, 31u, 32u}) report(control, GpuReportKind::OutOfBounds, 7, thread);
    report(control, GpuReportKind::UndefinedShuffle, 8, 5);
  });
  ASSERT_TRUE(trace);
  ASSERT_EQ(trace->recorded().problems.size(), 2u);
  EXPECT_EQ(trace->recorded().problems[0].kind, model::ProblemKind::UndefinedShuffle);
  EXPECT_EQ(trace->recorded().problems[1].kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(trace->recorded().problems[1].thread, 31u) << "the lowest thread speaks for all of one site";
  EXPECT_EQ(trace->recorded().problems[1].site, 7);
  EXPECT_THAT(trace->recorded().problems[1].text, HasSubstr("data[tid] (line 12)"));
  EXPECT_FALSE(trace->recorded().cut);
}

TEST_F(LaunchRecorderTest, StopsCountingReportsThatDoNotFit) {
  const auto trace = record([](GpuControl& control, const StandInLaunch&) {
    for (unsigned i = 0; i < 1000; ++i) report(control, GpuReportKind::OutOfBounds, i % 100, i);
  });
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->recorded().problems.size(), recording::kMaxGpuReports);
}

TEST_F(LaunchRecorderTest, RefusesMoreThreadsThanABlockHas) {
  const auto entered = device->enter();
  LaunchRecorder recorder(*device);
  auto module = GpuModule::load(*device, {"image", "kernel"}, "kernel");
  ASSERT_TRUE(module);
  for (const unsigned threads : {0u, 1025u}) {
    const auto trace = recorder.record(**module, instrumented, {.grid = 1, .block = threads}, 0, {});
    ASSERT_FALSE(trace);
    EXPECT_EQ(trace.error().kind, ErrorKind::Usage);
  }
}

TEST_F(LaunchRecorderTest, AKernelThatNeverEndsMakesTheGpuUnusableForAWhile) {
  const auto entered = device->enter();
  ASSERT_TRUE(entered);
  state->endless = true;
  state->launches = 1;
  const auto ended = device->finish("run the kernel", std::chrono::milliseconds(20));
  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().sentence, HasSubstr("did not finish"));
  const auto refused = device->enter();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().sentence, HasSubstr("still runs"));
  state->endless = false;
  EXPECT_TRUE(device->enter());
}

}  // namespace
}  // namespace stridescope::engine::gpu
