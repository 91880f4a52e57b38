// Registers, usefulness, device memory and groups of rounds, against what the kernels do on paper: ints, the
// ramp 0, 1, 2, ..., whose sum over [from, from + n) is n * from + n * (n - 1) / 2.
#include <gtest/gtest.h>

#include <algorithm>
#include <climits>
#include <numeric>

#include "analysis/data_flow.h"
#include "analysis/lanes.h"
#include "engine/host/host_engine.h"
#include "support/kind_traces.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {
namespace {

constexpr unsigned kShuffledThreads = 256, kWarps = 8;

struct Analysed {
  explicit Analysed(model::Trace given)
      : trace(std::move(given)),
        analysis(analyse(trace)),
        flow(findDataFlow(trace, trace.launches[0], analysis.launches[0])) {}
  const LaunchAnalysis& launch() const { return analysis.launches[0]; }
  const Round& round(std::size_t i) const { return launch().rounds.at(i); }
  model::Trace trace;
  Analysis analysis;
  std::vector<RoundFlow> flow;
};

std::uint64_t sumOfRamp(std::uint64_t from, std::uint64_t count) {
  return count * from + count * (count - 1) / 2;
}

// What the lanes of a warp that began with `values` hold after the shuffles down to `lastD`: a lane below d
// has summed every d-th value from its own on; one above has added its own again and again.
std::vector<std::uint64_t> afterShuffles(std::vector<std::uint64_t> values, unsigned lastD) {
  for (unsigned d = 16; d >= lastD && d > 0; d /= 2) {
    const std::vector<std::uint64_t> before = values;
    for (unsigned lane = 0; lane < 32; ++lane) values[lane] += before[lane + d < 32 ? lane + d : lane];
  }
  return values;
}

std::vector<unsigned> usefulThreads(const RoundFlow& flow) {
  std::vector<unsigned> threads;
  for (unsigned t = 0; t < flow.registerUseful.size(); ++t)
    if (flow.registerUseful[t]) threads.push_back(t);
  return threads;
}

TEST(Shuffles, HaveRoundsOfTheirDeltas) {
  const Analysed run(support::shuffleTrace(kShuffledThreads));
  ASSERT_EQ(run.launch().rounds.size(), 12u);
  const unsigned deltas[] = {0, 16, 8, 4, 2, 1, 0, 16, 8, 4, 2, 1};
  for (unsigned i = 0; i < 12; ++i) {
    EXPECT_EQ(run.round(i).exchanges.empty(), deltas[i] == 0) << i;
    if (deltas[i] != 0) {
      EXPECT_EQ(run.round(i).stride, deltas[i]) << i;
    }
    EXPECT_EQ(run.round(i).activeLanes, i < 6 ? 256u : i == 6 ? 8u : 32u) << i;
  }
}

TEST(Shuffles, RegistersAfterEachRound) {
  const Analysed run(support::shuffleTrace(kShuffledThreads));
  for (unsigned round = 1, d = 16; d > 0; ++round, d /= 2)
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      std::vector<std::uint64_t> values(32);
      std::iota(values.begin(), values.end(), warp * 32);
      const auto before = afterShuffles(values, 2 * d), after = afterShuffles(values, d);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const auto& exchange = run.round(round).exchanges.at(warp * 32 + lane);
        ASSERT_TRUE(exchange && exchange->after) << round << " " << lane;
        EXPECT_EQ(exchange->given, before[lane]);
        EXPECT_EQ(exchange->sourceLane, lane + d < 32 ? lane + d : lane);
        EXPECT_EQ(exchange->received, before[lane + d < 32 ? lane + d : lane]);
        EXPECT_EQ(*exchange->after, after[lane]);
        EXPECT_EQ(exchange->replayed, d == 1) << "what it gives next is recorded, but for the last";
      }
      if (d == 1) {
        EXPECT_EQ(*run.round(round).exchanges[warp * 32]->after, sumOfRamp(warp * 32, 32));
      }
    }
  EXPECT_EQ(originsOf(run.round(1)).recorded, 256u);
  EXPECT_EQ(originsOf(run.round(5)).replayed, 256u);
}

// After a shuffle down by d only lanes below d hold what lane 0 will be made of.
TEST(Shuffles, LanesBelowTheDeltaAreUseful) {
  const Analysed run(support::shuffleTrace(kShuffledThreads));
  for (unsigned round = 1, d = 16; d > 0; ++round, d /= 2) {
    std::vector<unsigned> all, first;
    for (unsigned t = 0; t < kShuffledThreads; ++t)
      if (t % 32 < d) all.push_back(t);
    for (unsigned t = 0; t < d; ++t) first.push_back(t);
    EXPECT_EQ(usefulThreads(run.flow[round]), all) << d;
    EXPECT_EQ(usefulThreads(run.flow[round + 6]), first) << d;
  }
}

// Block 0 combines its own result, which it has kept over a barrier, with what the words of the others bring:
// all shuffles before are needed, as those after. So they are where a thread takes several words, in several
// passes, of which only the first combines what it has kept.
TEST(Shuffles, WhatIsKeptOverABarrierAndCombinedThereIsNeeded) {
  for (const std::uint64_t elements : {65'536, 2'000'000}) {
    engine::JobControl job;
    const auto recorded = engine::host::makeHostEngine()->record(
        {.variant = "one_message", .threads = kShuffledThreads, .elements = elements}, job);
    ASSERT_TRUE(recorded) << recorded.error().sentence;
    const Analysed run(*recorded);
    std::vector<unsigned> seen;
    for (std::size_t i = 0; i < run.launch().rounds.size(); ++i) {
      const Round& round = run.round(i);
      if (round.exchanges.empty()) continue;
      const unsigned d = unsigned(round.stride.value_or(0));
      seen.push_back(d);
      std::vector<unsigned> below;
      for (unsigned thread = 0; thread < kShuffledThreads; ++thread)
        if (round.exchanges[thread] && thread % 32 < d) below.push_back(thread);
      EXPECT_EQ(usefulThreads(run.flow[i]), below) << elements << " elements, round " << i << ", by " << d;
    }
    EXPECT_EQ(seen, (std::vector<unsigned>{16, 8, 4, 2, 1, 16, 8, 4, 2, 1, 16, 8, 4, 2, 1, 16, 8, 4, 2, 1}));
  }
}

TEST(Shuffles, LoadsThatFillRegistersAreUseful) {
  const Analysed run(support::shuffleTrace(kShuffledThreads));
  EXPECT_EQ(std::ranges::count(run.flow[0].work, true, &ThreadWork::useful), 256);
  ASSERT_EQ(run.flow[6].work.size(), 8u) << "a slot a warp";
  EXPECT_EQ(std::ranges::count(run.flow[6].work, true, &ThreadWork::useful), 8);
  for (unsigned slot = 0; slot < 32; ++slot) EXPECT_EQ(run.flow[5].liveAfter[0][slot], slot < 8) << slot;
  for (unsigned slot = 0; slot < 32; ++slot) EXPECT_FALSE(run.flow[6].liveAfter[0][slot]) << slot;
}

TEST(Shuffles, ByIndexLeavesWhatWasFetched) {
  support::TraceBuilder builder(32);
  const auto site =
      builder.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_sync(0xffffffff, value, 3)"});
  builder.shuffle(
      site, 0, [](unsigned) { return 3u; }, [](unsigned lane) { return 10 + lane; });
  const Analysed run(builder.build());
  for (const auto& exchange : run.round(0).exchanges) EXPECT_EQ(exchange->after, 13u);
}

TEST(Shuffles, AnOwnOperatorIsNotReplayed) {
  model::Trace trace = support::shuffleTrace(32);
  trace.experiment.op = model::Operator::Custom;
  const Analysed run(trace);
  EXPECT_EQ(run.round(5).exchanges[0]->after, sumOfRamp(0, 32)) << "lane 0 stores it";
  EXPECT_FALSE(run.round(5).exchanges[0]->replayed);
  EXPECT_FALSE(run.round(5).exchanges[1]->after) << "nothing tells";
}

TEST(WarpReductions, GiveEveryLaneTheSumOfAll) {
  const Analysed run(support::warpReduceTrace(kShuffledThreads));
  ASSERT_EQ(run.launch().rounds.size(), 2u);
  for (unsigned t = 0; t < kShuffledThreads; ++t) {
    const auto& exchange = run.round(0).exchanges.at(t);
    ASSERT_TRUE(exchange);
    EXPECT_EQ(exchange->kind, model::EventKind::WarpReduce);
    EXPECT_EQ(exchange->given, t);
    EXPECT_EQ(exchange->after, sumOfRamp(t / 32 * 32, 32));
    EXPECT_FALSE(exchange->replayed);
  }
  EXPECT_EQ(run.round(1).exchanges[0]->after, sumOfRamp(0, 256));
  EXPECT_FALSE(run.round(1).exchanges[32]) << "warp 1 takes no part";
  EXPECT_EQ(usefulThreads(run.flow[0]), (std::vector<unsigned>{0, 32, 64, 96, 128, 160, 192, 224}));
  EXPECT_EQ(usefulThreads(run.flow[1]), std::vector<unsigned>{0});
  EXPECT_EQ(std::ranges::count(run.flow[0].work, true, &ThreadWork::useful), 256) << "all lanes go in";
}

TEST(Votes, LeaveTheirResult) {
  support::TraceBuilder builder(32);
  const auto site =
      builder.site({.kind = model::SiteKind::WarpOperation, .text = "__ballot_sync(0xffffffff, p)"});
  builder.vote(site, 0, [](unsigned lane) { return lane < 3; });
  const Analysed run(builder.build());
  ASSERT_EQ(run.launch().rounds.size(), 1u);
  EXPECT_EQ(run.round(0).activeLanes, 32u);
  EXPECT_EQ(run.round(0).exchanges[5]->given, 0u);
  EXPECT_EQ(run.round(0).exchanges[2]->given, 1u);
  EXPECT_EQ(run.round(0).exchanges[5]->after, 7u);
}

// array[t] holds the sum of every s-th element from t on after stride s.
TEST(DeviceMemory, IsReplayedInPlace) {
  const Analysed run(support::globalMemoryTrace(64));
  ASSERT_EQ(run.launch().rounds.size(), 7u);
  ASSERT_EQ(run.launch().deviceMemory.windows.size(), 1u);
  EXPECT_EQ(run.launch().deviceMemory.windows[0].elements, 128u);
  std::vector<std::uint64_t> array(128);
  std::iota(array.begin(), array.end(), 0u);
  for (unsigned round = 0, s = 64; s > 0; ++round, s /= 2) {
    for (unsigned t = 0; t < s; ++t) array[t] += array[t + s];
    EXPECT_EQ(run.round(round).stride, s);
    EXPECT_EQ(run.round(round).activeLanes, s);
    const auto words = run.launch().deviceMemory.wordsAfter(0, round);
    for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(words[i], array[i]) << round << " " << i;
    EXPECT_EQ(run.round(round).snapshot.from, SnapshotFrom::Replayed);
  }
  EXPECT_EQ(array[0], sumOfRamp(0, 128));
}

TEST(DeviceMemory, WhatIsStillNeededHalves) {
  const Analysed run(support::globalMemoryTrace(64));
  for (unsigned round = 0, s = 64; s > 0; ++round, s /= 2) {
    for (unsigned i = 0; i < 128; ++i)
      EXPECT_EQ(run.flow[round].deviceLiveAfter.at(0)[i], i < s) << s << " " << i;
    EXPECT_EQ(run.flow[round].work.size(), s);
    for (const ThreadWork& work : run.flow[round].work) EXPECT_TRUE(work.useful);
  }
}

// Another block may write what this one reads later: nobody knows what stood there before.
TEST(DeviceMemory, WithOtherBlocksIsKnownFromItsFirstLoadOn) {
  for (const unsigned grid : {1u, 2u}) {
    support::TraceBuilder builder(1);
    const auto partials = builder.buffer("partials", 2);
    builder.poke(partials, 1, 9);
    const auto store = builder.site({.kind = model::SiteKind::Store, .text = "partials[0]"});
    const auto barrier = builder.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    const auto load = builder.site({.kind = model::SiteKind::Load, .text = "partials[1]"});
    builder.store(0, store, partials, 0, 5);
    builder.blockBarrier(barrier);
    builder.load(0, load, partials, 1);
    model::Trace trace = builder.build();
    trace.launches[0].grid = grid;
    const Analysed run(trace);
    const DeviceMemory& memory = run.launch().deviceMemory;
    using OptionalWords = std::vector<std::optional<std::uint64_t>>;
    EXPECT_EQ(memory.wordsAfter(0, 0), (grid == 1 ? OptionalWords{5, 9} : OptionalWords{5, std::nullopt}));
    EXPECT_EQ(memory.wordsAfter(0, 1), (OptionalWords{5, 9}));
  }
}

TEST(DeviceMemory, OutAloneIsNotFollowed) {
  const Analysed run(support::shuffleTrace(64));
  EXPECT_TRUE(run.launch().deviceMemory.windows.empty());
}

const std::vector<std::vector<int>> kLists{{1, 5, 9}, {2, 2}, {}, {0, 7, 8, 9}};

TEST(Merges, RoundsAreGroupedByOutputElement) {
  const Analysed run(support::mergeTrace(kLists));
  ASSERT_EQ(run.launch().rounds.size(), 9u * 4) << "load, two strides, write for each of 9 elements";
  for (unsigned i = 0; i < 36; ++i) {
    EXPECT_EQ(run.round(i).outputElement, i / 4) << i;
    if (i % 4 == 1) {
      EXPECT_EQ(run.round(i).stride, 2u);
    }
    if (i % 4 == 2) {
      EXPECT_EQ(run.round(i).stride, 1u);
    }
  }
}

TEST(Merges, TheOutputGrows) {
  const Analysed run(support::mergeTrace(kLists));
  std::vector<int> sorted;
  for (const auto& list : kLists) sorted.insert(sorted.end(), list.begin(), list.end());
  std::ranges::sort(sorted);
  const DeviceMemory& memory = run.launch().deviceMemory;
  ASSERT_EQ(memory.windows.size(), 2u) << "merged and origin";
  for (std::size_t round = 0; round < 36; ++round) {
    const auto merged = memory.wordsAfter(0, round), origin = memory.wordsAfter(1, round);
    const std::size_t done = (round + 1) / 4;
    for (std::size_t i = 0; i < 9; ++i) {
      ASSERT_EQ(merged[i].has_value(), i < done) << round;
      if (i >= done) continue;
      EXPECT_EQ(int(*merged[i]), sorted[i]);
      const auto& list = kLists.at(*origin[i]);
      EXPECT_NE(std::ranges::find(list, sorted[i]), list.end());
    }
  }
}

TEST(Merges, WhoKeepsItsHeadWorksToo) {
  const Analysed run(support::mergeTrace(kLists));
  const RoundFlow& flow = run.flow[1];  // heads 1 2 - 0, stride 2: thread 0 keeps 1, thread 1 takes 0
  ASSERT_EQ(flow.work.size(), 2u);
  EXPECT_TRUE(flow.work[0].kept);
  EXPECT_EQ(flow.work[0].result->element, 0u);
  EXPECT_EQ(flow.work[0].result->bits, 1u);
  EXPECT_FALSE(flow.work[1].kept);
  EXPECT_EQ(flow.work[1].result->array, 0u) << "heads, not owners";
  EXPECT_EQ(flow.work[1].result->bits, 0u);
  EXPECT_TRUE(flow.work[0].useful);
  EXPECT_TRUE(flow.work[1].useful);
  EXPECT_EQ(flow.liveAfter[0], (std::vector<bool>{true, true, false, false}));
}

TEST(Merges, ACutTraceServesTheNextElement) {
  const Analysed run(support::mergeTrace(kLists, 3));
  ASSERT_EQ(run.launch().rounds.size(), 13u);
  EXPECT_EQ(run.round(11).outputElement, 2u);
  EXPECT_EQ(run.round(12).outputElement, 3u);
}

}  // namespace
}  // namespace stridescope::analysis
