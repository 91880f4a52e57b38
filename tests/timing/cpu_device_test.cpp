// The CPU's peers against an independent loop, in every type and operator.
#include "timing/cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "timing/cpu/cpu_inputs.h"
#include "timing/timing_board.h"
#include "timing/timing_data.h"

namespace stridescope {
namespace {

std::vector<TimingSubject> cpuPeers() {
  std::vector<TimingSubject> peers = peerSubjects(ElementType::Int, Operator::Add);
  std::erase_if(peers, [](const TimingSubject& peer) { return peer.kind != SubjectKind::CpuPeer; });
  return peers;
}

TEST(CpuDevice, ReducesEveryTypeAndOperatorRight) {
  const auto device = makeCpuTimingDevice().value();
  const auto peers = cpuPeers();
  ASSERT_EQ(peers.size(), 3u);
  JobControl job;
  for (const ElementType type : kElementTypes)
    for (const Operator op : kOperators) {
      if (!isOffered(type, op)) continue;
      for (const std::uint64_t n : std::vector<std::uint64_t>{1, 31, 100'003}) {
        const auto prepared =
            device->prepare({.type = type, .op = op, .elements = n, .warmL2 = true}, peers, job);
        ASSERT_TRUE(prepared) << prepared.error().sentence;
        for (std::size_t i = 0; i < peers.size(); ++i) {
          ASSERT_EQ((*prepared)[i].unavailable, "") << peers[i].id;
          const auto timed = device->sample(i, job);
          ASSERT_TRUE(timed);
          EXPECT_EQ(timed->resultBits, expectedResult(type, op, n))
              << peers[i].id << " " << nameOf(type) << " " << nameOf(op) << " " << n;
          EXPECT_GT(timed->microseconds, 0);
        }
      }
    }
}

TEST(CpuDevice, NamesTheMachine) {
  const auto device = makeCpuTimingDevice().value();
  EXPECT_EQ(device->facts().executor.kind, EngineKind::Host);
  EXPECT_THAT(device->facts().executor.device, testing::ContainsRegex("thread"));
}

TEST(CpuDevice, SaysWhereTheMemoryEnds) {
  const auto device = makeCpuTimingDevice().value();
  JobControl job;
  const auto prepared = device->prepare({.elements = 1ull << 45}, cpuPeers(), job);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().kind, ErrorKind::Usage);
  EXPECT_THAT(prepared.error().sentence, testing::HasSubstr("2^45 elements"));
}

TEST(CpuInputs, RotateUnlessTheCacheShallBeWarm) {
  CpuInputs inputs;
  ASSERT_TRUE(inputs.fill({.elements = 1024}));
  const auto* first = inputs.next();
  EXPECT_NE(inputs.next(), first);
  ASSERT_TRUE(inputs.fill({.elements = 1024, .warmL2 = true}));
  first = inputs.next();
  EXPECT_EQ(inputs.next(), first);
}

}  // namespace
}  // namespace stridescope
