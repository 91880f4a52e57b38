// What several GPUs are asked for, and when: on runners in the host's memory.
#include <gmock/gmock.h>

#include "measure/gpu/gpu_links.h"
#include "stand_in_group.h"

namespace stridescope::measure::gpu {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Groups : testing::Test {
  std::shared_ptr<StandInGroup> state = std::make_shared<StandInGroup>();
  StandInGroupKernel ring{"ring"};

  GroupPart share(unsigned gpu, TimedPlan plan) { return GroupShare{gpu, std::move(plan)}; }
  TimedPlan launching() {
    return {.name = "it", .steps = {TimedLaunch{.kernel = &ring, .grid = 1, .block = 32}}};
  }
};

TEST_F(Groups, EachGpuReachesEachOther) {
  ASSERT_TRUE(standInGpus(state, 3));
  EXPECT_THAT(state->calls, ElementsAre("0 reaches 1", "0 reaches 2", "1 reaches 0", "1 reaches 2",
                                        "2 reaches 0", "2 reaches 1"));
}

TEST_F(Groups, SaysWhichGpusDoNotReachEachOther) {
  state->reach = false;
  const auto group = standInGpus(state, 2);
  ASSERT_FALSE(group);
  EXPECT_EQ(group.error().kind, ErrorKind::Unavailable);
  EXPECT_THAT(group.error().sentence, HasSubstr("cannot use the memory of GPU 1"));
}

TEST_F(Groups, DoTheirPartsInOrderAndMeetInBetween) {
  auto group = standInGpus(state, 2);
  ASSERT_TRUE(group);
  const auto run = (*group)->timed(
      {.name = "it",
       .parts = {share(1, launching()), share(0, launching()), GroupMeeting{}, share(0, launching())},
       .end = GroupEnd::AllFinished});
  ASSERT_TRUE(run);
  state->calls.clear();
  const auto outcome = (*run)->run();
  ASSERT_TRUE(outcome);
  EXPECT_GT(outcome->microseconds, 0);
  EXPECT_THAT(state->calls,
              ElementsAre("1 launches ring", "0 launches ring", "0 sets a mark", "1 sets a mark",
                          "0 waits for 1", "1 waits for 0", "0 launches ring"));
}

TEST_F(Groups, GiveWorkToALibraryOnAllStreams) {
  auto group = standInGpus(state, 2);
  ASSERT_TRUE(group);
  std::vector<void*> seen;
  const auto run =
      (*group)->timed({.name = "it", .parts = {GroupWork{[&](std::span<void* const> streams) -> Result<void> {
                                       seen.assign(streams.begin(), streams.end());
                                       return {};
                                     }}}});
  ASSERT_TRUE(run);
  ASSERT_TRUE((*run)->run());
  EXPECT_THAT(seen, ElementsAre(hostPointer<void>(1000), hostPointer<void>(1001)));
}

// GPU 0 would wait for ever for what GPU 1 sends: that GPU 1 has failed is noticed all the same, and nothing
// is begun on the group any more.
TEST_F(Groups, AGpuThatFailsInTheMiddleIsASentence) {
  auto group = standInGpus(state, 2);
  ASSERT_TRUE(group);
  const auto run = (*group)->timed({.name = "it", .parts = {share(1, launching()), share(0, launching())}});
  ASSERT_TRUE(run);
  state->neverEnds[0] = true;
  state->failsAt[1] = 3;
  const auto outcome = (*run)->run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().sentence, "GPU 1: Could not run the kernel: an illegal address.");
  EXPECT_FALSE((*group)->isUsable());
  EXPECT_THAT(state->calls, Contains("0 is waited for"));
  EXPECT_THAT((*run)->run().error().sentence, HasSubstr("given up"));
}

TEST_F(Groups, AreGivenUpWhenTheyDoNotEndInTime) {
  auto group = standInGpus(state, 2, std::chrono::milliseconds(20));
  ASSERT_TRUE(group);
  const auto run = (*group)->timed({.name = "the ring",
                                    .parts = {share(1, launching()), share(0, launching())},
                                    .end = GroupEnd::AllFinished});
  ASSERT_TRUE(run);
  state->neverEnds[0] = true;
  const auto outcome = (*run)->run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::Limit);
  EXPECT_THAT(outcome.error().sentence, HasSubstr("the ring did not end on 1 of 2 GPUs within 0.02 s"));
  EXPECT_FALSE((*group)->isUsable());
}

TEST_F(Groups, HaveLinksInBothDirectionsOfEachPair) {
  auto group = standInGpus(state, 3);
  ASSERT_TRUE(group);
  engine::JobControl job;
  const auto links = measureLinks(**group, job);
  ASSERT_TRUE(links) << links.error().sentence;
  ASSERT_EQ(links->size(), 6u);
  EXPECT_EQ(links->front().from, 0u);
  EXPECT_EQ(links->front().to, 1u);
  EXPECT_EQ(links->back().from, 2u);
  EXPECT_EQ(links->back().to, 1u);
  for (const model::GpuLink& link : *links) {
    EXPECT_NEAR(link.messageNanoseconds, 1000, 0.5);  // half of there and back, as the stand-in tells it
    // An eighth of 16 MiB in the 2 microseconds that each run of the stand-in takes.
    EXPECT_NEAR(link.copyGigabytesPerSecond, double(1 << 21) / 2e3, 1);
    EXPECT_NEAR(link.loadGigabytesPerSecond, double(1 << 21) / 2e3, 1);
  }
}

}  // namespace
}  // namespace stridescope::measure::gpu
