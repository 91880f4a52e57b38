// Requests, sectors, totals and problems of hand-made rounds.
#include "analysis/requests.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "analysis/analysis.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::analysis {

using model::Counter;
using model::EventKind;
using support::TraceBuilder;

namespace {

TEST(Sectors, AgreeWithACountOfBytes) {
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    LaneAddresses addresses;
    addresses.mask = i % 3 == 0 ? ~0u : std::uint32_t(random());
    addresses.width = 1u << random() % 5;
    const unsigned range = 1 + unsigned(random() % 200);
    std::set<std::uint64_t> sectors, bytes;
    for (unsigned lane = 0; lane < model::kWarpSize; ++lane) {
      addresses.offset[lane] = random() % range * addresses.width;
      for (unsigned k = 0; k < addresses.width && (addresses.mask >> lane & 1) != 0; ++k) {
        bytes.insert(addresses.offset[lane] + k);
        sectors.insert((addresses.offset[lane] + k) / 32);
      }
    }
    const SectorUse use = countSectors(addresses);
    ASSERT_EQ(use.sectors, sectors.size()) << i;
    ASSERT_EQ(use.ideal, (bytes.size() + 31) / 32) << i;
  }
}

// Two requests of each warp: neighbours, and every `apart`-th int.
TEST(Sectors, OfAWarpsRequestsTheWorstCounts) {
  constexpr unsigned kApart[] = {2, 1, 32};
  TraceBuilder builder(128);
  const auto in = builder.buffer("in", 8192);
  const auto neighbours = builder.site({.kind = model::SiteKind::Load, .text = "in[tid]"});
  const auto spread = builder.site({.kind = model::SiteKind::Load, .text = "in[apart * tid]"});
  for (unsigned t = 0; t < 96; ++t) {  // the last warp asks for nothing
    builder.load(t, neighbours, in, t);
    builder.load(t, spread, in, 1024 * (t / 32) + kApart[t / 32] * (t % 32));
  }
  const auto uses = worstSectorsByWarp(analyse(builder.build()).launches.at(0).rounds.at(0), 4);
  ASSERT_EQ(uses.size(), 4u);
  const unsigned sectors[] = {8, 4, 32, 0}, ideal[] = {4, 4, 4, 0};
  for (unsigned warp = 0; warp < 4; ++warp) {
    EXPECT_EQ(uses[warp].sectors, sectors[warp]) << warp;
    EXPECT_EQ(uses[warp].ideal, ideal[warp]) << warp;
  }
  EXPECT_EQ(worstOf(uses).sectors, 32u);
  EXPECT_EQ(worstOf({}).sectors, 0u);
  EXPECT_EQ(worstOf({{4, 4}, {4, 1}, {2, 1}}).ideal, 1u) << "as many sectors, with less need of them";
}

struct RequestingKernel {
  RequestingKernel() : b(64) {
    data = b.sharedArray("data", 1024);
    in = b.buffer("in", 4096);
    loadInput = b.site({.kind = model::SiteKind::Load, .text = "in[i]"});
    update = b.site({.kind = model::SiteKind::Update, .text = "data[i] += 1"});
    atomic = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&data[0], 1)"});
    atomicInput = b.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&in[0], 1)"});
    barrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads()"});
    shuffle = b.site({.kind = model::SiteKind::WarpOperation, .text = "__shfl_down_sync(m, v, 1)"});
    otherBarrier = b.site({.kind = model::SiteKind::BlockBarrier, .text = "__syncthreads() // 2"});
  }
  LaunchAnalysis analysis() const { return analyse(b.build()).launches.at(0); }
  TraceBuilder b;
  std::uint32_t data, in, loadInput, update, atomic, atomicInput, barrier, shuffle, otherBarrier;
};

TEST(Requests, AreSummedOverWarpsAndRepeats) {
  RequestingKernel k;
  for (int repeat = 0; repeat < 3; ++repeat)
    for (unsigned t = 0; t < 64; ++t) k.b.load(t, k.loadInput, k.in, 32 * t);  // a sector each
  const Round round = k.analysis().rounds.at(0);
  ASSERT_EQ(round.requests.size(), 1u);
  const Request& request = round.requests[0];
  EXPECT_FALSE(request.shared);
  EXPECT_EQ(request.requests, 6u);
  EXPECT_EQ(request.sectors, 6u * 32);
  EXPECT_EQ(request.idealSectors, 6u * 4);
  EXPECT_EQ(request.wavefronts, 0u);
}

TEST(Requests, AnUpdateIsALoadAndAStore) {
  RequestingKernel k;
  for (unsigned t = 0; t < 32; ++t) {
    k.b.load(t, k.update, k.data, 2 * t);
    k.b.store(t, k.update, k.data, 2 * t, 1);
  }
  const LaunchAnalysis analysis = k.analysis();
  const auto& requests = analysis.rounds.at(0).requests;
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_EQ(requests[0].kind, model::EventKind::Load);
  EXPECT_EQ(requests[1].kind, model::EventKind::Store);
  for (const Request& request : requests) {
    EXPECT_EQ(request.site, k.update);
    EXPECT_EQ(request.way, 2u);
    EXPECT_EQ(request.conflicts(), 1u);
  }
  EXPECT_EQ(analysis.totals.loadConflicts, 1u);
  EXPECT_EQ(analysis.totals.storeWavefronts, 2u);
}

TEST(Requests, SharedAtomicsHaveNoWavefronts) {
  RequestingKernel k;
  for (unsigned t = 0; t < 32; ++t) k.b.atomic(t, k.atomic, k.data, 0, 1, t + 1);
  for (unsigned t = 0; t < 32; ++t) k.b.atomic(t, k.atomicInput, k.in, 0, 1, t + 1);
  const LaunchAnalysis analysis = k.analysis();
  const auto& requests = analysis.rounds.at(0).requests;
  ASSERT_EQ(requests.size(), 2u);
  EXPECT_TRUE(requests[0].shared);
  EXPECT_EQ(requests[0].requests, 1u);
  EXPECT_EQ(requests[0].wavefronts, 0u);
  EXPECT_EQ(requests[0].ideal, 0u);
  EXPECT_EQ(requests[1].sectors, 1u);
  EXPECT_EQ(analysis.totals.loadWavefronts + analysis.totals.storeWavefronts, 0u);
}

TEST(Problems, ThreadsAtDifferentBlockBarriersAreReported) {
  RequestingKernel k;
  std::vector<unsigned> lower, upper;
  for (unsigned t = 0; t < 64; ++t) (t < 32 ? lower : upper).push_back(t);
  k.b.blockBarrier(k.barrier, lower);
  k.b.blockBarrier(k.otherBarrier, upper);
  const auto problems = k.analysis().problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, model::ProblemKind::DivergentBarrier);
  EXPECT_EQ(problems[0].thread, 32u);
  EXPECT_EQ(problems[0].site, int(k.otherBarrier));
}

TEST(Problems, ReadingALaneThatTakesNoPartIsReportedOnce) {
  RequestingKernel k;
  const auto shuffle = [&] {
    k.b.shuffle(
        k.shuffle, 0, [](unsigned lane) { return lane + 1; }, [](unsigned) { return 1; }, 0x0000ffff);
  };
  shuffle();
  shuffle();
  const auto problems = k.analysis().problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].kind, model::ProblemKind::UndefinedShuffle);
  EXPECT_EQ(problems[0].thread, 15u);
}

TEST(Problems, TheEnginesAreKeptAndNotRepeated) {
  RequestingKernel k;
  k.b.shuffle(
      k.shuffle, 0, [](unsigned lane) { return lane + 1; }, [](unsigned) { return 1; }, 0x0000ffff);
  model::Trace trace = k.b.build();
  trace.launches[0].recorded().problems.push_back({.kind = model::ProblemKind::UndefinedShuffle,
                                                   .text = "Said by the engine.",
                                                   .site = int(k.shuffle),
                                                   .thread = 15});
  const auto problems = analyse(trace).launches.at(0).problems;
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text, "Said by the engine.");
}

// Which request stands for a round, and which operation for a request, checked on requests written down by
// hand.

Request request(std::uint32_t site, EventKind kind, bool shared) {
  Request made;
  made.site = site;
  made.kind = kind;
  made.shared = shared;
  return made;
}
Request inShared(std::uint32_t site, EventKind kind, unsigned wavefronts = 1, unsigned ideal = 1) {
  Request made = request(site, kind, true);
  made.wavefronts = wavefronts;
  made.ideal = ideal;
  return made;
}
Request inGlobal(std::uint32_t site, EventKind kind, unsigned sectors = 4, unsigned ideal = 4) {
  Request made = request(site, kind, false);
  made.sectors = sectors;
  made.idealSectors = ideal;
  return made;
}
Round roundOf(std::vector<Request> requests) {
  Round round;
  round.requests = std::move(requests);
  return round;
}
std::uint32_t worstSite(std::vector<Request> requests) {
  const Round round = roundOf(std::move(requests));
  return worstRequest(round)->site;
}

TEST(RequestList, LoadsThenStoresThenAtomicsEachBySite) {
  const Round round =
      roundOf({inShared(1, EventKind::Load), inShared(1, EventKind::Store), inGlobal(2, EventKind::Atomic),
               inShared(3, EventKind::Load), inGlobal(3, EventKind::Load), inGlobal(4, EventKind::Store)});
  const std::vector<const Request*> list = listRequests(round);
  const RequestId expected[] = {{1, EventKind::Load, true},   {3, EventKind::Load, true},
                                {3, EventKind::Load, false},  {1, EventKind::Store, true},
                                {4, EventKind::Store, false}, {2, EventKind::Atomic, false}};
  ASSERT_EQ(list.size(), std::size(expected));
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_TRUE(*list[i] == expected[i]) << i;
  EXPECT_TRUE(listRequests({}).empty());
}

TEST(RequestList, ARequestIsFoundBySiteKindAndSpace) {
  const Round round = roundOf({inShared(1, EventKind::Load), inShared(1, EventKind::Store)});
  EXPECT_EQ(findRequest(round, {1, EventKind::Store, true}), &round.requests[1]);
  EXPECT_EQ(findRequest(round, {1, EventKind::Store, false}), nullptr);
  EXPECT_EQ(findRequest(round, {2, EventKind::Store, true}), nullptr);
  EXPECT_EQ(findRequest(round, {1, EventKind::Atomic, true}), nullptr);
}

TEST(RequestList, TheWorstHasTheMostWavefrontsForEachIdealOne) {
  EXPECT_EQ(worstRequest({}), nullptr);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load, 16, 8), inShared(2, EventKind::Load, 6, 2)}), 2u);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load, 16, 8), inShared(2, EventKind::Store, 2, 1)}), 1u);
  EXPECT_EQ(worstSite({inShared(1, EventKind::Store), inShared(2, EventKind::Load)}), 2u)
      << "a load is first";
  EXPECT_EQ(worstSite({inShared(1, EventKind::Atomic, 0, 0), inShared(2, EventKind::Atomic, 0, 0)}), 1u);
}

TEST(RequestList, OfAlikeOnesABroadcastStandsBack) {
  Request flag = inShared(1, EventKind::Load);
  flag.broadcast = true;
  EXPECT_EQ(worstSite({flag, inGlobal(2, EventKind::Load)}), 2u);
  EXPECT_EQ(worstSite({flag}), 1u);
  flag.wavefronts = 2;
  EXPECT_EQ(worstSite({flag, inGlobal(2, EventKind::Load)}), 1u);
}

TEST(RequestList, OfAlikeWavefrontsSectorsDecide) {
  EXPECT_EQ(worstSite({inShared(1, EventKind::Load), inGlobal(2, EventKind::Load, 32, 4)}), 2u);
  EXPECT_EQ(worstSite({inGlobal(1, EventKind::Load, 32, 4), inShared(2, EventKind::Load, 2, 1)}), 2u);
  EXPECT_EQ(worstSite({inGlobal(1, EventKind::Load), inGlobal(2, EventKind::Atomic, 1, 1)}), 1u);
}

WarpOperation operation(unsigned warp, std::uint32_t mask, unsigned wavefronts, unsigned sectors = 0) {
  WarpOperation made;
  made.warp = warp;
  made.mask = mask;
  made.banks.wavefronts = wavefronts;
  made.sectors = sectors;
  return made;
}

TEST(RequestList, TheWorstOperationIsThatOfTheThreadOfTheWarpOrOfAll) {
  Round round = roundOf({inShared(1, EventKind::Load)});
  round.operations = {operation(0, ~0u, 2), operation(0, 1, 3), operation(0, 1, 3), operation(1, ~0u, 9),
                      operation(2, 6, 1)};
  Request& load = round.requests[0];
  load.operations = {0, 1, 2, 4};  // 3 belongs to another request
  EXPECT_EQ(worstOperation(round, load), 1u) << "the first of those that are alike";
  EXPECT_EQ(worstOperationOfWarp(round, load, 0), 1u);
  EXPECT_EQ(worstOperationOfWarp(round, load, 1), std::nullopt);
  EXPECT_EQ(worstOperationOfWarp(round, load, 2), 4u);
  EXPECT_EQ(worstOperationOfThread(round, load, 0), 1u);
  EXPECT_EQ(worstOperationOfThread(round, load, 5), 0u) << "lane 5 takes part in the first alone";
  EXPECT_EQ(worstOperationOfThread(round, load, 66), 4u);
  EXPECT_EQ(worstOperationOfThread(round, load, 64), std::nullopt);
}

TEST(RequestList, InDeviceMemoryTheWorstOperationHasTheMostSectors) {
  Round round = roundOf({inGlobal(1, EventKind::Load)});
  round.operations = {operation(0, ~0u, 0, 4), operation(1, ~0u, 0, 8), operation(2, ~0u, 0, 8)};
  round.requests[0].operations = {0, 1, 2};
  EXPECT_EQ(worstOperation(round, round.requests[0]), 1u);
}

// Against what an H200 counted (ncu, CUDA 13.0, driver 580; 256 threads, one block).

struct Expected {
  const char* variant;
  double loadConflicts, storeConflicts, loads, stores;
};

TEST(ModelledCounters, AreWhatTheHardwareCounts) {
  for (const Expected& expected : {Expected{"interleaved_modulo", 0, 0, 95, 55},
                                   {"interleaved_contiguous", 70, 35, 95, 55},
                                   {"sequential", 0, 0, 25, 20}}) {
    const model::Trace trace = support::ladderTrace(expected.variant, 256, model::ElementType::Int);
    const Analysis analysis = analyse(trace);
    const auto of = [&](Counter counter) {
      return modelled(counter, trace.launches[0], analysis.launches[0]);
    };
    EXPECT_EQ(of(Counter::SharedLoadConflicts), expected.loadConflicts) << expected.variant;
    EXPECT_EQ(of(Counter::SharedStoreConflicts), expected.storeConflicts) << expected.variant;
    EXPECT_EQ(of(Counter::SharedLoadWavefronts), expected.loads) << expected.variant;
    EXPECT_EQ(of(Counter::SharedStoreWavefronts), expected.stores) << expected.variant;
    EXPECT_EQ(of(Counter::Instructions), std::nullopt);
  }
}

TEST(ModelledCounters, OfABlockAmongOthersOrACutTraceAreNotKnown) {
  model::Trace trace = support::ladderTrace("sequential", 256, model::ElementType::Int);
  const Analysis analysis = analyse(trace);
  model::LaunchTrace launch = trace.launches[0];
  launch.grid = 2;
  EXPECT_FALSE(modelled(Counter::SharedLoadConflicts, launch, analysis.launches[0]));
  launch.grid = 1;
  launch.recorded().cut = true;
  EXPECT_FALSE(modelled(Counter::SharedLoadConflicts, launch, analysis.launches[0]));
}

}  // namespace
}  // namespace stridescope::analysis
