#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "views/compare/compare_layout.h"
#include "views/compare/compare_view.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

using analysis::Side;
using narration::ComparedRow;

// Units.
constexpr float kLegendHeight = 18, kRule = 13, kFigureHeight = 22, kRowGap = 7, kSameRow = 18, kBar = 6,
                kBarGap = 3, kBetterArrow = 7, kFactorGap = 8;
constexpr float kFigureSizes[] = {18, 16, draw::kBodySize,
                                  draw::kLabelSize};  // values take the first that fits

struct ColumnPainter {
  ViewContext& view;
  ImDrawList& list;
  float left = 0, right = 0;  // pixels

  float width() const { return right - left; }

  // The factor with its arrow, as wide as it is.
  float factorWidth(const ComparedRow& row) const {
    float width = 0;
    if (!row.factor.empty()) width += draw::textSize(view.semiBold(0), row.factor).x;
    if (row.better) width += view.px(kBetterArrow + (row.factor.empty() ? 0 : 5));
    return std::ceil(width);
  }

  // The largest size at which both values stand beside the factor.
  float figureSize(const ComparedRow& row) const {
    for (const float size : kFigureSizes) {
      const draw::TextStyle style = view.codeBold(0, size);
      const float values = draw::textSize(style, row.value.left).x + draw::textSize(style, row.value.right).x;
      if (values + factorWidth(row) + 2 * view.px(kFactorGap) <= width()) return size;
    }
    return 0;
  }

  float heading(float top, const std::string& text) const {
    const draw::TextStyle style = view.words(view.colours().dim);
    list.AddRectFilled({left, top}, {right, top + view.px(1)}, view.colours().line);
    float y = top + view.px(kRule) - view.px(5);
    for (const std::string_view line : draw::wrappedLines(style, text, width())) {
      view.text(list, {left, y}, {right, y + view.px(draw::kLabelLineHeight)}, line, style,
                draw::TextAlign::Centre);
      y += view.px(draw::kLabelLineHeight);
    }
    return y + view.px(6);
  }

  void arrow(ImVec2 min, Side side) const {
    const ImVec2 max{min.x + view.px(kBetterArrow), min.y + view.px(kBetterArrow + 3)};
    side == Side::Right ? draw::fillTriangleRight(list, min, max, view.colours().result)
                        : draw::fillTriangleLeft(list, min, max, view.colours().result);
  }

  void factor(const ComparedRow& row, float top, float height) const {
    const draw::TextStyle style = view.semiBold(view.colours().text);
    float x = std::round((left + right - factorWidth(row)) / 2);
    const float arrowTop = std::round(top + (height - view.px(kBetterArrow + 3)) / 2);
    if (row.better == Side::Left) {
      arrow({x, arrowTop}, Side::Left);
      x += view.px(kBetterArrow + 5);
    }
    if (!row.factor.empty())
      x = view.text(list, {x, top}, {right, top + height}, row.factor, style).max.x + view.px(5);
    if (row.better == Side::Right) arrow({x, arrowTop}, Side::Right);
  }

  void value(const ComparedRow& row, Side side, float size, float top, float height) const {
    const bool better = row.better == side;
    const draw::TextStyle style =
        better ? view.codeBold(view.colours().text, size) : view.code(view.colours().dim, size);
    view.text(list, {left, top}, {right + 1, top + height}, row.value[side], style,
              side == Side::Left ? draw::TextAlign::Left : draw::TextAlign::Right);
  }

  // The step in both waterfalls, which have one scale: the bar begins where that of the row above ends. The
  // better one is in colour.
  float waterfalls(const ComparedRow& row, float top) const {
    const float gap = view.px(kBarGap), most = std::floor((right - left) / 2) - gap;
    for (const Side side : analysis::kSides) {
      const float begin = side == Side::Left ? left : right - most;
      const narration::WaterfallBar bar = (*row.waterfall)[side];
      const float from = std::round(begin + most * bar.begin);
      const float length = std::max(view.px(1), std::round(most * bar.length));
      list.AddRectFilled({begin, top}, {begin + most, top + view.px(kBar)}, view.colours().raised);
      list.AddRectFilled({from, top}, {std::min(from + length, begin + most), top + view.px(kBar)},
                         row.better == side ? view.colours().result : view.colours().dim);
    }
    return top + view.px(kBar);
  }

  // "wavefronts, 3 requests" as "wavefronts".
  void explainTitle(const std::string& title, float top, float height) const {
    const bool isKnown = !view.explanations.of(title).empty();
    explain(view, isKnown ? title : title.substr(0, title.find(", ")), {left, top},
            {right, top + view.px(height)});
  }

  // A title, and below it the values with the factor between them; values that are too long have a line each.
  float row(const ComparedRow& row, float top) const {
    const draw::TextStyle words = view.words(view.colours().text);
    view.text(list, {left, top}, {right, top + view.px(draw::kLabelLineHeight)}, row.title, words,
              draw::TextAlign::Centre);
    explainTitle(row.title, top, draw::kLabelLineHeight);
    top += view.px(draw::kLabelLineHeight);
    const float size = figureSize(row);
    if (size > 0) {
      const float height = view.px(kFigureHeight);
      value(row, Side::Left, size, top, height);
      value(row, Side::Right, size, top, height);
      factor(row, top, height);
      top += height;
      return (row.waterfall ? waterfalls(row, top) : top) + view.px(kRowGap);
    }
    for (const Side side : analysis::kSides) {
      const draw::TextStyle style = view.words(view.colours().dim);
      for (const std::string_view line : draw::wrappedLines(style, row.value[side], width() - view.px(16))) {
        view.text(list, {left, top}, {right, top + view.px(draw::kLabelLineHeight)}, line, style,
                  side == Side::Left ? draw::TextAlign::Left : draw::TextAlign::Right);
        top += view.px(draw::kLabelLineHeight);
      }
    }
    return top + view.px(kRowGap);
  }

  // A title with its values behind it, dim; where its last line leaves no room for them, below it.
  float line(const std::string& title, const std::string& values, float top) const {
    const float height = view.px(kSameRow), lineHeight = height - view.px(2);
    const draw::TextStyle words = view.words(view.colours().dim);
    const draw::TextStyle code = view.code(view.colours().dim);
    explainTitle(title, top, kSameRow);
    const auto lines = draw::wrappedLines(words, title, width());
    for (const std::string_view each : lines) {
      view.text(list, {left, top}, {right, top + height}, each, words);
      top += lineHeight;
    }
    if (draw::textSize(words, lines.back()).x + draw::textSize(code, values).x + view.px(8) <= width())
      top -= lineHeight;
    view.text(list, {left, top}, {right + 1, top + height}, values, code, draw::TextAlign::Right);
    return top + height;
  }

  // Gives the lower edge.
  float table(const narration::ComparedTable& table, float top) const {
    for (const narration::ComparedBlock& block : table.differing) {
      top = heading(top, block.heading);
      for (const ComparedRow& each : block.rows)
        top =
            each.detail ? line(each.title, each.value.left + " | " + each.value.right, top) : row(each, top);
      top += view.px(2);
    }
    if (table.differing.empty()) top = heading(top, "Nothing that is counted differs.");
    if (table.same.empty()) return top;
    top = heading(top, "the same on both sides");
    for (const ComparedRow& each : table.same) top = line(each.title, each.value.left, top);
    return top;
  }
};

// Above the rows: which column is whose, and what the arrows mean.
void drawTop(ViewContext& view, ImDrawList& list, const Box& box, float left, float right) {
  view.text(list, {left, box.min.y}, {right, box.min.y + view.px(draw::kPanelTitleHeight)}, "What differs",
            view.semiBold(view.colours().text, draw::kBodySize), draw::TextAlign::Centre);
  const draw::TextStyle dim = view.words(view.colours().dim);
  const float top = box.min.y + view.px(draw::kPanelTitleHeight) - view.px(4);
  const ImVec2 min{left, top}, max{right, top + view.px(kLegendHeight)};
  view.text(list, min, max, "left", dim);
  view.text(list, min, max, "right", dim, draw::TextAlign::Right);
  const std::string legend = "arrow: better side";
  if (draw::textSize(dim, legend).x + draw::textSize(dim, "left").x + draw::textSize(dim, "right").x +
          view.px(24) <=
      right - left)
    view.text(list, min, max, legend, dim, draw::TextAlign::Centre);
  explain(view, "arrow: better side", min, max);
}

// The current window, by a row an arrow.
void scrollByKeys() {
  const auto by = [&](ImGuiKey key, float pixels) {
    if (ImGui::IsKeyPressed(key))
      ImGui::SetScrollY(std::clamp(ImGui::GetScrollY() + pixels, 0.0f, ImGui::GetScrollMaxY()));
  };
  const float row = ImGui::GetFontSize() * 3;
  by(ImGuiKey_DownArrow, row);
  by(ImGuiKey_UpArrow, -row);
}

}  // namespace

void drawDifferences(ViewContext& view, const narration::ComparedTable& table, const Box& box, bool hasKeys) {
  const PartWindow window(std::string(kDifferencesWindow), box);
  ImDrawList& list = window.list();
  list.AddRectFilled(box.min, box.max, view.colours().panel, view.px(draw::kPanelRadius));
  const float inset = view.px(draw::kPanelInset), left = box.min.x + inset, right = box.max.x - inset;
  drawTop(view, list, box, left, right);
  const float top = box.min.y + view.px(draw::kPanelTitleHeight + kLegendHeight);
  const float room = box.max.y - view.px(4) - top;
  if (room <= 0) return;
  const ScrolledPart part("differences", {box.min.x, top}, {box.max.x, top + room});
  if (!part) return;
  // Known of the frame before; it changes with the round.
  const bool scrolls = ImGui::GetScrollMaxY() > 0;
  const float end =
      scrolls ? std::min(right, box.max.x - ImGui::GetStyle().ScrollbarSize - view.px(4)) : right;
  if (hasKeys) scrollByKeys();
  const ColumnPainter painter{view, *ImGui::GetWindowDrawList(), left, end};
  part.fill(painter.table(table, part.origin().y) + inset - part.origin().y);
}

}  // namespace stridescope::views
