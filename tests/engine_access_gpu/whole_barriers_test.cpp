// Barriers in shared memory of logs that are written by hand.
#include "engine/access/gpu/whole_barriers.h"

#include <gtest/gtest.h>

namespace stridescope::engine::access::gpu {
namespace {

using patched::BarrierAct;
using patched::Entry;
using patched::EntryKind;

Entry at(std::uint64_t barrier, unsigned thread, BarrierAct act) {
  Entry entry;
  entry.kind = EntryKind::Arrival;
  entry.address = barrier;
  entry.thread = thread;
  entry.value = std::uint64_t(act);
  return entry;
}

TEST(WholeBarriers, WhereAllThreadsArriveIsABlockBarrier) {
  WrittenBlock block{.entries = {at(1280, 0, BarrierAct::Init), at(1280, 0, BarrierAct::Arrive),
                                 at(1280, 1, BarrierAct::Arrive), at(1280, 0, BarrierAct::Wait),
                                 at(1280, 1, BarrierAct::Wait)},
                     .copies = {{1}, {2}},
                     .copiedAt = {1280, 0}};
  meetAtWholeBarriers(block, 2);
  ASSERT_EQ(block.entries.size(), 2u);
  EXPECT_EQ(block.entries[0].kind, EntryKind::BlockBarrier);
  EXPECT_EQ(block.entries[1].kind, EntryKind::BlockBarrier);
  EXPECT_EQ(block.copies.size(), 2u);
}

TEST(WholeBarriers, WhereOneThreadArrivesForAllIsNone) {
  WrittenBlock block{.entries = {at(1280, 0, BarrierAct::Arrive), at(1280, 0, BarrierAct::Wait),
                                 at(1280, 1, BarrierAct::Wait)},
                     .copies = {{1}, {2}, {3}},
                     .copiedAt = {0, 1280, 0}};
  meetAtWholeBarriers(block, 2);
  EXPECT_EQ(block.entries.size(), 3u);
  EXPECT_EQ(block.entries[0].kind, EntryKind::Arrival);
  EXPECT_EQ(block.copies, (std::vector<std::vector<std::uint8_t>>{{1}, {3}}));
}

TEST(WholeBarriers, ThreadsThatArriveAnotherNumberOfTimesDoNotMeet) {
  WrittenBlock block{.entries = {at(1280, 0, BarrierAct::Arrive), at(1280, 0, BarrierAct::Arrive),
                                 at(1280, 1, BarrierAct::Arrive)}};
  meetAtWholeBarriers(block, 2);
  EXPECT_EQ(block.entries[0].kind, EntryKind::Arrival);
}

// Who brings data arrives and goes on; who takes them waits.
TEST(WholeBarriers, WhereSomeOnlyArriveIsNone) {
  WrittenBlock block{.entries = {at(1280, 0, BarrierAct::Arrive), at(1280, 1, BarrierAct::Arrive),
                                 at(1280, 1, BarrierAct::Wait)}};
  meetAtWholeBarriers(block, 2);
  ASSERT_EQ(block.entries.size(), 3u);
  for (const Entry& entry : block.entries) EXPECT_EQ(entry.kind, EntryKind::Arrival);
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
