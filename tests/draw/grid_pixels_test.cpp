// What the grid's shader draws, read back pixel by pixel from a headless OpenGL context. Where the machine
// has none, these tests are skipped.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "draw/grid_painter.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "shell/frame.h"
#include "shell/headless_context.h"
#include "support/function_app.h"
#include "support/golden_picture.h"
#include "support/picture_compare.h"

namespace stridescope::draw {
namespace {

constexpr unsigned kGround = 0x0D1014, kRed = 0xFF0000, kGreen = 0x00FF00, kBlue = 0x0000FF;
constexpr ImU32 kRedFill = IM_COL32(255, 0, 0, 255), kGreenFill = IM_COL32(0, 255, 0, 255),
                kBlueFill = IM_COL32(0, 0, 255, 255);

// A headless context and a frame runner of it.
class GridPixels : public testing::Test {
 protected:
  void open(shell::PixelSize size, float scale = 1) {
    auto context = shell::HeadlessContext::create(size, scale);
    if (!context) GTEST_SKIP() << context.error().sentence;
    context_ = *std::move(context);
    auto runner = shell::FrameRunner::create(*context_);
    ASSERT_TRUE(runner) << runner.error().sentence << runner.error().details;
    runner_ = *std::move(runner);
  }

  shell::Image draw(std::function<void(shell::Frame&, ImDrawList&)> paint) {
    support::FunctionApp app([&](shell::Frame& frame) { paint(frame, *ImGui::GetForegroundDrawList()); });
    runner_->run(app);
    return context_->readPixels();
  }

  // One grid over [20, 20 + size) of the picture.
  shell::Image drawGrid(ImVec2 size, const GridPicture& picture) {
    return draw([&](shell::Frame& frame, ImDrawList& list) {
      paintGrid(frame.draw, list, {20, 20}, {20 + size.x, 20 + size.y}, picture);
    });
  }

  std::unique_ptr<shell::HeadlessContext> context_;
  std::unique_ptr<shell::FrameRunner> runner_;
};

#define OPEN_OR_SKIP(...)  \
  open(__VA_ARGS__);       \
  if (IsSkipped()) return; \
  ASSERT_NE(runner_, nullptr)

TEST_F(GridPixels, EveryPixelShowsTheCellThatPixelEdgesNames) {
  OPEN_OR_SKIP({400, 100});
  constexpr int kColumns = 100, kRows = 3, kWidth = 251, kHeight = 32;
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill}, CellStyle{.fill = kGreenFill},
                                         CellStyle{.fill = kBlueFill}};
  const unsigned wanted[] = {kRed, kGreen, kBlue};
  std::vector<std::uint8_t> cells(kColumns * kRows);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::uint8_t>((i * 7 + i / 100) % 3);
  const shell::Image image = drawGrid({kWidth, kHeight}, {"", kColumns, kRows, cells, styles, 0});
  int wrong = 0;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int cell = cellAt(y, kRows, kHeight) * kColumns + cellAt(x, kColumns, kWidth);
      wrong += support::pixelAt(image, 20 + x, 20 + y) != wanted[cells[static_cast<std::size_t>(cell)]];
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(support::pixelAt(image, 19, 25), kGround);
  EXPECT_EQ(support::pixelAt(image, 20 + kWidth, 25), kGround);
  EXPECT_EQ(support::pixelAt(image, 25, 19), kGround);
  EXPECT_EQ(support::pixelAt(image, 25, 20 + kHeight), kGround);
}

TEST_F(GridPixels, GapsAndUnknownStylesLeaveTheGround) {
  OPEN_OR_SKIP({100, 60});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill}};
  const std::vector<std::uint8_t> cells = {0, 9, 0};  // style 9 is not there
  const shell::Image image = drawGrid({36, 12}, {"", 3, 1, cells, styles});
  EXPECT_EQ(support::pixelAt(image, 20, 20), kRed);
  EXPECT_EQ(support::pixelAt(image, 29, 31), kRed);
  EXPECT_EQ(support::pixelAt(image, 30, 25), kGround) << "cells of 12 pixels have a gap of 2";
  EXPECT_EQ(support::pixelAt(image, 31, 25), kGround);
  EXPECT_EQ(support::pixelAt(image, 36, 25), kGround);
  EXPECT_EQ(support::pixelAt(image, 44, 25), kRed);
}

TEST_F(GridPixels, AnOutlineIsInsideItsCell) {
  OPEN_OR_SKIP({100, 80});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill, .mark = kGreenFill, .outline = 2}};
  const std::vector<std::uint8_t> cells = {0};
  const shell::Image wide = drawGrid({30, 30}, {"", 1, 1, cells, styles, 0});
  for (const int edge : {20, 21, 48, 49}) {
    EXPECT_EQ(support::pixelAt(wide, edge, 35), kGreen) << edge;
    EXPECT_EQ(support::pixelAt(wide, 35, edge), kGreen) << edge;
  }
  for (const int inside : {22, 35, 47}) EXPECT_EQ(support::pixelAt(wide, inside, inside), kRed) << inside;
  const shell::Image narrow = drawGrid({18, 30}, {"", 1, 1, cells, styles, 0});
  EXPECT_EQ(support::pixelAt(narrow, 20, 35), kGreen);
  EXPECT_EQ(support::pixelAt(narrow, 21, 35), kRed) << "one pixel below a width of 20";
}

TEST_F(GridPixels, ANotchCutsTheUpperRightCornerOnly) {
  OPEN_OR_SKIP({100, 80});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill, .notch = true}};
  const std::vector<std::uint8_t> cells = {0};
  const shell::Image image = drawGrid({20, 20}, {"", 1, 1, cells, styles, 0});
  EXPECT_EQ(support::pixelAt(image, 39, 20), kGround);
  EXPECT_EQ(support::pixelAt(image, 20, 20), kRed);
  EXPECT_EQ(support::pixelAt(image, 20, 39), kRed);
  EXPECT_EQ(support::pixelAt(image, 39, 39), kRed);
  // Seven units along either edge.
  EXPECT_EQ(support::pixelAt(image, 34, 20), kGround);
  EXPECT_EQ(support::pixelAt(image, 32, 20), kRed);
  EXPECT_EQ(support::pixelAt(image, 39, 25), kGround);
  EXPECT_EQ(support::pixelAt(image, 39, 28), kRed);
}

TEST_F(GridPixels, ALineRunsThroughTheGaps) {
  OPEN_OR_SKIP({200, 80});
  const std::vector<CellStyle> styles = {
      CellStyle{.fill = kRedFill, .mark = kGreenFill, .lineThrough = true}};
  const std::vector<std::uint8_t> cells(4, 0);
  const shell::Image image = drawGrid({80, 21}, {"", 4, 1, cells, styles});
  for (int x = 20; x < 100; ++x) EXPECT_EQ(support::pixelAt(image, x, 30), kGreen) << x;
  EXPECT_EQ(support::pixelAt(image, 25, 28), kRed);
  EXPECT_EQ(support::pixelAt(image, 38, 28), kGround) << "the gap above the line";
}

TEST_F(GridPixels, ACrossJoinsTheCornersOfASquare) {
  OPEN_OR_SKIP({100, 80});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill, .mark = kGreenFill, .cross = true}};
  const std::vector<std::uint8_t> cells = {0};
  const shell::Image image = drawGrid({21, 41}, {"", 1, 1, cells, styles, 0});
  EXPECT_EQ(support::pixelAt(image, 30, 40), kGreen) << "the middle";
  for (const int step : {-6, -3, 3, 6}) {
    EXPECT_EQ(support::pixelAt(image, 30 + step, 40 + step), kGreen) << step;
    EXPECT_EQ(support::pixelAt(image, 30 + step, 40 - step), kGreen) << step;
  }
  EXPECT_EQ(support::pixelAt(image, 30, 33), kRed);
  EXPECT_EQ(support::pixelAt(image, 22, 22), kRed) << "a tall cell's corners stay free";
}

TEST_F(GridPixels, AHatchIsDiagonalAndRunsOnFromCellToCell) {
  OPEN_OR_SKIP({200, 80});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill, .mark = kGreenFill, .hatch = true}};
  const std::vector<std::uint8_t> cells(2, 0);
  const shell::Image image = drawGrid({60, 30}, {"", 2, 1, cells, styles, 0});
  int plain = 0, differing = 0;
  for (int y = 21; y < 50; ++y) {
    for (int x = 20; x < 79; ++x) {
      plain += support::pixelAt(image, x, y) == kRed;
      differing += support::pixelAt(image, x, y) !=
                   support::pixelAt(image, x + 1, y - 1);  // along the lines nothing changes
    }
  }
  EXPECT_EQ(differing, 0);
  EXPECT_GT(plain, 59 * 29 / 3);
  EXPECT_LT(plain, 59 * 29 * 4 / 5);
}

TEST_F(GridPixels, TheDrawListsClipHolds) {
  OPEN_OR_SKIP({200, 100});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill}};
  const std::vector<std::uint8_t> cells = {0};
  const shell::Image image = draw([&](shell::Frame& frame, ImDrawList& list) {
    list.PushClipRect({30, 40}, {50, 60});
    paintGrid(frame.draw, list, {20, 20}, {80, 80}, {"", 1, 1, cells, styles, 0});
    list.PopClipRect();
  });
  EXPECT_EQ(support::pixelAt(image, 30, 40), kRed);
  EXPECT_EQ(support::pixelAt(image, 49, 59), kRed);
  for (const auto& [x, y] : {std::pair(29, 50), std::pair(50, 50), std::pair(40, 39), std::pair(40, 60)}) {
    EXPECT_EQ(support::pixelAt(image, x, y), kGround) << x << ", " << y;
  }
}

TEST_F(GridPixels, WhatIsDrawnAfterAGridIsDrawnAsEver) {
  OPEN_OR_SKIP({200, 100});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill}};
  const std::vector<std::uint8_t> cells = {0};
  const shell::Image image = draw([&](shell::Frame& frame, ImDrawList& list) {
    list.AddRectFilled({0, 0}, {30, 100}, kBlueFill);
    paintGrid(frame.draw, list, {20, 20}, {80, 80}, {"", 1, 1, cells, styles, 0});
    list.AddRectFilled({70, 0}, {120, 100}, kGreenFill);
  });
  EXPECT_EQ(support::pixelAt(image, 10, 50), kBlue);
  EXPECT_EQ(support::pixelAt(image, 25, 50), kRed) << "over what came before";
  EXPECT_EQ(support::pixelAt(image, 75, 50), kGreen) << "under what comes after";
  EXPECT_EQ(support::pixelAt(image, 110, 10), kGreen);
}

TEST_F(GridPixels, LinesGrowWithTheScale) {
  OPEN_OR_SKIP({200, 100}, 2);
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill, .mark = kGreenFill, .outline = 2}};
  const std::vector<std::uint8_t> cells = {0, 0};
  const shell::Image image = drawGrid({120, 60}, {"", 2, 1, cells, styles});
  for (int x = 20; x < 24; ++x) EXPECT_EQ(support::pixelAt(image, x, 50), kGreen) << x;
  EXPECT_EQ(support::pixelAt(image, 24, 50), kRed);
  for (int x = 76; x < 80; ++x) EXPECT_EQ(support::pixelAt(image, x, 50), kGround) << "gap " << x;
}

TEST_F(GridPixels, BytesAreUploadedOnceUntilTheyChange) {
  OPEN_OR_SKIP({100, 60});
  const std::vector<CellStyle> styles = {CellStyle{.fill = kRedFill}, CellStyle{.fill = kGreenFill}};
  std::vector<std::uint8_t> cells = {0, 1, 0};
  const auto frame = [&] { drawGrid({36, 12}, {"", 3, 1, cells, styles}); };
  frame();
  EXPECT_EQ(runner_->grids().uploads(), 2u) << "cells and styles";
  frame();
  frame();
  EXPECT_EQ(runner_->grids().uploads(), 2u);
  cells[0] = 1;
  frame();
  EXPECT_EQ(runner_->grids().uploads(), 3u);
  cells[0] = 0;
  frame();
  EXPECT_EQ(runner_->grids().uploads(), 3u) << "an earlier round's texture is still there";
}

// Every mark in one small picture, looked at by a person when it was put there. To make it anew after a
// change that is meant: UPDATE_GOLDEN=1 draw_test --gtest_filter='*Golden*', and look at it.
TEST_F(GridPixels, GoldenPictureOfTheMarks) {
  OPEN_OR_SKIP({320, 120});
  const Palette& colours = palette(Theme::Dark);
  const std::vector<CellStyle> styles = {
      CellStyle{.fill = colours.result},
      CellStyle{.fill = colours.dead, .mark = colours.hatch, .hatch = true},
      CellStyle{.fill = colours.dead, .mark = colours.toCome, .lineThrough = true},
      CellStyle{.fill = colours.dead, .mark = colours.hatch, .cross = true},
      CellStyle{.fill = viridis(0.6f), .notch = true},
      CellStyle{.mark = colours.operand, .outline = 2},
      CellStyle{.mark = colours.toCome, .outline = 1},
      CellStyle{.fill = colours.operand},
  };
  const std::vector<std::uint8_t> row = {0, 1, 2, 2, 3, 4, 5, 6, 7};
  const shell::Image image = draw([&](shell::Frame& frame, ImDrawList& list) {
    list.AddRectFilled({0, 0}, {320, 120}, colours.panel);
    const auto count = static_cast<int>(row.size());
    paintGrid(frame.draw, list, {10, 10}, {310, 40}, {"", count, 1, row, styles});
    paintGrid(frame.draw, list, {10, 50}, {77, 68}, {"", count, 1, row, styles});
    drawHoverRing(frame.draw, list, {90, 50}, {110, 68});
    drawHoverRingOnAmounts(frame.draw, list, {120, 50}, {140, 68});
    drawHatch(frame.draw, list, {150, 50}, {200, 68}, colours.hatch);
    drawDashedRectangle(frame.draw, list, {210, 50}, {240, 68}, colours.text, 2);
    drawCross(frame.draw, list, {260, 59}, 7, colours.problem);
    drawTick(frame.draw, list, {285, 59}, 7, colours.text);
    const ImVec2 notched[5] = {{10, 80}, {30, 80}, {40, 90}, {40, 108}, {10, 108}};
    list.AddConvexPolyFilled(notched, 5, viridis(0.3f));
    drawBracket(frame.draw, list, 50, 110, 100, colours.operand);
    fillTriangleRight(list, {120, 80}, {140, 108}, colours.result);
    fillTriangleLeft(list, {150, 80}, {170, 108}, colours.result);
    outlineInside(frame.draw, list, {180, 80}, {220, 108}, colours.text, 2, 3);
    drawDashedLine(frame.draw, list, {230, 84}, {310, 106}, colours.dim, 1.5f);
  });
  support::expectGoldenPicture(image, GOLDEN_FOLDER, "marks");
}

}  // namespace
}  // namespace stridescope::draw
