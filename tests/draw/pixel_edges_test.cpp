// Cells with whole-pixel edges: against the definition, pixel by pixel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "draw/grid_picture.h"

namespace stridescope::draw {
namespace {

TEST(CellEdge, IsTheNearestPixelToTheExactEdge) {
  for (const int count : {1, 2, 3, 7, 8, 32, 100, 256}) {
    for (const int length : {1, 5, 31, 200, 256, 640, 768, 1001}) {
      EXPECT_EQ(cellEdge(0, count, length), 0);
      EXPECT_EQ(cellEdge(count, count, length), length);
      for (int index = 0; index <= count; ++index) {
        const double exact = static_cast<double>(index) * length / count;
        EXPECT_LE(std::abs(cellEdge(index, count, length) - exact), 0.5) << index << " of " << count;
      }
    }
  }
}

// 256 elements in 640 pixels are 2.5 each: two and three in turn.
TEST(CellEdge, MixesTwoAndThreePixels) {
  for (int index = 0; index < 256; ++index) {
    const int width = cellEdge(index + 1, 256, 640) - cellEdge(index, 256, 640);
    EXPECT_TRUE(width == 2 || width == 3) << index;
  }
}

TEST(CellAt, FindsTheCellWhoseEdgesHoldThePixel) {
  for (const int count : {1, 3, 32, 100, 256}) {
    for (const int length : {5, 31, 256, 640}) {
      for (int px = 0; px < length; ++px) {
        const int cell = cellAt(px, count, length);
        EXPECT_LE(cellEdge(cell, count, length), px);
        EXPECT_GT(cellEdge(cell + 1, count, length), px);
      }
    }
  }
}

TEST(CellAt, ClampsOutside) {
  EXPECT_EQ(cellAt(-5, 8, 80), 0);
  EXPECT_EQ(cellAt(80, 8, 80), 7);
  EXPECT_EQ(cellAt(0, 0, 0), 0);
}

TEST(CellGap, FollowsTheCellsWidth) {
  EXPECT_EQ(cellGap(1.9f, 1), 0);
  EXPECT_EQ(cellGap(3, 1), 1);
  EXPECT_EQ(cellGap(8.9f, 1), 1);
  EXPECT_EQ(cellGap(9, 1), 2);
  EXPECT_EQ(cellGap(18, 2), 4);
  EXPECT_EQ(cellGap(17, 2), 2);
  EXPECT_EQ(cellGap(3, 0.5f), 1);
}

}  // namespace
}  // namespace stridescope::draw
