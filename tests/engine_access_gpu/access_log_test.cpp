// Logs written by hand become the events, copies and problems that the text of the patches promises.
#include "engine/access/gpu/access_log.h"

#include <gtest/gtest.h>

#include "recording/event.h"

namespace {

using namespace stridescope;
using namespace stridescope::engine::access;
using namespace stridescope::engine::access::gpu;
using patched::Entry;
using patched::EntryKind;
using recording::EventKind;

constexpr std::uint64_t kWindow = 1024;

Entry access(EntryKind kind, std::uint64_t pc, unsigned thread, std::uint64_t address, unsigned bytes,
             patched::U8 how, std::uint64_t value = 0) {
  Entry entry;
  entry.pc = pc;
  entry.address = address;
  entry.value = value;
  entry.thread = thread;
  entry.kind = kind;
  entry.bytes = patched::U8(bytes);
  entry.access = how;
  entry.isValueKnown = 1;
  return entry;
}
Entry load(std::uint64_t pc, unsigned thread, std::uint64_t offset, std::uint64_t value = 0) {
  return access(EntryKind::Shared, pc, thread, kWindow + offset, 4, patched::kReads, value);
}
Entry store(std::uint64_t pc, unsigned thread, std::uint64_t offset, std::uint64_t value = 0) {
  return access(EntryKind::Shared, pc, thread, kWindow + offset, 4, patched::kWrites, value);
}
Entry barrier(std::uint64_t pc, unsigned thread) {
  return access(EntryKind::BlockBarrier, pc, thread, 0, 0, 0);
}

// Two arrays of 16 and 32 bytes with 16 bytes between them, one buffer, four threads.
LoggedBlock block() {
  return {.threads = 4,
          .shared = {{{.name = "low", .elementBytes = 4, .bytes = 16}, kWindow},
                     {{.name = "high", .elementBytes = 8, .bytes = 32}, kWindow + 32}},
          .buffers = {{.base = 1 << 20, .bytes = 256}},
          .windowBegin = kWindow,
          .windowBytes = 64};
}

struct Read {
  model::BlockTrace block;
  Instructions instructions;
};
Read readOf(const LoggedBlock& log) {
  Read read;
  readLog(log, read.instructions, read.block);
  return read;
}

TEST(AccessLog, AnAccessLiesInTheArrayThatHasItsAddress) {
  LoggedBlock log = block();
  log.entries = {store(16, 0, 4, 7), store(16, 1, 40, 8),
                 access(EntryKind::Global, 32, 2, (1 << 20) + 12, 4, patched::kReads, 9)};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.events.size(), 3u);
  const auto& [low, high, global] =
      std::tie(read.block.events[0], read.block.events[1], read.block.events[2]);
  EXPECT_TRUE(low.inShared());
  EXPECT_EQ(low.sharedArray(), 0u);
  EXPECT_EQ(low.offset(), 4u);
  EXPECT_EQ(low.value, 7u);
  EXPECT_EQ(high.sharedArray(), 1u);
  EXPECT_EQ(high.offset(), 8u);
  EXPECT_TRUE(global.inGlobal());
  EXPECT_EQ(global.buffer(), 0u);
  EXPECT_EQ(global.offset(), 12u);
  EXPECT_EQ(global.kind(), EventKind::Load);
  // One instruction is one site, whoever executes it.
  EXPECT_EQ(low.site(), high.site());
  EXPECT_NE(low.site(), global.site());
  EXPECT_EQ(read.block.first, (std::vector<std::uint32_t>{0, 1, 2, 3, 3}));
}

// Lanes 0 and 1 execute an instruction together, then lane 0 alone, then both again: which entries are one
// execution is told by the lanes that were together, not by how often each lane came.
TEST(AccessLog, EntriesOfLanesThatWereTogetherAreOneInstruction) {
  LoggedBlock log = block();
  const auto executed = [](unsigned thread, patched::U32 together) {
    Entry entry = store(16, thread, 4 * thread);
    entry.together = together;
    return entry;
  };
  log.entries = {executed(1, 0b11), executed(0, 0b11), executed(0, 0b01), executed(0, 0b11),
                 executed(1, 0b11)};
  const Read read = readOf(log);
  EXPECT_EQ(read.block.first, (std::vector<std::uint32_t>{0, 3, 5, 5, 5}));
  EXPECT_EQ(read.block.issues, (std::vector<std::uint32_t>{0, 1, 2, 0, 2}));
}

TEST(AccessLog, WhatLiesBetweenArraysIsNoEvent) {
  LoggedBlock log = block();
  log.entries = {store(16, 0, 20)};
  EXPECT_TRUE(readOf(log).block.events.empty());
}

TEST(AccessLog, SixteenBytesAreTwoHalves) {
  LoggedBlock log = block();
  Entry wide = access(EntryKind::Shared, 16, 0, kWindow + 48, 16, patched::kWrites, 1);
  wide.upper = 2;
  log.entries = {wide};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.events.size(), 2u);
  EXPECT_TRUE(read.block.events[1].isUpperHalfOf(read.block.events[0]));
  EXPECT_EQ(read.block.events[0].value, 1u);
  EXPECT_EQ(read.block.events[1].value, 2u);
  EXPECT_EQ(read.block.issues, (std::vector<std::uint32_t>{0, 0}));
}

TEST(AccessLog, EachThreadHasItsEventsInOrder) {
  LoggedBlock log = block();
  for (const unsigned thread : {3u, 1u, 0u, 2u}) log.entries.push_back(store(16, thread, 4 * thread, thread));
  for (const unsigned thread : {2u, 0u, 3u, 1u}) log.entries.push_back(barrier(32, thread));
  for (const unsigned thread : {0u, 1u, 2u, 3u}) log.entries.push_back(load(48, thread, 4 * thread, thread));
  const Read read = readOf(log);
  for (unsigned thread = 0; thread < 4; ++thread) {
    const auto events = read.block.eventsOf(thread);
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(events[0].kind(), EventKind::Store);
    EXPECT_EQ(events[0].value, thread);
    EXPECT_EQ(events[1].kind(), EventKind::BlockBarrier);
    EXPECT_EQ(events[2].kind(), EventKind::Load);
  }
  EXPECT_TRUE(read.block.problems.empty());
}

TEST(AccessLog, AWarpBarrierRightBeforeABlockBarrierIsPartOfIt) {
  LoggedBlock log = block();
  log.entries = {access(EntryKind::WarpBarrier, 32, 0, 0xf, 0, 0), store(16, 0, 0),
                 access(EntryKind::WarpBarrier, 40, 0, 0xf, 0, 0), barrier(48, 0)};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.eventsOf(0).size(), 3u);
  EXPECT_EQ(read.block.eventsOf(0)[0].kind(), EventKind::WarpBarrier);
  EXPECT_EQ(read.block.eventsOf(0)[1].kind(), EventKind::Store);
  EXPECT_EQ(read.block.eventsOf(0)[2].kind(), EventKind::BlockBarrier);
}

TEST(AccessLog, AnAtomicReadsAndWrites) {
  LoggedBlock log = block();
  log.entries = {access(EntryKind::Shared, 16, 0, kWindow, 4, patched::kReads | patched::kWrites)};
  EXPECT_EQ(readOf(log).block.events.at(0).kind(), EventKind::Atomic);
}

TEST(AccessLog, ACopyHasTheArraysOneAfterTheOther) {
  LoggedBlock log = block();
  log.copies = {std::vector<std::uint8_t>(64)};
  for (std::size_t i = 0; i < 64; ++i) log.copies[0][i] = std::uint8_t(i);
  const Read read = readOf(log);
  ASSERT_EQ(read.block.barrierCopies.size(), 1u);
  const auto& copy = read.block.barrierCopies[0];
  ASSERT_EQ(copy.size(), 48u);
  EXPECT_EQ(copy[0], 0);
  EXPECT_EQ(copy[15], 15);
  EXPECT_EQ(copy[16], 32);
  EXPECT_EQ(copy[47], 63);
}

TEST(AccessLog, ReadingWhatNobodyStoredIsAProblemOncePerInstruction) {
  LoggedBlock log = block();
  log.entries = {store(16, 0, 0), load(32, 1, 0), load(48, 1, 4), load(48, 2, 8)};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.problems.size(), 1u);
  EXPECT_EQ(read.block.problems[0].kind, model::ProblemKind::UninitializedRead);
  EXPECT_EQ(read.block.problems[0].thread, 1u);
  EXPECT_NE(read.block.problems[0].text.find("low[1]"), std::string::npos) << read.block.problems[0].text;
}

TEST(AccessLog, AThreadThatHasReturnedIsMissingAtABarrier) {
  LoggedBlock log = block();
  log.entries = {barrier(32, 0), barrier(32, 1), barrier(32, 3)};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.problems.size(), 1u);
  EXPECT_EQ(read.block.problems[0].kind, model::ProblemKind::DivergentBarrier);
  EXPECT_EQ(read.block.problems[0].thread, 2u);
  EXPECT_NE(read.block.problems[0].text.find("Only 3 of 4 threads"), std::string::npos);
}

TEST(AccessLog, ThreadsAtTwoBarriersAreAProblem) {
  LoggedBlock log = block();
  log.entries = {barrier(32, 0), barrier(32, 1), barrier(64, 2), barrier(64, 3)};
  const Read read = readOf(log);
  ASSERT_EQ(read.block.problems.size(), 1u);
  EXPECT_NE(read.block.problems[0].text.find("at another one"), std::string::npos);
}

TEST(AccessLog, AFullLogIsALimit) {
  LoggedBlock log = block();
  log.entries = {store(16, 0, 0)};
  log.dropped = 5;
  const Read read = readOf(log);
  EXPECT_TRUE(read.block.cut);
  ASSERT_EQ(read.block.problems.size(), 1u);
  EXPECT_EQ(read.block.problems[0].kind, model::ProblemKind::Limit);
}

TEST(AccessLog, EventsBeyondTheThreadsLimitAreCut) {
  LoggedBlock log = block();
  log.eventsPerThread = 2;
  for (int i = 0; i < 4; ++i) log.entries.push_back(store(16, 0, 0));
  const Read read = readOf(log);
  EXPECT_EQ(read.block.events.size(), 2u);
  EXPECT_TRUE(read.block.cut);
}

TEST(AccessLog, EntriesOfThreadsThatTheBlockDoesNotHaveAreDropped) {
  LoggedBlock log = block();
  log.entries = {store(16, 4, 0), store(16, ~0u, 0)};
  EXPECT_TRUE(readOf(log).block.events.empty());
}

TEST(AccessLog, AFaultNamesTheNearestArrayAndHowFarItMissesIt) {
  Instructions instructions;
  patched::Fault fault;
  fault.pc = 16;
  fault.address = (1 << 20) + 256 + 8;
  fault.thread = 5;
  fault.kind = EntryKind::Global;
  fault.bytes = 4;
  fault.access = patched::kWrites;
  const std::vector<NamedRange> ranges{{"in", 1 << 20, 256}, {"out", 1 << 22, 256}};
  const model::Problem problem = problemOf(fault, true, ranges, instructions);
  EXPECT_EQ(problem.kind, model::ProblemKind::OutOfBounds);
  EXPECT_EQ(problem.thread, 5u);
  EXPECT_NE(problem.text.find("4 bytes 8 bytes behind the end of in"), std::string::npos) << problem.text;
  fault.address = (1 << 20) + 2;
  EXPECT_NE(problemOf(fault, false, ranges, instructions).text.find("misaligned"), std::string::npos);
}

Entry mark(std::uint64_t pc, unsigned thread, patched::ClockMark what, std::uint64_t clock) {
  Entry entry = access(EntryKind::Clock, pc, thread, std::uint64_t(what), 0, 0, clock);
  return entry;
}

TEST(ClockMarks, EachWarpHasItsOwnFromTheFirstOnWithTheSitesOfItsBarriers) {
  using enum patched::ClockMark;
  const std::vector<Entry> log{mark(0, 32, Start, 1005),  mark(0, 0, Start, 1000),
                               mark(48, 0, Arrive, 1010), mark(48, 32, Arrive, 1020),
                               mark(48, 32, Leave, 1030), mark(48, 0, Leave, 1031),
                               mark(96, 0, End, 1040),    store(16, 0, 0)};
  const auto siteOf = [](std::uint64_t pc) { return std::uint32_t(pc / 16); };
  const auto warps = clockMarks(log, 64, siteOf);
  ASSERT_EQ(warps.size(), 2u);
  using model::MarkKind;
  EXPECT_EQ(warps[0], (model::WarpMarks{{0, 0, MarkKind::Start},
                                        {10, 3, MarkKind::Arrive},
                                        {31, 3, MarkKind::Leave},
                                        {40, 0, MarkKind::End}}));
  EXPECT_EQ(warps[1],
            (model::WarpMarks{{5, 0, MarkKind::Start}, {20, 3, MarkKind::Arrive}, {30, 3, MarkKind::Leave}}));
}

TEST(AccessLog, MarksOfTheClockAreNoEvents) {
  LoggedBlock log = block();
  log.entries = {mark(0, 0, patched::ClockMark::Start, 5)};
  EXPECT_TRUE(readOf(log).block.events.empty());
}

}  // namespace
