// What no event of a trace shows is told of a log that is written by hand.
#include "engine/access/gpu/other_acts.h"

#include <gtest/gtest.h>

namespace stridescope::engine::access::gpu {
namespace {

using patched::EntryKind;

patched::Entry otherAct(EntryKind kind, std::uint64_t pc, unsigned thread, std::uint64_t address,
                        std::uint64_t value, std::uint64_t upper) {
  patched::Entry entry;
  entry.kind = kind;
  entry.pc = pc;
  entry.thread = thread;
  entry.address = address;
  entry.value = value;
  entry.upper = upper;
  return entry;
}

// An array of 64 ints at the beginning of a window, one buffer.
LoggedBlock cluster() {
  return {.threads = 4,
          .shared = {{{.name = "tile", .elementBytes = 4, .bytes = 256}, 1024}},
          .buffers = {{.base = 1 << 20, .bytes = 4096}},
          .windowBegin = 1024,
          .windowBytes = 512};
}

std::vector<model::OtherAct> told(const LoggedBlock& log) {
  Instructions instructions;
  model::BlockTrace block;
  const auto unshown = readLog(log, instructions, block);
  return otherActsOf(log, unshown, {"in"}, [](std::uint64_t pc) { return int(pc); });
}

TEST(OtherActs, ALoadFromAnotherBlockNamesItsRankAndWhatItReads) {
  LoggedBlock log = cluster();
  for (const unsigned thread : {0u, 1u, 2u, 3u}) {
    auto load = otherAct(EntryKind::RemoteShared, 7, thread, 1024 + 4 * thread, 0, thread < 2 ? 1 : 3);
    load.bytes = 4;
    load.access = patched::kReads;
    log.entries.push_back(load);
  }
  const auto acts = told(log);
  ASSERT_EQ(acts.size(), 2u) << "two blocks";
  EXPECT_EQ(acts[0].kind, "remote load");
  EXPECT_EQ(acts[0].clusterRank, 1);
  EXPECT_EQ(acts[0].threads, 2u);
  EXPECT_EQ(acts[0].bytes, 8u);
  EXPECT_EQ(
      acts[0].sentence,
      "Line 7: 2 threads load 4 bytes each in the shared memory of block 1 of the cluster, from tile[0] "
      "to tile[1].");
  EXPECT_EQ(acts[1].clusterRank, 3);
}

TEST(OtherActs, ABulkCopyNamesBothEnds) {
  LoggedBlock log = cluster();
  log.entries = {otherAct(EntryKind::BulkToShared, 9, 0, 1024 + 16, (1 << 20) + 128, 64)};
  const auto acts = told(log);
  ASSERT_EQ(acts.size(), 1u);
  EXPECT_EQ(acts[0].bytes, 64u);
  EXPECT_EQ(acts[0].sentence, "Line 9: Thread 0 copies 64 bytes from byte 128 of in to tile[4], in bulk.");
}

// A round is told what was done in it, and where its thread was then.
TEST(OtherActs, OnTwoSidesOfABlockBarrierTheyAreTwo) {
  LoggedBlock log = cluster();
  log.threads = 1;
  const auto barrier = otherAct(EntryKind::BlockBarrier, 8, 0, 0, 0, 0);
  const auto copy = otherAct(EntryKind::BulkToShared, 9, 0, 1024, 1 << 20, 64);
  log.entries = {copy, copy, barrier, copy};
  const auto acts = told(log);
  ASSERT_EQ(acts.size(), 2u);
  EXPECT_EQ(acts[0].times, 2u);
  EXPECT_EQ(acts[0].eventsBefore, 0u);
  EXPECT_EQ(acts[1].times, 1u);
  EXPECT_EQ(acts[1].bytes, 64u);
  EXPECT_EQ(acts[1].eventsBefore, 1u);
}

TEST(OtherActs, BarriersInMemoryAndOfAPartAreTold) {
  LoggedBlock log = cluster();
  log.entries = {
      otherAct(EntryKind::Arrival, 3, 0, 1280, 1, 2), otherAct(EntryKind::Arrival, 4, 1, 1280, 6, 0),
      otherAct(EntryKind::Arrival, 4, 1, 1280, 6, 0), otherAct(EntryKind::PartBarrier, 5, 2, 1, 64, 0)};
  const auto acts = told(log);
  ASSERT_EQ(acts.size(), 3u);
  EXPECT_EQ(acts[0].sentence, "Line 3: Thread 0 makes the barrier in shared memory at byte 256.");
  EXPECT_EQ(acts[1].sentence,
            "Line 4: Thread 1 waits at the barrier in shared memory at byte 256, 2 times in all.");
  EXPECT_EQ(acts[2].sentence,
            "Line 5: Thread 2 comes to barrier 1, which waits for 64 threads of the block.");
}

TEST(OtherActs, WhatAnotherBlockOrABulkCopyStoredIsNoUninitializedRead) {
  LoggedBlock log = cluster();
  auto stored = otherAct(EntryKind::RemoteStored, 9, 0, 1024, 0, 64);
  auto load = otherAct(EntryKind::Shared, 11, 1, 1024 + 8, 5, 0);
  load.bytes = 4;
  load.access = patched::kReads;
  log.entries = {stored, load};
  Instructions instructions;
  model::BlockTrace block;
  readLog(log, instructions, block);
  EXPECT_TRUE(block.problems.empty());
  EXPECT_EQ(block.events.size(), 1u);
  log.entries = {load};
  model::BlockTrace without;
  readLog(log, instructions, without);
  EXPECT_EQ(without.problems.size(), 1u);
}

}  // namespace
}  // namespace stridescope::engine::access::gpu
