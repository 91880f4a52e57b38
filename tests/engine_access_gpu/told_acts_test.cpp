// Two logs written by hand, of a run that was recorded and of one that tells, become one.
#include "engine/access/gpu/told_acts.h"

#include <gtest/gtest.h>

#include <map>

#include "engine/access/gpu/access_log.h"
#include "recording/event.h"

namespace stridescope::engine::access::gpu {
namespace {

using patched::Entry;
using patched::EntryKind;
using recording::EventKind;

// The line of an instruction is a tenth of its place.
const LineOf kLineOf = [](std::uint64_t pc) { return int(pc / 10); };

Entry made(EntryKind kind, std::uint64_t pc, unsigned thread, std::uint64_t value = 0) {
  Entry entry;
  entry.kind = kind;
  entry.pc = pc;
  entry.thread = thread;
  entry.value = value;
  entry.together = 0b11;
  return entry;
}
Entry globalLoad(std::uint64_t pc, unsigned thread, std::uint64_t address) {
  Entry entry = made(EntryKind::Global, pc, thread);
  entry.address = address;
  entry.bytes = 4;
  entry.access = patched::kReads;
  return entry;
}
Entry blockBarrier(std::uint64_t pc, unsigned thread) { return made(EntryKind::BlockBarrier, pc, thread); }
Entry shuffle(std::uint64_t pc, unsigned thread) { return made(EntryKind::Shuffle, pc, thread); }
Entry condition(unsigned number, unsigned thread, bool met) {
  return made(EntryKind::Condition, 7, thread, number << 1 | (met ? 1 : 0));
}
Entry given(unsigned thread, std::uint64_t value, unsigned lane, unsigned bytes,
            patched::ToldExchange how = patched::ToldExchange::Shuffle) {
  Entry entry = made(EntryKind::Given, 8, thread, value);
  entry.upper = 0xffffffff | std::uint64_t(lane | bytes << 8 | unsigned(how) << 16) << 32;
  return entry;
}
Entry received(unsigned thread, std::uint64_t value) { return made(EntryKind::Received, 53, thread, value); }

using Entries = std::vector<Entry>;

std::optional<Entries> together(const Entries& recorded, const Entries& telling, unsigned threads = 2,
                                const std::vector<ToldCondition>& conditions = {}) {
  return withTold({recorded, kLineOf}, {telling, kLineOf}, threads, conditions);
}

// The kinds of a thread's entries.
std::vector<EntryKind> kindsOf(const Entries& entries, unsigned thread) {
  std::vector<EntryKind> kinds;
  for (const Entry& entry : entries)
    if (entry.thread == thread) kinds.push_back(entry.kind);
  return kinds;
}

using Kinds = std::vector<EntryKind>;
using enum EntryKind;

TEST(ToldActs, AConditionStandsBetweenTheSameBarriersBeforeTheAccesses) {
  const Entries recorded{globalLoad(100, 0, 4), globalLoad(200, 0, 8), blockBarrier(300, 0),
                         globalLoad(400, 0, 4)};
  // The code that tells loads what the other kept, and its instructions lie elsewhere.
  const Entries telling{globalLoad(105, 0, 4),  condition(0, 0, true),  globalLoad(205, 0, 8),
                        globalLoad(255, 0, 12), condition(1, 0, false), blockBarrier(305, 0),
                        globalLoad(405, 0, 4),  condition(2, 0, true)};
  const auto all = together(recorded, telling, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(kindsOf(*all, 0), (Kinds{Condition, Condition, Global, Global, BlockBarrier, Condition, Global}));
  EXPECT_EQ((*all)[0].pc, kConditionMark | 0);
  EXPECT_EQ((*all)[0].value, 1u);
  EXPECT_EQ((*all)[1].pc, kConditionMark | 1);
  EXPECT_EQ((*all)[1].value, 0u);
}

TEST(ToldActs, AShuffleHasItsLanesMaskAndValues) {
  const Entries recorded{shuffle(100, 0), shuffle(100, 1)};
  const Entries telling{given(0, 5, 1, 4), given(1, 6, 1, 4), shuffle(900, 0),
                        shuffle(900, 1),   received(0, 6),    received(1, 6)};
  const auto all = together(recorded, telling);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->size(), 2u);
  const Entry& told = (*all)[0];
  EXPECT_EQ(told.kind, Exchange);
  EXPECT_EQ(told.pc, 100u);
  EXPECT_EQ(told.address, 0xffffffffull | 1ull << 32);
  EXPECT_EQ(told.value, 6u);
  EXPECT_EQ(told.upper, 5u);
  EXPECT_EQ(told.bytes, 4);
}

TEST(ToldActs, EightBytesAreOneShuffleOfTwoInstructions) {
  const Entries recorded{shuffle(100, 0), shuffle(116, 0), shuffle(200, 0)};
  const Entries telling{given(0, 1, 3, 8), shuffle(900, 0), shuffle(916, 0), received(0, 2),
                        given(0, 4, 3, 4), shuffle(990, 0), received(0, 5)};
  const auto all = together(recorded, telling, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(kindsOf(*all, 0), (Kinds{Exchange, Exchange}));
  EXPECT_EQ((*all)[0].bytes, 8);
  EXPECT_EQ((*all)[1].pc, 200u);
}

TEST(ToldActs, AShuffleMayComeBeforeWhatTellsOfIt) {
  const Entries recorded{shuffle(100, 0), globalLoad(120, 0, 4), shuffle(200, 0)};
  const Entries telling{shuffle(900, 0),   shuffle(910, 0),       given(0, 1, 3, 4),     received(0, 2),
                        given(0, 3, 3, 4), globalLoad(125, 0, 4), condition(0, 0, true), received(0, 4)};
  const auto all = together(recorded, telling, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(kindsOf(*all, 0), (Kinds{Exchange, Condition, Global, Exchange}));
  EXPECT_EQ((*all)[0].value, 2u);
  EXPECT_EQ((*all)[3].value, 4u);
}

TEST(ToldActs, WhereAShuffleTellsNothingNoneHasValues) {
  const Entries recorded{shuffle(100, 0), shuffle(200, 0), shuffle(100, 1), shuffle(200, 1)};
  const Entries telling{given(0, 1, 3, 4), shuffle(900, 0), received(0, 2), shuffle(990, 0),
                        given(1, 1, 3, 4), shuffle(900, 1), received(1, 2), given(1, 1, 3, 4),
                        shuffle(990, 1),   received(1, 2)};
  const auto all = together(recorded, telling);
  ASSERT_TRUE(all);
  EXPECT_EQ(kindsOf(*all, 0), (Kinds{Shuffle, Shuffle}));
  EXPECT_EQ(kindsOf(*all, 1), (Kinds{Shuffle, Shuffle}));
}

// `together` of a thread's entries.
std::vector<std::uint32_t> placesOf(const Entries& entries, unsigned thread) {
  std::vector<std::uint32_t> places;
  for (const Entry& entry : entries)
    if (entry.thread == thread) places.push_back(entry.together);
  return places;
}

// Condition 0 is that of a loop; 1 stands in it. Lane 0 makes two passes, lane 1 one.
TEST(ToldActs, LanesInOnePassOfALoopAreTogether) {
  const Entries telling{condition(0, 0, true), condition(1, 0, false), condition(0, 0, true),
                        condition(1, 0, true), condition(0, 0, false), condition(0, 1, true),
                        condition(1, 1, true), condition(0, 1, false)};
  const auto all = together({}, telling, 2, {{true, -1}, {false, 0}});
  ASSERT_TRUE(all);
  const auto first = placesOf(*all, 0), second = placesOf(*all, 1);
  ASSERT_EQ(first.size(), 5u);
  ASSERT_EQ(second.size(), 3u);
  EXPECT_EQ(first[0], second[0]);
  EXPECT_EQ(first[1], second[1]) << "the condition in the first pass";
  EXPECT_EQ(first[2], second[2]) << "lane 0 goes on where lane 1 leaves";
  EXPECT_NE(first[3], first[1]) << "another pass";
  EXPECT_NE(first[4], first[2]);
}

// Condition 0 is that of the outer loop, 1 of the inner one, which makes one pass of lane 0 at first and two
// of lane 1.
TEST(ToldActs, AnInnerLoopBeginsAnewInEachPassOfTheOuterOne) {
  const Entries telling{condition(0, 0, true), condition(1, 0, true), condition(1, 0, false),
                        condition(0, 0, true), condition(1, 0, true), condition(0, 1, true),
                        condition(1, 1, true), condition(1, 1, true), condition(1, 1, false),
                        condition(0, 1, true), condition(1, 1, false)};
  const auto all = together({}, telling, 2, {{true, -1}, {true, 0}});
  ASSERT_TRUE(all);
  const auto first = placesOf(*all, 0), second = placesOf(*all, 1);
  EXPECT_EQ(first[2], second[2]);
  EXPECT_EQ(first[3], second[4]) << "the outer loop's second pass";
  EXPECT_EQ(first[4], second[5]) << "the inner loop's first condition in it";
}

TEST(ToldActs, AVoteHasNoInstructionOfTheRecordedRun) {
  const Entries recorded{globalLoad(100, 0, 4), blockBarrier(300, 0)};
  const Entries telling{globalLoad(105, 0, 4), given(0, 1, 0, 4, patched::ToldExchange::Vote),
                        received(0, 0xff), blockBarrier(305, 0)};
  const auto all = together(recorded, telling, 1);
  ASSERT_TRUE(all);
  EXPECT_EQ(kindsOf(*all, 0), (Kinds{Global, Exchange, BlockBarrier}));
  EXPECT_EQ((*all)[1].pc, kTellingMark | 53);
}

TEST(ToldActs, OfARunThatCameToOtherBarriersNothingIsTold) {
  EXPECT_FALSE(together({blockBarrier(300, 0)}, {condition(0, 0, true)}, 1));
  EXPECT_FALSE(together({}, {blockBarrier(300, 0)}, 1));
  EXPECT_FALSE(together({blockBarrier(300, 0)}, {shuffle(300, 0)}, 1));
}

// In a loop, `if (...)` in which another condition stands: of three lanes one goes there in the first pass,
// and another in the second. As events, what they come to together is one operation.
TEST(ToldActs, LanesThatComeToAConditionTogetherExecuteItTogether) {
  Entries recorded, telling;
  for (const unsigned lane : {0u, 1u, 2u}) recorded.push_back(blockBarrier(300, lane));
  for (const unsigned lane : {2u, 1u, 0u}) {
    telling.push_back(condition(0, lane, true));
    telling.push_back(condition(1, lane, lane == 1));
    if (lane == 1) telling.push_back(condition(2, lane, true));
    telling.push_back(condition(0, lane, true));
    telling.push_back(condition(1, lane, lane == 0));
    if (lane == 0) telling.push_back(condition(2, lane, false));
    telling.push_back(condition(0, lane, false));
    telling.push_back(blockBarrier(305, lane));
  }
  const auto all = together(recorded, telling, 3, {{true, -1}, {false, 0}, {false, 0}});
  ASSERT_TRUE(all);
  Instructions instructions;
  model::BlockTrace block;
  readLog({.threads = 3, .entries = *all}, instructions, block);
  ASSERT_EQ(block.events.size(), 20u);
  // By instruction: how many lanes are in it, and how many of them met the condition.
  std::map<std::uint32_t, std::pair<int, int>> lanes;
  for (std::size_t thread = 0; thread < 3; ++thread)
    for (std::uint32_t e = block.first[thread]; e < block.first[thread + 1]; ++e) {
      if (e > block.first[thread]) {
        EXPECT_GT(block.issues[e], block.issues[e - 1]);
      }
      if (block.events[e].kind() != EventKind::Branch) continue;
      ++lanes[block.issues[e]].first;
      lanes[block.issues[e]].second += int(block.events[e].value);
    }
  std::vector<std::pair<int, int>> seen;
  for (const auto& [issue, counted] : lanes) seen.push_back(counted);
  EXPECT_EQ(seen, (std::vector<std::pair<int, int>>{{3, 3}, {3, 1}, {1, 1}, {3, 3}, {3, 1}, {1, 0}, {3, 0}}));
}

// Condition 0 stands in a function that is called three times.
TEST(ToldActs, EachCallOfAFunctionHasItsOwnConditions) {
  const Entries telling{condition(0, 0, true),  condition(0, 0, false), condition(0, 0, true),
                        condition(0, 1, false), condition(0, 1, true),  condition(0, 1, true)};
  const auto all = together({}, telling, 2, {{false, -1}});
  ASSERT_TRUE(all);
  EXPECT_EQ(placesOf(*all, 0), placesOf(*all, 1));
}

TEST(ToldActs, AnExchangeIsTheTwoEventsOfAShuffle) {
  const Entries recorded{shuffle(100, 0)};
  const Entries telling{given(0, 5, 16, 4), shuffle(900, 0), received(0, 6)};
  Instructions instructions;
  model::BlockTrace block;
  readLog({.threads = 1, .entries = *together(recorded, telling, 1)}, instructions, block);
  ASSERT_EQ(block.events.size(), 2u);
  EXPECT_EQ(block.events[0].kind(), EventKind::Give);
  EXPECT_EQ(block.events[0].value, 5u);
  EXPECT_EQ(block.events[1].kind(), EventKind::Shuffle);
  EXPECT_EQ(block.events[1].value, 6u);
  EXPECT_EQ(block.events[1].sourceLane(), 16u);
  EXPECT_EQ(block.events[1].laneMask(), 0xffffffffu);
  EXPECT_EQ(block.events[1].width(), 4u);
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
