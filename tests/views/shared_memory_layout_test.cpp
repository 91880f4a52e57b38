// The Shared memory panel's geometry, without a window. A character of a value is 7 pixels wide here, with 8
// round it.
#include "views/memory/shared_memory_layout.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/fake_engine.h"

namespace stridescope::views {
namespace {

using support::FakeEngines;
using support::ladderExperiment;
using support::sessionOf;

class Layout : public testing::Test {
 protected:
  const session::Replay& show(const std::string& variant, unsigned round,
                              model::ElementType type = model::ElementType::Int, unsigned threads = 256) {
    session_ = sessionOf(engines_, ladderExperiment(variant, threads, type), round);
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
  FakeEngines engines_;
  std::unique_ptr<session::Session> session_;
};

TEST_F(Layout, InterleavedStridesArePairsWithinTheirResult) {
  for (const char* variant : {"interleaved_modulo", "interleaved_contiguous"})
    for (unsigned round = 1; round <= 8; ++round) {
      const Band band = layOutBand(show(variant, round), input(800));
      EXPECT_EQ(band.shape, BandShape::Adjacent) << variant << " " << round;
      EXPECT_EQ(band.allColumns, 256u >> round);
      EXPECT_TRUE(band.hasA && band.hasB && band.hasResult);
    }
}

TEST_F(Layout, EverythingElseIsColumns) {
  const struct {
    const char* variant;
    unsigned round;
    std::size_t columns;
    bool hasB;
  } cases[] = {{"interleaved_contiguous", 0, 256, false},
               {"interleaved_contiguous", 9, 1, false},
               {"sequential", 1, 128, true},
               {"sequential", 5, 8, true},
               {"sequential", 8, 1, true},  // a lone pair that does not stand for all elements
               {"first_add_on_load", 0, 256, true},
               {"unrolled_last_warp", 3, 32, true},
               {"unrolled_last_warp", 8, 32, true},
               {"sequential", 9, 1, false}};
  for (const auto& each : cases) {
    const Band band = layOutBand(show(each.variant, each.round), input(800));
    EXPECT_EQ(band.shape, BandShape::Columns) << each.variant << " " << each.round;
    EXPECT_EQ(band.allColumns, each.columns) << each.variant << " " << each.round;
    EXPECT_EQ(band.hasB, each.hasB) << each.variant << " " << each.round;
  }
}

// Stride 1 of the ramp: operands to 255 and sums to 509, three characters: 29 pixels, twice in a column.
TEST_F(Layout, AsManyColumnsAsFitTheirValuesAPowerOfTwo) {
  const session::Replay& replay = show("interleaved_contiguous", 1);
  const struct {
    float width;
    std::size_t columns;
  } cases[] = {{128 * 58.f, 128}, {128 * 58.f - 1, 64}, {1000, 16},
               {16 * 58.f, 16},   {16 * 58.f - 1, 8},   {58, 1}};
  for (const auto& each : cases) {
    const Band band = layOutBand(replay, input(each.width));
    EXPECT_EQ(band.columns.size(), each.columns) << each.width;
    EXPECT_TRUE(band.valuesFit) << each.width;
    EXPECT_EQ(band.everything(), each.columns == 128);
  }
  const Band narrow = layOutBand(replay, input(57));
  EXPECT_EQ(narrow.columns.size(), 1u);
  EXPECT_FALSE(narrow.valuesFit);
}

// The load copies in[i] to data[i]: "data[9] = 9" and "data[10] = 10", eleven characters and thirteen.
TEST_F(Layout, PlacesOfResultsAreNamedAllOrNone) {
  const session::Replay& replay = show("sequential", 0);
  BandLayoutInput wanted = input(0);
  wanted.columnsInView = 16;
  for (const bool all : {false, true}) {
    wanted.width = 16 * (13 * 7 + 8.f) - (all ? 0 : 16);
    const Band band = layOutBand(replay, wanted);
    ASSERT_EQ(band.columns.size(), 16u);
    EXPECT_EQ(band.columns[9].placedText, "data[9] = 9");
    EXPECT_EQ(band.columns[10].placedText, "data[10] = 10");
    EXPECT_EQ(band.placesFit, all);
  }
}

// In columns an operand has the whole width: one of 29 pixels, not two.
TEST_F(Layout, OperandsUnderEachOtherNeedHalfTheWidth) {
  const Band band = layOutBand(show("sequential", 1), input(1000));
  EXPECT_EQ(band.columns.size(), 32u);
}

TEST_F(Layout, ValuesOf64BitsGetWiderCells) {
  const Band narrow = layOutBand(show("sequential", 8, model::ElementType::Double), input(200));
  ASSERT_EQ(narrow.columns.size(), 1u);
  EXPECT_EQ(narrow.columns[0].resultText, "32640");
  EXPECT_EQ(narrow.columns[0].aText, "16256");  // the even ones: 2 * (127 * 128 / 2)
  EXPECT_EQ(narrow.columns[0].bText, "16384");
}

TEST_F(Layout, EdgesAreWholePixelsWithoutGaps) {
  for (const auto& [variant, round] :
       {std::pair{"interleaved_contiguous", 1u}, std::pair{"interleaved_contiguous", 4u},
        std::pair{"sequential", 2u}, std::pair{"unrolled_last_warp", 4u}})
    for (const float width : {301.f, 777.f, 838.f, 1999.f}) {
      const Band band = layOutBand(show(variant, round), input(width));
      ASSERT_FALSE(band.columns.empty());
      EXPECT_EQ(band.columns.front().result.from, 0);
      EXPECT_EQ(band.columns.back().result.to, width);
      const float usual = width / float(band.columns.size());
      for (std::size_t i = 0; i < band.columns.size(); ++i) {
        const BandColumn& column = band.columns[i];
        for (const float edge :
             {column.a.from, column.a.to, column.b.from, column.b.to, column.result.from, column.result.to})
          EXPECT_EQ(edge, std::round(edge));
        EXPECT_EQ(i > 0 ? band.columns[i - 1].result.to : 0, column.result.from);
        EXPECT_NEAR(column.result.width(), usual, 1.01);
        EXPECT_EQ(column.a.from, column.result.from);
        EXPECT_EQ(column.b.to, column.result.to);
        EXPECT_EQ(column.a.to, band.shape == BandShape::Adjacent ? column.b.from : column.result.to);
      }
    }
}

TEST_F(Layout, ColumnsAreTheWorkingThreadsInOrder) {
  const Band band = layOutBand(show("interleaved_modulo", 4), input(4000));  // stride 8
  ASSERT_EQ(band.columns.size(), 16u);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(band.columns[i].work->thread, 16 * i);
    EXPECT_EQ(band.columns[i].work->a->element, 16 * i);
    // 8 elements of the ramp from p on are 8 p + 28.
    EXPECT_EQ(band.columns[i].aText, std::to_string(8 * 16 * i + 28));
    EXPECT_EQ(band.columns[i].bText, std::to_string(8 * (16 * i + 8) + 28));
    EXPECT_EQ(band.columns[i].resultText, std::to_string(16 * 16 * i + 120));
  }
}

TEST_F(Layout, TheHeldThreadIsInViewAndTheViewIsAligned) {
  const session::Replay& replay = show("interleaved_contiguous", 1);
  BandLayoutInput asked = input(1000);  // 16 of 128
  for (unsigned thread = 0; thread < 128; ++thread) {
    asked.heldThread = thread;
    const Band band = layOutBand(replay, asked);
    ASSERT_EQ(band.columns.size(), 16u);
    EXPECT_EQ(band.firstColumn, thread / 16 * 16) << thread;
    EXPECT_EQ(band.columns[thread % 16].work->thread, thread);
  }
  asked.heldThread = 200;  // works no more
  EXPECT_EQ(layOutBand(replay, asked).firstColumn, 0u);
}

TEST_F(Layout, APersonsZoomAndPanComeFirst) {
  const session::Replay& replay = show("interleaved_contiguous", 1);
  BandLayoutInput asked = input(1000);
  asked.heldThread = 3;
  asked.columnsInView = 4;
  asked.firstColumn = 77;
  Band band = layOutBand(replay, asked);
  EXPECT_EQ(band.firstColumn, 77u);
  EXPECT_EQ(band.columns.size(), 4u);
  asked.firstColumn = 5000;
  EXPECT_EQ(layOutBand(replay, asked).firstColumn, 124u) << "the last four";
  asked.columnsInView = 5000;
  band = layOutBand(replay, asked);
  EXPECT_EQ(band.columns.size(), 128u);
  EXPECT_FALSE(band.valuesFit);
  asked.columnsInView = 0;
  EXPECT_EQ(layOutBand(replay, asked).columns.size(), 1u);
}

TEST_F(Layout, RowsShowWhatIsLiveAndHowFarEachReaches) {
  const session::Replay& interleaved = show("interleaved_contiguous", 4);
  auto rows = memoryRows(stageOf(interleaved), interleaved.run()->flow[0], 0);
  ASSERT_EQ(rows.size(), 10u);
  for (unsigned round = 0; round <= 8; ++round) {
    EXPECT_EQ(rows[round].round, round);
    EXPECT_EQ(rows[round].span, 1u << round) << "a live cell stands for the dead ones after it";
    ASSERT_EQ(rows[round].live.size(), 256u >> round);
    for (unsigned i = 0; i < rows[round].live.size(); ++i) EXPECT_EQ(rows[round].live[i], i << round);
  }
  EXPECT_TRUE(rows[9].live.empty());

  const session::Replay& sequential = show("sequential", 4);
  rows = memoryRows(stageOf(sequential), sequential.run()->flow[0], 0);
  for (unsigned round = 0; round <= 8; ++round) {
    EXPECT_EQ(rows[round].span, 1u) << round;
    EXPECT_EQ(rows[round].live.size(), 256u >> round);
  }
}

TEST_F(Layout, TheElementsInViewAreThoseOfTheColumnsInView) {
  EXPECT_EQ(stageOf(show("sequential", 0)).elements(), 256u);
  const session::Replay& replay = show("interleaved_contiguous", 2);  // stride 2: a column is 4 elements
  BandLayoutInput asked = input(100000);
  ElementRange range = elementsInView(layOutBand(replay, asked), stageOf(replay));
  EXPECT_EQ(range.first, 0u);
  EXPECT_EQ(range.last, 256u);
  asked.columnsInView = 8;
  asked.firstColumn = 16;
  range = elementsInView(layOutBand(replay, asked), stageOf(replay));
  EXPECT_EQ(range.first, 64u);
  EXPECT_EQ(range.last, 96u);
}

}  // namespace
}  // namespace stridescope::views
