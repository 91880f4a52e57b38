// Who meets at barriers of a part of the block, of logs that are written by hand.
#include <gtest/gtest.h>

#include "engine/access/gpu/access_log.h"

namespace stridescope::engine::access::gpu {
namespace {

using patched::Entry;
using patched::EntryKind;

// Barrier `number`, which waits for `waitsFor` threads.
void come(LoggedBlock& log, unsigned first, unsigned last, std::uint64_t number, unsigned waitsFor) {
  for (unsigned thread = first; thread <= last; ++thread) {
    Entry entry;
    entry.kind = EntryKind::PartBarrier;
    entry.pc = 100 + number;
    entry.thread = thread;
    entry.address = number;
    entry.value = waitsFor;
    log.entries.push_back(entry);
  }
}

std::vector<model::PartMeeting> meetingsOf(const LoggedBlock& log) {
  Instructions instructions;
  model::BlockTrace block;
  readLog(log, instructions, block);
  return block.meetings;
}

TEST(PartMeetings, AreThoseOfAsManyThreadsAsTheBarrierWaitsFor) {
  LoggedBlock log{.threads = 128};
  come(log, 0, 31, 1, 64);
  come(log, 64, 127, 2, 64);  // complete before the other barrier
  come(log, 32, 63, 1, 64);
  come(log, 0, 63, 1, 64);  // the same barrier again
  const auto meetings = meetingsOf(log);
  ASSERT_EQ(meetings.size(), 3u * 64);
  EXPECT_EQ(meetings[0], (model::PartMeeting{0, 0, 1}));
  EXPECT_EQ(meetings[1], (model::PartMeeting{0, 0, 2}));
  EXPECT_EQ(meetings[2 * 32], (model::PartMeeting{32, 0, 1})) << "behind those of 32 threads";
  EXPECT_EQ(meetings[2 * 64], (model::PartMeeting{64, 0, 0}));
}

// The last warp counts as a whole: CUDA rounds the number of threads up to whole warps.
TEST(PartMeetings, TheLastWarpMayHaveFewerThreads) {
  LoggedBlock log{.threads = 40};
  come(log, 0, 39, 1, 64);
  EXPECT_EQ(meetingsOf(log).size(), 40u);
}

TEST(PartMeetings, ThatNeverCameTogetherAreNone) {
  LoggedBlock log{.threads = 128};
  come(log, 0, 31, 1, 64);
  EXPECT_TRUE(meetingsOf(log).empty());
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
