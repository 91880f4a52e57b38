// The maps' bytes against what the ladder's definition implies, and against the bank rule on requests made by
// hand.
#include "views/shared/map_bytes.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "analysis/requests.h"
#include "support/ladder_trace.h"
#include "support/trace_builder.h"

namespace stridescope::views {
namespace {

using support::ladderTrace;
using support::TraceBuilder;

struct Ladder {
  model::Trace trace;
  analysis::Analysis analysis;
  std::vector<analysis::RoundFlow> flow = {};
  const model::LaunchTrace& launch() const { return trace.launches[0]; }
  const analysis::LaunchAnalysis& rounds() const { return analysis.launches[0]; }
  const analysis::Round& round(unsigned index) const { return rounds().rounds[index]; }
};
Ladder analysed(model::Trace trace) {
  Ladder ladder{std::move(trace), {}};
  ladder.analysis = analysis::analyse(ladder.trace);
  ladder.flow = analysis::findDataFlow(ladder.trace, ladder.launch(), ladder.rounds());
  return ladder;
}
Ladder ladder(const char* variant, unsigned threads = 256,
              model::ElementType type = model::ElementType::Int) {
  return analysed(ladderTrace(variant, threads, type));
}

// Which element thread t combines in stride s of a block of n, or -1.
int targetOf(const std::string& variant, unsigned t, unsigned s, unsigned n) {
  if (variant == "interleaved_modulo") return t % (2 * s) == 0 ? int(t) : -1;
  if (variant == "interleaved_contiguous") return 2 * s * t < n ? int(2 * s * t) : -1;
  return t < s ? int(t) : -1;
}
unsigned strideOf(const std::string& variant, unsigned round, unsigned n) {
  return variant.starts_with("interleaved") ? 1u << (round - 1) : n >> round;
}

TEST(RoundRanges, LongOnesAreShownInPartsThatHoldTheCurrentRound) {
  const auto expectPart = [](RoundRange part, unsigned first, unsigned last) {
    EXPECT_EQ(part.first, first);
    EXPECT_EQ(part.last, last);
  };
  expectPart(partOf({1, 9}, 4, 8), 1, 9);
  expectPart(partOf({1, 101}, 0, 8), 1, 9);
  expectPart(partOf({1, 101}, 8, 8), 1, 9);
  expectPart(partOf({1, 101}, 9, 8), 9, 17);
  expectPart(partOf({1, 101}, 100, 8), 93, 101);
  expectPart(partOf({1, 101}, 500, 8), 93, 101);
}

TEST(MapBytes, LanesAreActiveOffOrIdleAsTheConditionSays) {
  for (const char* variant : {"interleaved_modulo", "interleaved_contiguous", "sequential"})
    for (const unsigned n : {32u, 256u, 1024u}) {
      const Ladder all = ladder(variant, n);
      for (unsigned round = 1; 1u << round <= n; ++round) {
        const unsigned s = strideOf(variant, round, n);
        const MapBytes map = laneBytes(all.launch(), all.round(round), all.flow[round]);
        ASSERT_EQ(map.columns, 32);
        ASSERT_EQ(map.rows, int(n / 32));
        ASSERT_EQ(map.cells.size(), n);
        for (unsigned t = 0; t < n; ++t) {
          bool warpWorks = false;
          for (unsigned lane = 0; lane < 32; ++lane)
            warpWorks |= targetOf(variant, t / 32 * 32 + lane, s, n) >= 0;
          const analysis::LaneState expected = targetOf(variant, t, s, n) >= 0 ? analysis::LaneState::Active
                                               : warpWorks                     ? analysis::LaneState::Inactive
                                                           : analysis::LaneState::IdleWarp;
          ASSERT_EQ(map.cells[t], std::uint8_t(expected))
              << variant << " " << n << " stride " << s << " thread " << t;
        }
      }
    }
}

TEST(MapBytes, LanesThatTheLastWarpLacksAreBlank) {
  TraceBuilder builder(40);
  const auto data = builder.sharedArray("data", 40);
  const auto store = builder.site({.kind = model::SiteKind::Store, .text = "data[tid]"});
  for (unsigned t = 0; t < 40; ++t) builder.store(t, store, data, t, t);
  const Ladder odd = analysed(builder.build());
  EXPECT_EQ(warpsOf(odd.launch()), 2u);
  EXPECT_EQ(lanesOf(odd.launch(), 0), 32u);
  EXPECT_EQ(lanesOf(odd.launch(), 1), 8u);
  const MapBytes map = laneBytes(odd.launch(), odd.round(0), odd.flow[0]);
  ASSERT_EQ(map.cells.size(), 64u);
  for (unsigned cell = 0; cell < 64; ++cell)
    EXPECT_EQ(map.cells[cell], cell < 40 ? std::uint8_t(analysis::LaneState::Active) : 255) << cell;
}

TEST(MapBytes, StridesAreTheRoundsBetweenLoadAndWrite) {
  for (const char* variant :
       {"interleaved_modulo", "sequential", "first_add_on_load", "unrolled_last_warp"}) {
    const RoundRange range = strideRounds(ladder(variant).rounds());
    EXPECT_EQ(range.first, 1u) << variant;
    EXPECT_EQ(range.last, 9u) << variant;
    EXPECT_EQ(range.count(), 8u) << variant;
  }
}

TEST(MapBytes, ActiveLanesAreCountedByWarpAndStride) {
  for (const char* variant : {"interleaved_modulo", "interleaved_contiguous", "sequential"}) {
    constexpr unsigned n = 512;
    const Ladder all = ladder(variant, n);
    const RoundRange range = strideRounds(all.rounds());
    const MapBytes map = usedLaneBytes(all.launch(), all.rounds(), all.flow, range);
    ASSERT_EQ(map.columns, 9);
    ASSERT_EQ(map.rows, 16);
    for (unsigned warp = 0; warp < 16; ++warp)
      for (unsigned column = 0; column < 9; ++column) {
        unsigned active = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
          active += targetOf(variant, warp * 32 + lane, strideOf(variant, column + 1, n), n) >= 0;
        EXPECT_EQ(map.cells[warp * 9 + column], active)
            << variant << " warp " << warp << " column " << column;
      }
  }
}

// In the tail all of warp 0 works, whatever the stride, and of ever fewer lanes the results are used.
TEST(MapBytes, TheTailIsOneWholeWarp) {
  const Ladder all = ladder("unrolled_last_warp", 128);
  const MapBytes map = usedLaneBytes(all.launch(), all.rounds(), all.flow, strideRounds(all.rounds()));
  ASSERT_EQ(map.columns, 7);
  for (unsigned column = 0; column < 7; ++column)
    for (unsigned warp = 0; warp < 4; ++warp)
      EXPECT_EQ(map.cells[warp * 7 + column], warp > 0      ? (column == 0 && warp < 2 ? 32 : 0)
                                              : column <= 1 ? 32
                                                            : kMoreTakePart + (64 >> column))
          << warp << " " << column;
}

// The rule of the counters, apart from the program's: the element that each lane asks for, nothing where it
// is off. What each bank must serve in the group of lanes that asks most of it.
std::array<std::size_t, 32> wordsOfOneRequest(const std::array<std::optional<unsigned>, 32>& element,
                                              unsigned wordsPerElement, bool isStore) {
  unsigned groups = wordsPerElement;  // 1 of 32 lanes, 2 of 16, 4 of 8
  if (groups > 1 && !isStore)
    for (const unsigned x : {1u, 2u}) {
      bool agree = true;
      for (unsigned lane = 0; lane < 32; ++lane)
        if (element[lane] && element[lane ^ x] && element[lane] != element[lane ^ x]) agree = false;
      if (agree) {
        groups /= 2;
        break;
      }
    }
  std::array<std::size_t, 32> most{};
  for (unsigned group = 0; group < groups; ++group) {
    std::array<std::set<unsigned>, 32> asked;
    for (unsigned lane = group * (32 / groups); lane < (group + 1) * (32 / groups); ++lane)
      for (unsigned word = 0; element[lane] && word < wordsPerElement; ++word) {
        const unsigned at = *element[lane] * wordsPerElement + word;
        asked[at % 32].insert(at);
      }
    for (unsigned bank = 0; bank < 32; ++bank) most[bank] = std::max(most[bank], asked[bank].size());
  }
  return most;
}

// A warp makes three requests a stride: it loads both operands and stores the result.
TEST(MapBytes, BanksByRoundHoldTheMostWordsOfOneGroup) {
  for (const auto type : {model::ElementType::Int, model::ElementType::Int64, model::ElementType::Double})
    for (const char* variant : {"interleaved_modulo", "interleaved_contiguous", "sequential"}) {
      constexpr unsigned n = 256;
      const unsigned words = model::bytesOf(type) / 4;
      const Ladder all = ladder(variant, n, type);
      const MapBytes map = bankBytes(all.rounds(), strideRounds(all.rounds()));
      ASSERT_EQ(map.columns, 32);
      ASSERT_EQ(map.rows, 8);
      for (unsigned row = 0; row < 8; ++row) {
        const unsigned s = strideOf(variant, row + 1, n);
        std::array<std::size_t, 32> most{};
        for (unsigned warp = 0; warp < n / 32; ++warp)
          for (const bool isStore : {false, true})
            for (const unsigned distance : {0u, s}) {
              if (isStore && distance != 0) continue;
              std::array<std::optional<unsigned>, 32> element{};
              for (unsigned lane = 0; lane < 32; ++lane)
                if (const int target = targetOf(variant, warp * 32 + lane, s, n); target >= 0)
                  element[lane] = unsigned(target) + distance;
              const auto asked = wordsOfOneRequest(element, words, isStore);
              for (unsigned bank = 0; bank < 32; ++bank) most[bank] = std::max(most[bank], asked[bank]);
            }
        for (unsigned bank = 0; bank < 32; ++bank)
          EXPECT_EQ(map.cells[row * 32 + bank], most[bank])
              << variant << " " << model::nameOf(type) << " stride " << s << " bank " << bank;
      }
    }
}

// Neighbours that ask for neighbouring elements of 8 bytes collide nowhere: two groups of 16 lanes.
TEST(MapBytes, ElementsOfEightBytesInARowCollideNowhere) {
  for (const auto type : {model::ElementType::Int64, model::ElementType::Double}) {
    const Ladder all = ladder("sequential", 256, type);
    const MapBytes map = bankBytes(all.rounds(), strideRounds(all.rounds()));
    for (const std::uint8_t cell : map.cells) EXPECT_LE(cell, 1);
    EXPECT_EQ(map.cells[0], 1);
  }
}

// Stride 8 of the contiguous rung: lane t asks for word 16 t, so bank 0 for even lanes and 16 for odd ones,
// eight words each. The lowest lanes go first.
TEST(PunchCards, AnEightWayConflict) {
  const Ladder all = ladder("interleaved_contiguous");
  const analysis::Request& loadA = *analysis::listRequests(all.round(4)).front();
  const PunchCard card =
      punchCard(all.launch(), all.round(4).operations[analysis::worstOperation(all.round(4), loadA)]);
  EXPECT_EQ(card.use.way, 8u);
  EXPECT_EQ(card.use.wavefronts, 8u);
  EXPECT_EQ(card.use.ideal, 1u);
  ASSERT_EQ(card.bytes.rows, 16);
  ASSERT_EQ(card.bytes.columns, 32);
  for (unsigned row = 0; row < 16; ++row) {
    EXPECT_EQ(card.lane[row], row);
    EXPECT_EQ(card.wavefront[row], row / 2);
    for (unsigned bank = 0; bank < 32; ++bank)
      EXPECT_EQ(card.bytes.cells[row * 32 + bank],
                bank == row % 2 * 16 ? PunchCard::Asked : PunchCard::Empty);
  }
  std::vector<unsigned> off(16);
  std::iota(off.begin(), off.end(), 16);
  EXPECT_EQ(card.offLanes, off);
}

// One warp, one load of 32 lanes at element `elementOf(lane)`, `width` bytes each.
PunchCard cardOfLoad(unsigned width, unsigned (*elementOf)(unsigned lane)) {
  TraceBuilder builder(32, width == 8 ? model::ElementType::Double : model::ElementType::Int);
  const auto data = builder.sharedArray("data", 2048);
  for (unsigned i = 0; i < 2048; ++i) builder.poke(data, i, 0);
  const auto load = builder.site({.kind = model::SiteKind::Load, .text = "data[i]"});
  for (unsigned lane = 0; lane < 32; ++lane) builder.load(lane, load, data, elementOf(lane));
  const Ladder one = analysed(builder.build());
  return punchCard(one.launch(), one.round(0).operations.at(0));
}

// The table of one load by 32 lanes that the hardware's counters confirm: wavefronts and conflicts.
TEST(PunchCards, WavefrontsAreTheHardwares) {
  const struct {
    const char* what;
    unsigned (*element)(unsigned lane);
    unsigned wavefronts4, conflicts4, wavefronts8, conflicts8;
  } cases[] = {
      {"all the same", [](unsigned) { return 0u; }, 1, 0, 1, 0},
      {"lane", [](unsigned lane) { return lane; }, 1, 0, 2, 0},
      {"2 x lane", [](unsigned lane) { return 2 * lane; }, 2, 1, 4, 2},
      {"lane / 2", [](unsigned lane) { return lane / 2; }, 1, 0, 1, 0},
      {"(lane mod 2) x 16 + lane / 2", [](unsigned lane) { return lane % 2 * 16 + lane / 2; }, 1, 0, 4, 2},
      {"33 x lane", [](unsigned lane) { return 33 * lane; }, 1, 0, 2, 0}};
  for (const auto& each : cases) {
    const PunchCard narrow = cardOfLoad(4, each.element), wide = cardOfLoad(8, each.element);
    EXPECT_EQ(narrow.use.wavefronts, each.wavefronts4) << each.what;
    EXPECT_EQ(narrow.use.wavefronts - narrow.use.ideal, each.conflicts4) << each.what;
    EXPECT_EQ(wide.use.wavefronts, each.wavefronts8) << each.what;
    EXPECT_EQ(wide.use.wavefronts - wide.use.ideal, each.conflicts8) << each.what;
    for (const PunchCard* card : {&narrow, &wide}) {
      EXPECT_TRUE(std::is_sorted(card->wavefront.begin(), card->wavefront.end())) << each.what;
      EXPECT_EQ(card->wavefront.back() + 1, card->use.wavefronts) << each.what;
      EXPECT_TRUE(card->offLanes.empty());
    }
  }
}

TEST(PunchCards, AWordOfSeveralLanesIsToldApart) {
  const PunchCard pairs = cardOfLoad(4, [](unsigned lane) { return lane / 2; });
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned bank = 0; bank < 32; ++bank)
      EXPECT_EQ(pairs.bytes.cells[row * 32 + bank],
                bank == pairs.lane[row] / 2 ? PunchCard::Shared : PunchCard::Empty);
  const PunchCard mixed = cardOfLoad(4, [](unsigned lane) { return lane < 2 ? 5u : 40 + lane; });
  EXPECT_EQ(mixed.bytes.cells[5], PunchCard::Shared);
  EXPECT_EQ(std::count(mixed.bytes.cells.begin(), mixed.bytes.cells.end(), PunchCard::Shared), 2);
  EXPECT_EQ(std::count(mixed.bytes.cells.begin(), mixed.bytes.cells.end(), PunchCard::Asked), 30);
}

TEST(PunchCards, WideAccessesTakeTwoBanks) {
  const PunchCard card = cardOfLoad(8, [](unsigned lane) { return lane; });
  for (unsigned row = 0; row < 32; ++row)
    for (unsigned bank = 0; bank < 32; ++bank) {
      const bool asked = bank / 2 == card.lane[row] % 16;
      EXPECT_EQ(card.bytes.cells[row * 32 + bank], asked ? PunchCard::Asked : PunchCard::Empty);
    }
}

TEST(PunchCards, OfAnAtomicHaveRowsByLaneAndNoWavefronts) {
  TraceBuilder builder(32);
  const auto counters = builder.sharedArray("counters", 64);
  const auto site = builder.site({.kind = model::SiteKind::Atomic, .text = "atomicAdd(&counters[0], 1)"});
  for (unsigned t = 0; t < 32; ++t) builder.atomic(t, site, counters, t % 2 == 0 ? 32u : 0u, 1, t + 1);
  const Ladder all = analysed(builder.build());
  ASSERT_EQ(all.round(0).operations.size(), 1u);
  const PunchCard card = punchCard(all.launch(), all.round(0).operations[0]);
  ASSERT_EQ(card.lane.size(), 32u);
  EXPECT_TRUE(std::ranges::is_sorted(card.lane));
  EXPECT_TRUE(card.wavefront.empty());
  EXPECT_EQ(card.use.wavefronts, 0u);
  for (unsigned row = 0; row < 32; ++row)
    EXPECT_EQ(card.bytes.cells[row * 32], PunchCard::Shared) << "words 0 and 32 lie in bank 0";
}

// 32 neighbouring ints lie in four sectors of eight; ints 32 apart in 32 of their own.
TEST(SectorCards, ColumnsAreTheSectorsThatAreTouched) {
  const auto cardOf = [](unsigned distance) {
    TraceBuilder builder(32);
    const auto buffer = builder.buffer("in", 32 * distance);
    for (unsigned i = 0; i < 32 * distance; ++i) builder.poke(buffer, i, 0);
    const auto load = builder.site({.kind = model::SiteKind::Load, .text = "in[i]"});
    for (unsigned lane = 0; lane < 32; ++lane) builder.load(lane, load, buffer, lane * distance);
    const Ladder one = analysed(builder.build());
    return sectorCard(one.launch(), one.round(0).operations.at(0));
  };
  const PunchCard dense = cardOf(1), sparse = cardOf(32);
  EXPECT_EQ(dense.bytes.columns, 4);
  ASSERT_EQ(dense.bytes.rows, 32);
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t sector = 0; sector < 4; ++sector)
      EXPECT_EQ(dense.bytes.cells[lane * 4 + sector],
                sector == lane / 8 ? PunchCard::Shared : PunchCard::Empty);
  EXPECT_EQ(sparse.bytes.columns, 32);
  EXPECT_EQ(std::count(sparse.bytes.cells.begin(), sparse.bytes.cells.end(), PunchCard::Asked), 32);
}

}  // namespace
}  // namespace stridescope::views
