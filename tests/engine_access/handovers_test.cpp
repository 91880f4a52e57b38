// What threads hand over to one another by words of memory: who arrives behind which of its events, and who
// waits there behind which of its own.
#include "engine/access/handovers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stridescope::engine::access {
namespace {

using model::MeetingPart;
using Meetings = std::vector<model::PartMeeting>;

constexpr std::uint64_t kWord = 64, kOther = 68;

// Each thread makes an event by each operation, and by each access.
class Threads {
 public:
  void access(unsigned thread) { ++events_[thread]; }
  void fence(unsigned thread) { handovers_.fence(true, true, now(thread)); }
  void update(unsigned thread, std::uint64_t word = kWord) { operate(thread, {word, true, true}); }
  void load(unsigned thread, bool acquires = false) {
    operate(thread, {.address = kWord, .reads = true, .acquires = acquires});
  }
  void store(unsigned thread, bool releases = false) {
    operate(thread, {.address = kWord, .writes = true, .releases = releases});
  }
  void overwrite() { handovers_.overwrite(kWord); }
  // No event is of such a word: it is a variable outside of functions.
  void unseen(unsigned thread, Handovers::Operation operation) {
    operation.isEvent = false;
    handovers_.operate(operation, now(thread));
  }
  // The thread looks at the same place again, and so many of its events are gone.
  void takeBack(unsigned thread, std::uint32_t events) {
    events_[thread] -= events;
    handovers_.takeBack(now(thread));
  }
  // Takes, adds to a sum, and gives back.
  void lock(unsigned thread) {
    update(thread);
    fence(thread);
    access(thread);
    fence(thread);
    update(thread);
  }
  Meetings meetings() const {
    std::vector<std::uint32_t> first{0};
    for (const std::uint32_t events : events_) first.push_back(first.back() + events);
    return handovers_.handedOver().meetings(first);
  }
  bool isCut() const { return handovers_.handedOver().isCut; }

 private:
  Handovers::Moment now(unsigned thread) const { return {thread, events_[thread]}; }
  void operate(unsigned thread, const Handovers::Operation& operation) {
    ++events_[thread];
    handovers_.operate(operation, now(thread));
  }
  Handovers handovers_;
  std::vector<std::uint32_t> events_ = std::vector<std::uint32_t>(1024);
};

TEST(Handovers, GoFromTheFenceBeforeAWriteToTheFenceBehindWhoFindsIt) {
  Threads t;
  t.access(0), t.fence(0), t.access(0), t.update(0);
  t.access(1), t.update(1), t.access(1), t.fence(1);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 1, 0, MeetingPart::Arrives}, {1, 3, 0, MeetingPart::Waits}}))
      << "what the first one does behind its fence is not handed over";
}

TEST(Handovers, TakeAFenceOnBothSides) {
  Threads without, behind;
  without.access(0), without.update(0), without.update(1), without.fence(1);
  EXPECT_THAT(without.meetings(), testing::IsEmpty()) << "nothing is released";
  behind.access(0), behind.fence(0), behind.update(0), behind.update(1), behind.access(1);
  EXPECT_THAT(behind.meetings(), testing::IsEmpty()) << "nothing is acquired";
}

TEST(Handovers, TakeThatTheWriteIsFound) {
  Threads other, earlier, over;
  other.access(0), other.fence(0), other.update(0), other.update(1, kOther), other.fence(1);
  EXPECT_THAT(other.meetings(), testing::IsEmpty()) << "of another word";
  earlier.update(1), earlier.fence(0), earlier.update(0), earlier.fence(1);
  EXPECT_THAT(earlier.meetings(), testing::IsEmpty()) << "it was looked at before";
  over.fence(0), over.update(0), over.overwrite(), over.load(1), over.fence(1);
  EXPECT_THAT(over.meetings(), testing::IsEmpty()) << "a plain store came between";
  Threads again;
  again.fence(0), again.update(0), again.store(2), again.load(1), again.fence(1);
  EXPECT_THAT(again.meetings(), testing::IsEmpty()) << "another thread's store, without a fence";
}

// Others' atomic operations in between make something of what was written.
TEST(Handovers, GoThroughUpdatesOfOthers) {
  Threads t;
  t.access(0), t.fence(0), t.update(0);
  t.update(2);
  t.load(1), t.fence(1);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 0, MeetingPart::Arrives}, {1, 1, 0, MeetingPart::Waits}}))
      << "the write stands right behind its fence";
}

// The last one of a counter finds what all others did.
TEST(Handovers, OfAllThatCameBeforeAreAcquired) {
  Threads t;
  for (const unsigned thread : {0u, 1u, 2u}) t.access(thread), t.fence(thread), t.update(thread);
  t.update(3), t.fence(3);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 0, MeetingPart::Arrives},
                                    {1, 2, 0, MeetingPart::Arrives},
                                    {2, 2, 0, MeetingPart::Arrives},
                                    {3, 1, 0, MeetingPart::Waits}}));
}

// All wait until a counter has counted them: one meeting each time, in which each arrives and waits.
TEST(Handovers, OfABarrierByACounterAreFew) {
  Threads t;
  for (unsigned time = 0; time < 4; ++time) {
    for (unsigned thread = 0; thread < 1024; ++thread) t.fence(thread), t.update(thread);
    for (unsigned thread = 0; thread < 1024; ++thread) t.load(thread), t.fence(thread);
  }
  EXPECT_FALSE(t.isCut());
  EXPECT_EQ(t.meetings().size(), 4u * 2 * 1024);
}

// Each thread acquires what all before it released, which are others each time.
TEST(Handovers, OfWhichThereAreTooManyAreCut) {
  Threads t;
  for (unsigned time = 0; time < 2; ++time)
    for (unsigned thread = 0; thread < 1024; ++thread) t.fence(thread), t.update(thread), t.fence(thread);
  EXPECT_TRUE(t.isCut());
  EXPECT_THAT(t.meetings(), testing::IsEmpty());
}

// Each thread hands over what it was given itself, so that nobody waits for more than one: 1024 threads that
// take a lock in turns meet 1023 times.
TEST(Handovers, OfALockGoFromThreadToThread) {
  Threads t;
  for (const unsigned thread : {0u, 1u, 2u, 0u}) t.lock(thread);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 3, 0, MeetingPart::Arrives},
                                    {0, 4, 2, MeetingPart::Waits},
                                    {1, 1, 0, MeetingPart::Waits},
                                    {1, 3, 1, MeetingPart::Arrives},
                                    {2, 1, 1, MeetingPart::Waits},
                                    {2, 3, 2, MeetingPart::Arrives}}));
}

// What a thread acquires behind its release is not handed over by it, though no event stands between.
TEST(Handovers, StandInTheOrderInWhichTheThreadMadeThem) {
  Threads t;
  t.access(2), t.unseen(2, {.address = kOther, .writes = true, .releases = true});
  t.access(0), t.unseen(0, {.address = kWord, .writes = true, .releases = true});
  t.unseen(0, {.address = kOther, .reads = true, .acquires = true});
  t.access(1), t.unseen(1, {.address = kWord, .reads = true, .acquires = true});
  EXPECT_EQ(t.meetings(), (Meetings{{0, 1, 1, MeetingPart::Arrives},
                                    {0, 1, 0, MeetingPart::Waits},
                                    {1, 1, 1, MeetingPart::Waits},
                                    {2, 1, 0, MeetingPart::Arrives}}));
}

// Nor does a fence release what was acquired behind it.
TEST(Handovers, OfAFenceAreWhatCameBeforeIt) {
  Threads t;
  t.access(2), t.unseen(2, {.address = kOther, .writes = true, .releases = true});
  t.access(0), t.fence(0), t.unseen(0, {.address = kOther, .reads = true, .acquires = true});
  t.unseen(0, {.address = kWord, .writes = true});
  t.access(1), t.unseen(1, {.address = kWord, .reads = true, .acquires = true});
  const Meetings all = t.meetings();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].part, MeetingPart::Arrives) << "thread 0's release is of its fence";
  EXPECT_EQ(all[1].part, MeetingPart::Waits);
}

// A loop waits with a fence in it: look, branch, fence. What stands behind the loop is behind the fence.
TEST(Handovers, OfALoopThatWaitsStandBehindItsLastLook) {
  Threads t;
  t.access(0);
  t.load(0), t.access(0), t.access(0), t.fence(0), t.takeBack(0, 3);
  t.load(0), t.access(0);
  t.access(0), t.store(0), t.load(1, true);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 1, 0, MeetingPart::Arrives}, {1, 1, 0, MeetingPart::Waits}}))
      << "the access before the store is not released";
}

// What the loop acquired on its way stands before what comes next.
TEST(Handovers, AreAcquiredBeforeTheLookThatEndsALoop) {
  Threads t;
  t.access(0), t.store(0, true);
  t.access(1), t.load(1), t.access(1), t.fence(1), t.takeBack(1, 2);
  t.load(1), t.access(1), t.access(1);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 0, MeetingPart::Arrives}, {1, 1, 0, MeetingPart::Waits}}));
}

TEST(Handovers, OperationsMayHaveTheirOrderThemselves) {
  Threads t;
  t.access(0), t.store(0, true), t.load(1, true);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 0, MeetingPart::Arrives}, {1, 1, 0, MeetingPart::Waits}}));
}

}  // namespace
}  // namespace stridescope::engine::access
