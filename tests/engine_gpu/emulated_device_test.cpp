// The recording runtime's GPU half without a GPU: its text, compiled for threads of this machine, in place of
// the kernel that the stand-in driver would launch. What it records must equal what the CPU executor records.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "analysis/compare.h"
#include "emulation/emulated_kernels.h"
#include "engine/gpu/compiler.h"
#include "engine/gpu/gpu_session.h"
#include "engine/gpu/launch_recorder.h"
#include "engine/host/host_engine.h"
#include "kernels/catalog.h"
#include "needs_nvrtc.h"
#include "stand_in.h"
#include "support/whole_sweeps.h"

namespace stridescope::engine::gpu {
namespace {

using testing::HasSubstr;

using EmulatedLockstep = StandInTest;

TEST_F(EmulatedLockstep, RecordsWhatTheCpuExecutorRecords) {
  NEEDS_NVRTC();
  auto gpu = makeGpuEngine(0, places);
  ASSERT_TRUE(gpu) << gpu.error().sentence;
  const auto host = host::makeHostEngine();
  for (const kernels::Variant& variant : kernels::catalog()) {
    if (variant.isWrong() || !variant.onlyOnCpu.empty()) continue;
    if (variant.launch.cluster > 1) continue;  // the emulated device runs a block at a time
    state->kernel = emulatedKernel(variant.id);
    ASSERT_NE(state->kernel, nullptr) << variant.id;
    std::vector<unsigned> sizes{variant.threads.front()};
    // A merge has barriers for each of its values, and each costs the system dear.
    const bool merges = variant.merges();
    for (const unsigned more : support::wholeSweeps() ? std::vector{32u, 256u} : std::vector{32u})
      if (more != sizes.front() && !(merges && more > 32) &&
          std::ranges::find(variant.threads, more) != variant.threads.end())
        sizes.push_back(more);
    for (const unsigned threads : sizes)
      for (const std::uint64_t elements :
           {merges ? 64 : std::uint64_t(threads) * variant.launch.elementsPerThread,
            merges ? 50 : std::uint64_t(1000)}) {
        SCOPED_TRACE(std::string(variant.id) + ", " + std::to_string(threads) + " threads, n " +
                     std::to_string(elements));
        model::Experiment experiment;
        experiment.variant = variant.id;
        experiment.threads = threads;
        experiment.elements = elements;
        experiment.data = model::DataPattern::Random;
        if (std::ranges::find(variant.types, model::ElementType::Int) == variant.types.end())
          experiment.type = variant.types.front();
        if (std::ranges::find(variant.operators, model::Operator::Add) == variant.operators.end())
          experiment.op = variant.operators.front();
        experiment.block = 1;
        JobControl job;
        const auto ours = (*gpu)->record(experiment, job);
        ASSERT_TRUE(ours) << ours.error().sentence;
        const auto theirs = host->record(experiment, job);
        ASSERT_TRUE(theirs) << theirs.error().sentence;
        EXPECT_TRUE(ours->ok) << ours->result << ", not " << ours->expected;
        ASSERT_EQ(ours->launches.size(), theirs->launches.size());
        for (std::size_t i = 0; i < ours->launches.size(); ++i) {
          const model::LaunchTrace &a = ours->launches[i], &b = theirs->launches[i];
          EXPECT_EQ(a.recorded().shared, b.recorded().shared);
          EXPECT_EQ(a.buffers, b.buffers);
          EXPECT_EQ(a.recorded().first, b.recorded().first);
          EXPECT_EQ(a.elements, b.elements);
          EXPECT_EQ(a.recorded().block, b.recorded().block);
          EXPECT_EQ(a.recorded().barrierCopies.size(), b.recorded().barrierCopies.size());
          EXPECT_EQ(a.recorded().copied.size(), b.recorded().copied.size());
          EXPECT_TRUE(a.recorded().problems.empty() && !a.recorded().cut);
        }
        EXPECT_EQ(analysis::firstDifference(*ours, *theirs).value_or(""), "");
        EXPECT_EQ(analysis::replayDifference(*ours).value_or(""), "");
      }
  }
}

// Kernels of emulation/, recorded without the engine around them.
class EmulatedKernelTest : public StandInTest {
 protected:
  static constexpr unsigned kThreads = 64;

  RecordedLaunch run(const std::string& name, RecordLimits limits = {}) {
    std::ifstream file(std::string(STRIDESCOPE_EMULATED_KERNELS) + "/" + name + ".cu");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto instrumented = instrument::instrument(text);
    const auto driver = loadDriver(places.driver);
    if (!instrumented || !driver) {
      ADD_FAILURE() << name << " cannot be prepared";
      return {};
    }
    sites = instrumented->sites;
    state->kernel = emulatedKernel(name);
    GpuDevice device(*driver, deviceFacts(**driver, 0).value(), ContextKind::Own);
    const auto entered = device.enter();
    LaunchRecorder recorder(device, limits);
    DeviceMemory in(device), out(device);
    EXPECT_TRUE(in.reserve(kThreads * 4) && out.reserve(kThreads * 4));
    for (unsigned i = 0; i < kThreads; ++i) numbersAt(in)[i] = static_cast<int>(i), numbersAt(out)[i] = 0;
    const auto module = GpuModule::load(device, {"image", name}, name);
    auto launch =
        recorder.record(**module, *instrumented, {.grid = 1, .block = kThreads, .sharedBytes = kThreads * 4},
                        0, {{"in", 4, kThreads * 4, in.address()}, {"out", 4, kThreads * 4, out.address()}});
    if (!launch) {
      ADD_FAILURE() << launch.error().sentence;
      return {};
    }
    output.assign(numbersAt(out), numbersAt(out) + kThreads);
    return std::move(*launch);
  }

  static int* numbersAt(const DeviceMemory& memory) {  // the stand-in's memory is the host's
    return reinterpret_cast<int*>(static_cast<std::uintptr_t>(memory.address()));
  }
  int lineOf(const model::Problem& problem) const {
    return problem.site < 0 ? 0 : sites.at(static_cast<std::size_t>(problem.site)).line;
  }

  std::vector<model::Site> sites;
  std::vector<int> output;
};

TEST_F(EmulatedKernelTest, ReturnedThreadsSharesAreCopiedByTheOthers) {
  const RecordedLaunch launch = run("early_return");
  ASSERT_EQ(launch.trace.recorded().barrierCopies.size(), 2u);
  std::vector<int> words(kThreads);
  for (unsigned i = 0; i < kThreads; ++i) words[i] = static_cast<int>(i);
  const auto wordsOf = [](const std::vector<std::uint8_t>& bytes) {
    std::vector<int> copy(bytes.size() / 4);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return copy;
  };
  EXPECT_EQ(wordsOf(launch.trace.recorded().barrierCopies[0]), words);
  for (unsigned i = 3; i < kThreads; i += 7) words[i] += 1000;
  EXPECT_EQ(wordsOf(launch.trace.recorded().barrierCopies[1]), words);
  EXPECT_TRUE(launch.finished);
  EXPECT_TRUE(launch.trace.recorded().problems.empty());
}

TEST_F(EmulatedKernelTest, AccessesOutOfBoundsAreReportedAndLeftOut) {
  const RecordedLaunch launch = run("out_of_bounds");
  ASSERT_EQ(launch.trace.recorded().problems.size(), 2u);
  for (const model::Problem& problem : launch.trace.recorded().problems)
    EXPECT_EQ(problem.kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(launch.trace.recorded().problems[0].thread, 5u);
  EXPECT_EQ(lineOf(launch.trace.recorded().problems[0]), 8);
  EXPECT_EQ(launch.trace.recorded().problems[1].thread, 6u);
  EXPECT_EQ(lineOf(launch.trace.recorded().problems[1]), 9);
  EXPECT_EQ(output[0], 0) << "a read out of bounds gives zero";
  EXPECT_EQ(output[1], 1);
  EXPECT_TRUE(launch.finished);
}

TEST_F(EmulatedKernelTest, AThreadThatNeverEndsIsStoppedAndTheOthersGoOn) {
  const RecordedLaunch launch = run("endless", {.eventsPerThread = 500});
  EXPECT_FALSE(launch.finished);
  EXPECT_TRUE(launch.trace.recorded().cut);
  ASSERT_EQ(launch.trace.recorded().problems.size(), 1u);
  EXPECT_EQ(launch.trace.recorded().problems[0].kind, model::ProblemKind::Limit);
  EXPECT_EQ(launch.trace.recorded().problems[0].thread, 9u);
  EXPECT_EQ(launch.trace.recorded().first[10] - launch.trace.recorded().first[9], 500u);
  EXPECT_EQ(output[8], 8) << "the others passed the barrier";
  EXPECT_EQ(launch.trace.recorded().barrierCopies.size(), 2u);
}

// A thread of this machine looks as often as the system lets it; what is recorded does not depend on that.
TEST_F(EmulatedKernelTest, AThreadThatLooksAgainAndAgainLeavesItsLastLook) {
  for (unsigned time = 0; time < 20; ++time) {
    const RecordedLaunch launch = run("looks");
    const model::BlockTrace& block = launch.trace.recorded();
    EXPECT_TRUE(launch.finished && block.problems.empty());
    EXPECT_EQ(output[0], 64 * 63 / 2);
    EXPECT_EQ(output[1], 63);
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      if (thread == 5) continue;
      const model::Event* const events = block.events.data() + block.first[thread];
      ASSERT_EQ(block.first[thread + 1] - block.first[thread], 4u) << thread;
      EXPECT_EQ(events[0].kind(), model::EventKind::Branch);
      EXPECT_EQ(events[1].kind(), model::EventKind::Load);
      EXPECT_EQ(events[1].value, 64u * 63 / 2);
      EXPECT_EQ(events[2].kind(), model::EventKind::Branch);
      EXPECT_EQ(events[2].value, 0u) << "the loop ends";
      EXPECT_EQ(events[3].kind(), model::EventKind::Atomic);
    }
  }
}

}  // namespace
}  // namespace stridescope::engine::gpu
