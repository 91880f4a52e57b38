// A timing device in a process of its own: what it says comes back whole, and how it ends is a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "measure/gpu/timing_worker.h"
#include "measure/timing_data.h"

namespace stridescope::measure {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

const std::vector<model::TimingSubject> kSubjects{{model::SubjectKind::Variant, "sequential"},
                                                  {model::SubjectKind::Variant, "missing"}};

struct TimingWorker : testing::Test {
  engine::JobControl job;
  Result<std::unique_ptr<TimingDevice>> start(const std::string& mode, double patience = 20) {
    return gpu::makeTimingWorker({.program = STRIDESCOPE_TIMING_CHILD, .arguments = {mode}}, patience, job);
  }
};

TEST_F(TimingWorker, GivesBackWhatTheDeviceSays) {
  auto device = start("").value();
  EXPECT_EQ(device->facts().executor.device, "Stand-in GPU");
  EXPECT_EQ(device->facts().kind, TimingDeviceKind::Gpu);
  const model::TimingCase timingCase{
      .type = model::ElementType::Double, .op = model::Operator::Max, .elements = 1000, .threads = 64};
  const auto prepared = device->prepare(timingCase, kSubjects, job);
  ASSERT_TRUE(prepared) << prepared.error().sentence;
  ASSERT_EQ(prepared->size(), 2u);
  EXPECT_EQ((*prepared)[0].threads, 64u);
  EXPECT_EQ((*prepared)[0].unavailable, "");
  EXPECT_EQ((*prepared)[1].unavailable, "There is no such variant.");
  const auto timed = device->sample(0, job);
  ASSERT_TRUE(timed);
  EXPECT_DOUBLE_EQ(timed->microseconds, 12.5);
  EXPECT_EQ(timed->resultBits, expectedResult(model::ElementType::Double, model::Operator::Max, 1000));
  EXPECT_THAT(device->disturbances(job).value(), testing::ElementsAre("The clock is held down."));
}

TEST_F(TimingWorker, LivesOnAfterWhatDoesNotFit) {
  auto device = start("").value();
  const auto refused = device->prepare({.elements = 1 << 21}, kSubjects, job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::Usage);
  EXPECT_TRUE(device->isUsable());
  EXPECT_TRUE(device->prepare({.elements = 1 << 20}, kSubjects, job));
}

TEST_F(TimingWorker, ThatFindsNoGpuSaysSo) {
  const auto device = start("none");
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().sentence, "There is no GPU in this test.");
}

TEST_F(TimingWorker, WhoseGpuIsLostIsOfNoMoreUse) {
  auto device = start("lost").value();
  ASSERT_TRUE(device->prepare({.elements = 8}, kSubjects, job));
  EXPECT_TRUE(device->sample(0, job));
  EXPECT_FALSE(device->sample(0, job));
  EXPECT_FALSE(device->isUsable());
  EXPECT_THAT(device->sample(0, job).error().sentence, HasSubstr("Measure again"));
}

TEST_F(TimingWorker, ThatCrashesIsASentence) {
  auto device = start("crash").value();
  ASSERT_TRUE(device->prepare({.elements = 8}, kSubjects, job));
  const auto timed = device->sample(0, job);
  ASSERT_FALSE(timed);
  EXPECT_THAT(timed.error().sentence, HasSubstr("SIGSEGV"));
  EXPECT_FALSE(device->isUsable());
}

TEST_F(TimingWorker, ThatHangsIsStopped) {
  auto device = start("hang", 0.3).value();
  ASSERT_TRUE(device->prepare({.elements = 8}, kSubjects, job));
  const auto timed = device->sample(0, job);
  ASSERT_FALSE(timed);
  EXPECT_THAT(timed.error().sentence, HasSubstr("was stopped"));
}

TEST_F(TimingWorker, ThatDiesAsItIsLookedAtIsASentence) {
  auto device = start("crash at look").value();
  ASSERT_TRUE(device->prepare({.elements = 8}, kSubjects, job));
  const auto disturbances = device->disturbances(job);
  ASSERT_FALSE(disturbances);
  EXPECT_THAT(disturbances.error().sentence, HasSubstr("SIGKILL"));
  EXPECT_FALSE(device->isUsable());
}

TEST_F(TimingWorker, IsLeftAtOnceWhenItIsCancelledWhileItOpens) {
  std::thread cancelling([this] {
    std::this_thread::sleep_for(50ms);
    job.cancel = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto device = start("hang in opening", 5);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  cancelling.join();
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error().kind, ErrorKind::Cancelled);
}

TEST_F(TimingWorker, IsLeftAtOnceWhenItIsCancelled) {
  auto device = start("hang").value();
  ASSERT_TRUE(device->prepare({.elements = 8}, kSubjects, job));
  std::thread cancelling([this] {
    std::this_thread::sleep_for(50ms);
    job.cancel = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto timed = device->sample(0, job);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
  cancelling.join();
  ASSERT_FALSE(timed);
  EXPECT_EQ(timed.error().kind, ErrorKind::Cancelled);
}

TEST(TimingWorkerCommand, IsToldFromOthers) {
  const std::array<const char*, 3> right{"stridescope", "timing-worker", "2"},
      wrong{"stridescope", "gpu-worker", "2"}, noNumber{"stridescope", "timing-worker", "x"};
  EXPECT_EQ(gpu::timingWorkerIndex(3, right.data()), 2u);
  EXPECT_EQ(gpu::timingWorkerIndex(3, wrong.data()), std::nullopt);
  EXPECT_EQ(gpu::timingWorkerIndex(3, noNumber.data()), std::nullopt);
  EXPECT_EQ(gpu::timingWorkerIndex(2, right.data()), std::nullopt);
}

}  // namespace
}  // namespace stridescope::measure
