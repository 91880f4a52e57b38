// Every rung at every legal block size against what its definition implies, by formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "analysis/analysis.h"
#include "model/trace_check.h"
#include "support/ladder_trace.h"

namespace stridescope::analysis {
using support::ladderTrace;

namespace {

enum class Lanes { EveryOther2s, First };  // which threads add in stride s

struct Rung {
  const char* variant;
  Lanes lanes;
  bool halving;
  bool spreadOperands;  // thread t adds at 2*s*t, so that a warp's operands lie 2s words apart
};
constexpr Rung kModulo{"interleaved_modulo", Lanes::EveryOther2s, false, false};
constexpr Rung kContiguous{"interleaved_contiguous", Lanes::First, false, true};
constexpr Rung kSequential{"sequential", Lanes::First, true, false};
constexpr Rung kFirstAdd{"first_add_on_load", Lanes::First, true, false};

struct Case {
  Rung rung;
  unsigned threads;
};
std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.rung.variant << "_" << c.threads;
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (const Rung& rung : {kModulo, kContiguous, kSequential, kFirstAdd})
    for (unsigned threads = 32; threads <= 1024; threads *= 2) cases.push_back({rung, threads});
  return cases;
}

class LadderOracle : public testing::TestWithParam<Case> {
 protected:
  const Rung& rung() const { return GetParam().rung; }
  unsigned threads() const { return GetParam().threads; }

  unsigned strides() const { return unsigned(std::countr_zero(threads())); }
  unsigned strideOf(unsigned round) const { return rung().halving ? threads() >> round : 1u << (round - 1); }
  unsigned adding(unsigned s) const { return rung().halving ? s : threads() / (2 * s); }

  // Warps that contain an adding thread, and lanes that add in the fullest of them.
  unsigned warpsAdding(unsigned s) const {
    if (rung().lanes == Lanes::First) return (adding(s) + 31) / 32;
    return std::min(threads() / 32, adding(s));  // one adding thread in 2s <= 32, or in more
  }
  unsigned fullestWarp(unsigned s) const {
    if (rung().lanes == Lanes::First) return std::min(32u, adding(s));
    return std::max(1u, 32 / (2 * s));
  }
  unsigned way(unsigned s) const {
    return rung().spreadOperands ? std::max(1u, fullestWarp(s) * std::min(2 * s, 32u) / 32) : 1;
  }

  const model::Trace trace_ = ladderTrace(rung().variant, threads(), model::ElementType::Int);
  const Analysis analysis_ = analyse(trace_);
  const LaunchAnalysis& launch() const { return analysis_.launches.at(0); }
};

TEST_P(LadderOracle, TraceIsSoundAndRight) {
  EXPECT_EQ(model::faultOf(trace_), std::nullopt);
  EXPECT_TRUE(trace_.ok) << trace_.result << " for " << trace_.expected;
}

TEST_P(LadderOracle, RoundsAreTheLoadTheStridesAndTheResult) {
  ASSERT_EQ(launch().rounds.size(), strides() + 2);
  for (unsigned r = 0; r <= strides(); ++r) EXPECT_EQ(launch().rounds[r].endsWith, RoundEnd::BlockBarrier);
  EXPECT_EQ(launch().rounds.back().endsWith, RoundEnd::End);
  EXPECT_EQ(launch().rounds[0].activeLanes, threads());
  EXPECT_EQ(launch().rounds[0].partialWarps, 0u);
  EXPECT_EQ(launch().rounds.back().activeLanes, 1u);
  EXPECT_EQ(launch().rounds.back().stride, std::nullopt);
  const bool addsOnLoad = std::string_view(rung().variant) == "first_add_on_load";
  EXPECT_EQ(launch().rounds[0].stride, addsOnLoad ? std::optional<std::uint64_t>(threads()) : std::nullopt);
}

TEST_P(LadderOracle, LanesAndWarps) {
  for (unsigned r = 1; r <= strides(); ++r) {
    const Round& round = launch().rounds.at(r);
    const unsigned s = strideOf(r);
    EXPECT_EQ(round.stride, s);
    EXPECT_EQ(round.activeLanes, adding(s)) << "stride " << s;
    EXPECT_EQ(round.activeWarps, warpsAdding(s)) << "stride " << s;
    EXPECT_EQ(round.partialWarps, fullestWarp(s) == 32 ? 0 : warpsAdding(s)) << "stride " << s;
  }
}

TEST_P(LadderOracle, BranchesDivergeInPartialWarpsOnly) {
  // Warps whose lanes all add, or none of them, do not split. No warp splits at the loop itself.
  for (unsigned r = 1; r <= strides(); ++r)
    EXPECT_EQ(launch().rounds.at(r).divergentBranches, launch().rounds[r].partialWarps) << "round " << r;
  EXPECT_EQ(launch().rounds.back().divergentBranches, 1u);  // if (tid == 0)
}

TEST_P(LadderOracle, LaneStates) {
  for (unsigned r = 1; r <= strides(); ++r) {
    const unsigned s = strideOf(r);
    const auto adds = [&](unsigned t) {
      return rung().lanes == Lanes::First ? t < adding(s) : t % (2 * s) == 0;
    };
    for (unsigned t = 0; t < threads(); ++t) {
      bool warpAdds = false;
      for (unsigned lane = 0; lane < 32; ++lane) warpAdds = warpAdds || adds(t / 32 * 32 + lane);
      const LaneState expected = adds(t)    ? LaneState::Active
                                 : warpAdds ? LaneState::Inactive
                                            : LaneState::IdleWarp;
      ASSERT_EQ(launch().rounds.at(r).lanes.at(t), expected) << "round " << r << ", thread " << t;
    }
  }
}

TEST_P(LadderOracle, Requests) {
  for (unsigned r = 1; r <= strides(); ++r) {
    const Round& round = launch().rounds.at(r);
    const unsigned s = strideOf(r);
    ASSERT_EQ(round.requests.size(), 3u);  // two loads and a store
    for (const Request& request : round.requests) {
      EXPECT_TRUE(request.shared);
      EXPECT_EQ(request.requests, warpsAdding(s));
      EXPECT_EQ(request.ideal, warpsAdding(s));
      EXPECT_EQ(request.way, way(s)) << "stride " << s;
      EXPECT_FALSE(request.broadcast);
      // All full warps are alike; no rung of the ladder has a full warp beside a partial one.
      EXPECT_EQ(request.wavefronts, warpsAdding(s) * way(s)) << "stride " << s;
    }
    EXPECT_EQ(round.requests[0].kind, model::EventKind::Load);
    EXPECT_EQ(round.requests[1].kind, model::EventKind::Load);
    EXPECT_EQ(round.requests[2].kind, model::EventKind::Store);
  }
}

TEST_P(LadderOracle, LoadIsCoalesced) {
  const auto& requests = launch().rounds.at(0).requests;
  const auto fromInput = std::ranges::find(requests, false, &Request::shared);
  ASSERT_NE(fromInput, requests.end());
  EXPECT_EQ(fromInput->sectors, threads() * 4 / 32);
  EXPECT_EQ(fromInput->idealSectors, threads() * 4 / 32);
  EXPECT_EQ(fromInput->wavefronts, 0u);
}

TEST_P(LadderOracle, TotalsAreTheStridesTheFirstStoresAndTheLastLoad) {
  unsigned overStrides = 0, conflicts = 0;
  for (unsigned r = 1; r <= strides(); ++r) {
    const unsigned s = strideOf(r);
    overStrides += warpsAdding(s) * way(s);
    conflicts += warpsAdding(s) * (way(s) - 1);
  }
  EXPECT_EQ(launch().totals.loadWavefronts, 2 * overStrides + 1);
  EXPECT_EQ(launch().totals.storeWavefronts, overStrides + threads() / 32);
  EXPECT_EQ(launch().totals.loadConflicts, 2 * conflicts);
  EXPECT_EQ(launch().totals.storeConflicts, conflicts);
  EXPECT_EQ(analysis_.totals.loadWavefronts, launch().totals.loadWavefronts);
}

TEST_P(LadderOracle, NoRaceAndNoProblem) {
  EXPECT_TRUE(launch().races.empty());
  EXPECT_TRUE(launch().problems.empty());
}

INSTANTIATE_TEST_SUITE_P(EveryBlockSize, LadderOracle, testing::ValuesIn(allCases()),
                         testing::PrintToStringParamName());

// ---- The oracle for 256 threads, and what an H200's counters read there.

struct Counted {
  const char* variant;
  unsigned loadWavefronts, storeWavefronts, loadConflicts, storeConflicts;
};

TEST(LadderCounters, AsReadOnTheHardware) {
  for (const Counted& counted :
       {Counted{"interleaved_modulo", 95, 55, 0, 0}, Counted{"interleaved_contiguous", 95, 55, 70, 35},
        Counted{"sequential", 25, 20, 0, 0}}) {
    const Totals totals = analyse(ladderTrace(counted.variant, 256, model::ElementType::Int)).totals;
    EXPECT_EQ(totals.loadWavefronts, counted.loadWavefronts) << counted.variant;
    EXPECT_EQ(totals.storeWavefronts, counted.storeWavefronts) << counted.variant;
    EXPECT_EQ(totals.loadConflicts, counted.loadConflicts) << counted.variant;
    EXPECT_EQ(totals.storeConflicts, counted.storeConflicts) << counted.variant;
  }
}

struct StrideTable {
  const char* variant;
  std::vector<unsigned> activeWarps, partialWarps, way;
  unsigned wavefronts, ideal;  // over all strides, two loads and a store each
};

TEST(LadderOracleOf256Threads, IsMet) {
  const std::vector<unsigned> activeLanes{128, 64, 32, 16, 8, 4, 2, 1};
  const std::vector<unsigned> alwaysOne(8, 1);
  for (const StrideTable& table :
       {StrideTable{
            "interleaved_modulo", {8, 8, 8, 8, 8, 4, 2, 1}, {8, 8, 8, 8, 8, 4, 2, 1}, alwaysOne, 141, 141},
        StrideTable{"interleaved_contiguous",
                    {4, 2, 1, 1, 1, 1, 1, 1},
                    {0, 0, 0, 1, 1, 1, 1, 1},
                    {2, 4, 8, 8, 8, 4, 2, 1},
                    141,
                    36},
        StrideTable{"sequential", {4, 2, 1, 1, 1, 1, 1, 1}, {0, 0, 0, 1, 1, 1, 1, 1}, alwaysOne, 36, 36}}) {
    const Analysis analysis = analyse(ladderTrace(table.variant, 256, model::ElementType::Int));
    const auto& rounds = analysis.launches.at(0).rounds;
    ASSERT_EQ(rounds.size(), 10u);
    unsigned wavefronts = 0, ideal = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      const Round& round = rounds[i + 1];
      EXPECT_EQ(round.activeLanes, activeLanes[i]);
      EXPECT_EQ(round.activeWarps, table.activeWarps[i]);
      EXPECT_EQ(round.partialWarps, table.partialWarps[i]);
      unsigned way = 0;
      for (const Request& request : round.requests) {
        wavefronts += request.wavefronts;
        ideal += request.ideal;
        way = std::max(way, request.way);
      }
      EXPECT_EQ(way, table.way[i]) << table.variant << ", stride " << i;
    }
    EXPECT_EQ(wavefronts, table.wavefronts) << table.variant;
    EXPECT_EQ(ideal, table.ideal) << table.variant;
  }
}

TEST(LadderIn64Bits, ModuloHasConflictsOnLoadsOnly) {
  const Totals totals = analyse(ladderTrace("interleaved_modulo", 256, model::ElementType::Int64)).totals;
  EXPECT_GT(totals.loadConflicts, 0u);
  EXPECT_EQ(totals.storeConflicts, 0u);
}

}  // namespace
}  // namespace stridescope::analysis
