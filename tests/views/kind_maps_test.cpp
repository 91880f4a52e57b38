// The maps of rounds in device memory, merges and races, before they are drawn, compared with what the
// kernels do on paper.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "analysis/requests.h"
#include "narration/memory_words.h"
#include "narration/outcome.h"
#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "support/race_trace.h"
#include "views/memory/race_strip.h"
#include "views/memory/shared_memory_layout.h"
#include "views/shared/linked_highlight.h"
#include "views/shared/map_bytes.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

class KindMaps : public testing::Test {
 protected:
  const session::Replay& show(model::Trace trace, unsigned round) {
    engines_.trace = std::move(trace);
    session_ = support::sessionOf(engines_, support::ladderExperiment("sequential"), round);
    return session_->replay();
  }
  static BandLayoutInput input(float width) {
    return {.width = width,
            .minimumCell = 14,
            .textWidth = [](const std::string& text) { return 7 * float(text.size()) + 8; },
            .heldThread = {},
            .columnsInView = {},
            .firstColumn = {}};
  }
  support::FakeEngines engines_;
  std::unique_ptr<session::Session> session_;
};

// What a thread loads and does not store is what it gives to the shuffle that follows.
TEST_F(KindMaps, ALoadIntoARegisterShowsWhatTheRegisterHolds) {
  const Band band = layOutBand(show(support::shuffleTrace(32), 0), input(4000));
  ASSERT_EQ(band.columns.size(), 32u);
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_TRUE(band.columns[t].inRegister);
    ASSERT_TRUE(band.columns[t].work->result);
    EXPECT_FALSE(band.columns[t].work->result->placed);
    EXPECT_EQ(band.columns[t].resultText, std::to_string(t));
  }
  EXPECT_FALSE(touchesStage(band, stageOf(session_->replay())));
}

TEST_F(KindMaps, InDeviceMemoryTheStageIsTheArrayThatTheBlockWorksIn) {
  constexpr unsigned n = 16;
  for (unsigned round = 0; round < 4; ++round) {
    const unsigned s = n / 2 >> round;
    const session::Replay& replay = show(support::globalMemoryTrace(n / 2), round);
    const MemoryStage stage = stageOf(replay);
    ASSERT_TRUE(stage.inDevice());
    EXPECT_EQ(stage.array().name, "array");
    EXPECT_EQ(stage.elements(), n);
    const Band band = layOutBand(replay, input(4000));
    ASSERT_EQ(band.columns.size(), s);
    EXPECT_TRUE(touchesStage(band, stage) && isContiguous(band));
    const auto rows = memoryRows(stage, replay.run()->flow[0], round);
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
      show(support::mergeTrace(kLists), element * kRoundsEach + step);
      const auto cells = mergedCells(roundAt(session_->replay()), 64);
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
  show(support::mergeTrace(kLists), 6 * kRoundsEach);
  const auto cells = mergedCells(roundAt(session_->replay()), 4);
  ASSERT_EQ(cells.size(), 4u);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(cells[i].element, 3 + i);
  EXPECT_TRUE(cells.back().current);
  EXPECT_TRUE(mergedCells(roundAt(session_->replay()), 0).empty());
  show(support::shuffleTrace(32), 0);
  EXPECT_TRUE(mergedCells(roundAt(session_->replay()), 4).empty());
}

// Stride 2 of the first element: the heads 1, 2, none, 0 of the lists 0 to 3.
TEST_F(KindMaps, HeadsCarryTheirListsNumber) {
  const session::Replay& replay = show(support::mergeTrace({{1}, {4}, {3}, {2}}), 1);
  const narration::HeadLists lists(roundAt(replay));
  for (unsigned head = 0; head < 4; ++head) EXPECT_EQ(lists.of(head, false), std::to_string(head));
  EXPECT_EQ(lists.of(0, true), "0");
  EXPECT_EQ(lists.of(1, true), "3") << "2 comes before 4";
  const Band band = layOutBand(replay, input(4000));
  ASSERT_EQ(band.columns.size(), 2u);
  EXPECT_EQ(band.columns[0].resultText, "1 L0");
  EXPECT_EQ(band.columns[1].resultText, "2 L3");
}

// Whatever the order of the arrays.
TEST_F(KindMaps, TheArrayOfTheListsNumbersIsTheOneThatOriginIsWrittenFrom) {
  for (const bool ownersFirst : {false, true}) {
    const session::Replay& replay = show(support::mergeTrace({{1}, {4}, {3}, {2}}, -1, ownersFirst), 1);
    const narration::HeadLists lists(roundAt(replay));
    for (std::uint32_t array = 0; array < 2; ++array) {
      const bool owners = replay.launch().recorded().shared[array].name == "owners";
      EXPECT_EQ(lists.areIn(array), owners) << array;
      EXPECT_EQ(lists.areOf(array), !owners) << array;
    }
    EXPECT_EQ(lists.of(1, true), "3");
    EXPECT_EQ(layOutBand(replay, input(4000)).columns.at(1).resultText, "2 L3");
  }
  const narration::HeadLists none(roundAt(show(support::shuffleTrace(32), 0)));
  EXPECT_FALSE(none.areIn(0) || none.areOf(0));
}

// Thread 0 writes the merged element; the others read its list's number to see whether it is their own. That
// goes for lists that are used up, too.
TEST_F(KindMaps, InAMergesWriteOnlyTheWriterIsFilled) {
  for (unsigned element = 0; element < 9; ++element) {
    const Band band =
        layOutBand(show(support::mergeTrace(kLists), element * kRoundsEach + kRoundsEach - 1), input(4000));
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
  const Band stride = layOutBand(show(support::mergeTrace(kLists), 5), input(4000));
  for (const BandColumn& column : stride.columns) EXPECT_FALSE(isOutlined(stride, column));
}

// For the second element two lists are used up: their threads bring nothing, and no number stands over them.
TEST_F(KindMaps, AThreadWithoutAnOperandHasNoNumberOverIt) {
  const Band load = layOutBand(show(support::mergeTrace({{3, 4}, {}, {1}, {2}}), kRoundsEach), input(4000));
  ASSERT_EQ(load.columns.size(), 4u);
  const char* const numbers[] = {"0", "", "", "3"};
  for (unsigned t = 0; t < 4; ++t) EXPECT_EQ(load.columns[t].index, numbers[t]) << t;
}

TEST_F(KindMaps, ARaceMarksItsElementBothThreadsAndBothLines) {
  constexpr unsigned n = 128;
  show(support::raceTrace(n), 0);
  EXPECT_EQ(troubleMarks(session_->replay()).race, nullptr) << "the barrier orders the load";
  EXPECT_TRUE(troubleMarks(session_->replay()).threads.empty());
  EXPECT_TRUE(narration::troubleIn(roundAt(session_->replay())).empty());
  const auto places = troubledPlaces(session_->replay(), 0);
  ASSERT_FALSE(places.empty());
  for (const session::Playhead& place : places) EXPECT_EQ(place.round, 1u);

  show(support::raceTrace(n), 1);
  unsigned stale = 0;
  for (unsigned pass = 0; pass < session_->replay().wholeRound().passes; ++pass) {
    session_->apply(session::GoToRound{0, 1, pass});
    const bool isRace = troubleMarks(session_->replay()).race != nullptr;
    const bool isStale = !narration::staleSentence(roundAt(session_->replay())).empty();
    EXPECT_EQ(isRace || isStale, std::ranges::count(places, session_->replay().playhead()) > 0) << pass;
    stale += isStale && !isRace;
  }
  EXPECT_GT(stale, 0u) << "passes that race, too, but after the first";
  session_->apply(session::GoToRound{0, 1, places.front().pass});
  const TroubleMarks marks = troubleMarks(session_->replay());
  ASSERT_NE(marks.race, nullptr);
  EXPECT_GE(marks.races, 1u);
  ASSERT_TRUE(marks.element);
  const auto& [first, second] = std::pair(marks.race->first, marks.race->second);
  EXPECT_NE(first.thread, second.thread);
  for (const analysis::Race::Access& access : {first, second}) {
    EXPECT_TRUE(marks.thread(access.thread) && marks.site(access.site));
    const unsigned own = access.thread;  // data[tid] or data[tid + s]
    const unsigned distance = unsigned(*marks.element) - own;
    EXPECT_TRUE(distance == 0 || (distance < n && (distance & (distance - 1)) == 0)) << distance;
  }
  EXPECT_FALSE(narration::troubleIn(roundAt(session_->replay())).empty());
}

TEST_F(KindMaps, OfSeveralRacesTheHoveredThreadsIsShown) {
  show(support::raceTrace(128), 1);
  const auto& races = session_->replay().launchAnalysis().races;
  ASSERT_FALSE(races.empty());
  for (const analysis::Race& race : races) {
    session_->apply(session::GoToRound{0, 1, race.pass});
    session_->apply(session::PointAt{session::hoverThread(race.second.thread)});
    const TroubleMarks marks = troubleMarks(session_->replay());
    ASSERT_NE(marks.race, nullptr);
    EXPECT_TRUE(marks.thread(race.second.thread));
    EXPECT_EQ(marks.races, std::ranges::count_if(races, [&](const analysis::Race& each) {
                return narration::showsIn(roundAt(session_->replay()), each);
              }));
  }
}

// A launch without strides shows what rounds it has.
TEST_F(KindMaps, RoundsAreMappedThoughNoneIsAStride) {
  show(support::warpReduceTrace(64), 0);
  const RoundRange range = mappedRounds(session_->replay().launchAnalysis());
  EXPECT_EQ(range.first, 0u);
  EXPECT_EQ(range.last, 2u);
  const MapBytes active = usedLaneBytes(session_->replay().launch(), session_->replay().launchAnalysis(),
                                        session_->replay().run()->flow[0], range);
  EXPECT_EQ(active.cells, (std::vector<std::uint8_t>{32, 32, 32, 0}));
  show(support::shuffleTrace(64), 0);
  EXPECT_EQ(mappedRounds(session_->replay().launchAnalysis()).first, 1u);
  show(support::globalMemoryTrace(64), 0);  // strides 64 to 1 and no load before them
  EXPECT_EQ(mappedRounds(session_->replay().launchAnalysis()).first, 0u);
  EXPECT_EQ(mappedRounds(session_->replay().launchAnalysis()).last, 7u);
}

// The strides of the race are passes of one round: its column shows the lanes of the one that is shown, and
// its row the banks.
TEST_F(KindMaps, TheShownPassStandsForItsRound) {
  constexpr unsigned n = 128;
  show(support::raceTrace(n), 1);
  const session::Replay& replay = session_->replay();
  const RoundRange range = mappedRounds(replay.launchAnalysis());
  ASSERT_EQ(range.first, 1u);
  ASSERT_EQ(range.last, 2u);
  const auto& flow = replay.run()->flow[0];
  for (unsigned pass = 0; pass < replay.wholeRound().passes; ++pass) {
    session_->apply(session::GoToRound{0, 1, pass});
    const unsigned s = n / 2 >> pass;
    const ShownPass shown{1, replay.shownPass()};
    const MapBytes lanes = usedLaneBytes(replay.launch(), replay.launchAnalysis(), flow, range, shown);
    unsigned active = 0;
    for (const std::uint8_t cell : lanes.cells) active += cell > 0;
    EXPECT_EQ(active, (s + 31) / 32) << "warps of stride " << s;
    EXPECT_EQ(tickOf(replay, 1), std::to_string(s));
    const MapBytes banks = bankBytes(replay.launchAnalysis(), range, shown);
    EXPECT_EQ(std::ranges::count_if(banks.cells, [](std::uint8_t words) { return words > 0; }),
              std::min(32u, 2 * s));
  }
}

// In device memory a warp's 32 neighbouring ints lie in four sectors, wherever the stride takes them.
TEST_F(KindMaps, SectorsTakeThePlaceOfBanksInDeviceMemory) {
  const session::Replay& replay = show(support::globalMemoryTrace(64), 0);
  ASSERT_EQ(replay.round().requests.size(), 3u);
  for (const analysis::Request& request : replay.round().requests) {
    const auto operation = analysis::worstOperationOfWarp(replay.round(), request, 1);
    ASSERT_TRUE(operation);
    const PunchCard card = sectorCard(replay.launch(), replay.round().operations[*operation]);
    EXPECT_EQ(card.bytes.columns, 4);
    ASSERT_EQ(card.bytes.rows, 32);
    for (std::size_t lane = 0; lane < 32; ++lane)
      for (std::size_t sector = 0; sector < 4; ++sector)
        EXPECT_EQ(card.bytes.cells[lane * 4 + sector] != PunchCard::Empty, sector == lane / 8);
  }
}

// Thread t < s touches ints t and t + s: in warp w these are the lanes below s - 32 w, eight to a sector.
TEST_F(KindMaps, SectorsByRoundShrinkWithTheLanesThatAsk) {
  constexpr unsigned kThreads = 128, kWarps = kThreads / 32;
  const session::Replay& replay = show(support::globalMemoryTrace(kThreads), 0);
  const analysis::LaunchAnalysis& analysis = replay.launchAnalysis();
  EXPECT_FALSE(analysis::usesShared(analysis));
  const MapBytes map = sectorBytes(replay.launch(), analysis, mappedRounds(analysis));
  ASSERT_EQ(map.columns, int(kWarps));
  ASSERT_EQ(map.rows, 8);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned warp = 0; warp < kWarps; ++warp) {
      const unsigned s = kThreads >> row;
      const unsigned lanes = std::clamp(int(s) - int(32 * warp), 0, 32);
      EXPECT_EQ(map.cells[row * kWarps + warp], (lanes + 7) / 8) << "stride " << s << " warp " << warp;
    }
  EXPECT_TRUE(analysis::usesShared(show(support::shuffleTrace(64), 0).launchAnalysis()));
}

}  // namespace
}  // namespace stridescope::views
