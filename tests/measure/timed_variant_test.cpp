// A variant made ready to be timed: what its buffers hold, what its launches are given, what comes before the
// first event. On a runner that keeps what it is asked for, in the host's memory.
#include <gmock/gmock.h>

#include <cstring>

#include "kernels/catalog.h"
#include "measure/gpu/timed_subject.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {

std::string_view embeddedFloor(std::string_view fileName);  // generated from reads_all.cu

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr std::uint64_t kInputPlace = 1000;

struct TimedVariants : testing::Test {
  Result<std::unique_ptr<TimedSubject>> make(const std::string& id) {
    const auto passes = MemoryPasses::load(runner);
    memory.passes = &*passes;
    return makeTimedVariant(runner, {model::SubjectKind::Variant, id}, timingCase, memory);
  }
  static int intAt(std::uint64_t address, std::size_t index) {
    int value = 0;
    std::memcpy(&value, reinterpret_cast<const int*>(static_cast<std::uintptr_t>(address)) + index, 4);
    return value;
  }

  StandInRunner runner;
  model::TimingCase timingCase{.elements = 1000, .threads = 64};
  CaseMemory memory{.inputPlace = kInputPlace, .room = 1024};
};

TEST_F(TimedVariants, LaunchOnThePoolsInputAndTheirOwnBuffers) {
  const auto made = make("sequential");
  ASSERT_TRUE(made) << made.error().sentence;
  EXPECT_EQ((*made)->threads(), 64u);
  EXPECT_THAT(runner.allocated, SizeIs(2));  // what the first launch leaves, and the second
  ASSERT_THAT(runner.plan.steps, SizeIs(2));
  const auto& first = std::get<TimedLaunch>(runner.plan.steps[0]);
  const auto& second = std::get<TimedLaunch>(runner.plan.steps[1]);
  EXPECT_EQ(first.grid, model::Dim3(16));
  EXPECT_EQ(first.block, model::Dim3(64));
  EXPECT_EQ(first.sharedBytes, 256u);
  EXPECT_EQ(second.grid, model::Dim3(1));
  ASSERT_THAT(first.arguments, SizeIs(2));
  EXPECT_EQ(first.arguments[0], kInputPlace);
  EXPECT_THAT(second.arguments, ElementsAre(first.arguments[1], runner.plan.resultAddress));
  // 16 results of the first launch are left as they are, the second's block is filled up.
  EXPECT_EQ(unsigned(intAt(first.arguments[1], 15)), 0xeeeeeeeeu);
  EXPECT_EQ(intAt(first.arguments[1], 16), 0);
  EXPECT_EQ(intAt(first.arguments[1], 63), 0);
  EXPECT_EQ(runner.plan.resultBytes, 4u);
  ASSERT_THAT(runner.plan.before, SizeIs(1));
  EXPECT_EQ(std::get<TimedFill>(runner.plan.before[0]).to, runner.plan.resultAddress);
}

// Every block adds to the result: each run begins with setting it back to the identity.
TEST_F(TimedVariants, SetAnAccumulatorBackWithinTheTime) {
  const auto accumulates = std::ranges::find_if(kernels::catalog(), [](const kernels::Variant& variant) {
    return variant.takes(model::ParameterRole::Accumulator) && !variant.isWrong();
  });
  ASSERT_NE(accumulates, kernels::catalog().end());
  timingCase.threads = accumulates->defaultThreads;
  const auto made = make(std::string(accumulates->id));
  ASSERT_TRUE(made) << made.error().sentence;
  const auto& copy = std::get<TimedCopy>(runner.plan.steps.at(0));
  EXPECT_EQ(copy.to, runner.plan.resultAddress);
  EXPECT_EQ(copy.bytes, 4u);
  EXPECT_EQ(intAt(copy.from, 0), 0);
}

// The blocks of single_pass leave a result each. These come to the host outside the time, which combines them
// to see whether all was read.
TEST_F(TimedVariants, TheFloorIsTheGridOfSinglePassAndNobodyCombines) {
  timingCase = {.elements = 1u << 20};
  runner.plannedRun = [](const TimedPlan&, std::span<std::uint8_t> result) {
    std::fill(result.begin(), result.end(), std::uint8_t{0});
    for (std::size_t block = 0; 4 * block < result.size(); ++block) result[4 * block] = 1;
    return 7.0;
  };
  const auto passes = MemoryPasses::load(runner);
  memory.passes = &*passes;
  const auto floor = makeTimedFloor(runner, timingCase, memory);
  ASSERT_TRUE(floor) << floor.error().sentence;
  EXPECT_EQ((*floor)->threads(), 512u);
  ASSERT_THAT(runner.plan.steps, SizeIs(1));
  const auto& launch = std::get<TimedLaunch>(runner.plan.steps[0]);
  EXPECT_EQ(launch.grid, model::Dim3(128));
  EXPECT_THAT(launch.arguments, ElementsAre(kInputPlace, runner.plan.resultAddress, 1u << 20));
  EXPECT_EQ(runner.plan.resultBytes, 128u * 4);
  EXPECT_FALSE(runner.plan.resultIsTimed);
  const auto timed = (*floor)->run(kInputPlace);
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->microseconds, 7.0);
  EXPECT_EQ(timed->resultBits, 128u);
}

// The text from one place to another.
std::string_view between(std::string_view text, std::string_view first, std::string_view behind) {
  const std::size_t begin = text.find(first), end = text.find(behind, begin);
  EXPECT_NE(begin, text.npos) << first;
  EXPECT_NE(end, text.npos) << behind;
  return text.substr(std::min(begin, text.size()), end - begin);
}

// What it says of reading is true as long as its text is that of single_pass.
TEST(Floor, ReadsAndReducesInTheBlocksAsSinglePassDoes) {
  const std::string_view floor = embeddedFloor("reads_all.cu"), whole = kernels::kernelText("single_pass");
  for (const auto& [first, behind] : {std::pair("struct alignas(16) Pack", "__global__"),
                                      std::pair("    constexpr unsigned width", "    value = reduceBlock(")})
    EXPECT_EQ(between(floor, first, behind), between(whole, first, behind));
}

TEST_F(TimedVariants, TellWhyABufferCouldNotBeFilled) {
  runner.failsToUpload = true;
  const auto made = make("sequential");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().sentence, "The bus is on fire.");
}

TEST(RoomOfAVariant, IsItsInputFilledUpToWholeBlocks) {
  model::Executor gpu;
  gpu.kind = model::EngineKind::Gpu;
  gpu.device = "NVIDIA T";
  gpu.computeCapability = "7.5";
  const model::TimingCase timingCase{.elements = 1000, .threads = 64};
  const auto roomFor = [&](std::string id) {
    return roomOf({model::SubjectKind::Variant, std::move(id)}, timingCase, gpu);
  };
  EXPECT_EQ(roomFor("sequential"), 1024u);
  const auto tooOld = roomFor("warp_redux");
  ASSERT_FALSE(tooOld);
  EXPECT_THAT(tooOld.error().sentence, HasSubstr("compute capability 8.0; NVIDIA T has 7.5"));
  gpu.computeCapability = "8.0";
  EXPECT_TRUE(roomFor("warp_redux"));
  EXPECT_FALSE(roomFor("missing_barrier")) << "its result may be wrong";
  EXPECT_FALSE(roomFor("k_way_merge"));
}

}  // namespace
}  // namespace stridescope::measure::gpu
