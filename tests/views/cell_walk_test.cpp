// Which cell an arrow key goes to.
#include "views/shared/cell_walk.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

// Three columns and two rows of 10 x 10 with a gap of 2, then a strip under them that is one wide cell, then
// a small cell far below and to the right.
std::vector<CellBox> cells() {
  std::vector<CellBox> all;
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column) {
      const ImVec2 min{float(column) * 12, float(row) * 12};
      all.push_back({min, {min.x + 10, min.y + 10}});
    }
  all.push_back({{0, 30}, {34, 40}});
  all.push_back({{100, 90}, {104, 94}});
  return all;
}

std::optional<std::size_t> next(std::size_t from, WalkTo to) { return nextCell(cells(), from, to); }

TEST(NextCell, IsTheNeighbourInAGrid) {
  EXPECT_EQ(next(0, WalkTo::Right), 1u);
  EXPECT_EQ(next(1, WalkTo::Right), 2u);
  EXPECT_EQ(next(5, WalkTo::Left), 4u);
  EXPECT_EQ(next(1, WalkTo::Down), 4u);
  EXPECT_EQ(next(4, WalkTo::Up), 1u);
}

TEST(NextCell, LeftAndRightStayInTheRow) {
  EXPECT_EQ(next(2, WalkTo::Right), std::nullopt);
  EXPECT_EQ(next(6, WalkTo::Right), std::nullopt) << "what lies below is no neighbour";
  EXPECT_EQ(next(0, WalkTo::Left), std::nullopt);
}

TEST(NextCell, DownGoesToTheNextRowWhateverItsWidth) {
  for (std::size_t from : {3u, 4u, 5u}) EXPECT_EQ(next(from, WalkTo::Down), 6u);
  EXPECT_EQ(next(6, WalkTo::Up), 4u) << "the one in the middle";
  EXPECT_EQ(next(6, WalkTo::Down), 7u) << "to the side, where there is none below";
  EXPECT_EQ(next(7, WalkTo::Down), std::nullopt);
}

TEST(NextCell, OneBelowComesBeforeALabelBesideIt) {
  // A row of two cells, the next row 4 lower, and that row's label, which is a little higher than the row.
  const std::vector<CellBox> rows{{{20, 0}, {40, 14}}, {{20, 18}, {40, 32}}, {{0, 15}, {18, 35}}};
  EXPECT_EQ(nextCell(rows, 0, WalkTo::Down), 1u);
  EXPECT_EQ(nextCell(rows, 1, WalkTo::Left), 2u);
}

}  // namespace
}  // namespace stridescope::views
