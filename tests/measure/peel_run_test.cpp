// How a reduction is ended early, and what is made of the times. A stand-in takes the place of the GPU.
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

#include "measure/gpu/grid_run.h"
#include "stand_in_runner.h"

namespace stridescope::measure::gpu {
namespace {

using testing::HasSubstr;

const model::Executor kPeelingGpu{
    .kind = model::EngineKind::Gpu, .device = "A GPU", .computeCapability = "9.0"};

// Threads of the first launch pass five marks. To the n-th it takes 10 us and 2 us for each mark, a launch to
// its end 3 us more, and what it does beside that is noise of a whole repetition, which cancels.
constexpr unsigned kMarks = 5;

struct PeeledRun : testing::Test {
  PeeledRun() {
    runner.plannedRun = [this](const TimedPlan& plan, std::span<std::uint8_t> result) {
      const auto copies = std::size_t(std::ranges::count_if(
          plan.steps, [](const TimedStep& step) { return std::holds_alternative<TimedCopy>(step); }));
      const std::size_t launches = plan.steps.size() - copies;
      if (launches == 0) return 4 + noise;  // the copies alone
      const bool isPeeled =
          static_cast<const StandInKernel*>(std::get<TimedLaunch>(plan.steps.back()).kernel)->marks();
      clocking::PeelControl control = runner.peelControl;
      for (const TimedStep& step : plan.before)
        if (const auto* const copy = std::get_if<TimedCopy>(&step);
            copy != nullptr &&
            copy->to == std::uint64_t(reinterpret_cast<std::uintptr_t>(&runner.peelControl)))
          std::memcpy(&control, reinterpret_cast<const void*>(std::uintptr_t(copy->from)), sizeof control);
      if (isPeeled && control.passed != nullptr) {
        EXPECT_EQ(control.marks, clocking::kAllMarks);
        EXPECT_EQ(result.size(), sizeof kMarks);
        std::memcpy(result.data(), &marks, sizeof marks);
        return 0.0;
      }
      EXPECT_EQ(copies, resets);
      if (!isPeeled) {
        noise = double((5 * ++repetition) % 7) / 16;
        EXPECT_EQ(launches, expectedLaunches) << "the clean reduction is whole";
        EXPECT_EQ(plan.resultIsTimed, withCpu);
        return 60 + noise;
      }
      EXPECT_EQ(control.passed, nullptr);
      if (launches > 1) {
        EXPECT_EQ(control.marks, clocking::kAllMarks) << "a launch before another comes to its end";
      }
      const unsigned passed = std::min(control.marks, kMarks);
      return 4.0 * double(copies) + 10 + 2.0 * passed +
             (control.marks == clocking::kAllMarks ? 3.0 * double(launches) : 0) +
             (plan.resultIsTimed ? 1000 : 0) + noise;
    };
  }
  Result<model::PeelRecord> record(const model::Experiment& experiment) {
    return peelRun(runner, experiment, kPeelingGpu, std::nullopt, job);
  }

  unsigned marks = kMarks;
  std::size_t resets = 0, expectedLaunches = 3;
  bool withCpu = false;
  unsigned repetition = 0;
  double noise = 0;
  StandInRunner runner;
  engine::JobControl job;
};

TEST_F(PeeledRun, StepsAddUpToTheWhole) {
  const auto peeled = record({.variant = "sequential", .threads = 64, .elements = 64 * 64 * 2});
  ASSERT_TRUE(peeled) << peeled.error().sentence;
  EXPECT_EQ(model::faultOf(*peeled), std::nullopt);
  EXPECT_EQ(peeled->runs, kPeeledRuns);
  // Nothing; five marks; to the first launch's end; two further launches.
  ASSERT_EQ(peeled->steps.size(), 1 + kMarks + 1 + 2);
  const std::vector<double> expected{10 + 3.0 / 16, 2, 2, 2, 2, 2, 3, 3, 3};  // 3/16: the noise's median
  double sum = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    const model::PeelStep& step = peeled->steps[i];
    EXPECT_NEAR(step.microseconds, expected[i], 1e-5);
    EXPECT_EQ(step.launch, i < 7 ? 0 : i - 6);
    EXPECT_EQ(step.marks, i < 6 ? i : clocking::kAllMarks);
    // The noise is of the repetition: it is in the first step alone.
    if (i > 0) {
      EXPECT_NEAR(step.low, expected[i], 1e-5);
      EXPECT_NEAR(step.high, expected[i], 1e-5);
    } else {
      EXPECT_LT(step.low, step.high);
    }
    sum += step.microseconds;
  }
  EXPECT_NEAR(sum, peeled->wholeMicroseconds, 1e-5);
  EXPECT_NEAR(peeled->cleanMicroseconds, 60 + 3.0 / 16, 1e-5);
  EXPECT_TRUE(model::addsUp(*peeled));
}

TEST_F(PeeledRun, HasTheCopyThatSetsATotalBackAsItsFirstStep) {
  resets = 1, expectedLaunches = 1;
  const auto peeled = record({.variant = "vectorized_atomic", .threads = 64, .elements = 1 << 16});
  ASSERT_TRUE(peeled) << peeled.error().sentence;
  EXPECT_EQ(model::faultOf(*peeled), std::nullopt);
  ASSERT_EQ(peeled->steps.size(), 1 + 1 + kMarks + 1);
  EXPECT_EQ(peeled->steps.front().part, model::PeeledPart::Copy);
  EXPECT_NEAR(peeled->steps.front().microseconds, 4 + 3.0 / 16, 1e-5);
  EXPECT_NEAR(peeled->steps[1].microseconds, 10, 1e-5);
  double sum = 0;
  for (const model::PeelStep& step : peeled->steps) sum += step.microseconds;
  EXPECT_NEAR(sum, peeled->wholeMicroseconds, 1e-4);
}

TEST_F(PeeledRun, HasTheCpusPartAsItsLastStep) {
  withCpu = true, expectedLaunches = 1;
  const auto peeled = record(
      {.variant = "two_per_thread", .type = model::ElementType::Int64, .threads = 64, .elements = 1 << 12});
  ASSERT_TRUE(peeled) << peeled.error().sentence;
  EXPECT_EQ(model::faultOf(*peeled), std::nullopt);
  ASSERT_EQ(peeled->steps.size(), 1 + kMarks + 1 + 1);
  const model::PeelStep& cpu = peeled->steps.back();
  EXPECT_EQ(cpu.part, model::PeeledPart::Cpu);
  EXPECT_GE(cpu.microseconds, 1000) << "and what this CPU took to add 32 values";
  double sum = 0;
  for (const model::PeelStep& step : peeled->steps) sum += step.microseconds;
  EXPECT_NEAR(sum, peeled->wholeMicroseconds, 1e-3);
}

TEST_F(PeeledRun, OfMoreMarksThanARecordHoldsIsRefused) {
  marks = model::kMaxPeeledMarks + 1;
  const auto peeled = record({.variant = "sequential", .threads = 64, .elements = 128});
  ASSERT_FALSE(peeled);
  EXPECT_EQ(peeled.error().kind, ErrorKind::Usage);
  EXPECT_THAT(peeled.error().sentence, HasSubstr("257 barriers and shuffles, and 256 are the most"));
}

TEST_F(PeeledRun, IsRefusedForMergesBugsAndBlocksThatWait) {
  for (const model::Experiment& experiment :
       {model::Experiment{
            .variant = "k_way_merge", .op = model::Operator::Min, .threads = 32, .elements = 64},
        model::Experiment{.variant = "missing_barrier", .threads = 64, .elements = 64},
        model::Experiment{.variant = "one_message", .threads = 64, .elements = 1u << 16}}) {
    const auto peeled = record(experiment);
    ASSERT_FALSE(peeled);
    EXPECT_EQ(peeled.error().kind, ErrorKind::Usage);
    EXPECT_THAT(peeled.error().sentence, HasSubstr("has no prices of its steps"));
  }
}

TEST_F(PeeledRun, IsCancelled) {
  job.cancel = true;
  const auto peeled = record({.variant = "sequential", .threads = 64, .elements = 128});
  ASSERT_FALSE(peeled);
  EXPECT_EQ(peeled.error().kind, ErrorKind::Cancelled);
}

}  // namespace
}  // namespace stridescope::measure::gpu
