// What Measurements start on a board, for what there is to time.
#include "session/measurements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>

namespace stridescope::session {
namespace {

// A board whose devices are not there before the end of the test, so that what was started goes on.
class MeasurementsTest : public testing::Test {
 protected:
  ~MeasurementsTest() override { end_.set_value(); }

  measure::TimingPlan plan() const { return measurements.timings()->plan; }
  bool times(model::SubjectKind kind) const {
    return std::ranges::any_of(plan().subjects,
                               [kind](const model::TimingSubject& subject) { return subject.kind == kind; });
  }

 private:
  Result<std::unique_ptr<measure::TimingDevice>> none() const {
    ended_.wait();
    return unavailable("The test is over.");
  }

  std::promise<void> end_;
  std::shared_future<void> ended_ = end_.get_future().share();

 protected:
  TimingTarget target{.experiment = {.variant = "sequential"}, .gpu = 1};
  Measurements measurements{std::make_shared<measure::TimingBoard>(measure::TimingMakers{
                                .makeGpu = [this](unsigned, engine::JobControl&) { return none(); },
                                .makeCpu = [this] { return none(); },
                                .makeGpus = [this](unsigned, engine::JobControl&) { return none(); },
                                .now = {}}),
                            [this] { return target; }};
};

TEST_F(MeasurementsTest, AreTakenOnTheGpuOfTheTarget) {
  EXPECT_TRUE(measurements.canTimeOnGpu());
  measurements.start(TimingSweep::OneSize);
  EXPECT_TRUE(measurements.isTiming());
  EXPECT_EQ(plan().gpu, 1u);
  EXPECT_TRUE(times(model::SubjectKind::Variant));
}

TEST_F(MeasurementsTest, AreOfTheCpuAloneWithoutAGpu) {
  target.gpu = std::nullopt;
  EXPECT_FALSE(measurements.canTimeOnGpu());
  EXPECT_EQ(measurements.whyNotTimed(TimingSweep::Sizes), "");
  EXPECT_EQ(measurements.whyNotTimed(TimingSweep::BlockSizes),
            "Only a GPU has block sizes, and none can be used here.");
  measurements.start(TimingSweep::OneSize);
  EXPECT_FALSE(times(model::SubjectKind::Variant));
  EXPECT_TRUE(times(model::SubjectKind::CpuBaseline));
}

TEST_F(MeasurementsTest, AreStartedAnewForWhatIsAskedForThen) {
  measurements.restart();
  EXPECT_FALSE(measurements.isTiming()) << "nothing was started";
  measurements.start(TimingSweep::Sizes);
  target.experiment.type = model::ElementType::Double;
  EXPECT_EQ(plan().type, model::ElementType::Int);
  measurements.restart();
  EXPECT_EQ(plan().type, model::ElementType::Double);
  EXPECT_GT(plan().sizes.size(), 1u) << "the same sweep";
}

// The bar's n is that of the timings; one block's load, with which a variant begins, is too little to be
// timed.
TEST_F(MeasurementsTest, AreOfTheNThatIsAskedFor) {
  target.experiment.elements = 256;
  EXPECT_EQ(measurements.elements(), 1u << 24);
  measurements.start(TimingSweep::OneSize);
  EXPECT_EQ(plan().sizes, std::vector<std::uint64_t>{1u << 24});
  target.experiment.elements = 1000;
  EXPECT_EQ(measurements.elements(), 1000u);
  measurements.restart();
  EXPECT_EQ(plan().sizes, std::vector<std::uint64_t>{1000});
}

// One GPU alone stands first, beside all that leave one result; nothing that is timed on one GPU stands
// there.
TEST_F(MeasurementsTest, AreTakenOnSeveralGpusWhereTheVariantRunsOnThem) {
  target.experiment = {.variant = "nvlink_message", .threads = 512, .elements = 4096, .gpus = 4};
  measurements.start(TimingSweep::Sizes);
  EXPECT_EQ(plan().gpus, 4u);
  EXPECT_FALSE(times(model::SubjectKind::Variant));
  EXPECT_FALSE(times(model::SubjectKind::GpuBaseline));
  ASSERT_EQ(plan().subjects.size(), 4u);
  EXPECT_EQ(plan().subjects.front(), measure::kOneGpu);
  target.experiment.variant = "ring";
  measurements.restart();
  ASSERT_EQ(plan().subjects.size(), 4u);  // three variants and NCCL
  EXPECT_NE(plan().subjects.front(), measure::kOneGpu);
  target.gpu = std::nullopt;
  EXPECT_EQ(measurements.whyNotTimed(TimingSweep::Sizes),
            "Several GPUs are timed where there are some, and none can be used here.");
}

TEST_F(MeasurementsTest, AreStoppedByWhatCannotBeTimed) {
  measurements.start(TimingSweep::OneSize);
  target.experiment.op = model::Operator::Custom;
  EXPECT_NE(measurements.whyNotTimed(TimingSweep::OneSize), "");
  measurements.restart();
  EXPECT_FALSE(measurements.isTiming());
}

}  // namespace
}  // namespace stridescope::session
