#include "views/source/source_painter.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kGutter = 42, kGap = 7, kEdge = 3;  // units

float withinLine(const ViewContext& view) {
  return (view.px(draw::kCodeLineHeight) - view.px(draw::kLabelSize)) / 2;
}

}  // namespace

int columnsThatFit(const ViewContext& view, float width, float glyph) {
  return int((width - view.px(kGutter + kGap)) / std::max(1.0f, glyph));
}

float SourcePainter::textLeft() const { return left + view.px(kGutter + kGap); }

float SourcePainter::xOf(const SourceTextRow& row, int character) const {
  return std::round(textLeft() + glyph * float(row.part.columnOf(character)));
}

std::optional<std::uint32_t> SourcePainter::siteAt(ImVec2 point) const {
  for (const SourceTextRow& row : text.rows) {
    if (point.y < top + row.top || point.y >= top + row.top + row.height) continue;
    const SourceLine* line = text.executingAt(row.line);
    if (line == nullptr) return std::nullopt;
    const auto holds = [&](int column, int length) {
      return liesOn(row.part, column, length) && point.x >= xOf(row, std::max(row.part.from, column - 1)) &&
             point.x < xOf(row, std::min(row.part.to, column - 1 + length));
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
      if (!liesOn(row.part, column, length)) return;
      const float y = top + row.top;
      add({{xOf(row, std::max(row.part.from, column - 1)), y},
           {xOf(row, std::min(row.part.to, column - 1 + length)), y + view.px(draw::kCodeLineHeight)}},
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
  const float preambleBottom =
      top + view.px(draw::kCodeLineHeight) *
                float(std::ranges::count_if(
                    text.rows, [&](const SourceTextRow& row) { return row.line < text.preambleLines; }));
  list.AddRectFilled({left, top}, {right, preambleBottom}, view.colours().window);
  for (const SourceTextRow& row : text.rows) {
    if (top + row.top + row.height < from || top + row.top > to) continue;
    ground(row);
    number(row);
    code(row);
    if (const SourceLine* line = text.executingAt(row.line); line != nullptr && row.annotated) {
      annotations(row, *line, margin(row, *line));
    }
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
  if (executes) list.AddRectFilled(min, {min.x + view.px(kEdge), max.y}, colours.result);
  if (!isTroubled(row.line)) return;
  if (row.first)
    draw::drawCross(view.draw, list, {min.x + view.px(10), min.y + view.px(draw::kCodeLineHeight) / 2},
                    view.px(4), colours.problem, 2);
  // One outline round all rows of the line, over the last one's ground.
  const auto isOfLine = [&](const SourceTextRow& other) { return other.line == row.line; };
  const auto first = std::ranges::find_if(text.rows, isOfLine);
  const auto last = std::find_if_not(first, text.rows.end(), isOfLine) - 1;
  if (&*last == &row) draw::outlineInside(view.draw, list, {left, top + first->top}, max, colours.problem, 2);
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
  if (figure < 1 || !row.first) return;
  const draw::Palette& colours = view.colours();
  const bool strong = text.executingAt(row.line) != nullptr;
  const draw::TextStyle style = strong ? draw::codeBoldStyle(view.draw, draw::kLabelSize, colours.text)
                                       : draw::codeStyle(view.draw, draw::kLabelSize, colours.dim);
  const std::string figures = std::to_string(figure);
  draw::drawTextAt(
      view.draw, list,
      {left + view.px(kGutter) - draw::textSize(style, figures).x, top + row.top + withinLine(view)}, figures,
      style);
}

void SourcePainter::code(const SourceTextRow& row) const {
  const draw::Palette& colours = view.colours();
  const std::string& line = text.lines[std::size_t(row.line)];
  const auto comment = std::min(line.find("//"), line.size());
  const int split = std::clamp(int(comment), row.part.from, row.part.to);
  const bool preamble = row.line < text.preambleLines;
  const auto piece = [&](int from, int to, ImU32 colour) {
    if (from < to)
      draw::drawTextAt(view.draw, list, {xOf(row, from), top + row.top + withinLine(view)},
                       std::string_view(line).substr(std::size_t(from), std::size_t(to - from)),
                       draw::codeStyle(view.draw, draw::kLabelSize, colour));
  };
  piece(row.part.from, split, preamble ? colours.dim : colours.text);
  piece(split, row.part.to, colours.dim);
}

// Brackets under the condition and the accesses, what they found under them, pushed apart where they would
// touch.
void SourcePainter::annotations(const SourceTextRow& row, const SourceLine& line, float marginRight) const {
  const draw::Palette& colours = view.colours();
  const float under = top + row.top + view.px(draw::kCodeLineHeight);
  const auto hover = view.replay.hover();
  float taken = std::max(textLeft(), marginRight + view.px(6));
  const auto note = [&](int column, int length, std::uint32_t site, ImU32 bracket, const std::string& words,
                        const draw::TextStyle& style) {
    const float from = xOf(row, std::max(row.part.from, column - 1));
    const float to = xOf(row, std::min(row.part.to, column - 1 + length));
    const bool lit = hover && hover->kind != session::HoverKind::Thread && view.linked.site(site);
    if (lit)
      draw::drawLinkedRing(view.draw, list, {from - view.px(2), under - view.px(draw::kCodeLineHeight)},
                           {to + view.px(2), under + view.px(2)});
    draw::drawBracket(view.draw, list, from, to, under + view.px(6), bracket);
    const float width = draw::textSize(style, words).x;
    const float x = std::min(std::max(taken, std::round((from + to - width) / 2)), right - width);
    if (words.empty() || x < taken - 1) return;
    taken = x + width + view.px(10);
    draw::drawTextAt(view.draw, list, {x, under + view.px(8)}, words, style);
  };
  const bool yellow = isPointedThread(view.replay, view.linked) && view.draw.theme == draw::Theme::Dark;
  const draw::TextStyle values =
      draw::codeBoldStyle(view.draw, draw::kLabelSize, yellow ? colours.hover : colours.text);
  for (const SourceAccess& access : line.accesses)
    if (liesOn(row.part, access.column, access.length))
      note(access.column, access.length, access.site, access.writes ? colours.result : colours.operand,
           access.writes && !access.value.empty() ? "becomes " + access.value : access.value, values);
  if (!goesBothWays(line) || !liesOn(row.part, line.branchColumn, line.branchLength)) return;
  const std::string part = std::to_string(line.branchTrue), all = std::to_string(line.branchAll);
  const std::string among = line.branchAll == view.replay.launch().block ? all + " threads"
                            : line.branchAll == line.branchThreads ? "the " + all + " threads that test it"
                                                                   : all + " tests";
  note(line.branchColumn, line.branchLength, line.branchSite, colours.dim, "true in " + part + " of " + among,
       draw::semiBoldStyle(view.draw, draw::kLabelSize, accent()));
}

// "W0 ": the shown thread's warp, where the block has several.
std::string SourcePainter::whoseLanes() const {
  if (view.replay.launch().block <= model::kWarpSize) return {};
  return "W" + std::to_string(shownThread(view.replay, view.linked) / model::kWarpSize) + " ";
}

// The highest way of the line's requests; else the lanes of the shown warp that took the branch.
float SourcePainter::margin(const SourceTextRow& row, const SourceLine& line) const {
  std::string figure;
  const char* meaning = "8-way";
  if (line.way > 1)
    figure = std::to_string(line.way) + "-way";
  else if (goesBothWays(line) && line.warpAll > 0 && line.branchAll == line.branchThreads)
    meaning = "16/32",
    figure = whoseLanes() + std::to_string(line.warpTrue) + "/" + std::to_string(line.warpAll);
  if (!row.carriesWay || figure.empty()) return left;
  const draw::TextStyle style = draw::semiBoldStyle(view.draw, draw::kLabelSize, accent());
  const float x =
      std::max(left + view.px(kEdge + 3), left + view.px(kGutter) - draw::textSize(style, figure).x);
  const float y = top + row.top + view.px(draw::kCodeLineHeight) + view.px(8);
  const draw::DrawnText drawn = draw::drawTextAt(view.draw, list, {x, y}, figure, style);
  explain(view, meaning, drawn.min, drawn.max);
  return drawn.max.x;
}

}  // namespace stridescope::views
