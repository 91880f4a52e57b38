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

// ---- Barriers in shared memory.

using model::MeetingPart;
using patched::BarrierAct;

void act(LoggedBlock& log, unsigned thread, BarrierAct what, std::uint64_t count = 0) {
  Entry entry;
  entry.kind = EntryKind::Arrival;
  entry.thread = thread;
  entry.address = 1280;
  entry.value = std::uint64_t(what);
  entry.upper = count;
  log.entries.push_back(entry);
}
void barrierOf(LoggedBlock& log, unsigned thread) {
  Entry entry;
  entry.kind = EntryKind::WarpBarrier;
  entry.thread = thread;
  log.entries.push_back(entry);
}

TEST(BarriersInMemory, AnArrivalAndAWaitAreTwoActsOfOneMeeting) {
  LoggedBlock log{.threads = 3};
  act(log, 0, BarrierAct::Init, 2);
  act(log, 0, BarrierAct::Arrive, 1);
  act(log, 2, BarrierAct::Wait);
  act(log, 2, BarrierAct::Wait);  // asks again
  barrierOf(log, 1);
  act(log, 1, BarrierAct::Arrive, 1);
  act(log, 2, BarrierAct::Wait);
  barrierOf(log, 2);
  EXPECT_EQ(meetingsOf(log), (std::vector<model::PartMeeting>{{0, 0, 0, MeetingPart::Arrives},
                                                              {1, 1, 0, MeetingPart::Arrives},
                                                              {2, 0, 0, MeetingPart::Waits}}));
}

// Whoever fills again has not been waited for: the k-th wait is for the k-th phase.
TEST(BarriersInMemory, AWaitIsForThePhaseThatIsNext) {
  LoggedBlock log{.threads = 2};
  act(log, 0, BarrierAct::Init, 1);
  act(log, 0, BarrierAct::Arrive, 1);
  act(log, 0, BarrierAct::Arrive, 1);
  for (int k = 0; k < 2; ++k) {
    act(log, 1, BarrierAct::Wait);
    barrierOf(log, 1);
  }
  EXPECT_EQ(meetingsOf(log), (std::vector<model::PartMeeting>{{0, 0, 0, MeetingPart::Arrives},
                                                              {0, 0, 1, MeetingPart::Arrives},
                                                              {1, 0, 0, MeetingPart::Waits},
                                                              {1, 1, 1, MeetingPart::Waits}}));
}

// A thread that arrived waits for the phase in which it did.
TEST(BarriersInMemory, WhoArrivesWaitsForThatPhase) {
  LoggedBlock log{.threads = 2};
  act(log, 0, BarrierAct::Init, 2);
  for (unsigned k = 0; k < 2; ++k)
    for (const unsigned thread : {0u, 1u}) act(log, thread, BarrierAct::Arrive, 1);
  act(log, 0, BarrierAct::Wait);
  const auto meetings = meetingsOf(log);
  ASSERT_EQ(meetings.size(), 5u);
  EXPECT_EQ(meetings[2], (model::PartMeeting{0, 0, 1, MeetingPart::Waits}));
}

// The wait for the phase before the first one ends at once.
TEST(BarriersInMemory, AWaitBeforeAnyArrivalOrdersNothing) {
  LoggedBlock log{.threads = 2};
  act(log, 0, BarrierAct::Init, 1);
  act(log, 0, BarrierAct::Wait);
  barrierOf(log, 0);
  act(log, 1, BarrierAct::Arrive, 1);
  act(log, 0, BarrierAct::Wait);
  EXPECT_EQ(meetingsOf(log), (std::vector<model::PartMeeting>{{0, 1, 0, MeetingPart::Waits},
                                                              {1, 0, 0, MeetingPart::Arrives}}));
}

// Where nothing says how many it waits for, those that arrive equally often arrive together.
TEST(BarriersInMemory, HowManyArriveIsFoundOut) {
  LoggedBlock log{.threads = 3};
  act(log, 0, BarrierAct::Init);
  for (const unsigned thread : {0u, 1u, 1u, 0u}) act(log, thread, BarrierAct::Arrive);
  act(log, 2, BarrierAct::Wait);
  auto meetings = meetingsOf(log);
  ASSERT_EQ(meetings.size(), 5u);
  EXPECT_EQ(meetings[1].meeting, 1u);
  EXPECT_EQ(meetings[4], (model::PartMeeting{2, 0, 0, MeetingPart::Waits}));
  act(log, 0, BarrierAct::Arrive);
  EXPECT_TRUE(meetingsOf(log).empty()) << "thread 1 arrived less often";
}

TEST(BarriersInMemory, WhoDropsOutIsNotWaitedForAgain) {
  LoggedBlock log{.threads = 3};
  act(log, 0, BarrierAct::Init, 2);
  act(log, 0, BarrierAct::ArriveAndDrop, 1);
  act(log, 1, BarrierAct::Arrive, 1);
  act(log, 1, BarrierAct::Arrive, 1);
  const auto meetings = meetingsOf(log);
  ASSERT_EQ(meetings.size(), 3u);
  EXPECT_EQ(meetings[2], (model::PartMeeting{1, 0, 1, MeetingPart::Arrives}));
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
