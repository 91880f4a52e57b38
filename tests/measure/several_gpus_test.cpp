// On two real GPUs: every variant of several GPUs gives the right result in every type and operator that it
// offers, and again and again. Skipped where there is one GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/gpu/group_timing_device.h"
#include "measure/group_series.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

struct TwoGpus : testing::Test {
  std::unique_ptr<TimingDevice> device;
  engine::JobControl job;
  void SetUp() override {
    auto made = gpu::makeGroupTimingDevice(2);
    if (!made) GTEST_SKIP() << "SKIPPED: " << made.error().sentence;
    device = *std::move(made);
  }

  // What is missing is said of NCCL's alone.
  void expectRight(const model::TimingCase& timingCase, unsigned runs) {
    const auto subjects = groupSubjects(timingCase.type, timingCase.op);
    const auto prepared = device->prepare(timingCase, subjects, job);
    ASSERT_TRUE(prepared) << prepared.error().sentence;
    const std::uint64_t expected = expectedResult(timingCase.type, timingCase.op, timingCase.elements);
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const std::string& why = (*prepared)[i].unavailable;
      if (!why.empty()) {
        EXPECT_TRUE(isOfNccl(subjects[i].id)) << subjects[i].id << ": " << why;
        continue;
      }
      for (unsigned run = 0; run < runs; ++run) {
        const auto timed = device->sample(i, job);
        ASSERT_TRUE(timed) << subjects[i].id << ": " << timed.error().sentence;
        ASSERT_EQ(timed->resultBits, expected)
            << subjects[i].id << " " << model::nameOf(timingCase.type) << " " << model::nameOf(timingCase.op)
            << ", n = " << timingCase.elements << ", run " << run;
        ASSERT_EQ(timed->wrong, "") << subjects[i].id << ", n = " << timingCase.elements << ", run " << run;
        EXPECT_GT(timed->microseconds, 0);
      }
    }
  }
};

TEST_F(TwoGpus, AreRightInEveryTypeAndOperator) {
  for (const model::ElementType type : model::kElementTypes)
    for (const model::Operator op : model::kOperators)
      if (isTimed(type, op)) expectRight({.type = type, .op = op, .elements = 100'003}, 3);
}

TEST_F(TwoGpus, AreRightAtEverySize) {
  for (const std::uint64_t n : {1ull, 2ull, 3ull, 31ull, 1000ull, 65'537ull, (1ull << 22) + 5, 1ull << 24})
    expectRight({.elements = n}, 3);
}

TEST_F(TwoGpus, EndAThousandTimesInARow) {
  expectRight({.elements = 4096, .warmL2 = true}, 1000);
  EXPECT_TRUE(device->isUsable());
}

TEST_F(TwoGpus, HaveLinksInBothDirections) {
  const auto& links = device->facts().links;
  ASSERT_EQ(links.size(), 2u);
  for (const model::GpuLink& link : links) {
    EXPECT_GT(link.copyGigabytesPerSecond, 1);
    EXPECT_GT(link.loadGigabytesPerSecond, 1);
    EXPECT_GT(link.messageNanoseconds, 100);
    EXPECT_LT(link.messageNanoseconds, 1e5);
  }
}

}  // namespace
}  // namespace stridescope::measure
