// Which rows of a map have labels.
#include "views/maps/map_frame.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

TEST(MapFrame, RowsAndColumnsHaveLabelsAtOneDistance) {
  EXPECT_EQ(draw::labelStep(18, 14, 8), 1);
  EXPECT_EQ(draw::labelStep(14, 14, 8), 1);
  EXPECT_EQ(draw::labelStep(13, 14, 8), 2);
  EXPECT_EQ(draw::labelStep(4.5f, 14, 32), 4);  // never 3 rows here and 4 there
  EXPECT_EQ(draw::labelStep(1, 14, 32), 16);
  EXPECT_EQ(draw::labelStep(0.1f, 14, 32), 32);  // only the first
}

}  // namespace
}  // namespace stridescope::views
