#include <algorithm>
#include <cmath>
#include <limits>

#include "base/numbers.h"
#include "draw/grid_picture.h"
#include "draw/marks.h"
#include "narration/load_sentence.h"
#include "narration/round_kind.h"
#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {
namespace {

// The vertical places of the band's parts, pixels.
struct BandPlaces {
  float indexTop, aTop, aBottom, bTop, bBottom, discY, resultTop, resultBottom;
};

BandPlaces placesOf(const ViewContext& view, const Band& band, const BandHeights& heights, float top) {
  BandPlaces at{};
  at.indexTop = top + view.px(heights.inset);
  at.aTop = at.indexTop + view.px(heights.index);
  at.aBottom = at.aTop + view.px(heights.cell);
  const bool under = band.shape == BandShape::Columns && band.hasB;
  at.bTop = under ? at.aBottom : at.aTop;
  at.bBottom = at.bTop + view.px(heights.cell);
  at.discY = std::round(at.bBottom + view.px(heights.lines) / 2);
  at.resultTop = at.bBottom + view.px(heights.lines);
  at.resultBottom = at.resultTop + view.px(heights.result);
  return at;
}

constexpr float kDiscRadius = 10, kDiscGap = 4;  // units
constexpr float kLinesOverDisc = 2.5f, kMaxDiscGrowth = 2;

// The radius of all discs: as large as the longest number needs, if the lines leave the room.
float discRadius(const ViewContext& view, const Band& band, const BandHeights& heights) {
  const draw::TextStyle style = view.code(0);
  float widest = 0;
  for (const BandColumn& column : band.columns)
    widest = std::max(widest, draw::textSize(style, std::to_string(column.work->thread)).x);
  const float normal = view.px(kDiscRadius), preferred = std::max(normal, std::ceil(widest / 2) + view.px(3));
  const float room = view.px(heights.lines / 2 - kDiscGap);
  // Where the band is high, the discs grow with it.
  const float grown = std::min(room / kLinesOverDisc, kMaxDiscGrowth * normal);
  return std::max(grown, preferred <= room ? preferred : normal);
}

struct BandPainter {
  ViewContext& view;
  ImDrawList& list;
  const MemoryScene& scene;
  const BandPlaces& at;
  float mostRadius;  // a disc's, where its column is wide enough
  float shown;       // 0 to 1: how far the results have come in since the step

  const draw::Palette& colours() const { return view.colours(); }
  float x(float relative) const { return scene.left + relative; }

  bool isLit(const BandColumn& column) const { return view.linked.thread(column.work->thread); }

  void cellText(ImVec2 min, ImVec2 max, const std::string& text, ImU32 colour, bool bold) const {
    if (!scene.band.valuesFit || text.empty()) return;
    const draw::TextStyle style = bold ? view.codeBold(colour) : view.code(colour);
    view.text(list, min, max, text, style, draw::TextAlign::Centre);
  }

  void operand(const BandColumn& column, bool isB) const {
    const Span& span = isB ? column.b : column.a;
    const ImVec2 min{x(span.from), isB ? at.bTop : at.aTop};
    ImVec2 max{x(span.to) - float(draw::cellGap(span.width(), 1)), isB ? at.bBottom : at.aBottom};
    if (scene.band.shape == BandShape::Columns && scene.band.hasB && !isB) max.y -= view.px(2);
    if (isB) {
      stack(column, min, max);
      list.AddRectFilled(min, max, colours().panel);
      draw::outlineInside(view.draw, list, min, max, colours().operand, span.width() < view.px(20) ? 1 : 2);
      cellText(min, max, column.bText, colours().text, false);
    } else {
      const bool kept = column.work->a && column.work->a->inRegister;
      list.AddRectFilled(min, max, kept ? registerOperandColour(colours()) : colours().operand);
      cellText(min, max, column.aText, kept ? registerTextColour(colours()) : colours().ink, true);
    }
  }

  // A value that is not what the passes before left.
  void staleRing(const std::optional<analysis::Operand>& operand, const Span& span, float top,
                 float bottom) const {
    if (!operand || !operand->left) return;
    draw::drawProblemRing(view.draw, list, {x(span.from), top}, {x(span.to) - view.px(1), bottom});
  }

  // Operands beside A and B lie under B.
  void stack(const BandColumn& column, ImVec2 min, ImVec2 max) const {
    for (unsigned card = std::min(column.more, 2u); card > 0; --card) {
      const float by = view.px(3) * float(card);
      list.AddRectFilled({min.x + by, max.y}, {max.x, max.y + by}, colours().panel);
      list.AddRect({min.x + by, min.y}, {max.x, max.y + by}, colours().operand, 0, 0, view.px(1));
    }
  }

  // "+2": how many they are, beside the disc.
  void number(const BandColumn& column) const {
    if (column.more == 0) return;
    const std::string text = "+" + std::to_string(column.more);
    const draw::TextStyle style = view.code(colours().dim);
    const float radius = std::min(mostRadius, std::floor(column.result.width() / 2) - 1);
    const ImVec2 size = draw::textSize(style, text);
    const float left = x(column.result.middle()) + radius + view.px(2);
    if (left + size.x > x(column.result.to)) return;
    view.textAt(list, {left, at.bBottom + view.px(6)}, text, style);
  }

  void lines(const BandColumn& column, bool strong, bool faded) const {
    const float width = strong                                  ? view.px(3)
                        : view.draw.theme == draw::Theme::Light ? view.px(2)
                                                                : 1.5f * view.draw.scale;
    const float alpha = faded ? 0.3f : 1.0f;
    const ImU32 in = draw::withAlpha(strong ? colours().hover : colours().operand, alpha);
    const ImU32 out = draw::withAlpha(strong ? colours().hover : colours().result, alpha);
    const ImVec2 disc{x(column.result.middle()), at.discY};
    const bool adjacent = scene.band.shape == BandShape::Adjacent;
    if (column.work->a && (adjacent || !column.work->b))
      list.AddLine({x(column.a.middle()), at.aBottom}, disc, in, width);
    if (column.work->b) list.AddLine({x(column.b.middle()), at.bBottom}, disc, in, width);
    if (column.hasResult()) {
      const float end = disc.y + (at.resultTop - disc.y) * shown;
      list.AddLine(disc, {disc.x, end}, out, width);
    }
  }

  void disc(const BandColumn& column, bool strong) const {
    const float width = column.result.width();
    if (width < view.px(4)) return;
    const float radius = std::min(mostRadius, std::floor(width / 2) - 1);
    const ImVec2 middle{x(column.result.middle()), at.discY};
    const bool adds = strong || !isOutlined(scene.band, column);
    const ImU32 fill = strong ? colours().hover : adds ? colours().result : colours().raised;
    const draw::TextStyle style = view.code(adds ? colours().ink : colours().dim);
    const std::string text = width >= view.px(8) ? std::to_string(column.work->thread) : std::string();
    draw::drawDisc(view.draw, list, middle, radius, fill, text, style);
    if (!adds) list.AddCircle(middle, radius, colours().result, 0, view.px(1));
  }

  const std::string& resultText(const BandColumn& column) const {
    return scene.band.placesFit ? column.placedText : column.resultText;
  }

  void result(const BandColumn& column) const {
    if (!column.hasResult()) return;
    const ImVec2 min{x(column.result.from), at.resultTop};
    const ImVec2 max{x(column.result.to) - float(draw::cellGap(column.result.width(), 1)), at.resultBottom};
    if (column.work->useful) {
      const ImU32 fill = column.inRegister ? registerResultColour(colours()) : colours().result;
      list.AddRectFilled(min, max, draw::withAlpha(fill, shown));
      cellText(min, max, resultText(column),
               column.inRegister ? registerTextColour(colours()) : colours().ink, true);
    } else {  // executed, and never needed
      list.AddRectFilled(min, max, colours().dead);
      draw::outlineInside(view.draw, list, min, max, colours().result, 1);
      cellText(min, max, resultText(column), colours().dim, false);
    }
  }

  // An element, a bank or a site lights some of the cells; a thread or a warp lights all.
  void linkedRings(const BandColumn& column) const {
    const auto ring = [&](const std::optional<analysis::Operand>& operand, const Span& span, float top,
                          float bottom) {
      if (scene.stage.holds(operand) && view.linked.element(scene.stage.placeOf(*operand)))
        draw::drawLinkedRing(view.draw, list, {x(span.from), top}, {x(span.to), bottom});
    };
    ring(column.work->a, column.a, at.aTop, at.aBottom);
    ring(column.work->b, column.b, at.bTop, at.bBottom);
    if (view.linked.site(column.work->result ? column.work->result->site : ~0u))
      ring(column.work->result, column.result, at.resultTop, at.resultBottom);
  }

  // The cells of a race's element, and the discs of its threads.
  void troubleMarks(const BandColumn& column) const {
    const auto mark = [&](const std::optional<analysis::Operand>& operand, const Span& span, float top,
                          float bottom) {
      if (view.trouble.element && scene.stage.holds(operand) &&
          scene.stage.placeOf(*operand) == *view.trouble.element)
        draw::drawProblemRing(view.draw, list, {x(span.from), top}, {x(span.to), bottom});
    };
    mark(column.work->a, column.a, at.aTop, at.aBottom);
    mark(column.work->b, column.b, at.bTop, at.bBottom);
    mark(column.work->result, column.result, at.resultTop, at.resultBottom);
    if (view.trouble.thread(column.work->thread))
      draw::drawProblemCircle(
          view.draw, list, {x(column.result.middle()), at.discY},
          std::min(mostRadius + view.px(2), std::max(view.px(4), column.result.width() / 2)));
  }

  void rings(const BandColumn& column) const {
    const bool touch = scene.band.shape == BandShape::Adjacent || !column.work->b || scene.band.hasB;
    const float left = column.work->b ? std::min(column.a.from, column.b.from) : column.a.from;
    const float right = column.work->b ? std::max(column.a.to, column.b.to) : column.a.to;
    if (column.work->a && touch)
      draw::drawHoverRing(view.draw, list, {x(left), at.aTop},
                          {x(right), column.work->b ? at.bBottom : at.aBottom});
    if (column.work->result)
      draw::drawHoverRing(view.draw, list, {x(column.result.from), at.resultTop},
                          {x(column.result.to), at.resultBottom});
  }
};

// A's numbers over the operands as close as they fit, and the hovered pair's both.
void drawIndices(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float top) {
  const draw::TextStyle dim = view.code(view.colours().dim);
  const draw::TextStyle strong =
      view.codeBold(view.draw.theme == draw::Theme::Dark ? view.colours().hover : view.colours().text);
  float blockedFrom = 0, blockedTo = 0;
  const auto thread = view.replay.hoveredThread();
  const auto drawStrong = [&](const std::string& text, float middle) {
    const float width = draw::textSize(strong, text).x;
    const float left = std::clamp(scene.left + middle - width / 2, scene.left, scene.right - width);
    view.textAt(list, {std::round(left), top}, text, strong);
    blockedFrom = std::min(blockedFrom, left - view.px(6));
    blockedTo = std::max(blockedTo, left + width + view.px(6));
  };
  for (const BandColumn& column : scene.band.columns) {
    if (thread != column.work->thread) continue;
    blockedFrom = std::numeric_limits<float>::max();
    const bool hasBoth = column.work->b && column.work->b->placed && column.work->a->placed;
    const std::string other = hasBoth ? std::to_string(column.work->b->element) : std::string();
    const bool adjacent = scene.band.shape == BandShape::Adjacent;
    const auto fits = [&](const Span& span, const std::string& text) {
      return draw::textSize(strong, text).x <= span.to - span.from;
    };
    // Over its own cell where each has the room, else both over the middle.
    if (hasBoth && adjacent && fits(column.a, column.index) && fits(column.b, other)) {
      drawStrong(column.index, column.a.middle());
      drawStrong(other, column.b.middle());
    } else {
      drawStrong(column.index + (hasBoth ? (adjacent ? " " : "+") + other : other), column.result.middle());
    }
  }
  const auto& columns = scene.band.columns;
  float taken = -1e9f, widest = 0;
  for (const BandColumn& column : columns) widest = std::max(widest, draw::textSize(dim, column.index).x);
  const int step =
      draw::labelStep(columns.front().result.width() + 1, widest + view.px(8), int(columns.size()));
  for (const BandColumn& column : columns) {
    if ((&column - columns.data()) % step != 0) continue;
    if (column.index.empty() || thread == column.work->thread) continue;
    const float width = draw::textSize(dim, column.index).x;
    const float left = std::round(scene.left + column.a.middle() - width / 2);
    if (left < taken || left < scene.left - view.px(4) || left + width > scene.right + view.px(4)) continue;
    if (left < blockedTo && left + width > blockedFrom) continue;
    taken = left + width + view.px(8) - draw::kLabelRounding;
    view.textAt(list, {left, top}, column.index, dim);
  }
}

void drawBandLabel(ViewContext& view, ImDrawList& list, const MemoryScene& scene, const BandPlaces& at) {
  const draw::Palette& colours = view.colours();
  const narration::RoundAt round = roundAt(view.replay);
  const narration::RoundKind kind = narration::kindOf(round);
  const float left = scene.labelRight - view.px(56);
  const float middle = (at.aTop + at.resultBottom) / 2;
  const bool number = kind == narration::RoundKind::Stride || kind == narration::RoundKind::WarpStride ||
                      kind == narration::RoundKind::Shuffle;
  const float height = view.px(draw::kCaptionSize + 4);
  if (!number) {
    view.text(list, {left, middle - height / 2}, {scene.labelRight, middle + height / 2},
              narration::tickOf(round), view.semiBold(colours.text, draw::kBodySize), draw::TextAlign::Right);
    // The band has room for two operands of each thread; a thread may add more of them.
    const auto each = round.round().outputElement ? std::nullopt : narration::elementsLoadedEach(round);
    if (each && *each > 2)
      view.text(list, {left, middle + height / 2},
                {scene.labelRight, middle + height / 2 + view.px(draw::kLabelLineHeight)},
                figure(*each) + " each", view.words(colours.dim), draw::TextAlign::Right);
    return;
  }
  drawBandNumber(view, list, scene, narration::tickOf(round), middle);
}

bool isDark(const draw::Palette& colours) { return draw::readableOn(colours.panel) == IM_COL32_WHITE; }

}  // namespace

// In the dark theme so dark that its light text is read on them.
ImU32 registerOperandColour(const draw::Palette& colours) {
  return draw::mix(colours.operand, colours.panel, isDark(colours) ? 0.65f : 0.45f);
}
ImU32 registerResultColour(const draw::Palette& colours) {
  return draw::mix(colours.result, colours.panel, isDark(colours) ? 0.65f : 0.3f);
}
ImU32 registerTextColour(const draw::Palette& colours) {
  return isDark(colours) ? colours.text : colours.ink;
}

void drawBandNumber(ViewContext& view, ImDrawList& list, const MemoryScene& scene, const std::string& number,
                    float middle) {
  const float left = scene.labelRight - view.px(56), height = view.px(draw::kCaptionSize + 4);
  view.text(list, {left, middle - height}, {scene.labelRight, middle}, number,
            view.bold(view.colours().text, draw::kCaptionSize), draw::TextAlign::Right);
  view.text(list, {left, middle}, {scene.labelRight, middle + view.px(draw::kLabelLineHeight)}, "stride",
            view.words(view.colours().dim), draw::TextAlign::Right);
}

float drawBandGround(ViewContext& view, ImDrawList& list, const MemoryScene& scene,
                     const BandHeights& heights, float top) {
  const float bottom = top + view.px(heights.total()), edge = scene.labelRight - view.px(60);
  list.AddRectFilled({edge, top}, {scene.right + view.px(6), bottom}, view.colours().raised);
  list.AddRectFilled({edge, top}, {edge + view.px(3), bottom}, view.colours().result);
  return bottom;
}

const analysis::Operand* operandAt(const ViewContext& view, const MemoryScene& scene,
                                   const BandColumn& column, const BandHeights& heights, float x, float y) {
  const BandPlaces at = placesOf(view, scene.band, heights, 0);
  const auto inMemory = [&](const std::optional<analysis::Operand>& operand) -> const analysis::Operand* {
    return scene.stage.holds(operand) && !operand->inRegister ? &*operand : nullptr;
  };
  const auto within = [&](const Span& span, float top, float bottom) {
    return x >= span.from && x < span.to && y >= top && y < bottom;
  };
  if (within(column.result, at.resultTop, at.resultBottom)) return inMemory(column.work->result);
  if (column.work->b && within(column.b, at.bTop, at.bBottom)) return inMemory(column.work->b);
  if (within(column.a, at.aTop, at.aBottom)) return inMemory(column.work->a);
  return nullptr;
}

void addBandCells(const ViewContext& view, const MemoryScene& scene, const BandHeights& heights, float top,
                  const AddCell& add) {
  const BandPlaces at = placesOf(view, scene.band, heights, top);
  const auto hover = view.replay.hover();
  const auto isHovered = [&](const std::optional<analysis::Operand>& operand) {
    return scene.stage.holds(operand) &&
           hover == session::Hover{session::HoverKind::Element, scene.stage.placeOf(*operand)};
  };
  for (const BandColumn& column : scene.band.columns) {
    const auto cell = [&](const Span& span, float from, float to, bool hovered) {
      add({{scene.left + span.from, from}, {scene.left + span.to, to}}, hovered);
    };
    if (column.work->a) cell(column.a, at.aTop, at.aBottom, isHovered(column.work->a));
    if (column.work->b) cell(column.b, at.bTop, at.bBottom, isHovered(column.work->b));
    cell(column.result, at.bBottom, at.resultTop, hover == session::hoverThread(column.work->thread));
    if (column.hasResult())
      cell(column.result, at.resultTop, at.resultBottom, isHovered(column.work->result));
  }
}

void drawBand(ViewContext& view, ImDrawList& list, const MemoryScene& scene, const BandHeights& heights,
              float top) {
  const draw::Palette& colours = view.colours();
  const float bottom = drawBandGround(view, list, scene, heights, top);
  const BandPlaces at = placesOf(view, scene.band, heights, top);
  drawBandLabel(view, list, scene, at);
  if (scene.band.columns.empty()) {
    view.text(list, {scene.left, top}, {scene.right, bottom}, "No thread touches memory in this round.",
              view.words(colours.dim, draw::kBodySize));
    return;
  }

  const bool still = view.app.settings().reducedMotion;
  const float shown =
      still ? 1.0f : float(std::min(1.0, view.replay.secondsSinceStep() / session::kTransitionSeconds));
  const BandPainter painter{view, list, scene, at, discRadius(view, scene.band, heights), shown};
  const bool one = view.replay.hoveredThread().has_value();
  bool anyLit = false;
  for (const BandColumn& column : scene.band.columns) {
    anyLit |= painter.isLit(column);
    if (column.work->a) painter.operand(column, false);
    if (column.work->b) painter.operand(column, true);
    painter.result(column);
    painter.number(column);
    painter.staleRing(column.work->a, column.a, at.aTop, at.aBottom);
    painter.staleRing(column.work->b, column.b, at.bTop, at.bBottom);
  }
  for (const BandColumn& column : scene.band.columns)
    if (!painter.isLit(column)) painter.lines(column, false, anyLit);
  for (const BandColumn& column : scene.band.columns)
    if (!painter.isLit(column)) painter.disc(column, false);
  for (const BandColumn& column : scene.band.columns) painter.troubleMarks(column);
  for (const BandColumn& column : scene.band.columns) {  // what is lit comes last, over the rest
    if (!painter.isLit(column)) continue;
    painter.lines(column, true, false);
    painter.disc(column, true);
    one ? painter.rings(column) : painter.linkedRings(column);
  }
  drawIndices(view, list, scene, at.indexTop);
}

}  // namespace stridescope::views
