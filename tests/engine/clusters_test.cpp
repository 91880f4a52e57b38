// Clusters on the CPU executor: their barrier, the shared memory of their other blocks, the order in which
// their blocks run, and what cannot go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/host/launch_runner.h"
#include "recording/host/groups.h"
#include "text_kernel.h"

namespace {

ADDING_PREAMBLE(int)

namespace texts {
#include "instrumented/cluster_ring.inc"
#include "instrumented/cluster_waits.inc"
}  // namespace texts

}  // namespace

namespace stridescope::engine::host {
namespace {

using model::BlockOrder;
using testing::HasSubstr;

constexpr unsigned kBlocks = 12, kCluster = 4, kThreads = 64;
constexpr unsigned kSharedElementBytes[] = {sizeof(int)};

struct Asked {
  BlockOrder order = BlockOrder::InOrder;
  model::Schedule schedule = model::Schedule::LaneByLane;
  std::uint64_t inspected = 0;
};

template <auto kernel, class Value>
RecordedLaunch launched(const char* name, std::vector<Value>& buffer, unsigned number, const Asked& asked) {
  const auto text = instrumentText(name);
  EXPECT_TRUE(text) << text.error().reason;
  const HostKernel hostKernel{.type = model::ElementType::Int,
                              .call = recording::KernelCall<kernel>::call,
                              .sharedElementBytes = kSharedElementBytes};
  const kernels::LaunchShape shape{
      .grid = {kBlocks, 1, 1}, .block = {kThreads, 1, 1}, .cluster = kCluster, .inspected = asked.inspected};
  const std::vector<KernelArgument> arguments{
      {.name = "buffer",
       .elementBytes = sizeof(Value),
       .bytes = buffer.size() * sizeof(Value),
       .value = reinterpret_cast<std::uintptr_t>(buffer.data())},
      {.name = {}, .elementBytes = sizeof number, .value = number, .isBuffer = false}};
  recording::BlockRunner runner;
  JobControl job;
  auto launch = runLaunch(runner, {hostKernel, *text, shape, {arguments}, asked.schedule, 1, asked.order, 7},
                          {}, job, [](double) {});
  EXPECT_TRUE(launch) << launch.error().sentence;
  return *std::move(launch);
}

TEST(Clusters, WhatABlockStoresIntoAnotherOnesSharedMemoryIsThereBehindTheBarrier) {
  std::vector<int> expected;
  for (unsigned block = 0; block < kBlocks; ++block) {
    const unsigned before = block / kCluster * kCluster + (block + kCluster - 1) % kCluster;
    for (unsigned t = 0; t < 4; ++t) expected.push_back(int(10 * before + t));
  }
  for (const BlockOrder order :
       {BlockOrder::InOrder, BlockOrder::Reversed, BlockOrder::Random, BlockOrder::Interleaved})
    for (const model::Schedule schedule : {model::Schedule::LaneByLane, model::Schedule::WarpByWarp,
                                           model::Schedule::Lockstep, model::Schedule::Random})
      for (const std::uint64_t inspected : {0, 5, 11}) {
        std::vector<int> out(expected.size(), -1);
        const RecordedLaunch launch =
            launched<texts::cluster_ring>("cluster_ring", out, 0, {order, schedule, inspected});
        EXPECT_TRUE(launch.finished);
        EXPECT_THAT(launch.trace.recorded().problems, testing::IsEmpty());
        EXPECT_EQ(out, expected) << int(order) << ' ' << int(schedule) << ' ' << inspected;
        EXPECT_EQ(launch.trace.recorded().block, inspected);
        EXPECT_EQ(launch.trace.recorded().cluster, inspected / kCluster);
      }
}

TEST(Clusters, AnAccessToAnotherBlockIsToldBesideTheEvents) {
  std::vector<int> out(4 * kBlocks);
  const RecordedLaunch launch = launched<texts::cluster_ring>("cluster_ring", out, 0, {.inspected = 7});
  const model::BlockTrace& block = launch.trace.recorded();
  ASSERT_EQ(block.others.size(), 1u);
  const model::OtherAct& act = block.others[0];
  EXPECT_EQ(act.kind, "remote store");
  EXPECT_EQ(act.clusterRank, 0);
  EXPECT_EQ(act.threads, 4u);
  EXPECT_EQ(act.bytes, 16u);
  EXPECT_EQ(
      act.sentence,
      "Line 15: 4 threads store 4 bytes each in the shared memory of block 0 of the cluster, from got[0] "
      "to got[3].");
  // The copies at the barriers have what the block before stored.
  ASSERT_EQ(block.barrierCopies.size(), 2u);
  std::vector<int> got(4);
  std::copy_n(block.barrierCopies[1].begin(), 16, reinterpret_cast<std::uint8_t*>(got.data()));
  EXPECT_EQ(got, (std::vector<int>{60, 61, 62, 63}));
}

TEST(Clusters, SharedMemoryOfABlockThatMayNotHaveBegunIsNotReached) {
  std::vector<int> out(4 * kBlocks);
  const RecordedLaunch launch = launched<texts::cluster_ring>("cluster_ring", out, 1, {.inspected = 1});
  EXPECT_FALSE(launch.finished);
  ASSERT_FALSE(launch.trace.recorded().problems.empty());
  EXPECT_THAT(
      launch.trace.recorded().problems[0].text,
      HasSubstr("of its cluster, which may not have begun, or has ended. Wait at cluster.sync() before"));
}

TEST(Clusters, ABarrierThatABlockNeverReachesIsADeadlock) {
  std::vector<unsigned> word(1);
  const RecordedLaunch launch = launched<texts::cluster_waits>("cluster_waits", word, 1, {.inspected = 1});
  EXPECT_FALSE(launch.finished);
  const auto& problems = launch.trace.recorded().problems;
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(problems[0].text,
              HasSubstr("waits at the cluster's barrier for 1 block of its cluster: nobody can go on."));
}

}  // namespace
}  // namespace stridescope::engine::host
