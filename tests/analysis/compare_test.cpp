// Equal traces compare equal, and a difference in any field, or in a copy at a barrier, is found and named.
#include "analysis/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "recording/event.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using support::TraceBuilder;

namespace {

using recording::EventKind;
using testing::Test;

model::Trace rung() { return support::ladderTrace("unrolled_last_warp", 64, model::ElementType::Int); }

// The first event of that kind in the log of that thread.
model::Event& eventOf(model::Trace& trace, std::uint32_t thread, model::EventKind kind) {
  model::LaunchTrace& launch = trace.launches[0];
  for (std::uint32_t i = launch.recorded().first[thread]; i < launch.recorded().first[thread + 1]; ++i)
    if (launch.recorded().events[i].kind() == kind) return launch.recorded().events[i];
  throw std::logic_error("no such event");
}

std::string differenceAfter(const std::function<void(model::Trace&)>& change) {
  model::Trace changed = rung();
  change(changed);
  const auto difference = firstDifference(rung(), changed);
  return difference.value_or("equal");
}

bool mentions(const std::string& sentence, std::string_view words) {
  return sentence.find(words) != std::string::npos;
}

TEST(FirstDifference, IsNoneBetweenEqualTraces) { EXPECT_EQ(firstDifference(rung(), rung()), std::nullopt); }

TEST(FirstDifference, DoesNotMindWhoRanIt) {
  EXPECT_EQ(differenceAfter([](model::Trace& trace) {
              trace.executor.kind = model::EngineKind::Gpu;
              trace.executor.device = "a GPU";
            }),
            "equal");
}

TEST(FirstDifference, MindsTheOrderOfLoadsInAStatement) {
  const std::string difference = differenceAfter([](model::Trace& trace) {
    model::LaunchTrace& launch = trace.launches[0];
    for (std::uint32_t t = 0; t < launch.block; ++t)  // in[i] and in[i + blockDim.x]
      std::swap(launch.recorded().events[launch.recorded().first[t]],
                launch.recorded().events[launch.recorded().first[t] + 1]);
  });
  EXPECT_TRUE(mentions(difference, "thread 0, event 0")) << difference;
  EXPECT_TRUE(mentions(difference, "reads in[0]") && mentions(difference, "reads in[64]")) << difference;
}

TEST(FirstDifference, MindsTheOrderOfLoadAndStore) {
  const std::string difference = differenceAfter([](model::Trace& trace) {
    model::LaunchTrace& launch = trace.launches[0];
    std::swap(launch.recorded().events[launch.recorded().first[1] + 1],
              launch.recorded().events[launch.recorded().first[1] + 2]);  // a load and the store
  });
  EXPECT_TRUE(mentions(difference, "thread 1, event 1")) << difference;
}

TEST(FirstDifference, MindsWhatIsKnownOfTheText) {
  const std::string difference =
      differenceAfter([](model::Trace& trace) { trace.kernel.functions.push_back({.name = "another"}); });
  EXPECT_TRUE(mentions(difference, "operands")) << difference;
}

TEST(FirstDifference, NamesAValue) {
  const std::string difference =
      differenceAfter([](model::Trace& trace) { eventOf(trace, 7, model::EventKind::Store).value = 1234; });
  // Thread 7 stores in[7] + in[71] = 78.
  const std::string text = rung().kernelText;
  const auto store = text.begin() + std::ptrdiff_t(text.find("data[tid] = combine(in[i]"));
  const std::string line = "line " + std::to_string(1 + std::count(text.begin(), store, '\n'));
  EXPECT_TRUE(mentions(difference, "Launch 0, thread 7, event 2")) << difference;
  EXPECT_TRUE(mentions(difference, line + ": writes data[7] = 78 ")) << difference;
  EXPECT_TRUE(mentions(difference, "writes data[7] = 1234 ")) << difference;
}

TEST(FirstDifference, NamesAnElement) {
  const std::string difference =
      differenceAfter([](model::Trace& trace) { eventOf(trace, 7, model::EventKind::Store).head += 4; });
  EXPECT_TRUE(mentions(difference, "data[8]")) << difference;
}

TEST(FirstDifference, NamesABranch) {
  const std::string difference =
      differenceAfter([](model::Trace& trace) { eventOf(trace, 40, model::EventKind::Branch).value ^= 1; });
  EXPECT_TRUE(mentions(difference, "thread 40")) << difference;
  EXPECT_TRUE(mentions(difference, "not taken")) << difference;
}

TEST(FirstDifference, NamesAMask) {
  const std::string difference = differenceAfter(
      [](model::Trace& trace) { eventOf(trace, 3, model::EventKind::WarpBarrier).head -= 1; });
  EXPECT_TRUE(mentions(difference, "lanes 0xffffffff")) << difference;
  EXPECT_TRUE(mentions(difference, "lanes 0xfffffffe")) << difference;
}

TEST(FirstDifference, NamesASite) {
  const std::string difference = differenceAfter([](model::Trace& trace) {
    model::Event& event = eventOf(trace, 3, model::EventKind::WarpBarrier);
    event.head += 1ull << 40;
  });
  EXPECT_TRUE(mentions(difference, "thread 3")) << difference;
}

TEST(FirstDifference, NamesAnEventTooFew) {
  const std::string difference = differenceAfter([](model::Trace& trace) {
    trace.launches[0].recorded().events.pop_back();
    --trace.launches[0].recorded().first.back();
  });
  EXPECT_TRUE(mentions(difference, "thread 63")) << difference;
  EXPECT_TRUE(mentions(difference, "nothing more")) << difference;
}

TEST(FirstDifference, NamesASnapshotOfABlockBarrier) {
  const std::string difference =
      differenceAfter([](model::Trace& trace) { trace.launches[0].recorded().barrierCopies[0][20] ^= 1; });
  EXPECT_TRUE(mentions(difference, "round 0")) << difference;
  EXPECT_TRUE(mentions(difference, "data[5]")) << difference;
}

TEST(FirstDifference, NamesASnapshotOfAWarpBarrier) {
  const std::string difference = differenceAfter([](model::Trace& trace) {
    for (auto& word : trace.launches[0].recorded().copied)
      if (word.barrier == 3 && word.event.offset() == 8) word.event.value += 1;
  });
  EXPECT_TRUE(mentions(difference, "round 2"))
      << difference;  // the fourth warp barrier ends the second tail round
  EXPECT_TRUE(mentions(difference, "data[2]")) << difference;
}

TEST(FirstDifference, MasksWordsNeverWritten) {
  const auto make = [](std::uint64_t garbage) {
    TraceBuilder b(32);
    const auto data = b.sharedArray("data", 32);
    const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
    const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    b.poke(data, 9, garbage);
    b.store(0, store, data, 0, 1);
    b.blockBarrier(barrier);
    return b.build();
  };
  EXPECT_EQ(firstDifference(make(1), make(2)), std::nullopt);
}

// What another block of the cluster stores comes at any time between two barriers of the cluster.
TEST(FirstDifference, DoesNotMindWhenABlockOfTheClusterStored) {
  const auto make = [](bool isEarly, std::uint64_t value) {
    TraceBuilder b(32);
    const auto data = b.sharedArray("data", 32);
    const auto barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    b.blockBarrier(barrier);
    if (isEarly) b.poke(data, 9, value);
    b.blockBarrier(barrier);
    if (!isEarly) b.poke(data, 9, value);
    b.blockBarrier(barrier);
    return b.build();
  };
  EXPECT_EQ(firstDifference(make(true, 7), make(false, 7), true), std::nullopt);
  EXPECT_TRUE(firstDifference(make(true, 7), make(true, 8), true)) << "what it is counts";
  EXPECT_TRUE(firstDifference(make(true, 7), make(false, 7), false)) << "no cluster";
}

TEST(FirstDifference, NamesAnAccessToAnotherBlockOfTheCluster) {
  const auto withAct = [](std::string sentence, std::int64_t rank) {
    model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
    trace.launches[0].recorded().others.push_back(
        {.kind = "remote store", .line = 3, .clusterRank = rank, .sentence = std::move(sentence)});
    return trace;
  };
  const model::Trace one = withAct("Thread 0 stores.", 2);
  EXPECT_EQ(firstDifference(one, withAct("Thread 0 stores.", 2)), std::nullopt);
  EXPECT_EQ(
      firstDifference(one, withAct("Thread 1 stores.", 2)),
      "Launch 0, access 0 to another block of the cluster. The one: Thread 0 stores. The other: Thread 1 "
      "stores.");
  EXPECT_EQ(
      firstDifference(one, withAct("Thread 0 waits.", -1)),
      "Launch 0, access 0 to another block of the cluster. The one: Thread 0 stores. The other: Nothing "
      "more.");
}

// What 0 * infinity gives on x86 and on a GPU.
TEST(FirstDifference, TakesAnyNanForAnyOther) {
  const auto withNan = [](std::uint64_t bits) {
    model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Float);
    model::LaunchTrace& launch = trace.launches[0];
    const std::size_t last = launch.recorded().barrierCopies.size() - 1;
    for (int i = 0; i < 4; ++i)
      launch.recorded().barrierCopies[last][std::size_t(i)] = std::uint8_t(bits >> (8 * i));
    model::Event& event = eventOf(trace, 0, model::EventKind::Store);
    event.value = bits;
    return trace;
  };
  EXPECT_EQ(firstDifference(withNan(0xffc00000), withNan(0x7fffffff)), std::nullopt);
  EXPECT_TRUE(firstDifference(withNan(0xffc00000), withNan(0x7f800000))) << "infinity is no NaN";
}

TEST(FirstDifference, NamesTheShape) {
  EXPECT_TRUE(
      mentions(differenceAfter([](model::Trace& trace) { trace.experiment.seed = 5; }), "experiments"));
  EXPECT_TRUE(
      mentions(differenceAfter([](model::Trace& trace) { trace.kernelText += ' '; }), "kernel texts"));
  EXPECT_TRUE(mentions(differenceAfter([](model::Trace& trace) { trace.launches.clear(); }), "launches"));
  EXPECT_TRUE(mentions(differenceAfter([](model::Trace& trace) { trace.launches[0].grid = 2; }), "blocks"));
  EXPECT_TRUE(mentions(differenceAfter([](model::Trace& trace) { trace.launches[0].blockY = 2; }), "rows"));
  EXPECT_TRUE(mentions(differenceAfter([](model::Trace& trace) { trace.launches[0].recorded().device = 1; }),
                       "the block's GPU is"));
  EXPECT_TRUE(mentions(differenceAfter([](model::Trace& trace) { trace.launches[0].recorded().cluster = 1; }),
                       "the block's cluster is"));
  const auto addBlock = [](model::Trace& trace) {
    trace.launches[0].blocks.push_back(trace.launches[0].recorded());
  };
  EXPECT_TRUE(mentions(differenceAfter(addBlock), "recorded blocks 1 in the one, 2 in the other"));
  model::Trace two = rung(), other = rung();
  addBlock(two), addBlock(other);
  EXPECT_EQ(firstDifference(two, other), std::nullopt);
  other.launches[0].blocks[1].cut = true;
  EXPECT_TRUE(mentions(firstDifference(two, other).value_or(""), "recorded block 1"));
  EXPECT_TRUE(mentions(
      differenceAfter([](model::Trace& trace) { trace.launches[0].recorded().shared[0].name = "x"; }),
      "shared arrays"));
}

// ---- What older programs recorded.

// Each thread keeps what it loads in a variable; whether that is recorded is the program's.
model::Trace keeping(bool assignments) {
  TraceBuilder b(2);
  b.useKernelText("in[tid] value i < 1 data[tid] __syncwarp()");
  const auto in = b.buffer("in", 2), data = b.sharedArray("data", 2);
  b.poke(in, 0, 5);
  b.poke(in, 1, 6);
  const auto load = b.site({.kind = model::SiteKind::Load, .text = "in[tid]", .statement = 1});
  const auto assign =
      assignments ? b.site({.kind = model::SiteKind::Assign, .text = "value", .statement = 1}) : 0;
  const auto loop = b.site({.kind = model::SiteKind::Loop, .text = "i < 1", .statement = 2});
  const auto store =
      b.site({.kind = model::SiteKind::Store, .text = "data[tid]", .loops = {int(loop)}, .statement = 3});
  const auto barrier =
      b.site({.kind = model::SiteKind::WarpOperation, .text = "__syncwarp()", .statement = 4});
  for (unsigned t = 0; t < 2; ++t) {
    const std::uint64_t value = b.load(t, load, in, t);
    if (assignments) b.assign(t, assign, value);
    b.branch(t, loop, true);
    b.store(t, store, data, t, value);
    b.branch(t, loop, false);
  }
  b.warpBarrier(barrier, 0, 3);
  model::Trace trace = b.build();
  trace.launches[0].recorded().problems.push_back(
      {.kind = model::ProblemKind::OutOfBounds, .text = "It stores too far.", .site = int(store)});
  return trace;
}

// Whichever of the recorded blocks is shown, the others are compared with the other trace's.
TEST(FirstDifference, NamesABlockOfAnotherDevice) {
  for (unsigned shown = 0; shown < 3; ++shown)
    for (unsigned changed = 0; changed < 3; ++changed) {
      model::Trace one = rung();
      model::LaunchTrace& launch = one.launches[0];
      launch.devices = 3;
      launch.grid = 3;
      launch.blocks.resize(3, launch.recorded());
      for (unsigned device = 0; device < 3; ++device)
        launch.blocks[device].device = device, launch.blocks[device].block = device;
      for (model::Array& buffer : launch.buffers) buffer.devices = 3, buffer.bytes *= 3;
      launch.shown = shown;
      EXPECT_EQ(firstDifference(one, one), std::nullopt);
      model::Trace other = one;
      std::vector<model::Event>& events = other.launches[0].blocks[changed].events;
      std::ranges::find(events, EventKind::Load, &model::Event::kind)->value ^= 1;
      const std::string difference = firstDifference(one, other).value_or("equal");
      EXPECT_TRUE(mentions(
          difference, changed == shown ? "Launch 0, thread 0" : "recorded block " + std::to_string(changed)))
          << "block " << changed << ", shown " << shown << ": " << difference;
    }
}

TEST(WithoutAssignments, IsWhatAnOlderProgramRecorded) {
  model::Trace older = keeping(false);
  ASSERT_FALSE(older.launches[0].recorded().copied.empty());
  older.kernel = {};
  EXPECT_TRUE(withoutAssignments(keeping(true)) == older);
  EXPECT_TRUE(withoutAssignments(older) == older);
  EXPECT_EQ(firstDifference(keeping(true), keeping(false)),
            "The traces have different sites of the same kernel text.");
}

// ---- Replay.

TEST(ReplayDifference, IsNoneWhereTheCopiesAreRight) {
  for (const char* variant : {"interleaved_modulo", "sequential", "unrolled_last_warp"})
    for (const model::ElementType type : model::kElementTypes)
      EXPECT_EQ(replayDifference(support::ladderTrace(variant, 128, type)), std::nullopt) << variant;
}

TEST(ReplayDifference, FindsAWrongBarrierCopy) {
  model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  trace.launches[0].recorded().barrierCopies[2][12] ^= 0x40;
  const auto difference = replayDifference(trace);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(mentions(*difference, "round 2")) << *difference;
  EXPECT_TRUE(mentions(*difference, "data[3]")) << *difference;
}

TEST(ReplayDifference, FindsAWrongCopiedWord) {
  model::Trace trace = rung();
  trace.launches[0].recorded().copied.back().event.value ^= 1;
  const auto difference = replayDifference(trace);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(mentions(*difference, "round 6")) << *difference;  // the last warp barrier's
}

TEST(ReplayDifference, FindsAStoreThatWasNotRecorded) {
  model::Trace trace = support::ladderTrace("sequential", 64, model::ElementType::Int);
  eventOf(trace, 5, model::EventKind::Store).value += 1;
  EXPECT_TRUE(replayDifference(trace));
}

TEST(ReplayDifference, LeavesOutWhatAtomicsLeft) {
  TraceBuilder b(32);
  const auto data = b.sharedArray("data", 1);
  const auto store = b.site({.kind = model::SiteKind::Store, .text = "data[0] = 0"});
  const auto first = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
  const auto atomic = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&data[0], tid)"});
  const auto second = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads() "});
  b.store(0, store, data, 0, 0);
  b.blockBarrier(first);
  for (unsigned t = 0; t < 32; ++t) b.atomic(t, atomic, data, 0, t, t * (t + 1) / 2);
  b.blockBarrier(second);
  EXPECT_EQ(replayDifference(b.build()), std::nullopt);
}

// Two recordings of one launch, written by hand: two arrays, two threads, two block barriers.

model::Event store(unsigned array, std::uint64_t offset) {
  return {recording::eventHead(offset, 0, EventKind::Store, recording::kSharedSpace + array, 2), 0};
}
model::Event barrier() { return {recording::eventHead(0, 1, EventKind::BlockBarrier, 0, 0), 0}; }

// Thread 0 stores a[0] before the first barrier and b[1] before the second; thread 1 stores nothing.
model::Trace trace() {
  model::Trace made;
  model::LaunchTrace& launch = made.launches.emplace_back();
  launch.block = 2;
  model::BlockTrace& block = launch.recorded();
  block.shared = {{.name = "a", .elementBytes = 4, .bytes = 8}, {.name = "b", .elementBytes = 4, .bytes = 8}};
  block.events = {store(0, 0), barrier(), store(1, 4), barrier(), barrier(), barrier()};
  block.first = {0, 4, 6};
  block.barrierCopies = {std::vector<std::uint8_t>(16, 1), std::vector<std::uint8_t>(16, 1)};
  return made;
}

model::BlockTrace& blockOf(model::Trace& made) { return made.launches.front().recorded(); }

TEST(BarrierCopies, EqualOnesAreEqualWhereSomethingWasStored) {
  const auto compared = compareBarrierCopies(trace(), trace());
  EXPECT_EQ(compared.difference, std::nullopt);
  EXPECT_EQ(compared.barriers, 2u);
  EXPECT_EQ(compared.bytes, 4u + 4 + 4);  // a[0] at both, b[1] at the second
}

TEST(BarrierCopies, WhatNobodyStoredMayDiffer) {
  model::Trace other = trace();
  blockOf(other).barrierCopies[0][4] = 9;   // a[1]
  blockOf(other).barrierCopies[0][12] = 9;  // b[1], stored only afterwards
  EXPECT_EQ(compareBarrierCopies(trace(), other).difference, std::nullopt);
}

TEST(BarrierCopies, ADifferenceNamesTheElementAndTheBarrier) {
  model::Trace other = trace();
  blockOf(other).barrierCopies[1][13] = 9;
  const auto compared = compareBarrierCopies(trace(), other);
  ASSERT_TRUE(compared.difference);
  EXPECT_EQ(*compared.difference, "In launch 0, b[1] differs at block barrier 1.");
}

TEST(BarrierCopies, ArraysAreFoundByNameWhereverTheyLie) {
  model::Trace other = trace();
  std::swap(blockOf(other).shared[0], blockOf(other).shared[1]);
  for (auto& copy : blockOf(other).barrierCopies) copy.assign(16, 1);
  blockOf(other).barrierCopies[1][5] = 9;  // b[1] lies first now
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference,
            "In launch 0, b[1] differs at block barrier 1.");
}

TEST(BarrierCopies, AnArrayThatOneDoesNotHaveIsLeftOut) {
  model::Trace other = trace();
  blockOf(other).shared[0].name = "c";
  const auto compared = compareBarrierCopies(trace(), other);
  EXPECT_EQ(compared.difference, std::nullopt);
  EXPECT_EQ(compared.bytes, 4u);
}

TEST(BarrierCopies, OtherCountsOfBarriersOrLaunchesDiffer) {
  model::Trace other = trace();
  blockOf(other).barrierCopies.pop_back();
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference,
            "In launch 0, one has 2 complete block barriers and the other 1.");
  other.launches.clear();
  EXPECT_EQ(*compareBarrierCopies(trace(), other).difference, "One has 1 launches and the other 0.");
}

}  // namespace
}  // namespace stridescope::analysis
