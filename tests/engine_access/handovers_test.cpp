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
    return handovers_.meetings(first);
  }

 private:
  Handovers::Moment now(unsigned thread) const { return {thread, events_[thread]}; }
  void operate(unsigned thread, const Handovers::Operation& operation) {
    ++events_[thread];
    handovers_.operate(operation, now(thread));
  }
  Handovers handovers_;
  std::vector<std::uint32_t> events_ = std::vector<std::uint32_t>(4);
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
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 2, MeetingPart::Arrives},
                                    {1, 2, 1, MeetingPart::Arrives},
                                    {2, 2, 0, MeetingPart::Arrives},
                                    {3, 1, 0, MeetingPart::Waits},
                                    {3, 1, 1, MeetingPart::Waits},
                                    {3, 1, 2, MeetingPart::Waits}}));
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

TEST(Handovers, OperationsMayHaveTheirOrderThemselves) {
  Threads t;
  t.access(0), t.store(0, true), t.load(1, true);
  EXPECT_EQ(t.meetings(), (Meetings{{0, 2, 0, MeetingPart::Arrives}, {1, 1, 0, MeetingPart::Waits}}));
}

}  // namespace
}  // namespace stridescope::engine::access
