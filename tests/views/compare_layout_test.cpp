#include "views/compare/compare_layout.h"

#include <gtest/gtest.h>

namespace stridescope::views {
namespace {

using analysis::Side;

// The layout in a window of that size in units, below the bar and above the transport.
CompareLayout at(float width, float height, float unit = 1, float sourceRows = 110) {
  return layOutCompare({.min = {8 * unit, 88 * unit},
                        .max = {(width - 8) * unit, (height - 146) * unit},
                        .unit = unit,
                        .gap = 8 * unit,
                        .sourceRows = sourceRows});
}

// What is shown of a side, from above: "head memory source tabs map".
std::string shown(const CompareLayout& layout) {
  const CompareColumn& column = layout.sides.left;
  std::string text;
  for (const auto& [name, box] : {std::pair{"head", column.head},
                                  {"memory", column.memory},
                                  {"source", column.source},
                                  {"tabs", column.tabs},
                                  {"map", column.map}})
    if (!box.isEmpty()) text += (text.empty() ? "" : " ") + std::string(name);
  return text;
}

TEST(CompareLayout, TwoColumnsAndOneBetween) {
  const CompareLayout layout = at(1600, 1000);
  EXPECT_EQ(shown(layout), "head memory source tabs map");
  EXPECT_EQ(layout.middle.width(), 240);
  EXPECT_EQ(layout.sides.left.head.width(), 664);
  EXPECT_EQ(layout.sides.right.head.width(), 664);
  EXPECT_EQ(layout.sides.right.map.max.x, 1592);
  EXPECT_EQ(layout.sides.right.map.max.y, 854);
  EXPECT_EQ(layout.sides.left.source.min.y, layout.sides.right.source.min.y) << "row beside row";
}

TEST(CompareLayout, TheLinesGoFirstThenTheMapsTheMiddleNever) {
  EXPECT_EQ(shown(at(1280, 1000)), "head memory source tabs map");
  EXPECT_EQ(shown(at(1270, 1000)), "head memory tabs map") << "too narrow";
  EXPECT_EQ(shown(at(1280, 720)), "head memory tabs map") << "too low";
  EXPECT_EQ(shown(at(1280, 720 - 44)), "head memory tabs map") << "below a message";
  EXPECT_EQ(shown(at(1280, 690 - 44)), "head memory tabs map") << "below a message, in a window with a title";
  EXPECT_EQ(shown(at(1600, 600)), "head memory");
  EXPECT_EQ(shown(at(1600, 1000, 1, 0)), "head memory tabs map") << "without lines to show";
  for (const float width : {320.f, 640.f, 800.f, 1000.f, 1280.f, 3840.f})
    for (const float height : {320.f, 480.f, 720.f, 2160.f}) EXPECT_FALSE(at(width, height).middle.isEmpty());
}

// The size is that of a window of 1600x1000 with text at 200 %.
TEST(CompareLayout, TooNarrowForMemoryTheMapsTakeItsPlace) {
  EXPECT_EQ(shown(at(800, 500, 2)), "head tabs map");
}

TEST(CompareLayout, ANarrowAndHighWindowHasTheSidesBelowEachOther) {
  const CompareLayout layout = at(800, 1200);
  EXPECT_EQ(shown(layout), "head memory");
  EXPECT_LT(layout.sides.left.memory.max.y, layout.sides.right.head.min.y);
  EXPECT_EQ(layout.middle.height(), 966);
}

// Whatever the size: nothing overlaps, nothing leaves the room, both sides are alike.
TEST(CompareLayout, NothingOverlaps) {
  for (float width = 320; width <= 4000; width += 97)
    for (float height = 320; height <= 2400; height += 83)
      for (const float unit : {1.f, 1.5f, 2.f}) {
        const CompareLayout layout = at(width, height, unit);
        std::vector<Box> boxes{layout.middle};
        for (const Side side : analysis::kSides) {
          const CompareColumn& column = layout.sides[side];
          for (const Box& box : {column.head, column.memory, column.source, column.tabs, column.map})
            if (!box.isEmpty()) boxes.push_back(box);
        }
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          EXPECT_GE(boxes[i].min.x, 8 * unit - 1);
          EXPECT_LE(boxes[i].max.x, (width - 8) * unit + 1);
          for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            const bool apart = boxes[i].max.x <= boxes[j].min.x + 1 || boxes[j].max.x <= boxes[i].min.x + 1 ||
                               boxes[i].max.y <= boxes[j].min.y + 1 || boxes[j].max.y <= boxes[i].min.y + 1;
            EXPECT_TRUE(apart) << width << "x" << height << " at " << unit;
          }
        }
        EXPECT_EQ(layout.sides.left.head.width(), layout.sides.right.head.width());
      }
}

}  // namespace
}  // namespace stridescope::views
