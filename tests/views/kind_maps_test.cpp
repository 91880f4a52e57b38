// The maps of rounds in registers, in device memory, of merges and of races, before they are drawn: against
// what the kernels do on paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "support/race_trace.h"
#include "twin/head_lists.h"
#include "twin/trouble.h"
#include "views/map_bytes.h"
#include "views/merged_row.h"
#include "views/register_layout.h"
#include "views/shared_memory_layout.h"
#include "views/shown_round.h"
#include "views/trouble_marks.h"

namespace stridescope {
namespace {

class KindMaps : public testing::Test {
 protected:
  const Session& show(Trace trace, unsigned round) {
    engines_.trace = std::move(trace);
    session_ = test::sessionOf(engines_, test::ladderExperiment("sequential"), round);
    return *session_;
  }
  // A character is 7 pixels wide.
  static RegisterWish registerWish(float width) {
    return {.width = width,
            .leastLane = 4,
            .textWidth = [](const std::string& text) { return 7 * float(text.size()); },
            .heldLane = {},
            .groupsInView = {},
            .firstGroup = {}};
  }
  RegisterBand registers(unsigned warp, const RegisterWish& wish) {
    RegisterBand band = readRegisters(roundAt(*session_), warp);
    layOutRegisters(band, wish);
    return band;
  }
  RegisterBand registers(unsigned warp, float width) { return registers(warp, registerWish(width)); }
  static MemoryWish wish(float width) {
    return {.width = width,
            .minimumCell = 14,
            .textWidth = [](const std::string& text) { return 7 * float(text.size()) + 8; },
            .heldThread = {},
            .columnsInView = {},
            .firstColumn = {}};
  }
  test::FakeEngines engines_;
  std::unique_ptr<Session> session_;
};

// After the shuffle by d of warp w, lane l < d holds the ramp's values at l, l + d, l + 2d, ... of the warp.
std::uint64_t sumOf(unsigned warp, unsigned lane, unsigned distance) {
  std::uint64_t sum = 0;
  for (unsigned l = lane; l < 32; l += distance) sum += warp * 32 + l;
  return sum;
}

TEST_F(KindMaps, AShuffleHasItsUsefulLanesApartFromThoseThatMerelyExecute) {
  for (unsigned round = 1; round <= 5; ++round) {
    const unsigned d = 32u >> round;
    show(test::shuffleTrace(64), round);
    EXPECT_EQ(exchangingWarps(roundAt(*session_)), (std::vector<unsigned>{0, 1}));
    for (const unsigned warp : {0u, 1u}) {
      const RegisterBand band = registers(warp, 640);
      ASSERT_EQ(band.lanes.size(), 32u);
      EXPECT_EQ(band.kind, EventKind::Shuffle);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const LaneColumn& column = band.lanes[lane];
        EXPECT_TRUE(column.takesPart);
        EXPECT_EQ(column.source, lane + d < 32 ? lane + d : lane);
        EXPECT_EQ(column.useful, lane < d) << "by " << d << " lane " << lane;
        EXPECT_EQ(column.feeds, lane < 2 * d) << "by " << d << " lane " << lane;
        if (lane < 2 * d) {
          EXPECT_EQ(column.given, std::to_string(sumOf(warp, lane, 2 * d)));
        }
        if (lane < d) {
          EXPECT_EQ(column.after, std::to_string(sumOf(warp, lane, d)));
        }
      }
    }
  }
}

TEST_F(KindMaps, LanesShareTheWidthAndThoseThatFeedGetTheRoomForTheirValues) {
  show(test::shuffleTrace(64), 3);  // by 4: eight lanes feed, with values of up to three digits
  for (const float width : {200.f, 320.f, 640.f, 2000.f}) {
    const RegisterBand band = registers(1, width);
    EXPECT_EQ(band.lanes.front().span.from, 0);
    EXPECT_EQ(band.lanes.back().span.to, width);
    for (std::size_t lane = 1; lane < 32; ++lane)
      EXPECT_EQ(band.lanes[lane].span.from, band.lanes[lane - 1].span.to);
    EXPECT_GE(band.lanes[0].span.width() + 1, band.lanes[31].span.width());
    EXPECT_TRUE(band.givenFit && band.afterFit) << width;
    EXPECT_EQ(band.everything(), width >= 8 * 21 + 24 * 4) << width;
  }
}

std::vector<unsigned> lanesInView(const RegisterBand& band) {
  std::vector<unsigned> lanes;
  for (const LaneColumn& column : band.lanes)
    if (column.inView) lanes.push_back(column.lane);
  return lanes;
}

// By 8: lanes 0 to 7 are needed, each with the value of the lane 8 above it; values of up to three digits
// take 21 pixels a lane, strips 4.
TEST_F(KindMaps, WhereValuesDoNotFitAPartOfTheLanesShowsThem) {
  show(test::shuffleTrace(64), 2);
  EXPECT_EQ(lanesInView(registers(1, 16 * 21 + 16 * 4)).size(), 16u);
  const RegisterBand half = registers(1, 8 * 21 + 24 * 4);
  EXPECT_EQ(lanesInView(half), (std::vector<unsigned>{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(half.groups, 8u);
  EXPECT_EQ(half.groupsInView, 4u);
  EXPECT_TRUE(half.givenFit && half.afterFit && !half.everything());
  for (const LaneColumn& column : half.lanes)
    EXPECT_EQ(column.span.width(), column.inView ? 21 : 4) << "lane " << column.lane;
  EXPECT_EQ(lanesInView(registers(1, 2 * 21 + 30 * 4)), (std::vector<unsigned>{0, 8}));
  const RegisterBand none = registers(1, 2 * 21 + 30 * 4 - 1);
  EXPECT_TRUE(none.everything());
  EXPECT_FALSE(none.givenFit);
}

TEST_F(KindMaps, AHeldLaneIsInViewWithItsPartner) {
  show(test::shuffleTrace(64), 2);
  RegisterWish wish = registerWish(4 * 21 + 28 * 4);
  for (unsigned lane = 0; lane < 32; ++lane) {
    wish.heldLane = lane;
    const unsigned needed = lane < 16 ? lane % 8 : 0;  // the others merely execute: the view stays
    const unsigned first = needed / 2 * 2;
    EXPECT_EQ(lanesInView(registers(1, wish)),
              (std::vector<unsigned>{first, first + 1, first + 8, first + 9}))
        << "lane " << lane;
  }
  wish.heldLane = 7;
  wish.groupsInView = 1, wish.firstGroup = 3;
  EXPECT_EQ(lanesInView(registers(1, wish)), (std::vector<unsigned>{3, 11})) << "where the person went";
  wish.groupsInView = 4, wish.firstGroup = 6;
  EXPECT_EQ(lanesInView(registers(1, wish)), (std::vector<unsigned>{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_FALSE(registers(1, wish).givenFit) << "zoomed out too far";
}

TEST_F(KindMaps, RowsWithLongerValuesDecideToo) {
  show(test::shuffleTrace(64), 2);
  RegisterWish wish = registerWish(16 * 21 + 16 * 4);
  wish.leastValue = 35;
  EXPECT_EQ(lanesInView(registers(1, wish)).size(), 8u) << "8 x 35 + 24 x 4 are 376 of 400";
}

// Each of the 32 lanes gives what is needed in lane 0.
TEST_F(KindMaps, OfAWarpReductionSomeOfWhatGoesInIsShown) {
  show(test::warpReduceTrace(64), 0);
  RegisterWish wish = registerWish(4 * 28 + 28 * 4);  // the sum, 1520, takes 28
  EXPECT_EQ(lanesInView(registers(1, wish)), (std::vector<unsigned>{0, 1, 2, 3}));
  wish.heldLane = 22;
  EXPECT_EQ(lanesInView(registers(1, wish)), (std::vector<unsigned>{20, 21, 22, 23}));
}

TEST_F(KindMaps, RowsOfSeveralWarpsStandUnderEachOther) {
  show(test::shuffleTrace(64), 5);  // by 1: 496 in warp 0, 1520 in warp 1
  const RegisterBand shown = registers(0, 200);
  RegisterBand other = registers(1, 200);
  EXPECT_NE(other.lanes[0].span.to, shown.lanes[0].span.to);
  const auto width = [](float character) {
    return [character](const std::string& text) { return character * float(text.size()); };
  };
  placeLike(other, shown, width(shown.lanes[0].span.width() / 4));
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(other.lanes[lane].span.from, shown.lanes[lane].span.from);
  EXPECT_TRUE(other.afterFit);
  placeLike(other, shown, width(shown.lanes[0].span.width() / 3));
  EXPECT_FALSE(other.afterFit) << "four digits in the room for three";
}

TEST_F(KindMaps, AWarpReductionTakesAllLanesForTheOneThatIsNeeded) {
  show(test::warpReduceTrace(64), 0);
  const RegisterBand band = registers(1, 640);
  EXPECT_EQ(band.kind, EventKind::WarpReduce);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_TRUE(band.lanes[lane].feeds) << lane;
    EXPECT_EQ(band.lanes[lane].useful, lane == 0) << lane;
    EXPECT_EQ(band.lanes[lane].given, std::to_string(32 + lane));
  }
  EXPECT_EQ(band.lanes[0].after, std::to_string(32 * 32 + 31 * 16));
}

// What a thread loads and does not store is what it gives to the shuffle that follows.
TEST_F(KindMaps, ALoadIntoARegisterShowsWhatTheRegisterHolds) {
  const Band band = layOutBand(show(test::shuffleTrace(32), 0), wish(4000));
  ASSERT_EQ(band.columns.size(), 32u);
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_TRUE(band.columns[t].inRegister);
    EXPECT_FALSE(band.columns[t].work->result);
    EXPECT_EQ(band.columns[t].resultText, std::to_string(t));
  }
  EXPECT_FALSE(touchesStage(band, stageOf(*session_)));
}

TEST_F(KindMaps, InDeviceMemoryTheStageIsTheArrayThatTheBlockWorksIn) {
  constexpr unsigned n = 16;
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned s = n / 2 >> round;
    const Session& session = show(test::globalMemoryTrace(n / 2), round);
    const MemoryStage stage = stageOf(session);
    ASSERT_TRUE(stage.inDevice());
    EXPECT_EQ(stage.array().name, "array");
    EXPECT_EQ(stage.elements(), n);
    const Band band = layOutBand(session, wish(4000));
    ASSERT_EQ(band.columns.size(), s);
    EXPECT_TRUE(touchesStage(band, stage) && isContiguous(band));
    const auto rows = memoryRows(stage, session.run()->flow[0], round);
    std::vector<std::uint64_t> live(s);
    std::iota(live.begin(), live.end(), 0);
    EXPECT_EQ(rows[round].live, live) << "stride " << s;
    for (unsigned t = 0; t < s; ++t) {
      EXPECT_EQ(band.columns[t].work->a->element, t);
      EXPECT_EQ(stage.placeOf(*band.columns[t].work->a), t);
      EXPECT_EQ(band.columns[t].work->b->element, t + s);
      std::uint64_t sum = 0;
      for (unsigned i = t; i < n; i += s) sum += i;
      EXPECT_EQ(band.columns[t].resultText, std::to_string(sum));
      EXPECT_EQ(stage.wordsAfter(round)[t], sum);
    }
  }
}

// (value, list) of all elements in the order of the output.
std::vector<std::pair<int, unsigned>> mergedOf(const std::vector<std::vector<int>>& lists) {
  std::vector<std::pair<int, unsigned>> all;
  for (unsigned list = 0; list < lists.size(); ++list)
    for (const int value : lists[list]) all.emplace_back(value, list);
  std::ranges::stable_sort(all);
  return all;
}

const std::vector<std::vector<int>> kLists{{1, 5, 9}, {2, 4}, {}, {0, 7, 8, 10}};
constexpr unsigned kRoundsEach = 4;  // the load, strides 2 and 1, the write

TEST_F(KindMaps, AMergesOutputGrowsByOneElementAtItsWrite) {
  const auto merged = mergedOf(kLists);
  for (unsigned element = 0; element < merged.size(); ++element)
    for (unsigned step = 0; step < kRoundsEach; ++step) {
      show(test::mergeTrace(kLists), element * kRoundsEach + step);
      const auto cells = mergedCells(roundAt(*session_), 64);
      ASSERT_EQ(cells.size(), merged.size());
      for (unsigned i = 0; i < merged.size(); ++i) {
        const bool written = i < element || (i == element && step == kRoundsEach - 1);
        EXPECT_EQ(cells[i].element, i);
        EXPECT_EQ(cells[i].current, i == element);
        EXPECT_EQ(cells[i].written, written) << element << " step " << step << " cell " << i;
        EXPECT_EQ(cells[i].value, written ? std::to_string(merged[i].first) : "");
        EXPECT_EQ(cells[i].list, written ? std::to_string(merged[i].second) : "");
      }
    }
}

TEST_F(KindMaps, OfALongOutputTheLatestElementsAreShown) {
  show(test::mergeTrace(kLists), 6 * kRoundsEach);
  const auto cells = mergedCells(roundAt(*session_), 4);
  ASSERT_EQ(cells.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cells[i].element, 3 + i);
  EXPECT_TRUE(cells.back().current);
  EXPECT_TRUE(mergedCells(roundAt(*session_), 0).empty());
  show(test::shuffleTrace(32), 0);
  EXPECT_TRUE(mergedCells(roundAt(*session_), 4).empty());
}

// Stride 2 of the first element: the heads 1, 2, none, 0 of the lists 0 to 3.
TEST_F(KindMaps, HeadsCarryTheirListsNumber) {
  const Session& session = show(test::mergeTrace({{1}, {4}, {3}, {2}}), 1);
  const HeadLists lists(roundAt(session));
  for (unsigned head = 0; head < 4; ++head) EXPECT_EQ(lists.of(head, false), std::to_string(head));
  EXPECT_EQ(lists.of(0, true), "0");
  EXPECT_EQ(lists.of(1, true), "3") << "2 comes before 4";
  const Band band = layOutBand(session, wish(4000));
  ASSERT_EQ(band.columns.size(), 2u);
  EXPECT_EQ(band.columns[0].resultText, "1 L0");
  EXPECT_EQ(band.columns[1].resultText, "2 L3");
}

// Thread 0 writes the merged element; the others read its list's number to see whether it is their own. That
// goes for lists that are used up, too.
TEST_F(KindMaps, InAMergesWriteOnlyTheWriterIsFilled) {
  for (unsigned element = 0; element < 9; ++element) {
    const Band band =
        layOutBand(show(test::mergeTrace(kLists), element * kRoundsEach + kRoundsEach - 1), wish(4000));
    const std::string list = "L" + std::to_string(mergedOf(kLists)[element].second);
    ASSERT_EQ(band.columns.size(), 4u);
    for (unsigned t = 0; t < 4; ++t) {
      EXPECT_EQ(isOutlined(band, band.columns[t]), t != 0) << "element " << element << " thread " << t;
      EXPECT_EQ(band.columns[t].hasResult(), t == 0);
      if (t != 0) {
        EXPECT_EQ(band.columns[t].aText, list) << "element " << element;
      }
    }
    EXPECT_TRUE(band.columns[0].aText.ends_with(" " + list)) << band.columns[0].aText;
  }
  // All compare, all are filled.
  const Band stride = layOutBand(show(test::mergeTrace(kLists), 5), wish(4000));
  for (const BandColumn& column : stride.columns) EXPECT_FALSE(isOutlined(stride, column));
}

// For the second element two lists are used up: their threads bring nothing, and no number stands over them.
TEST_F(KindMaps, AThreadWithoutAnOperandHasNoNumberOverIt) {
  const Band load = layOutBand(show(test::mergeTrace({{3, 4}, {}, {1}, {2}}), kRoundsEach), wish(4000));
  ASSERT_EQ(load.columns.size(), 4u);
  const char* const numbers[] = {"0", "", "", "3"};
  for (unsigned t = 0; t < 4; ++t) EXPECT_EQ(load.columns[t].index, numbers[t]) << t;
}

TEST_F(KindMaps, ARaceMarksItsElementBothThreadsAndBothLines) {
  constexpr unsigned n = 128;
  show(test::raceTrace(n), 0);
  EXPECT_EQ(troubleMarks(*session_).race, nullptr) << "the barrier orders the load";
  EXPECT_TRUE(troubleMarks(*session_).threads.empty());
  EXPECT_TRUE(troubleIn(roundAt(*session_)).empty());
  EXPECT_EQ(troubledRounds(*session_, 0), (std::vector<bool>{false, true}));

  show(test::raceTrace(n), 1);
  const TroubleMarks marks = troubleMarks(*session_);
  ASSERT_NE(marks.race, nullptr);
  EXPECT_GE(marks.races, 1u);
  ASSERT_TRUE(marks.element);
  const auto& [first, second] = std::pair(marks.race->first, marks.race->second);
  EXPECT_NE(first.thread, second.thread);
  for (const Race::Access& access : {first, second}) {
    EXPECT_TRUE(marks.thread(access.thread) && marks.site(access.site));
    const unsigned own = access.thread;  // data[tid] or data[tid + s]
    const unsigned distance = unsigned(*marks.element) - own;
    EXPECT_TRUE(distance == 0 || (distance < n && (distance & (distance - 1)) == 0)) << distance;
  }
  EXPECT_FALSE(troubleIn(roundAt(*session_)).empty());
}

TEST_F(KindMaps, OfSeveralRacesTheHoveredThreadsIsShown) {
  show(test::raceTrace(128), 1);
  const auto& races = session_->launchAnalysis().races;
  ASSERT_FALSE(races.empty());
  for (const Race& race : races) {
    session_->apply(PointAt{hoverThread(race.second.thread)});
    const TroubleMarks marks = troubleMarks(*session_);
    ASSERT_NE(marks.race, nullptr);
    EXPECT_TRUE(marks.thread(race.second.thread));
    EXPECT_EQ(marks.races, races.size());
  }
}

// A launch without strides shows what rounds it has.
TEST_F(KindMaps, RoundsAreMappedThoughNoneIsAStride) {
  show(test::warpReduceTrace(64), 0);
  const RoundRange range = mappedRounds(session_->launchAnalysis());
  EXPECT_EQ(range.first, 0u);
  EXPECT_EQ(range.last, 2u);
  const MapBytes active = activeLaneBytes(session_->launch(), session_->launchAnalysis(), range);
  EXPECT_EQ(active.cells, (std::vector<std::uint8_t>{32, 32, 32, 0}));
  show(test::shuffleTrace(64), 0);
  EXPECT_EQ(mappedRounds(session_->launchAnalysis()).first, 1u);
  show(test::globalMemoryTrace(64), 0);  // strides 64 to 1 and no load before them
  EXPECT_EQ(mappedRounds(session_->launchAnalysis()).first, 0u);
  EXPECT_EQ(mappedRounds(session_->launchAnalysis()).last, 7u);
}

// In device memory a warp's 32 neighbouring ints lie in four sectors, wherever the stride takes them.
TEST_F(KindMaps, SectorsTakeThePlaceOfBanksInDeviceMemory) {
  const Session& session = show(test::globalMemoryTrace(64), 0);
  for (const RequestRole role : {RequestRole::LoadA, RequestRole::LoadB, RequestRole::Store}) {
    const auto operation = operationOf(session.flow(), 1, role);
    ASSERT_TRUE(operation);
    const PunchCard card = sectorCard(session.launch(), session.round().operations[*operation]);
    EXPECT_EQ(card.bytes.columns, 4);
    ASSERT_EQ(card.bytes.rows, 32);
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::size_t sector = 0; sector < 4; ++sector)
        EXPECT_EQ(card.bytes.cells[lane * 4 + sector] != PunchCard::Empty, sector == lane / 8);
  }
}

// Thread t < s touches ints t and t + s: of warp w the lanes below s - 32 w, eight to a sector.
TEST_F(KindMaps, SectorsByRoundShrinkWithTheLanesThatAsk) {
  constexpr unsigned kThreads = 128, kWarps = kThreads / 32;
  const Session& session = show(test::globalMemoryTrace(kThreads), 0);
  const LaunchAnalysis& analysis = session.launchAnalysis();
  EXPECT_FALSE(usesShared(analysis));
  const MapBytes map = sectorBytes(session.launch(), analysis, mappedRounds(analysis));
  ASSERT_EQ(map.columns, int(kWarps));
  ASSERT_EQ(map.rows, 8);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      const unsigned s = kThreads >> row;
      const unsigned lanes = std::clamp(int(s) - int(32 * warp), 0, 32);
      EXPECT_EQ(map.cells[row * kWarps + warp], (lanes + 7) / 8) << "stride " << s << " warp " << warp;
    }
  EXPECT_TRUE(usesShared(show(test::shuffleTrace(64), 0).launchAnalysis()));
}

}  // namespace
}  // namespace stridescope
