// The pictures of the Timeline panel as bytes, for a grid made by hand.
#include <gtest/gtest.h>

#include "lab/measured.h"
#include "support/grid_records.h"
#include "views/measure/timeline_plot.h"

namespace stridescope::views {
namespace {

struct GridBarsTest : testing::Test {
  BarsShown shown(std::size_t columns, std::size_t maxRows) const {
    return {.timeline = {grid, &grid->timeline}, .span = {0, 5000}, .columns = columns, .maxRows = maxRows};
  }
  std::shared_ptr<const lab::MarkedGrid> grid = lab::markedGridOf(support::smallTimeline());
  GridBars bars;
};

TEST_F(GridBarsTest, OfAllHaveARowForEachMultiprocessor) {
  EXPECT_EQ(bars.cells(shown(5, 100)), analysis::residencyPicture(grid->timeline, {0, 5000}, 5));
  EXPECT_EQ(bars.rows(), 4u);
}

// Two rows as one: their average, and what is little is still seen.
TEST_F(GridBarsTest, AreFoldedWhereThereAreFewerPixels) {
  const auto cells = bars.cells(shown(5, 2));
  EXPECT_EQ(bars.rows(), 2u);
  const std::vector<std::uint8_t> below(cells.begin() + 5, cells.end());
  EXPECT_EQ(below, (std::vector<std::uint8_t>{0, 255, 0, 0, 32}));
}

TEST_F(GridBarsTest, OfOneHaveARowForEachPlace) {
  BarsShown one = shown(50, 100);
  one.row = 0;
  one.block = 9;
  const auto cells = bars.cells(one);
  ASSERT_EQ(bars.rows(), 2u);
  const auto at = [&](std::size_t place, std::size_t column) { return BarCell(cells[place * 50 + column]); };
  EXPECT_EQ(at(0, 9), BarCell::Nothing);
  EXPECT_EQ(at(0, 10), BarCell::Nothing) << "a gap before a wide bar";
  EXPECT_NE(at(0, 11), BarCell::Nothing);
  EXPECT_NE(at(0, 11), at(0, 25)) << "neighbours are told apart";
  EXPECT_EQ(at(1, 25), BarCell::Inspected);
  EXPECT_EQ(at(0, 40), BarCell::Nothing) << "the other launch is elsewhere";
}

TEST_F(GridBarsTest, AreMadeAgainOnlyForAnotherPicture) {
  bars.cells(shown(5, 100));
  bars.cells(shown(5, 100));
  EXPECT_EQ(bars.drawn(), 1u);
  bars.cells(shown(6, 100));
  EXPECT_EQ(bars.drawn(), 2u);
}

}  // namespace
}  // namespace stridescope::views
