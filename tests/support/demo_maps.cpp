#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "draw/draw_context.h"
#include "draw/grid_painter.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "draw/text.h"
#include "implot.h"
#include "support/demo_app.h"

namespace stridescope::support {
namespace {

constexpr int kWarps = 8, kLanes = 32;

struct CellRect {
  ImVec2 min, max;
};
// One cell of a grid of columns x rows drawn over [min, max), its gap left out.
CellRect cellRect(ImVec2 min, ImVec2 max, int columns, int rows, int column, int row, ImVec2 gap) {
  const auto at = [&](int x, int y) {
    return ImVec2(min.x + float(draw::cellEdge(x, columns, int(std::lround(max.x - min.x)))),
                  min.y + float(draw::cellEdge(y, rows, int(std::lround(max.y - min.y)))));
  };
  const ImVec2 end = at(column + 1, row + 1);
  return {at(column, row), {end.x - gap.x, end.y - gap.y}};
}

enum LaneCell : std::uint8_t { kActive, kOff, kIdle, kFinished };

std::array<draw::CellStyle, 4> laneStyles(const draw::Palette& colours) {
  return {draw::CellStyle{.fill = colours.result},
          draw::CellStyle{.fill = colours.dead, .mark = colours.hatch, .hatch = true},
          draw::CellStyle{.fill = colours.dead, .mark = colours.toCome, .lineThrough = true},
          draw::CellStyle{.fill = colours.dead, .mark = colours.hatch, .cross = true}};
}

void drawLanes(draw::DrawContext& context) {
  draw::Panel panel(context,
                    {.name = "Lanes", .note = "warps \xC3\x97 lanes", .leastWidth = 268, .leastHeight = 220});
  if (!panel) return;
  std::vector<std::uint8_t> cells(kWarps * kLanes, kIdle);
  std::fill_n(cells.begin(), 16, kActive);
  std::fill_n(cells.begin() + 16, 16, kOff);
  std::fill_n(cells.end() - 2 * kLanes, 2 * kLanes, kFinished);
  const auto styles = laneStyles(context.colours());
  const ImVec2 min(panel.contentMin().x + context.px(26), panel.contentMin().y + context.px(20));
  const ImVec2 max(panel.contentMax().x, min.y + context.px(20) * kWarps);
  draw::paintGrid(context, panel.list(), min, max, {"lanes", kLanes, kWarps, cells, styles});
  const draw::TextStyle label = draw::codeStyle(context, draw::kLabelSize, context.colours().dim);
  for (int warp = 0; warp < kWarps; ++warp) {
    const CellRect row = cellRect(min, max, 1, kWarps, 0, warp, {0, 0});
    draw::drawText(context, panel.list(), {panel.contentMin().x, row.min.y},
                   {min.x - context.px(6), row.max.y}, std::string("W").append(std::to_string(warp)), label,
                   draw::TextAlign::Right);
  }
  const CellRect hovered = cellRect(min, max, kLanes, kWarps, 5, 0, {1, 1});
  draw::drawHoverRing(context, panel.list(), hovered.min, hovered.max);
}

void drawDivergence(draw::DrawContext& context) {
  draw::Panel panel(context,
                    {.name = "Divergence", .note = "active lanes", .leastWidth = 212, .leastHeight = 220});
  if (!panel) return;
  constexpr int kStrides = 8;
  // Two tables of amounts in one: 0 ... 32 as they are, 33 ... 65 the same with a notch.
  std::vector<draw::CellStyle> styles(66);
  for (int active = 0; active <= kLanes; ++active) {
    const draw::CellStyle style{.fill = active == 0 ? context.colours().dead
                                                    : draw::viridis(static_cast<float>(active) / kLanes)};
    styles[static_cast<std::size_t>(active)] = style;
    styles[static_cast<std::size_t>(active + 33)] = style;
    styles[static_cast<std::size_t>(active + 33)].notch = true;
  }
  std::vector<std::uint8_t> cells(kWarps * kStrides);
  for (int warp = 0; warp < kWarps; ++warp) {
    for (int stride = 0; stride < kStrides; ++stride) {
      const int active = std::clamp((256 >> (stride + 1)) - warp * kLanes, 0, kLanes);
      const bool partial = active > 0 && active < kLanes;
      cells[static_cast<std::size_t>(warp * kStrides + stride)] =
          static_cast<std::uint8_t>(active + (partial ? 33 : 0));
    }
  }
  const ImVec2 min(panel.contentMin().x + context.px(26), panel.contentMin().y + context.px(20));
  const ImVec2 max(std::min(panel.contentMax().x, min.x + context.px(18) * kStrides),
                   min.y + context.px(20) * kWarps);
  draw::paintGrid(context, panel.list(), min, max, {"divergence", kStrides, kWarps, cells, styles});
  const CellRect ringed = cellRect(min, max, kStrides, kWarps, 3, 0, {2, 2});
  draw::drawHoverRingOnAmounts(context, panel.list(), ringed.min, ringed.max);
  const ImU32 ground = draw::viridis(0.5f);
  draw::drawText(context, panel.list(), ringed.min, ringed.max, "16",
                 draw::codeStyle(context, draw::kLabelSize, draw::readableOn(ground)),
                 draw::TextAlign::Centre);
}

void drawSharedMemory(draw::DrawContext& context) {
  draw::Panel panel(
      context,
      {.name = "Shared memory", .note = "256 of 256 elements", .leastWidth = 400, .leastHeight = 200});
  if (!panel) return;
  const draw::Palette& colours = context.colours();
  ImDrawList& list = panel.list();
  const float left = panel.contentMin().x + context.px(50), right = panel.contentMax().x;
  float y = panel.contentMin().y + context.px(8);
  const std::array<draw::CellStyle, 2> past = {draw::CellStyle{.fill = colours.live},
                                               draw::CellStyle{.fill = colours.dead}};
  for (const int columns : {256, 128, 64}) {
    const std::vector<std::uint8_t> cells(static_cast<std::size_t>(columns), 0);
    draw::paintGrid(context, list, {left, y}, {right, y + context.px(15)}, {"past", columns, 1, cells, past});
    y += context.px(19);
  }
  constexpr int kPairs = 16;
  const float rowHeight = context.px(26);
  list.AddRectFilled({panel.contentMin().x, y}, {right, y + context.px(146)}, colours.raised);
  list.AddRectFilled({panel.contentMin().x, y}, {panel.contentMin().x + context.px(3), y + context.px(146)},
                     colours.result);
  draw::drawText(context, list, {panel.contentMin().x, y + context.px(60)},
                 {left - context.px(10), y + context.px(84)}, "8",
                 draw::boldStyle(context, draw::kCaptionSize, colours.text), draw::TextAlign::Right);
  y += context.px(20);
  const std::array<draw::CellStyle, 3> styles = {draw::CellStyle{.fill = colours.operand},
                                                 draw::CellStyle{.mark = colours.operand, .outline = 2},
                                                 draw::CellStyle{.fill = colours.result}};
  std::vector<std::uint8_t> operands(2 * kPairs);
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = i % 2;
  const std::vector<std::uint8_t> results(kPairs, 2);
  const ImVec2 aMin(left, y), aMax(right, y + rowHeight), rMin(left, y + context.px(84)),
      rMax(right, y + context.px(84) + rowHeight);
  draw::paintGrid(context, list, aMin, aMax, {"operands", 2 * kPairs, 1, operands, styles});
  draw::paintGrid(context, list, rMin, rMax, {"results", kPairs, 1, results, styles});
  const draw::TextStyle ink = draw::codeBoldStyle(context, draw::kLabelSize, colours.ink);
  for (int pair = 0; pair < kPairs; ++pair) {
    const CellRect a = cellRect(aMin, aMax, 2 * kPairs, 1, 2 * pair, 0, {2, 0});
    const CellRect b = cellRect(aMin, aMax, 2 * kPairs, 1, 2 * pair + 1, 0, {2, 0});
    const CellRect r = cellRect(rMin, rMax, kPairs, 1, pair, 0, {2, 0});
    const ImVec2 disc((r.min.x + r.max.x) / 2, y + context.px(56));
    for (const CellRect& operand : {a, b}) {
      list.AddLine({(operand.min.x + operand.max.x) / 2, operand.max.y}, disc, colours.operand,
                   1.5f * context.scale);
    }
    list.AddLine(disc, {disc.x, r.min.y}, colours.result, 1.5f * context.scale);
    draw::drawDisc(context, list, disc, context.px(10), pair == 5 ? colours.hover : colours.result,
                   std::to_string(pair), ink);
    draw::drawText(context, list, a.min, a.max, std::to_string(33 + pair), ink, draw::TextAlign::Centre);
    draw::drawText(context, list, b.min, b.max, std::to_string(28 + pair),
                   draw::codeBoldStyle(context, draw::kLabelSize, colours.text), draw::TextAlign::Centre);
    draw::drawText(context, list, r.min, r.max, std::to_string(61 + 2 * pair), ink, draw::TextAlign::Centre);
    if (pair == 5) draw::drawHoverRing(context, list, r.min, r.max);
  }
  y += context.px(134);
  const std::array<draw::CellStyle, 1> toCome = {draw::CellStyle{.mark = colours.toCome, .outline = 1}};
  for (const int columns : {8, 4, 2}) {
    const std::vector<std::uint8_t> cells(static_cast<std::size_t>(columns), 0);
    draw::paintGrid(context, list, {left, y}, {right, y + context.px(14)},
                    {"to come", columns, 1, cells, toCome});
    y += context.px(18);
  }
}

void drawWordPanels(draw::DrawContext& context) {
  const draw::Palette& colours = context.colours();
  if (draw::Panel panel(context, {.name = "Ladder", .leastWidth = 120}); panel) {
    const float width = panel.contentMax().x - panel.contentMin().x;
    draw::drawWrapped(
        context, panel.list(), panel.contentMin(), width, context.px(draw::kLabelLineHeight),
        "Neighbouring threads add, no modulo. 108.7 \xC2\xB5s, 1.6\xC3\x97 of it saved \xE2\x86\x92 next",
        draw::wordsStyle(context, draw::kLabelSize, colours.dim));
    ImVec2 at(panel.contentMin().x, panel.contentMin().y + context.px(90));
    draw::drawHatch(context, panel.list(), at, {at.x + width, at.y + context.px(20)}, colours.hatch);
    at.y += context.px(30);
    draw::drawDashedRectangle(context, panel.list(), at, {at.x + context.px(40), at.y + context.px(20)},
                              colours.text, 2);
    draw::drawCross(context, panel.list(), {at.x + context.px(60), at.y + context.px(10)}, context.px(6),
                    colours.problem);
    draw::drawTick(context, panel.list(), {at.x + context.px(84), at.y + context.px(10)}, context.px(7),
                   colours.text);
    const float left = at.x + context.px(104), right = at.x + context.px(124), notch = context.px(8);
    const float bottom = at.y + context.px(20);
    const ImVec2 notched[5] = {
        {left, at.y}, {right - notch, at.y}, {right, at.y + notch}, {right, bottom}, {left, bottom}};
    panel.list().AddConvexPolyFilled(notched, 5, draw::viridis(0.6f));
  }
  if (draw::Panel panel(context, {.name = "Source", .note = "kernels/interleaved_contiguous.cu"}); panel) {
    ImVec2 at = panel.contentMin();
    for (const char* line :
         {"for (unsigned s = 1; s < blockSize; s *= 2) {", "  unsigned index = 2 * s * tid;",
          "  if (index < blockSize)", "    data[index] = combine(data[index], data[index + s]);",
          "  __syncthreads();", "}"}) {
      draw::drawTextAt(context, panel.list(), at, line,
                       draw::codeStyle(context, draw::kBodySize, colours.text));
      at.y += context.px(draw::kCodeLineHeight);
    }
    draw::drawBracket(context, panel.list(), at.x + context.px(34), at.x + context.px(120),
                      at.y + context.px(6), colours.result);
  }
  if (draw::Panel panel(context, {.name = "Timings"}); panel) {
    const std::array<double, 5> us = {171.7, 109.0, 85.9, 48.7, 38.0};
    if (ImPlot::BeginPlot("##live", {-1, -1}, ImPlotFlags_CanvasOnly)) {
      for (const double height : us) {
        std::array<double, 64> y{};
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = height + static_cast<double>(i * 37 % 11) / 5;
        ImPlot::PlotLine(std::to_string(height).c_str(), y.data(), static_cast<int>(y.size()));
      }
      ImPlot::EndPlot();
    }
  }
  if (draw::Panel panel(context, {.name = "Banks", .leastWidth = 2000}); panel) {
  }
}

}  // namespace

void drawDemoPanels(draw::DrawContext& context) {
  drawWordPanels(context);
  drawSharedMemory(context);
  drawLanes(context);
  drawDivergence(context);
}

}  // namespace stridescope::support
