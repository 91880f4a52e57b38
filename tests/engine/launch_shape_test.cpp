// A grid and blocks of several rows: from a kernel's text through the text pass to the trace of a launch.
#include <gtest/gtest.h>

#include <numeric>

#include "engine/host/launch_runner.h"
#include "model/trace_check.h"
#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/rows.inc"
}  // namespace texts

}  // namespace

namespace stridescope::engine::host {
namespace {

constexpr unsigned kThreads = 32, kBlocks = 12;

class LaunchShape : public testing::Test {
 protected:
  void SetUp() override {
    std::iota(in.begin(), in.end(), 0);
    const auto instrumented = instrumentText("rows");
    ASSERT_TRUE(instrumented);
    text = *instrumented;
  }

  Result<RecordedLaunch> run(const model::Dim3& grid, const model::Dim3& block, std::uint64_t inspected) {
    const HostKernel kernel{.type = model::ElementType::Int,
                            .call = recording::KernelCall<texts::rows>::call,
                            .sharedElementBytes = elementBytes};
    const kernels::LaunchShape shape{.grid = grid, .block = block, .inspected = inspected};
    const std::vector<std::vector<KernelArgument>> arguments{{argumentOf("in", in), argumentOf("out", out)}};
    recording::BlockRunner runner;
    JobControl job;
    return runLaunch(runner, {kernel, text, shape, arguments}, {}, job, [](double) {});
  }

  // The elements that the thread read of `in`, and the ones that it wrote of `out`.
  std::vector<std::uint64_t> touched(const model::LaunchTrace& launch, unsigned thread,
                                     model::EventKind kind) {
    std::vector<std::uint64_t> elements;
    for (std::uint32_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i)
      if (const model::Event& event = launch.recorded().events[i]; event.kind() == kind && !event.inShared())
        elements.push_back(event.offset() / sizeof(int));
    return elements;
  }

  static KernelArgument argumentOf(const char* name, std::vector<int>& values) {
    return {.name = name,
            .elementBytes = sizeof(int),
            .bytes = values.size() * sizeof(int),
            .value = reinterpret_cast<std::uintptr_t>(values.data())};
  }

  std::vector<int> in = std::vector<int>(kThreads * kBlocks), out = std::vector<int>(kThreads * kBlocks, -1);
  std::vector<unsigned> elementBytes{sizeof(int)};
  instrument::Instrumented text;
};

TEST_F(LaunchShape, ThreadsAndBlocksAreNumberedAlongXThenYThenZ) {
  const model::Dim3 grid{3, 2, 2}, block{8, 2, 2};
  const auto launch = run(grid, block, 7);  // in blocks 0 to 11: (1, 0, 1)
  ASSERT_TRUE(launch) << launch.error().sentence;
  EXPECT_TRUE(launch->finished);
  EXPECT_TRUE(launch->trace.recorded().problems.empty());
  EXPECT_EQ(launch->trace.gridShape(), grid);
  EXPECT_EQ(launch->trace.blockShape(), block);
  EXPECT_EQ(launch->trace.grid, kBlocks);
  EXPECT_EQ(launch->trace.block, kThreads);
  ASSERT_EQ(launch->trace.recorded().first.size(), kThreads + 1);
  using Elements = std::vector<std::uint64_t>;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    EXPECT_EQ(touched(launch->trace, thread, model::EventKind::Load), Elements{7 * kThreads + thread});
    const Elements written = thread % 8 == 0 ? Elements{7 * 4 + thread / 8} : Elements{};
    EXPECT_EQ(touched(launch->trace, thread, model::EventKind::Store), written) << thread;
  }
  for (unsigned row = 0; row < kBlocks * 4; ++row)
    EXPECT_EQ(out[row], int(8 * (8 * row) + 28)) << row;  // eight numbers from 8 * row on
}

TEST_F(LaunchShape, BeyondCudasLimitsIsRefused) {
  const auto sentenceOf = [&](const model::Dim3& grid, const model::Dim3& block) {
    const auto launch = run(grid, block, 0);
    return launch ? "it ran" : launch.error().sentence;
  };
  EXPECT_EQ(
      sentenceOf(1, {1, 0, 1}),
      "The CPU executor cannot launch a block of 1 x 0 x 1 threads, where CUDA has 1 to 1024 x 1024 x 64, "
      "and no more than 1024 in all. Choose another block size, or fewer elements.");
  for (const model::Dim3& block : {model::Dim3(1, 1, 65), model::Dim3(33, 32), model::Dim3(1025),
                                   model::Dim3(1ull << 32, 1u << 16, 1u << 16)})
    EXPECT_NE(sentenceOf(1, block).find("cannot launch a block of " + model::text(block)), std::string::npos);
  for (const model::Dim3& grid :
       {model::Dim3(0), model::Dim3(1, 65536), model::Dim3(1, 1, 65536), model::Dim3(2147483648)})
    EXPECT_NE(sentenceOf(grid, 32).find("cannot launch a grid of " + model::text(grid)), std::string::npos);
}

}  // namespace
}  // namespace stridescope::engine::host
