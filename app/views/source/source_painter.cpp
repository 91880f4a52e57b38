#include "views/source/source_painter.h"

#include <algorithm>
#include <cmath>

#include "base/plain_text.h"
#include "draw/marks.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kCrossRoom = 16, kNumberGap = 7,
                kExecutingEdge = 3;  // units; before the numbers is a troubled line's cross
constexpr float kTextEnd = 6;        // units beyond the longest line
constexpr float kLabelRow = 22, kFurtherLabelRow = 15, kBetweenLabels = 6;
constexpr std::size_t kLongLine = 400;  // characters; only the part of a longer line that is seen is drawn

float withinLine(const ViewContext& view) {
  return (view.px(draw::kCodeLineHeight) - view.px(draw::kLabelSize)) / 2;
}

draw::TextStyle figureStyle(const ViewContext& view, ImU32 colour) { return view.semiBold(colour); }

}  // namespace

float sourceMargin(const ViewContext& view, float glyph) {
  const std::string& kernel = view.replay.run()->trace.kernelText;
  const auto lines = std::ranges::count(kernel, '\n') + 1;
  return std::ceil(view.px(kCrossRoom) + glyph * float(std::to_string(lines).size())) + view.px(kNumberGap);
}

SourceTextMeasures sourceMeasures(const ViewContext& view, float margin, float room, float scroll,
                                  float glyph) {
  const draw::TextStyle style = figureStyle(view, 0);
  return {.room = room,
          .scroll = scroll,
          .end = view.px(kTextEnd),
          .glyph = glyph,
          .lineHeight = view.px(draw::kCodeLineHeight),
          .labelHeight = view.px(kLabelRow),
          .furtherLabelHeight = view.px(kFurtherLabelRow),
          .between = view.px(kBetweenLabels),
          .figureEnd = -view.px(kNumberGap),
          .figureLeft = view.px(kExecutingEdge + 3) - margin,
          .wordsWidth = [style](const std::string& words) { return draw::textSize(style, words).x; }};
}

float SourcePainter::textLeft() const { return left + margin; }
float SourcePainter::gutterRight() const { return textLeft() - view.px(kNumberGap); }

float SourcePainter::xOf(int character) const {
  return std::round(textLeft() - scroll + glyph * float(character));
}

std::optional<std::uint32_t> SourcePainter::siteAt(ImVec2 point) const {
  for (const SourceTextRow& row : text.rows) {
    if (point.y < top + row.top || point.y >= top + row.top + row.height) continue;
    const SourceLine* line = text.executingAt(row.line);
    if (line == nullptr) return std::nullopt;
    const auto holds = [&](int column, int length) {
      return point.x >= xOf(column - 1) && point.x < xOf(column - 1 + length);
    };
    for (const SourceAccess& access : line->accesses)
      if (holds(access.column, access.length)) return access.site;
    if (line->branchAll > 0 && holds(line->branchColumn, line->branchLength)) return line->branchSite;
    return std::nullopt;
  }
  return std::nullopt;
}

void SourcePainter::addCells(const AddCell& add) const {
  const auto hover = view.replay.hover();
  for (const SourceTextRow& row : text.rows) {
    const SourceLine* line = text.executingAt(row.line);
    if (line == nullptr) continue;
    const auto cell = [&](int column, int length, std::uint32_t site) {
      const float y = top + row.top;
      add({{xOf(column - 1), y}, {xOf(column - 1 + length), y + view.px(draw::kCodeLineHeight)}},
          hover == session::Hover{session::HoverKind::Site, site});
    };
    for (const SourceAccess& access : line->accesses) cell(access.column, access.length, access.site);
    if (line->branchAll > 0) cell(line->branchColumn, line->branchLength, line->branchSite);
  }
}

bool SourcePainter::isSelected(int line) const {
  return selected && line >= selected->first && line <= selected->second;
}

// Orange words: in the light theme orange is too pale for text.
ImU32 SourcePainter::accent() const {
  const bool orange = view.draw.theme == draw::Theme::Dark && !view.app.isPresenting();
  return orange ? view.colours().result : view.colours().text;
}

void SourcePainter::draw(float from, float to) const {
  const float preambleBottom = top + view.px(draw::kCodeLineHeight) * float(text.preambleLines);
  list.AddRectFilled({left, top}, {right, preambleBottom}, view.colours().window);
  std::vector<const SourceTextRow*> seen;
  for (const SourceTextRow& row : text.rows)
    if (top + row.top + row.height >= from && top + row.top <= to) seen.push_back(&row);
  for (const SourceTextRow* const row : seen) {
    ground(*row);
    number(*row);
    figure(*row);
  }
  for (const SourceTextRow* const row : seen) {
    // What is scrolled away ends at the margin.
    list.PushClipRect({textLeft() - view.px(3), from}, {right, to}, true);
    code(*row);
    labels(*row);
    list.PopClipRect();
  }
}

void SourcePainter::ground(const SourceTextRow& row) const {
  const draw::Palette& colours = view.colours();
  const ImVec2 min{left, top + row.top}, max{right, top + row.top + row.height};
  const bool executes = text.executingAt(row.line) != nullptr;
  if (executes) list.AddRectFilled(min, max, colours.raised);
  if (isSelected(row.line))
    list.AddRectFilled({textLeft() - view.px(4), min.y}, max,
                       draw::mix(colours.panel, colours.operand, 0.3f));
  if (executes) list.AddRectFilled(min, {min.x + view.px(kExecutingEdge), max.y}, colours.result);
  if (!isTroubled(row.line)) return;
  draw::drawCross(view.draw, list, {min.x + view.px(10), min.y + view.px(draw::kCodeLineHeight) / 2},
                  view.px(4), colours.problem, 2);
  draw::outlineInside(view.draw, list, min, max, colours.problem, 2);
}

// A race or a problem of the round has an access there.
bool SourcePainter::isTroubled(int line) const {
  const auto& sites = view.replay.run()->trace.sites;
  return std::ranges::any_of(view.trouble.sites, [&](std::uint32_t site) {
    return site < sites.size() && int(sites[site].line) == text.numberOf(line);
  });
}

void SourcePainter::number(const SourceTextRow& row) const {
  const int figure = text.numberOf(row.line);
  if (figure < 1) return;
  const draw::Palette& colours = view.colours();
  const bool strong = text.executingAt(row.line) != nullptr;
  const draw::TextStyle style = strong ? view.codeBold(colours.text) : view.code(colours.dim);
  const std::string figures = std::to_string(figure);
  view.textAt(list, {gutterRight() - draw::textSize(style, figures).x, top + row.top + withinLine(view)},
              figures, style);
}

void SourcePainter::code(const SourceTextRow& row) const {
  const draw::Palette& colours = view.colours();
  const std::string& line = text.lines[std::size_t(row.line)];
  const int split = int(std::min(line.find("//"), line.size()));
  int first = 0, last = int(line.size());
  if (line.size() > kLongLine) {
    first = std::clamp(int(scroll / glyph), 0, last);
    last = std::min(last, first + int((right - textLeft()) / glyph) + 2);
  }
  const bool preamble = row.line < text.preambleLines;
  const auto piece = [&](int from, int to, ImU32 colour) {
    if (from < to)
      view.textAt(list, {xOf(from), top + row.top + withinLine(view)},
                  std::string_view(line).substr(std::size_t(from), std::size_t(to - from)),
                  view.code(colour));
  };
  piece(first, std::min(split, last), preamble ? colours.dim : colours.text);
  piece(std::max(split, first), last, colours.dim);
}

// Brackets under the accesses and the condition, and their labels.
void SourcePainter::labels(const SourceTextRow& row) const {
  const draw::Palette& colours = view.colours();
  const float under = top + row.top + view.px(draw::kCodeLineHeight), origin = textLeft() - scroll;
  const auto hover = view.replay.hover();
  const bool yellow = isPointedThread(view.replay, view.linked) && view.draw.theme == draw::Theme::Dark;
  const draw::TextStyle values = view.codeBold(yellow ? colours.hover : colours.text);
  for (const SourceLabel& label : row.labels) {
    const float from = std::round(origin + label.from), to = std::round(origin + label.to);
    if (hover && hover->kind != session::HoverKind::Thread && view.linked.site(label.site))
      draw::drawLinkedRing(view.draw, list, {from - view.px(2), under - view.px(draw::kCodeLineHeight)},
                           {to + view.px(2), under + view.px(2)});
    const bool isCondition = label.kind == LabelKind::Condition;
    draw::drawBracket(view.draw, list, from, to, under + view.px(6),
                      isCondition                        ? colours.dim
                      : label.kind == LabelKind::Written ? colours.resultLine
                                                         : colours.operandLine);
    if (label.words.empty()) continue;
    const draw::TextStyle style = isCondition ? figureStyle(view, accent()) : values;
    const ImVec2 at{std::round(origin + label.left),
                    under + view.px(8) + view.px(kFurtherLabelRow) * float(label.row)};
    if (draw::textSize(style, label.words).x <= label.width + 1)
      view.textAt(list, at, label.words, style);
    else
      view.text(list, at, {at.x + label.width, at.y + style.sizePx}, label.words, style);
  }
}

float SourcePainter::figureLeft(const SourceTextRow& row) const {
  const float width = draw::textSize(figureStyle(view, 0), row.figure).x;
  return std::max(left + view.px(kExecutingEdge + 3), gutterRight() - width);
}

void SourcePainter::figure(const SourceTextRow& row) const {
  if (row.figure.empty()) return;
  const float y = top + row.top + view.px(draw::kCodeLineHeight) + view.px(8);
  const draw::DrawnText drawn =
      view.textAt(list, {figureLeft(row), y}, row.figure, figureStyle(view, accent()));
  explain(view, row.figureMeaning, drawn.min, drawn.max);
}

void showValuesAt(const ViewContext& view, std::uint32_t site, bool withItsText) {
  constexpr std::size_t kMaxValues = 8;
  const auto values = valuesAtSite(view.replay, site, kMaxValues);
  if (values.empty()) return;
  const Tooltip tooltip(view);
  if (!tooltip) return;
  ImGui::PushFont(view.draw.fonts.code, 0);
  if (withItsText) {
    ImGui::TextUnformatted(printable(view.replay.run()->trace.sites[site].text, Lines::Many).c_str());
    ImGui::Separator();
  }
  for (const std::string& line : values) ImGui::TextUnformatted(line.c_str());
  ImGui::PopFont();
}

}  // namespace stridescope::views
