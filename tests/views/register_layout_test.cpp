// Where the lanes stand in rounds in which they pass values to each other: against what the kernels do on
// paper.
#include "views/memory/register_layout.h"

#include <gtest/gtest.h>

#include <array>

#include "support/fake_engine.h"
#include "support/kind_traces.h"
#include "views/shared/shown_round.h"

namespace stridescope::views {
namespace {

class RegisterLayout : public testing::Test {
 protected:
  void show(model::Trace trace, unsigned round) {
    engines_.trace = std::move(trace);
    session_ = support::sessionOf(engines_, support::ladderExperiment("sequential"), round);
  }
  // A character is 7 pixels wide.
  static RegisterLayoutInput registerLayoutInput(float width) {
    return {.width = width,
            .leastLane = 4,
            .textWidth = [](const std::string& text) { return 7 * float(text.size()); },
            .heldLane = {},
            .groupsInView = {},
            .firstGroup = {}};
  }
  RegisterBand registers(unsigned warp, const RegisterLayoutInput& input) {
    RegisterBand band = readRegisters(roundAt(session_->replay()), warp);
    layOutRegisters(band, input);
    return band;
  }
  RegisterBand registers(unsigned warp, float width) { return registers(warp, registerLayoutInput(width)); }

  support::FakeEngines engines_;
  std::unique_ptr<session::Session> session_;
};

// Whether every lane in view has room for what it gives into a needed value.
bool allFeedingFit(const RegisterBand& band) {
  return std::ranges::all_of(band.lanes, [](const LaneColumn& column) {
    return !column.inView || !column.feeds || column.givenFits;
  });
}
bool allNeededFit(const RegisterBand& band) {
  return std::ranges::all_of(band.lanes, [](const LaneColumn& column) {
    return !column.inView || !column.useful || column.afterFits;
  });
}

// After warp w's shuffle by d, lane l < d holds the sum of the ramp's values at the warp's l, l + d, l + 2d,
// ...
std::uint64_t sumOf(unsigned warp, unsigned lane, unsigned distance) {
  std::uint64_t sum = 0;
  for (unsigned l = lane; l < 32; l += distance) sum += warp * 32 + l;
  return sum;
}

TEST_F(RegisterLayout, AShuffleHasItsUsefulLanesApartFromThoseThatMerelyExecute) {
  for (unsigned round = 1; round <= 5; ++round) {
    const unsigned d = 32u >> round;
    show(support::shuffleTrace(64), round);
    EXPECT_EQ(exchangingWarps(roundAt(session_->replay())), (std::vector<unsigned>{0, 1}));
    for (const unsigned warp : {0u, 1u}) {
      const RegisterBand band = registers(warp, 640);
      ASSERT_EQ(band.lanes.size(), 32u);
      EXPECT_EQ(band.kind, model::EventKind::Shuffle);
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

TEST_F(RegisterLayout, LanesShareTheWidthAndThoseThatFeedGetTheRoomForTheirValues) {
  show(support::shuffleTrace(64), 3);  // by 4: eight lanes feed, with values of up to three digits
  for (const float width : {200.f, 320.f, 640.f, 2000.f}) {
    const RegisterBand band = registers(1, width);
    EXPECT_EQ(band.lanes.front().span.from, 0);
    EXPECT_EQ(band.lanes.back().span.to, width);
    for (std::size_t lane = 1; lane < 32; ++lane)
      EXPECT_EQ(band.lanes[lane].span.from, band.lanes[lane - 1].span.to);
    EXPECT_GE(band.lanes[0].span.width() + 1, band.lanes[31].span.width());
    EXPECT_TRUE(allFeedingFit(band) && allNeededFit(band)) << width;
    EXPECT_EQ(band.everything(), width >= 8 * 21 + 24 * 4) << width;
    EXPECT_EQ(band.lanes[31].givenFits, width >= 32 * 21) << width << ": three digits in all lanes";
  }
}

// Where one value is too long, none of those that are alike stands alone among blanks.
TEST_F(RegisterLayout, ValuesThatAreAlikeFitAllOrNone) {
  for (unsigned round = 1; round <= 5; ++round)
    for (const float lane : {6.f, 8.f, 13.f, 15.f, 20.f, 22.f, 30.f}) {
      show(support::shuffleTrace(64), round);
      RegisterLayoutInput input = registerLayoutInput(32 * lane);
      input.groupsInView = 32;
      const RegisterBand band = registers(0, input);
      for (const bool inView : {false, true})
        for (const bool counts : {false, true}) {
          std::size_t givenAll = 0, givenFit = 0, givenShown = 0, afterAll = 0, afterFit = 0, afterShown = 0;
          for (const LaneColumn& column : band.lanes) {
            const float room = column.span.width() + 1;
            if (column.inView == inView && column.feeds == counts) {
              ++givenAll;
              givenFit += 7 * float(column.given.size()) <= room ? 1 : 0;
              givenShown += column.givenFits ? 1 : 0;
            }
            if (column.inView == inView && column.useful == counts) {
              ++afterAll;
              afterFit += 7 * float(column.after.size()) <= room ? 1 : 0;
              afterShown += column.afterFits ? 1 : 0;
            }
          }
          EXPECT_EQ(givenShown, givenFit == givenAll ? givenAll : 0) << round << ", " << lane;
          EXPECT_EQ(afterShown, afterFit == afterAll ? afterAll : 0) << round << ", " << lane;
        }
    }
}

std::vector<unsigned> lanesInView(const RegisterBand& band) {
  std::vector<unsigned> lanes;
  for (const LaneColumn& column : band.lanes)
    if (column.inView) lanes.push_back(column.lane);
  return lanes;
}

// By 8: lanes 0 to 7 are needed, each with the value of the lane 8 above it; values of up to three digits
// take 21 pixels per lane, strips 4.
TEST_F(RegisterLayout, WhereValuesDoNotFitAPartOfTheLanesShowsThem) {
  show(support::shuffleTrace(64), 2);
  EXPECT_EQ(lanesInView(registers(1, 16 * 21 + 16 * 4)).size(), 16u);
  const RegisterBand half = registers(1, 8 * 21 + 24 * 4);
  EXPECT_EQ(lanesInView(half), (std::vector<unsigned>{0, 1, 2, 3, 8, 9, 10, 11}));
  EXPECT_EQ(half.groups, 8u);
  EXPECT_EQ(half.groupsInView, 4u);
  EXPECT_TRUE(allFeedingFit(half) && allNeededFit(half) && !half.everything());
  for (const LaneColumn& column : half.lanes)
    EXPECT_EQ(column.span.width(), column.inView ? 21 : 4) << "lane " << column.lane;
  EXPECT_EQ(lanesInView(registers(1, 2 * 21 + 30 * 4)), (std::vector<unsigned>{0, 8}));
  const RegisterBand none = registers(1, 2 * 21 + 30 * 4 - 1);
  EXPECT_TRUE(none.everything());
  EXPECT_FALSE(allFeedingFit(none));
}

TEST_F(RegisterLayout, AHeldLaneIsInViewWithItsPartner) {
  show(support::shuffleTrace(64), 2);
  RegisterLayoutInput input = registerLayoutInput(4 * 21 + 28 * 4);
  for (unsigned lane = 0; lane < 32; ++lane) {
    input.heldLane = lane;
    const unsigned needed = lane < 16 ? lane % 8 : 0;  // the results of the others are unused: the view stays
    const unsigned first = needed / 2 * 2;
    EXPECT_EQ(lanesInView(registers(1, input)),
              (std::vector<unsigned>{first, first + 1, first + 8, first + 9}))
        << "lane " << lane;
  }
  input.heldLane = 7;
  input.groupsInView = 1, input.firstGroup = 3;
  EXPECT_EQ(lanesInView(registers(1, input)), (std::vector<unsigned>{3, 11})) << "where the person went";
  input.groupsInView = 4, input.firstGroup = 6;
  EXPECT_EQ(lanesInView(registers(1, input)), (std::vector<unsigned>{4, 5, 6, 7, 12, 13, 14, 15}));
  EXPECT_FALSE(allFeedingFit(registers(1, input))) << "zoomed out too far";
}

TEST_F(RegisterLayout, RowsWithLongerValuesDecideToo) {
  show(support::shuffleTrace(64), 2);
  RegisterLayoutInput input = registerLayoutInput(16 * 21 + 16 * 4);
  input.leastValue = 35;
  EXPECT_EQ(lanesInView(registers(1, input)).size(), 8u) << "8 x 35 + 24 x 4 are 376 of 400";
}

// Each of the 32 lanes gives what is needed in lane 0.
TEST_F(RegisterLayout, OfAWarpReductionSomeOfWhatGoesInIsShown) {
  show(support::warpReduceTrace(64), 0);
  RegisterLayoutInput input = registerLayoutInput(4 * 28 + 28 * 4);  // the sum, 1520, takes 28
  EXPECT_EQ(lanesInView(registers(1, input)), (std::vector<unsigned>{0, 1, 2, 3}));
  input.heldLane = 22;
  EXPECT_EQ(lanesInView(registers(1, input)), (std::vector<unsigned>{20, 21, 22, 23}));
}

TEST_F(RegisterLayout, RowsOfSeveralWarpsStandUnderEachOther) {
  show(support::shuffleTrace(64), 5);  // by 1: 496 in warp 0, 1520 in warp 1
  const RegisterBand shown = registers(0, 200);
  RegisterBand other = registers(1, 200);
  EXPECT_NE(other.lanes[0].span.to, shown.lanes[0].span.to);
  const auto width = [](float character) {
    return [character](const std::string& text) { return character * float(text.size()); };
  };
  placeLike({&other, 1}, shown, width(shown.lanes[0].span.width() / 4));
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(other.lanes[lane].span.from, shown.lanes[lane].span.from);
  EXPECT_TRUE(allNeededFit(other));
  std::array both{shown, other};
  placeLike(both, shown, width(shown.lanes[0].span.width() / 3));
  EXPECT_FALSE(allNeededFit(both[1])) << "four digits in the room for three";
  EXPECT_FALSE(allNeededFit(both[0])) << "three digits fit, but the row below would be blank";
}

TEST_F(RegisterLayout, AWarpReductionTakesAllLanesForTheOneThatIsNeeded) {
  show(support::warpReduceTrace(64), 0);
  const RegisterBand band = registers(1, 640);
  EXPECT_EQ(band.kind, model::EventKind::WarpReduce);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_TRUE(band.lanes[lane].feeds) << lane;
    EXPECT_EQ(band.lanes[lane].useful, lane == 0) << lane;
    EXPECT_EQ(band.lanes[lane].given, std::to_string(32 + lane));
  }
  EXPECT_EQ(band.lanes[0].after, std::to_string(32 * 32 + 31 * 16));
}

}  // namespace
}  // namespace stridescope::views
