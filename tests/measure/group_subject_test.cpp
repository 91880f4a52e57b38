// Variants over several GPUs made ready to be timed: which memory and which numbers each GPU's kernel gets,
// and what is looked at of the results. On runners in the host's memory that do what the kernels do.
#include "measure/gpu/group_subject.h"

#include <gmock/gmock.h>

#include "kernels/catalog.h"
#include "measure/gpu/group_timing_device.h"
#include "measure/timing_board.h"
#include "measure/timing_data.h"
#include "stand_in_group.h"

namespace stridescope::measure::gpu {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Eq;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;

const std::vector<std::string> kSums{"host_adds", "nvlink_message"};
const std::vector<std::string> kArrays{"peer_loads", "ring", "tree"};

model::TimingSubject overSeveral(const std::string& id) { return {model::SubjectKind::SeveralGpus, id}; }

Result<std::unique_ptr<Nccl>> noNccl() { return unavailable("No NCCL was found."); }

struct GroupSubjects : testing::Test {
  std::shared_ptr<StandInGroup> state = std::make_shared<StandInGroup>();
  engine::JobControl job;

  std::unique_ptr<TimingDevice> device(unsigned gpus) {
    return groupTimingDeviceOn(*standInGpus(state, gpus, std::chrono::milliseconds(50)), {}, noNccl());
  }
  static std::vector<model::TimingSubject> all() {
    std::vector<model::TimingSubject> subjects{kOneGpu};
    for (const auto* ids : {&kSums, &kArrays})
      for (const std::string& id : *ids) subjects.push_back(overSeveral(id));
    return subjects;
  }
};

TEST_F(GroupSubjects, HaveTheWholeResultWhateverNAndHoweverManyGpus) {
  const auto subjects = all();
  for (const unsigned gpus : {2u, 3u, 8u})
    for (const std::uint64_t n : {1ull, 5ull, 16ull, 4099ull, 100'000ull}) {
      const auto group = device(gpus);
      const auto prepared = group->prepare({.elements = n}, subjects, job);
      ASSERT_TRUE(prepared) << prepared.error().sentence;
      const std::uint64_t expected = expectedResult(model::ElementType::Int, model::Operator::Add, n);
      for (std::size_t i = 0; i < subjects.size(); ++i) {
        ASSERT_EQ((*prepared)[i].unavailable, "") << subjects[i].id << ", " << gpus << " GPUs, n = " << n;
        const auto timed = group->sample(i, job);
        ASSERT_TRUE(timed) << timed.error().sentence;
        EXPECT_EQ(timed->resultBits, expected) << subjects[i].id << ", " << gpus << " GPUs, n = " << n;
        EXPECT_EQ(timed->wrong, "") << subjects[i].id << ", " << gpus << " GPUs, n = " << n;
        EXPECT_GT(timed->microseconds, 0);
      }
    }
}

TEST_F(GroupSubjects, AWrongElementOnAnyGpuIsNamed) {
  state->spoiledKernel = "ring";
  state->spoiledGpu = 1;
  const auto group = device(2);
  const std::vector<model::TimingSubject> subjects{overSeveral("ring"), overSeveral("peer_loads")};
  ASSERT_TRUE(group->prepare({.elements = 1000}, subjects, job));
  EXPECT_EQ(group->sample(0, job)->wrong, "left a wrong element 0 on GPU 1");
  EXPECT_EQ(group->sample(1, job)->wrong, "");
}

TEST_F(GroupSubjects, AWrongSumIsTold) {
  state->spoiledKernel = "host_adds";
  state->spoiledGpu = 1;
  const auto group = device(2);
  const std::vector<model::TimingSubject> subjects{overSeveral("host_adds")};
  ASSERT_TRUE(group->prepare({.elements = 1000}, subjects, job));
  EXPECT_EQ(group->sample(0, job)->resultBits,
            expectedResult(model::ElementType::Int, model::Operator::Add, 1000) + 1);
}

// The GPU that waits is launched last, and steps of a ring are apart.
TEST_F(GroupSubjects, LaunchTheOneThatWaitsLastAndMeetBetweenSteps) {
  const auto group = device(2);
  const std::vector<model::TimingSubject> subjects{overSeveral("nvlink_message"), overSeveral("ring")};
  ASSERT_TRUE(group->prepare({.elements = 1000}, subjects, job));
  state->calls.clear();
  ASSERT_TRUE(group->sample(0, job));
  EXPECT_THAT(state->calls, testing::ElementsAre("1 launches nvlink_message", "0 launches nvlink_message"));
  state->calls.clear();
  ASSERT_TRUE(group->sample(1, job));
  EXPECT_THAT(state->calls,
              testing::ElementsAre("0 launches ring", "1 launches ring", "0 sets a mark", "1 sets a mark",
                                   "0 waits for 1", "1 waits for 0", "0 launches ring", "1 launches ring"));
}

TEST_F(GroupSubjects, SayWhyTheyAreNotTimed) {
  const auto group = device(2);
  const std::vector<model::TimingSubject> subjects{overSeveral("nccl_reduce"), overSeveral("sequential"),
                                                   overSeveral("nobody"), overSeveral("host_adds")};
  const auto prepared = group->prepare({.elements = 64}, subjects, job);
  ASSERT_TRUE(prepared) << prepared.error().sentence;
  EXPECT_EQ((*prepared)[0].unavailable, "No NCCL was found.");
  EXPECT_THAT((*prepared)[1].unavailable, HasSubstr("runs on one GPU"));
  EXPECT_THAT((*prepared)[2].unavailable, HasSubstr("There is no variant"));
  EXPECT_EQ((*prepared)[3].unavailable, "");
  const auto graph = group->prepare({.elements = 64, .graph = true}, subjects, job);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().kind, ErrorKind::Usage);
}

// What is lost with a GPU is the whole device, and the worker ends with it.
TEST_F(GroupSubjects, AFailureInTheMiddleEndsTheDevice) {
  const auto group = device(2);
  const std::vector<model::TimingSubject> subjects{overSeveral("nvlink_message")};
  ASSERT_TRUE(group->prepare({.elements = 64}, subjects, job));
  EXPECT_TRUE(group->isUsable());
  state->failsAt[1] = 0;
  const auto timed = group->sample(0, job);
  ASSERT_FALSE(timed);
  EXPECT_THAT(timed.error().sentence, HasSubstr("GPU 1"));
  EXPECT_FALSE(group->isUsable());
}

TEST_F(GroupSubjects, StandInTheOrderInWhichTheyAreTaught) {
  const auto subjects = groupSubjects(model::ElementType::Int, model::Operator::Add);
  ASSERT_FALSE(subjects.empty());
  EXPECT_EQ(subjects.front(), kOneGpu);  // the least flattering comparison
  EXPECT_THAT(subjects, SizeIs(8));
  EXPECT_THAT(subjects, Each(Field(&model::TimingSubject::kind, Eq(model::SubjectKind::SeveralGpus))));
  // No single GPU times them.
  for (const model::TimingSubject& one : variantSubjects(model::ElementType::Int, model::Operator::Add))
    EXPECT_FALSE(kernels::findVariant(one.id)->isOfSeveralGpus()) << one.id;
}

}  // namespace
}  // namespace stridescope::measure::gpu
