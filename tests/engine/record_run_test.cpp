// The orchestration of a run, on a device that notes what is asked of it and adds up in place of a kernel.
#include "engine/record_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/catalog.h"

namespace stridescope::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

model::KernelVariable sharedVariable(const char* name, const char* type) {
  return {.name = name, .kind = model::VariableKind::Shared, .type = type, .extent = "[64]"};
}

// Each launch adds the integers of its input block by block, as `sequential` does.
class StandInDevice final : public Device {
 public:
  model::Executor executor() const override {
    model::Executor executor;
    executor.kind = kind;
    executor.device = "Stand-in";
    return executor;
  }

  Result<PreparedKernel> prepare(const model::Kernel&, const model::Experiment& experiment,
                                 JobControl&) override {
    calls.emplace_back("prepare");
    if (onPrepare) onPrepare();
    return PreparedKernel{
        .text = "text",
        .preamble = "preamble of " + experiment.variant,
        .sites = std::vector<model::Site>(3),
        .model = {.functions = {{"kernel", true, 1}},
                  .variables = {sharedVariable("data", "T"), sharedVariable("flags", "unsigned")}},
        .combine = combine,
        .done = 0.25f};
  }

  Result<std::vector<std::uint64_t>> allocate(std::span<const std::uint64_t> bytes) override {
    calls.push_back("allocate " + std::to_string(bytes.size()));
    std::vector<std::uint64_t> addresses;
    for (const std::uint64_t each : bytes) {
      memory.emplace_back(each, std::uint8_t(0xee));
      addresses.push_back(reinterpret_cast<std::uintptr_t>(memory.back().data()));
    }
    return addresses;
  }

  Result<void> write(std::uint64_t address, std::span<const std::uint8_t> bytes) override {
    calls.emplace_back("write");
    if (failsToWrite) return unavailable("The bus is on fire.");
    std::memcpy(at(address), bytes.data(), bytes.size());
    return {};
  }

  Result<void> read(std::uint64_t address, std::span<std::uint8_t> bytes) override {
    calls.push_back("read " + std::to_string(bytes.size()));
    std::memcpy(bytes.data(), at(address), bytes.size());
    return {};
  }

  Result<RecordedLaunch> launch(const kernels::LaunchShape& shape,
                                const std::vector<KernelArgument>& arguments, JobControl&,
                                const std::function<void(double)>& done) override {
    calls.emplace_back("launch");
    const auto number = std::size_t(std::ranges::count(calls, "launch"));
    done(0.5);
    if (onLaunch) onLaunch(number);
    if (number == failingLaunch) return unavailable("The kernel caught fire.");
    RecordedLaunch launch;
    launch.finished = number != stoppedLaunch;
    if (!launch.finished) launch.trace.recorded().problems = problems;
    launch.trace.buffers = buffersAmong(arguments);
    launch.trace.recorded().shared = {{"data", 4, 256}, {"flags", 4, 4}};
    for (std::uint64_t block = 0; block < shape.grid.count(); ++block) {
      const int* const in =
          reinterpret_cast<const int*>(at(arguments[0].value)) + block * shape.block.count();
      reinterpret_cast<int*>(at(arguments[1].value))[block] =
          std::accumulate(in, in + shape.block.count(), errorOfEachBlock);
    }
    return launch;
  }

  model::EngineKind kind = model::EngineKind::Host;
  BitsCombine combine;
  int errorOfEachBlock = 0;
  bool failsToWrite = false;
  std::size_t failingLaunch = 0, stoppedLaunch = 0;  // counted from 1; 0: none
  std::vector<model::Problem> problems;
  std::function<void()> onPrepare;
  std::function<void(std::size_t number)> onLaunch;

  std::vector<std::string> calls;
  std::vector<std::vector<std::uint8_t>> memory;

 private:
  static std::uint8_t* at(std::uint64_t address) {
    return reinterpret_cast<std::uint8_t*>(static_cast<std::uintptr_t>(address));
  }
};

// 0 to 999: 16 blocks, the last one filled up, and then one block.
const model::Experiment kTwoLaunches{.variant = "sequential", .threads = 64, .elements = 1000};

struct RecordRun : testing::Test {
  Result<model::Trace> record(const model::Experiment& experiment = kTwoLaunches) {
    job.progress = [&](float fraction, const std::string& text) {
      fractions.push_back(fraction);
      doing = text;
    };
    return recordRun(device, experiment, job);
  }

  StandInDevice device;
  JobControl job;
  std::vector<float> fractions;
  std::string doing;
};

TEST_F(RecordRun, FillsTheTrace) {
  const auto trace = record();
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_THAT(device.calls,
              ElementsAre("prepare", "allocate 3", "write", "write", "launch", "launch", "read 4"));
  EXPECT_EQ(trace->experiment, kTwoLaunches);
  EXPECT_EQ(trace->kernelText, "text");
  EXPECT_EQ(trace->preamble, "preamble of sequential");
  EXPECT_EQ(trace->executor.device, "Stand-in");
  EXPECT_FALSE(trace->executor.recordedOn.empty());
  EXPECT_THAT(trace->sites, SizeIs(3));
  EXPECT_THAT(trace->kernel.functions, SizeIs(1));
  ASSERT_THAT(trace->launches, SizeIs(2));
  EXPECT_EQ(trace->launches[0].elements, 1000u);
  EXPECT_EQ(trace->launches[1].elements, 16u);
  EXPECT_EQ(trace->launches[0].recorded().shared[0].type, model::ElementType::Int);
  EXPECT_EQ(trace->launches[0].recorded().shared[1].type, std::nullopt);
  EXPECT_THAT(trace->launches[0].buffers,
              ElementsAre(model::Array{"in", 4, 4096, model::ElementType::Int, model::ParameterRole::Input},
                          model::Array{"out", 4, 64, model::ElementType::Int, model::ParameterRole::Output}));
  EXPECT_EQ(trace->result, "499500");
  EXPECT_EQ(trace->expected, "499500");
  EXPECT_TRUE(trace->ok);
  EXPECT_TRUE(trace->checkNote.empty()) << trace->checkNote;
}

TEST_F(RecordRun, TellsAscendingProgressFromWhatPreparingTook) {
  ASSERT_TRUE(record());
  EXPECT_TRUE(std::ranges::is_sorted(fractions));
  EXPECT_FLOAT_EQ(fractions.front(), 0.25f);
  // Halfway through the last of 17 blocks.
  EXPECT_FLOAT_EQ(fractions.back(), 0.25f + 0.75f * 16.5f / 17);
  EXPECT_EQ(doing, "Launch 2 of 2 on the CPU executor");
}

TEST_F(RecordRun, AWrongResultIsNotOkAndTheExpectedOneIsRight) {
  device.errorOfEachBlock = 1;
  const auto trace = record();
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->result, "499517");
  EXPECT_EQ(trace->expected, "499500");
  EXPECT_FALSE(trace->ok);
}

TEST_F(RecordRun, AFailureInTheSecondLaunchEndsTheRun) {
  device.failingLaunch = 2;
  const auto trace = record();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().sentence, "The kernel caught fire.");
  EXPECT_EQ(device.calls.back(), "launch");
  EXPECT_GT(fractions.back(), 0.9f);
}

TEST_F(RecordRun, AStoppedLaunchIsTheLastAndLeavesNoResult) {
  device.stoppedLaunch = 1;
  device.problems = {{.kind = model::ProblemKind::Limit, .text = "Thread 3 made too many events."}};
  const auto trace = record();
  ASSERT_TRUE(trace);
  EXPECT_THAT(trace->launches, SizeIs(1));
  EXPECT_EQ(trace->result, "");
  EXPECT_EQ(trace->expected, "499500");
  EXPECT_FALSE(trace->ok);
  EXPECT_EQ(trace->checkNote, "The run did not end: Thread 3 made too many events.");
}

TEST_F(RecordRun, AStoppedLaunchWithoutAProblemSaysSo) {
  device.stoppedLaunch = 2;
  const auto trace = record();
  ASSERT_TRUE(trace);
  EXPECT_THAT(trace->launches, SizeIs(2));
  EXPECT_EQ(trace->result, "");
  EXPECT_EQ(trace->checkNote, "The run did not end.");
}

TEST_F(RecordRun, ACancelledRunLaunchesNoMore) {
  device.onLaunch = [&](std::size_t) { job.cancel = true; };
  const auto trace = record();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_EQ(std::ranges::count(device.calls, "launch"), 1);
}

TEST_F(RecordRun, ARunCancelledWhileItPreparesTakesNoMemory) {
  device.onPrepare = [&] { job.cancel = true; };
  const auto trace = record();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().kind, ErrorKind::Cancelled);
  EXPECT_THAT(device.calls, ElementsAre("prepare"));
}

TEST_F(RecordRun, NothingIsLaunchedOnBuffersThatAreNotFilled) {
  device.failsToWrite = true;
  const auto trace = record();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().sentence, "The bus is on fire.");
  EXPECT_THAT(device.calls, ElementsAre("prepare", "allocate 3", "write"));
}

TEST_F(RecordRun, RefusesBeforeItAsksTheDevice) {
  EXPECT_FALSE(record({.variant = "nothing"}));
  device.kind = model::EngineKind::Gpu;
  model::Experiment scheduled = kTwoLaunches;
  scheduled.schedule = model::Schedule::Random;
  const auto refused = record(scheduled);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_THAT(refused.error().sentence, HasSubstr("Step it on the CPU executor."));
  EXPECT_THAT(device.calls, IsEmpty());
}

// Its last 24 elements are the identity; the elements that a kernel writes are left as they are.
TEST_F(RecordRun, FillsTheBuffersAsThePlanSays) {
  device.onLaunch = [&](std::size_t number) {
    if (number > 1) return;
    std::vector<int> in(1024), out(64);
    ASSERT_EQ(device.memory[0].size(), 4096u);
    std::memcpy(in.data(), device.memory[0].data(), 4096);
    EXPECT_EQ(in[999], 999);
    EXPECT_THAT(std::vector(in.begin() + 1000, in.end()), testing::Each(0));
    ASSERT_EQ(device.memory[1].size(), 256u);
    std::memcpy(out.data(), device.memory[1].data(), 256);
    EXPECT_EQ(std::uint32_t(out[15]), 0xeeeeeeeeu);
    EXPECT_THAT(std::vector(out.begin() + 16, out.end()), testing::Each(0));
  };
  ASSERT_TRUE(record());
}

TEST_F(RecordRun, ReadsWhereAMergesValuesCameFrom) {
  const model::Experiment merge{
      .variant = "k_way_merge", .op = model::Operator::Min, .threads = 32, .elements = 64, .lists = 4};
  device.stoppedLaunch = 1;
  const auto trace = record(merge);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_EQ(std::ranges::count(device.calls, "read 256"), 2);
  EXPECT_FALSE(trace->expected.empty());
}

// The CPU finishes the reduction with the person's combine, which the device hands out.
TEST_F(RecordRun, CombinesWithAPersonsOperatorWhereTheCpuFinishes) {
  const auto variant = std::ranges::find_if(kernels::catalog(), [](const kernels::Variant& each) {
    return each.finishedOnCpu && each.offers(model::ElementType::Int, model::Operator::Custom);
  });
  ASSERT_NE(variant, kernels::catalog().end());
  unsigned combined = 0;
  device.combine = [&](std::uint64_t a, std::uint64_t b) {
    ++combined;
    return a + b;
  };
  model::Experiment experiment{
      .variant = std::string(variant->id), .op = model::Operator::Custom, .threads = 64, .elements = 1000};
  experiment.custom = {.combine = "return a + b;", .identity = "0"};
  const auto trace = record(experiment);
  ASSERT_TRUE(trace) << trace.error().sentence;
  EXPECT_GT(combined, 0u);
  EXPECT_FALSE(trace->result.empty());
  EXPECT_EQ(trace->expected, "") << "it is known elsewhere";
}

}  // namespace
}  // namespace stridescope::engine
