#include "views/maps/punch_card.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "analysis/requests.h"
#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "views/maps/map_frame.h"
#include "views/shared/map_bytes.h"

namespace stridescope::views {
namespace {

constexpr float kMaxCardRowHeight = 14, kOffStrip = 20, kWavefrontWidth = 30;

std::array<draw::CellStyle, 3> cardStyles(const draw::Palette& colours, CardLook look) {
  const draw::CellStyle empty{.fill = colours.dead};
  switch (look) {
    case CardLook::OperandA:
      return {empty, {.fill = colours.operand}, {.fill = colours.operand}};
    case CardLook::OperandB:
      return {empty,
              {.fill = colours.panel, .mark = colours.operand, .outline = true},
              {.fill = colours.panel, .mark = colours.operand, .outline = true}};
    case CardLook::Result:
      break;
  }
  return {empty, {.fill = colours.result}, {.fill = colours.result}};
}

std::string lanesText(const std::vector<unsigned>& lanes) {
  const bool run = lanes.back() - lanes.front() + 1 == lanes.size();
  if (lanes.size() == 1) return "lane " + std::to_string(lanes.front()) + ": no request";
  if (run)
    return "lanes " + std::to_string(lanes.front()) + "-" + std::to_string(lanes.back()) + ": no request";
  return std::to_string(lanes.size()) + " lanes: no request";
}

// What stands below a card that has no wavefronts.
std::string sentenceOf(const ShownOperation& shown) {
  const analysis::WarpOperation& operation = shown.operation;
  if (shown.request.shared) return "The wavefronts of an atomic are not modelled.";
  const std::string text =
      std::to_string(operation.sectors) + (operation.sectors == 1 ? " sector" : " sectors") + " of 32 bytes";
  if (std::has_single_bit(operation.mask)) return text + ", for one lane.";
  if (operation.sectors == operation.idealSectors) return text + ": fully coalesced, the minimum.";
  return text + " instead of " + std::to_string(operation.idealSectors) + ".";
}

// What stands below the grid, pixels.
float sentenceHeight(const ViewContext& view, const ShownOperation& shown, float width) {
  const int lines = draw::wrappedLineCount(view.words(0), sentenceOf(shown), width);
  return view.px(draw::kLabelLineHeight) * float(lines);
}
float footHeight(const ViewContext& view, const ShownOperation& shown, const PunchCard& card, float width) {
  const float sentence = shown.request.hasWavefronts() ? 0 : sentenceHeight(view, shown, width) + view.px(4);
  return sentence + (card.offLanes.empty() ? 0 : view.px(kOffStrip + 2));
}

PunchCard cardOf(const session::Replay& replay, const ShownOperation& shown) {
  return shown.request.shared ? punchCard(replay.launch(), shown.operation)
                              : sectorCard(replay.launch(), shown.operation);
}

MapFrame layOutCard(const ViewContext& view, const PunchCard& card, ImVec2 min, ImVec2 max) {
  return layOutMap(view, min, {max.x - view.px(kWavefrontWidth), max.y}, card.bytes.columns, card.bytes.rows,
                   kMaxCardRowHeight, "lane");
}

// A word that several lanes share is one cell: a bar joins them down its bank.
void joinBroadcasts(ViewContext& view, ImDrawList& list, const MapFrame& frame, const PunchCard& card,
                    ImU32 colour) {
  for (int bank = 0; bank < frame.columns; ++bank) {
    int from = -1, to = -1;
    for (int row = 0; row < frame.rows; ++row)
      if (card.bytes.at(bank, row) == PunchCard::Shared) {
        if (from < 0) from = row;
        to = row;
      }
    if (from == to) continue;
    const float x = (frame.cellMin(bank, 0).x + frame.cellMax(bank, 0).x) / 2;
    list.AddLine({x, frame.cellMin(bank, from).y}, {x, frame.cellMax(bank, to).y}, colour, view.px(2));
  }
}

// Behind the last row of the wavefront that begins at `row`.
int endOfWavefront(const MapFrame& frame, const PunchCard& card, int row) {
  int end = row;
  while (end < frame.rows && card.wavefront[std::size_t(end)] == card.wavefront[std::size_t(row)]) ++end;
  return end;
}

// The rule above a wavefront's first row. It leaves out the accesses on both sides of it: in low rows it
// would cover them.
void drawRule(ViewContext& view, ImDrawList& list, const MapFrame& frame, const PunchCard& card, int row) {
  const auto isFree = [&](int column) {
    return card.bytes.at(column, row) == PunchCard::Empty &&
           card.bytes.at(column, row - 1) == PunchCard::Empty;
  };
  const float y = frame.cellMin(0, row).y;
  for (int from = 0, to = 0; from < frame.columns; from = to + 1) {
    for (to = from; to < frame.columns && isFree(to);) ++to;
    if (to == from) continue;
    const float right = to == frame.columns ? frame.gridMax.x : frame.cellMin(to, row).x;
    list.AddLine({frame.cellMin(from, row).x, y}, {right, y}, view.colours().line, view.px(1));
  }
}

// Draws the wavefronts' numbers at the right, with a rule between them. The strong one is always there; the
// others where they have room.
void drawWavefronts(ViewContext& view, ImDrawList& list, const MapFrame& frame, const PunchCard& card,
                    int strongRow) {
  const draw::Palette& colours = view.colours();
  const float left = frame.gridMax.x + view.px(4), right = left + view.px(kWavefrontWidth - 4);
  const float line = view.px(draw::kLabelSize + 2);
  const auto middleOf = [&](int row, int end) {
    return (frame.cellMin(0, row).y + frame.cellMax(0, end - 1).y) / 2;
  };
  const auto isStrong = [&](int row, int end) { return strongRow >= row && strongRow < end; };
  float taken = -1e9f, strongMiddle = -1e9f;
  for (int row = 0, end = 0; row < frame.rows; row = end) {
    end = endOfWavefront(frame, card, row);
    if (isStrong(row, end)) strongMiddle = middleOf(row, end);
  }
  for (int row = 0, end = 0; row < frame.rows; row = end) {
    end = endOfWavefront(frame, card, row);
    const float middle = middleOf(row, end);
    if (row > 0) drawRule(view, list, frame, card, row);
    const bool strong = isStrong(row, end);
    if (strong || (middle - line / 2 >= taken && std::abs(middle - strongMiddle) >= line)) {
      taken = middle + line / 2;
      if (strong)
        list.AddRectFilled({left, middle - line / 2}, {right, middle + line / 2}, colours.hover, view.px(3));
      const draw::TextStyle style = strong ? view.codeBold(colours.ink) : view.code(colours.text);
      view.text(list, {left, middle - line / 2}, {right, middle + line / 2},
                std::to_string(card.wavefront[std::size_t(row)] + 1), style, draw::TextAlign::Centre);
    }
  }
}

// What is lit by anything but a thread: a bank's column; the cells of the threads that are lit.
void lightLinked(ViewContext& view, ImDrawList& list, const MapFrame& frame, const PunchCard& card,
                 unsigned warp, bool global) {
  const auto hover = view.replay.hover();
  if (!hover || hover->kind == session::HoverKind::Warp) return;  // a warp's card is the whole of it
  const ImU32 veil = draw::withAlpha(view.colours().hover, 0.25f);
  if (const int bank = int(hover->index); hover->kind == session::HoverKind::Bank && !global)
    list.AddRectFilled(frame.cellMin(bank, 0), frame.cellMax(bank, frame.rows - 1), veil);
  for (int row = 0; row < frame.rows; ++row) {
    if (!view.linked.thread(warp * model::kWarpSize + card.lane[std::size_t(row)])) continue;
    for (int column = 0; column < frame.columns; ++column) {
      if (card.bytes.at(column, row) == PunchCard::Empty) continue;
      if (!global && !view.linked.bank(unsigned(column))) continue;
      list.AddRectFilled(frame.cellMin(column, row), frame.cellMax(column, row), view.colours().hover);
      draw::drawLinkedRing(view.draw, list, frame.cellMin(column, row), frame.cellMax(column, row));
    }
  }
}

}  // namespace

std::optional<ShownOperation> shownOperation(const session::Replay& replay) {
  const analysis::Request* request = replay.shownRequest();
  if (request == nullptr) return std::nullopt;
  const analysis::Round& round = replay.round();
  const auto hover = replay.hover();
  std::optional<std::uint32_t> index;
  if (hover && hover->kind == session::HoverKind::Thread) {
    index = analysis::worstOperationOfThread(round, *request, unsigned(hover->index));
    if (!index)
      index = analysis::worstOperationOfWarp(round, *request, unsigned(hover->index) / model::kWarpSize);
  } else if (hover && hover->kind == session::HoverKind::Warp) {
    index = analysis::worstOperationOfWarp(round, *request, unsigned(hover->index));
  }
  if (!index) index = analysis::worstOperation(round, *request);
  return ShownOperation{*request, round.operations[*index]};
}

CardLook lookOf(const session::Replay& replay, const analysis::Request& request) {
  if (request.kind != model::EventKind::Load) return CardLook::Result;
  const auto belongs = [&](const std::optional<analysis::Operand>& operand) {
    return operand && !operand->inRegister && operand->site == request.site &&
           operand->shared == request.shared;
  };
  bool anyB = false;
  for (const analysis::ThreadWork& work : replay.flow().work) {
    if (belongs(work.a)) return CardLook::OperandA;
    anyB = anyB || belongs(work.b);
  }
  return anyB ? CardLook::OperandB : CardLook::OperandA;
}

float mostCardHeight(const ViewContext& view, const ShownOperation& shown, float width) {
  constexpr float kHigh = 1e5f;
  const PunchCard card = cardOf(view.replay, shown);
  return layOutCard(view, card, {0, 0}, {width, kHigh}).gridMax.y + footHeight(view, shown, card, width);
}

float drawNoRequest(ViewContext& view, ImDrawList& list, ImVec2 min, float right) {
  return view
      .wrapped(list, min, right - min.x, view.px(20), "No thread touches memory in this round.",
               view.words(view.colours().dim, draw::kBodySize))
      .max.y;
}

void drawPunchCard(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, const ShownOperation& shown) {
  const session::Replay& replay = view.replay;
  const analysis::WarpOperation& operation = shown.operation;
  const unsigned warp = operation.warp;
  const bool global = !shown.request.shared, modelled = shown.request.hasWavefronts();
  const PunchCard card = cardOf(replay, shown);
  const int columns = card.bytes.columns;
  const draw::Palette& colours = view.colours();
  if (!modelled) {
    const float height = sentenceHeight(view, shown, max.x - min.x);
    view.wrapped(list, {min.x, max.y - height}, max.x - min.x, view.px(draw::kLabelLineHeight),
                 sentenceOf(shown), view.words(colours.dim));
  }
  const MapFrame frame =
      layOutCard(view, card, min, {max.x, max.y - footHeight(view, shown, card, max.x - min.x)});
  const draw::TextStyle head = view.words(colours.dim);
  const float headTop = min.y - view.px(kAxisHeight);
  view.text(list, {min.x, headTop}, {frame.gridMin.x - view.px(4), min.y}, "lane", head);
  view.text(list, {frame.gridMin.x, headTop}, {frame.gridMax.x, min.y}, global ? "sector" : "bank", head);
  if (modelled)
    view.text(list, {frame.gridMin.x, headTop}, {max.x, min.y}, "wavefront", head, draw::TextAlign::Right);

  const auto thread = replay.hoveredThread();
  int strongRow = -1;
  for (std::size_t row = 0; row < card.lane.size(); ++row)
    if (thread && *thread == warp * model::kWarpSize + card.lane[row]) strongRow = int(row);
  const int sectorStep = std::max(1, columns / 8);
  const std::function<std::string(int)> sectors = [&](int column) {
    return column % sectorStep == 0 ? std::to_string(column) : std::string();
  };
  drawMapLabels(view, list, frame,
                {.column = global ? sectors : numberedColumns(view, frame),
                 .row = [&](int row) { return std::to_string(card.lane[std::size_t(row)]); },
                 .strongRow = strongRow,
                 .widestRow = "lane"});
  const auto styles = cardStyles(colours, lookOf(replay, shown.request));
  draw::paintGrid(view.draw, list, frame.gridMin, frame.gridMax,
                  {.name = "punch card",
                   .columns = columns,
                   .rows = card.bytes.rows,
                   .cells = card.bytes.cells,
                   .styles = styles});
  for (int column = 8; column < columns; column += 8) {
    const float x = frame.cellMin(column, 0).x;
    list.AddLine({x, frame.gridMin.y}, {x, frame.gridMax.y}, colours.line, 1);
  }
  if (!global) joinBroadcasts(view, list, frame, card, styles[PunchCard::Shared].fill);
  if (strongRow >= 0) {
    list.AddRectFilled(frame.cellMin(0, strongRow), frame.cellMax(columns - 1, strongRow),
                       draw::withAlpha(colours.hover, 0.25f));
    for (int bank = 0; bank < columns; ++bank)
      if (card.bytes.at(bank, strongRow) != PunchCard::Empty) {
        list.AddRectFilled(frame.cellMin(bank, 0), frame.cellMax(bank, frame.rows - 1),
                           draw::withAlpha(colours.hover, 0.25f));
        list.AddRectFilled(frame.cellMin(bank, strongRow), frame.cellMax(bank, strongRow), colours.hover);
        draw::drawHoverRing(view.draw, list, frame.cellMin(bank, strongRow), frame.cellMax(bank, strongRow));
      }
  } else
    lightLinked(view, list, frame, card, warp, global);
  if (modelled) drawWavefronts(view, list, frame, card, strongRow);
  if (!card.offLanes.empty()) {
    const ImVec2 stripMin{frame.gridMin.x, frame.gridMax.y + view.px(2)};
    const ImVec2 stripMax{frame.gridMax.x, stripMin.y + view.px(kOffStrip)};
    const draw::TextStyle words = view.words(colours.dim);
    const std::string text = lanesText(card.offLanes);
    const float width = draw::textSize(words, text).x + view.px(16);
    const float middle = (stripMin.x + stripMax.x) / 2;
    draw::drawHatch(view.draw, list, stripMin, {middle - width / 2, stripMax.y}, colours.hatch);
    draw::drawHatch(view.draw, list, {middle + width / 2, stripMin.y}, stripMax, colours.hatch);
    view.text(list, stripMin, stripMax, text, words, draw::TextAlign::Centre);
  }

  if (!global) {
    const MapFrame numbers{.gridMin = {frame.gridMin.x, frame.gridMin.y - view.px(kAxisHeight)},
                           .gridMax = {frame.gridMax.x, frame.gridMin.y - 1},
                           .columns = columns};
    const HitArea axis = gridArea(view, "bank numbers", numbers);
    pointAt(view, axis,
            session::Hover{session::HoverKind::Bank, std::uint64_t(frame.columnAt(axis.pointer.x))});
  }
  std::optional<MapCell> hovered;
  if (strongRow >= 0) hovered = {0, strongRow};
  const HitArea area = gridArea(view, "bank map", frame, hovered);
  if (area.hovered)
    pointAt(view, area, warp * model::kWarpSize + card.lane[std::size_t(frame.rowAt(area.pointer.y))]);
}

}  // namespace stridescope::views
