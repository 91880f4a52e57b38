// What a grid painter is given, without OpenGL.
#include <gtest/gtest.h>

#include <vector>

#include "draw/grid_painter.h"
#include "draw/palette.h"
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
  EXPECT_EQ(amountByte(0, 32), 0);
  EXPECT_EQ(amountByte(32, 32), 255);
  EXPECT_EQ(amountByte(16, 32), 128);
  EXPECT_EQ(amountByte(1, 100000), 1) << "something is never nothing";
  EXPECT_EQ(amountByte(40, 32), 255);
  EXPECT_EQ(amountByte(-1, 32), 0);
  EXPECT_EQ(amountByte(1, 0), 0);
}

TEST(FoldToMaxima, KeepsTheGreatestOfEachGroup) {
  const std::vector<std::uint8_t> cells = {1, 9, 2, 3, 4, 5,  //
                                           0, 0, 7, 0, 0, 0};
  EXPECT_EQ(foldToMaxima(cells, 6, 2, 3), (std::vector<std::uint8_t>{9, 3, 5, 0, 7, 0}));
  EXPECT_EQ(foldToMaxima(cells, 6, 2, 1), (std::vector<std::uint8_t>{9, 7}));
  EXPECT_EQ(foldToMaxima(cells, 6, 2, 6), cells);
}

}  // namespace
}  // namespace stridescope::draw
