// What a grid painter is given, without OpenGL.
#include <gtest/gtest.h>

#include <vector>

#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "support/function_app.h"
#include "support/ui_harness.h"

namespace stridescope::draw {
namespace {

const std::vector<CellStyle> kTwoStyles = {CellStyle{.fill = IM_COL32_WHITE},
                                           CellStyle{.mark = 1, .outline = 2}};

// One frame that paints `picture` at (10.4, 20.6) - (90, 60).
std::vector<PaintedGrid> paintedBy(const GridPicture& picture) {
  support::FunctionApp app([&](shell::Frame& frame) {
    paintGrid(frame.draw, *ImGui::GetForegroundDrawList(), {10.4f, 20.6f}, {90, 60}, picture);
  });
  support::UiHarness ui(app, {200, 100});
  ui.drawFrames(2);
  return ui.runner().grids().painted();
}

TEST(PaintGrid, RecordsTheBytesItWasGiven) {
  const std::vector<std::uint8_t> cells = {0, 1, 1, 0, 1, 0};
  const auto painted = paintedBy({"lanes", 3, 2, cells, kTwoStyles});
  ASSERT_EQ(painted.size(), 1u) << "the frame before is forgotten";
  EXPECT_EQ(painted[0].name, "lanes");
  EXPECT_EQ(painted[0].columns, 3);
  EXPECT_EQ(painted[0].rows, 2);
  EXPECT_EQ(painted[0].cells, cells);
  EXPECT_EQ(painted[0].styles, kTwoStyles);
  EXPECT_EQ(painted[0].min.x, 10);
  EXPECT_EQ(painted[0].min.y, 21);
  EXPECT_EQ(painted[0].clipMax.x, 200);
}

TEST(PaintGrid, RefusesWhatDoesNotFitItsShape) {
  const std::vector<std::uint8_t> cells = {0, 1, 1, 0, 1, 0};
  EXPECT_TRUE(paintedBy({"too few", 4, 2, cells, kTwoStyles}).empty());
  EXPECT_TRUE(paintedBy({"too many", 1, 2, cells, kTwoStyles}).empty());
  EXPECT_TRUE(paintedBy({"no rows", 6, 0, cells, kTwoStyles}).empty());
  EXPECT_TRUE(paintedBy({"negative", -3, -2, cells, kTwoStyles}).empty());
  EXPECT_TRUE(paintedBy({"overflow", 1 << 30, 1 << 30, cells, kTwoStyles}).empty());
  EXPECT_TRUE(paintedBy({"no styles", 3, 2, cells, {}}).empty());
}

TEST(Amounts, OnlyNothingIsDead) {
  const auto styles = amountStyles(palette(Theme::Dark).dead);
  EXPECT_EQ(styles[0].fill, palette(Theme::Dark).dead);
  EXPECT_EQ(styles[255].fill, viridis(1.0f));
}

}  // namespace
}  // namespace stridescope::draw
