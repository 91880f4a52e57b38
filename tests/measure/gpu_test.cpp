// On a real GPU: every subject that is offered gives the right result, again and again, and the ceilings are
// plausible. Skipped without one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/catalog.h"
#include "measure/gpu/gpu_timing_device.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct GpuTiming : testing::Test {
  std::unique_ptr<TimingDevice> device;
  engine::JobControl job;
  void SetUp() override {
    auto made = gpu::makeGpuTimingDevice(0);
    if (!made) GTEST_SKIP() << made.error().sentence;
    device = std::move(*made);
  }

  static std::vector<model::TimingSubject> subjects(model::ElementType type, model::Operator op) {
    std::vector<model::TimingSubject> all = variantSubjects(type, op);
    for (model::TimingSubject& baseline : baselineSubjects(type, op))
      if (baseline.kind == model::SubjectKind::GpuBaseline) all.push_back(std::move(baseline));
    return all;
  }

  void expectRight(const model::TimingCase& timingCase) {
    const auto all = subjects(timingCase.type, timingCase.op);
    const auto prepared = device->prepare(timingCase, all, job);
    ASSERT_TRUE(prepared) << prepared.error().sentence;
    const std::uint64_t expected = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    for (int repetition = 0; repetition < 3; ++repetition)
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!(*prepared)[i].unavailable.empty()) continue;
        const auto timed = device->sample(i, job);
        ASSERT_TRUE(timed) << all[i].id << ": " << timed.error().sentence;
        EXPECT_EQ(timed->resultBits, expected)
            << all[i].id << " " << model::nameOf(timingCase.type) << " " << model::nameOf(timingCase.op)
            << " n " << timingCase.elements << ": "
            << wrongResultText(timingCase.type, timed->resultBits, expected);
        EXPECT_GT(timed->microseconds, 0);
      }
  }
};

TEST_F(GpuTiming, EverySubjectIsRightInEveryTypeAndOperator) {
  for (const model::ElementType type : model::kElementTypes)
    for (const model::Operator op : model::kOperators)
      if (isTimed(type, op)) expectRight({.type = type, .op = op, .elements = 1'000'003});
}

TEST_F(GpuTiming, EverySubjectIsRightAtEverySize) {
  for (const std::uint64_t n :
       std::vector<std::uint64_t>{1, 2, 31, 256, 257, 1024, 65'537, 1 << 20, (1 << 24) + 1})
    expectRight({.elements = n});
}

TEST_F(GpuTiming, IsRightInEveryBlockSizeAsAGraphAndWithAWarmCache) {
  for (unsigned threads = 32; threads <= 1024; threads *= 2)
    expectRight({.elements = 100'000, .threads = threads});
  expectRight({.elements = 100'000, .graph = true});
  expectRight({.elements = 100'000, .warmL2 = true});
}

// A variant that cannot be timed says why; it is not left out silently, and most can.
TEST_F(GpuTiming, TimesMostOfTheCatalogue) {
  const auto all = subjects(model::ElementType::Int, model::Operator::Add);
  const auto prepared = device->prepare({.elements = 1 << 20}, all, job);
  ASSERT_TRUE(prepared);
  std::size_t ready = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ready += (*prepared)[i].unavailable.empty();
    if (!(*prepared)[i].unavailable.empty()) std::cout << (*prepared)[i].unavailable << "\n";
  }
  EXPECT_GE(2 * ready, all.size());
}

TEST_F(GpuTiming, MeasuresCeilingsBelowWhatTheMemoryIsBuiltFor) {
  const auto& ceiling = device->facts().ceiling;
  ASSERT_TRUE(ceiling);
  EXPECT_GT(ceiling->read.median, 10);
  if (ceiling->datasheet <= 0) return;
  EXPECT_LT(ceiling->read.median, 1.05 * ceiling->datasheet);
  EXPECT_GT(ceiling->read.median, 0.5 * ceiling->datasheet);
  EXPECT_LT(ceiling->copy.median, 1.05 * ceiling->datasheet);
}

TEST_F(GpuTiming, SaysWhereTheMemoryEnds) {
  const auto refused =
      device->prepare({.elements = 1ull << 40}, subjects(model::ElementType::Int, model::Operator::Add), job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_TRUE(device->isUsable());
}

}  // namespace
}  // namespace stridescope::measure
