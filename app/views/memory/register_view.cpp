#include "views/memory/register_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/lanes.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "narration/round_kind.h"
#include "views/memory/register_layout.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/cell_walk.h"

namespace stridescope::views {
namespace {

constexpr float kMinLane = 4;
// The warps' rows take this part of the panel's height at most, and leave the band enough for its lines.
constexpr float kMaxRow = 22, kMinRow = 4, kMaxRowPart = 0.45f, kMinBand = 160;
constexpr float kMaxBand = 420;  // arrows over a longer way are harder to follow
// On a large monitor a row and the band may have so much of the panel's height.
constexpr float kMaxRowShare = 0.035f, kMaxBandShare = 0.6f;
constexpr float kIndexHeight = 16, kWarpBandInset = 6, kCell = 26, kMaxGrowth = 2;
constexpr float kTextPadding = 4;

unsigned warpShown(const ViewContext& view, const std::vector<unsigned>& warps) {
  const auto hover = view.replay.hover();
  if (!hover || (hover->kind != session::HoverKind::Thread && hover->kind != session::HoverKind::Warp))
    return warps.front();
  const auto warp =
      unsigned(hover->kind == session::HoverKind::Warp ? hover->index : hover->index / model::kWarpSize);
  return std::ranges::count(warps, warp) != 0 ? warp : warps.front();
}

struct RegisterPainter {
  ViewContext& view;
  ImDrawList& list;
  const RegisterBand& band;
  float left, right;  // the map's

  const draw::Palette& colours() const { return view.colours(); }
  bool isLit(const LaneColumn& column) const { return view.linked.thread(column.thread); }

  // `strong`: the value counts. `text`: what has room in the cell; a value of identities alone is left out.
  void cell(const LaneColumn& column, float top, float bottom, ImU32 fill, bool strong,
            const std::string& text, const draw::TextStyle& style) const {
    const float gap = float(draw::cellGap(column.span.width(), 1));
    const ImVec2 min{left + column.span.from, top}, max{left + column.span.to - gap, bottom};
    if (!column.takesPart) {
      draw::drawHatch(view.draw, list, min, max, colours().hatch);
      return;
    }
    list.AddRectFilled(min, max, strong ? fill : colours().dead);
    if (!strong && column.span.width() >= view.px(5))
      draw::outlineInside(view.draw, list, min, max, colours().toCome, 1);
    if (!text.empty() && (strong || !column.identity))
      view.text(list, min, max, text, strong ? style : view.code(colours().dim), draw::TextAlign::Centre);
  }

  // Draws an arrow from what a lane gave to what another holds.
  void arrow(ImVec2 from, ImVec2 to, ImU32 colour, float width, bool head) const {
    list.AddLine(from, to, colour, width);
    if (!head) return;
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1) return;
    const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
    const float size = view.px(6);
    const ImVec2 base{to.x - along.x * size, to.y - along.y * size};
    list.AddTriangleFilled(to, {base.x - along.y * size / 2, base.y + along.x * size / 2},
                           {base.x + along.y * size / 2, base.y - along.x * size / 2}, colour);
  }

  void shuffleLines(const LaneColumn& column, float top, float bottom, bool lit) const {
    if (!column.takesPart || column.source >= band.lanes.size()) return;
    const bool strip = !column.inView;
    const bool fromNothing = band.lanes[column.source].identity;
    const float alpha = lit ? 1.0f : !column.useful || fromNothing ? 0.25f : strip ? 0.5f : 1.0f;
    const ImU32 colour = draw::withAlpha(lit ? colours().hover : colours().operand, alpha);
    const float width = lit                                     ? view.px(3)
                        : view.draw.theme == draw::Theme::Light ? view.px(2)
                                                                : 1.5f * view.draw.scale;
    const float x = left + column.span.middle();
    const float source = left + band.lanes[column.source].span.middle();
    list.AddLine({x, top}, {x, bottom}, draw::withAlpha(colour, alpha * 0.6f), width);
    if (!band.lanes[column.source].takesPart) {  // nobody gives anything there
      draw::drawDashedLine(view.draw, list, {source, top}, {x, bottom}, lit ? colour : colours().problem, 2);
      return;
    }
    const bool head = lit || (column.useful && !strip);
    if (source != x) arrow({source, top}, {x, bottom}, colour, width, head);
  }

  // All lanes in, one value out.
  void reduceLines(float top, float bottom, const std::string& what) const {
    const float middle = std::round((top + bottom) / 2), half = view.px(10);
    for (const LaneColumn& column : band.lanes) {
      if (!column.takesPart) continue;
      const float x = left + column.span.middle();
      const bool lit = isLit(column);
      const float width = lit ? view.px(3) : 1.5f * view.draw.scale;
      list.AddLine({x, top}, {x, middle - half}, lit ? colours().hover : colours().operand, width);
      const ImU32 out =
          lit ? colours().hover : draw::withAlpha(colours().result, column.useful ? 1.0f : 0.25f);
      arrow({x, middle + half}, {x, bottom}, out, width, column.useful);
    }
    list.AddRectFilled({left, middle - half}, {right, middle + half}, colours().result, view.px(3));
    view.text(list, {left, middle - half}, {right, middle + half}, what, view.semiBold(colours().ink),
              draw::TextAlign::Centre);
  }
};

// "one instruction: 233344", "cg::reduce: 233344", "vote". The value is what the lanes whose value is still
// needed hold afterwards: the bar has the room for it that a lane has not.
std::string nameOfExchange(const ViewContext& view, const RegisterBand& band) {
  if (band.kind == model::EventKind::Vote) return "vote";
  const std::string name = narration::warpReductionInWords(roundAt(view.replay));
  const auto needed = std::ranges::find(band.lanes, true, &LaneColumn::useful);
  const bool hasRoom = needed == band.lanes.end() || needed->afterFits;
  return hasRoom ? name : name + ": " + needed->after;
}

// The rows of all warps above the band of one.
struct WarpRows {
  float pitch = 0;  // from one to the next, pixels
  bool labels = false;
};

WarpRows planRows(const ViewContext& view, std::size_t warps, float height) {
  if (warps < 2) return {};
  const float room = std::min(height * kMaxRowPart, height - view.px(kMinBand));
  if (room < float(warps) * view.px(kMinRow)) return {};  // the band of the one needs it
  const float most = std::max(view.px(kMaxRow), std::floor(height * kMaxRowShare));
  const float pitch = std::clamp(std::floor(room / float(warps)), view.px(kMinRow), most);
  return {pitch, pitch >= view.px(draw::kLabelLineHeight - 2)};
}

// The lane that the pointer is over; nullptr: none.
const LaneColumn* laneUnder(const HitArea& area, const RegisterBand& band) {
  if (!area.hovered) return nullptr;
  const auto found = std::ranges::find_if(band.lanes, [&](const LaneColumn& column) {
    return area.pointer.x >= column.span.from && area.pointer.x < column.span.to;
  });
  return found == band.lanes.end() ? nullptr : &*found;
}

// A cell for each lane.
HitArea laneArea(ViewContext& view, const char* label, const RegisterBand& band, ImVec2 min, ImVec2 max) {
  const auto hovered = view.replay.hoveredThread();
  return walkArea(view, label, min, max, [&](const AddCell& add) {
    for (const LaneColumn& column : band.lanes)
      add({{min.x + column.span.from, min.y}, {min.x + column.span.to, max.y}}, hovered == column.thread);
  });
}

// A row for each warp: what its lanes hold afterwards. Gives the y below them.
float drawWarpRows(ViewContext& view, ImDrawList& list, const std::vector<RegisterBand>& bands,
                   const RegisterBand& shown, const WarpRows& rows, ImVec2 min, float right) {
  const float left = min.x + view.px(kMemoryLabelWidth + kMemoryGap);
  const draw::TextStyle values = view.code(view.colours().text);
  float y = min.y;
  for (const RegisterBand& band : bands) {
    const RegisterPainter painter{view, list, band, left, right};
    const float bottom = y + rows.pitch - std::min(view.px(3), rows.pitch / 4);
    const bool current = band.warp == shown.warp;
    if (rows.labels || current)
      view.text(list, {min.x, y - view.px(4)}, {left - view.px(kMemoryGap), bottom + view.px(4)},
                "W" + std::to_string(band.warp),
                current ? view.codeBold(view.colours().text) : view.code(view.colours().dim),
                draw::TextAlign::Right);
    for (const LaneColumn& column : band.lanes) {
      painter.cell(column, y, bottom, view.colours().live, column.useful,
                   rows.labels && column.afterFits ? column.after : std::string(), values);
      if (painter.isLit(column))
        draw::drawLinkedRing(view.draw, list, {left + column.span.from, y}, {left + column.span.to, bottom});
    }
    const HitArea area = laneArea(view, ("registers of warp " + std::to_string(band.warp)).c_str(), band,
                                  {left, y}, {right, y + rows.pitch});
    if (const LaneColumn* column = laneUnder(area, band)) pointAt(view, area, column->thread);
    y += rows.pitch;
  }
  return y;
}

// The widest lane that is as wide as this one but for whole pixels.
float evenWidth(const RegisterBand& band, const LaneColumn& lane) {
  constexpr float kWholePixel = 1.5f;
  float widest = lane.span.width();
  for (const LaneColumn& other : band.lanes)
    if (std::abs(other.span.width() - lane.span.width()) < kWholePixel)
      widest = std::max(widest, other.span.width());
  return widest;
}

// Lanes that are equally wide have numbers at one distance: each of them, every second, every fourth ...
void drawLaneNumbers(ViewContext& view, ImDrawList& list, const RegisterBand& band, float left, float top) {
  const draw::TextStyle dim = view.code(view.colours().dim);
  const float room = draw::textSize(dim, std::to_string(model::kWarpSize - 1)).x + view.px(6);
  float taken = -1e9f;
  for (const LaneColumn& column : band.lanes) {
    const int step = draw::labelStep(evenWidth(band, column) + 1, room, int(model::kWarpSize));
    if (column.lane % unsigned(step) != 0) continue;
    const std::string text = std::to_string(column.lane);
    const float width = draw::textSize(dim, text).x;
    const float x = std::round(left + column.span.middle() - width / 2);
    if (x < taken) continue;
    taken = x + width + view.px(6) - draw::kLabelRounding;
    view.textAt(list, {x, top}, text, dim);
  }
}

void drawBandLabels(ViewContext& view, ImDrawList& list, const RegisterBand& band, float labelLeft,
                    float labelRight, const std::array<float, 4>& rows) {
  const draw::Palette& colours = view.colours();
  const narration::RoundAt at = roundAt(view.replay);
  const draw::TextStyle dim = view.words(colours.dim);
  view.text(list, {labelLeft, rows[0]}, {labelRight, rows[1]}, "input", dim, draw::TextAlign::Right);
  view.text(list, {labelLeft, rows[2]}, {labelRight, rows[3]}, "result", dim, draw::TextAlign::Right);
  // Between the two words: the distance and its name, in a low band the distance alone.
  const float middle = (rows[1] + rows[2]) / 2;
  const float room = (rows[2] + rows[3]) / 2 - (rows[0] + rows[1]) / 2 - view.px(draw::kLabelLineHeight);
  const float numberHeight = view.px(draw::kCaptionSize + 2), wordHeight = view.px(draw::kLabelLineHeight);
  if (room < numberHeight) return;
  const bool withWord = room >= 2 * std::max(numberHeight, wordHeight);
  const bool shuffle = band.kind == model::EventKind::Shuffle && at.round().stride.has_value();
  const std::string number = shuffle ? narration::tickOf(at) : "W" + std::to_string(band.warp);
  const float numberTop = withWord ? middle - numberHeight : middle - numberHeight / 2;
  view.text(list, {labelLeft, numberTop}, {labelRight, numberTop + numberHeight}, number,
            view.bold(colours.text, draw::kCaptionSize), draw::TextAlign::Right);
  if (withWord)
    view.text(list, {labelLeft, middle}, {labelRight, middle + wordHeight}, shuffle ? "shuffle" : "warp", dim,
              draw::TextAlign::Right);
}

// What the person does over the band: a lane is pointed at, the view moves. A strip that is clicked comes
// into view.
void answerPointer(ViewContext& view, const HitArea& area, const RegisterBand& band, ZoomAndPan& moved) {
  const LaneColumn* under = laneUnder(area, band);
  const auto inView = std::ranges::find(band.lanes, true, &LaneColumn::inView);
  ColumnsShown shown{band.groups, band.firstGroup, band.groupsInView, 1, double(band.firstGroup)};
  if (inView != band.lanes.end()) shown.width = std::max(1.0f, inView->span.width());
  if (under != nullptr) shown.pointer = double(groupOf(band, under->lane).value_or(band.firstGroup)) + 0.5;
  zoomAndPan(view, area, shown, moved);
  if (under == nullptr) return;
  pointAt(view, area, under->thread);
  if (area.clicked && !under->inView) moved.first = std::nullopt;
}

void drawWarpBand(ViewContext& view, ImDrawList& list, const RegisterBand& band, ImVec2 min, ImVec2 max,
                  ZoomAndPan& moved) {
  const float left = min.x + view.px(kMemoryLabelWidth + kMemoryGap);
  const draw::TextStyle values = view.codeBold(view.colours().ink);
  const draw::Palette& colours = view.colours();
  list.AddRectFilled(min, {max.x + view.px(6), max.y}, colours.raised);
  list.AddRectFilled(min, {min.x + view.px(3), max.y}, colours.result);
  const float height = max.y - min.y - view.px(2 * kWarpBandInset + kIndexHeight);
  const float cell = std::min(view.px(kCell) * kMaxGrowth, std::max(view.px(14), height * 0.25f));
  const float top = min.y + view.px(kWarpBandInset + kIndexHeight), bottom = max.y - view.px(kWarpBandInset);
  const std::array<float, 4> rows{top, top + cell, bottom - cell, bottom};
  drawLaneNumbers(view, list, band, left, min.y + view.px(kWarpBandInset));
  drawBandLabels(view, list, band, min.x, left - view.px(kMemoryGap), rows);

  const RegisterPainter painter{view, list, band, left, max.x};
  for (const LaneColumn& column : band.lanes) {
    painter.cell(column, rows[0], rows[1], colours.operand, column.feeds,
                 column.givenFits ? column.given : std::string(), values);
    painter.cell(column, rows[2], rows[3], colours.result, column.useful,
                 column.afterFits ? column.after : std::string(), values);
    if (!column.identity || column.span.width() < view.px(5)) continue;
    for (const std::size_t row : {std::size_t{0}, std::size_t{2}})
      draw::drawStruckCell(view.draw, list, {left + column.span.from, rows[row]},
                           {left + column.span.to - 1, rows[row + 1]}, colours.toCome);
  }
  if (band.kind == model::EventKind::Shuffle)
    for (const bool lit : {false, true})
      for (const LaneColumn& column : band.lanes)
        if (painter.isLit(column) == lit) painter.shuffleLines(column, rows[1], rows[2], lit);
  if (band.kind != model::EventKind::Shuffle)
    painter.reduceLines(rows[1], rows[2], nameOfExchange(view, band));
  for (const LaneColumn& column : band.lanes)
    if (view.trouble.thread(column.thread))
      draw::drawProblemRing(view.draw, list, {left + column.span.from, rows[2]},
                            {left + column.span.to, rows[3]});
  for (const LaneColumn& column : band.lanes)
    if (painter.isLit(column))
      for (const std::size_t row : {std::size_t{0}, std::size_t{2}})
        draw::drawHoverRing(view.draw, list, {left + column.span.from, rows[row]},
                            {left + column.span.to, rows[row + 1]});
  answerPointer(view, laneArea(view, "registers", band, {left, top}, {max.x, bottom}), band, moved);
}

// A thread that is hovered in another panel, or pinned, is held until another one is. The lane under the
// pointer is not: its place would change while it is pointed at.
void holdThread(const ViewContext& view, std::optional<unsigned>& held) {
  const auto hovered = view.replay.hoveredThread();
  if (hovered && (view.replay.pinned() || !ImGui::IsWindowHovered())) held = hovered;
}

std::vector<std::string> notesOf(const ViewContext& view, const RegisterBand& band) {
  const narration::RoundAt at = roundAt(view.replay);
  const analysis::RegisterOrigins origins = analysis::originsOf(at.round());
  const std::string warp = "warp " + std::to_string(band.warp) + " of " + std::to_string(at.warps()) + " · " +
                           (origins.replayed == 0 ? "recorded" : "replayed");
  if (band.everything()) return {warp};
  const std::string lanes = warp + " · " +
                            std::to_string(std::ranges::count(band.lanes, true, &LaneColumn::inView)) +
                            " of " + std::to_string(band.lanes.size()) + " lanes in view";
  return {lanes + kGestures, lanes, warp};
}

}  // namespace

bool showsRegisters(const session::Replay& replay) { return !replay.round().exchanges.empty(); }

std::vector<std::string> drawRegisters(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max,
                                       ZoomAndPan& moved, std::optional<unsigned>& heldThread) {
  const narration::RoundAt at = roundAt(view.replay);
  const std::vector<unsigned> warps = exchangingWarps(at);
  const unsigned shownWarp = warpShown(view, warps);
  const bool legend = draw::showsLegend(view.draw, max.y - min.y >= view.px(200));
  const float bottom = legend ? max.y - view.px(kMemoryLegendHeight) : max.y;
  const WarpRows rows = planRows(view, warps.size(), bottom - min.y);
  holdThread(view, heldThread);

  const float value = draw::textSize(view.codeBold(0), "0").x;
  RegisterLayoutInput input{
      .width = max.x - min.x - view.px(kMemoryLabelWidth + kMemoryGap),
      .leastLane = view.px(kMinLane),
      .textWidth =
          [&](const std::string& text) { return value * float(text.size()) + view.px(kTextPadding); },
      .heldLane = {},
      .groupsInView = moved.inView,
      .firstGroup = moved.first};
  if (heldThread) input.heldLane = *heldThread % model::kWarpSize;
  RegisterBand shown = readRegisters(at, shownWarp);
  std::vector<RegisterBand> bands;
  for (const unsigned warp : warps) {
    if (rows.pitch == 0) break;  // the band has it all, or needs the room
    bands.push_back(warp == shownWarp ? shown : readRegisters(at, warp));
    if (rows.labels)
      input.leastValue = std::max(input.leastValue, widestValue(bands.back(), input.textWidth));
  }
  layOutRegisters(shown, input);
  placeLike(bands, shown, input.textWidth);

  const float below = drawWarpRows(view, list, bands, shown, rows, min, max.x);
  const float bandTop = below + view.px(6);
  const float mostBand = std::max(view.px(kMaxBand), std::floor((bottom - min.y) * kMaxBandShare));
  const float bandBottom = std::min(bottom - view.px(4), bandTop + mostBand);
  drawWarpBand(view, list, shown, {min.x, bandTop}, {max.x, bandBottom}, moved);
  if (!legend) return notesOf(view, shown);
  using Mark = LegendItem::Mark;
  const draw::Palette& colours = view.colours();
  std::vector<LegendItem> items{{"input, used", Mark::Fill, colours.operand, 0},
                                {"result, still needed", Mark::Fill, colours.result, 0},
                                {"result unused", Mark::Outline, colours.toCome, colours.dead}};
  if (!view.replay.run()->toCome.empty())  // nobody knows yet what is needed
    items = {{"input", Mark::Fill, colours.operand, 0}, {"result", Mark::Fill, colours.result, 0}};
  if (std::ranges::any_of(shown.lanes, &LaneColumn::identity))
    items.push_back({"identities only", Mark::Struck, colours.toCome, 0});
  const bool absent = shown.kind == model::EventKind::Shuffle &&
                      std::ranges::any_of(shown.lanes, [&](const LaneColumn& column) {
                        return column.takesPart && column.source < shown.lanes.size() &&
                               !shown.lanes[column.source].takesPart;
                      });
  if (absent) items.push_back({"undefined", Mark::Dashes, colours.problem, 0});
  drawMemoryLegend(view, list, items,
                   {min.x + view.px(kMemoryLabelWidth + kMemoryGap), bandBottom + view.px(4)}, max.x);
  return notesOf(view, shown);
}

}  // namespace stridescope::views
