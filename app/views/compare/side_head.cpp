#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/numbers.h"
#include "draw/marks.h"
#include "kernels/catalog.h"
#include "narration/round_kind.h"
#include "session/comparison.h"
#include "session/own_kernel.h"
#include "views/compare/compare_layout.h"
#include "views/compare/compare_view.h"

namespace stridescope::views {
namespace {

using analysis::Side;

std::string executorOf(const session::Replay& replay) {
  const model::Executor& executor = replay.run()->trace.executor;
  return executor.kind == model::EngineKind::Recorded ? "recorded on " + executor.device : executor.device;
}

// "round 4, stride 8", "finished"; while the side is recorded, that. With the executor where the sides have
// others. The longest comes first, then what remains of it where there is less room.
std::vector<std::string> notesOf(const ViewContext& view, Side side) {
  if (const auto job = view.workspace.job()) return {job->doing + "…"};
  if (view.replay.run() == nullptr) return {"nothing recorded"};
  std::vector<std::string> notes;
  if (!view.comparison->hasRound(side)) {
    notes = {view.comparison->lockedBy() == analysis::LockedBy::Round ? "finished" : "no such round"};
  } else {
    const narration::RoundAt at = roundAt(view.replay);
    const std::string round = "round " + figure(at.index), name = narration::nameInSentence(at);
    std::string note = name == round ? round : round + ", " + name;
    if (at.pass != nullptr) note += ", pass " + figure(at.pass->pass + 1);
    notes = {note, round};
  }
  const session::Replay& other = view.comparison->replay(analysis::otherOf(side));
  if (other.run() != nullptr && executorOf(other) != executorOf(view.replay))
    notes.insert(notes.begin(), executorOf(view.replay) + " · " + notes.front());
  return notes;
}

}  // namespace

void drawSideHead(ViewContext& view, Side side, const Box& box) {
  const std::string name(analysis::nameOf(side));
  const PartWindow window("Side##" + name, box);
  ImDrawList& list = window.list();
  const draw::Palette& colours = view.colours();
  const HitArea area = hitArea((name + " side").c_str(), box.min, box.max);
  if (area.clicked) view.commands.push_back(session::ChooseSide{side});
  const bool chosen = view.comparison->chosen() == side;
  std::string title = printable(kernels::titleOf(view.workspace.experiment()));
  if (view.kernel.isBefore(view.workspace.engineId())) title += ", before";
  const std::vector<std::string> notes = notesOf(view, side);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
    wideTooltip(view, title + ": " + notes.front() +
                          (chosen ? "\nThe variant keys and the lists mean this side."
                                  : "\nClick: the variant keys and the lists then mean this side."));
  list.AddRectFilled(box.min, box.max, area.hovered && !chosen ? colours.raised : colours.panel,
                     view.px(draw::kPanelRadius), ImDrawFlags_RoundCornersTop);
  const float inset = view.px(draw::kPanelInset);
  const draw::TextStyle dim = view.words(colours.dim);
  const draw::DrawnText tag = view.text(list, {box.min.x + inset, box.min.y}, {box.max.x - inset, box.max.y},
                                        name, chosen ? view.semiBold(colours.text) : dim);
  if (chosen)
    list.AddRectFilled({tag.min.x, tag.max.y + view.px(2)}, {tag.max.x, tag.max.y + view.px(4)},
                       colours.result);
  const float left = tag.max.x + view.px(12), right = box.max.x - inset;
  draw::TextStyle bold = view.semiBold(colours.text, draw::kBodySize);
  if (left + draw::textSize(bold, title).x > right) bold = view.semiBold(colours.text);
  const float titleEnd = left + draw::textSize(bold, title).x;
  view.text(list, {left, box.min.y}, {right, box.max.y}, title, bold);
  for (const std::string& note : notes) {
    const float noteWidth = draw::textSize(dim, note).x;
    if (titleEnd + view.px(16) + noteWidth > right) continue;
    view.text(list, {right - noteWidth - 1, box.min.y}, {right + 1, box.max.y}, note, dim,
              draw::TextAlign::Right);
    break;
  }
}

namespace {

using analysis::CodeLine;

constexpr float kGutter = 26, kGutterGap = 8, kDifferenceEdge = 3, kBottom = 6;  // units

// One row of both sides: a pair of lines, or lines that have nothing to do with each other, beside each other
// to save room.
struct LineRow {
  analysis::BothSides<const analysis::LinePair*> pair;  // nullptr: the side has no line here
  bool isPair = false;
};

std::vector<LineRow> rowsOf(const analysis::SourceDifference& difference) {
  std::vector<LineRow> rows;
  std::size_t begin = 0;  // where a sequence of lines without a partner begins
  for (const analysis::LinePair& pair : difference.pairs) {
    if (pair.left && pair.right) {
      if (!pair.same) rows.push_back({.pair = {&pair, &pair}, .isPair = true});
      begin = rows.size();
      continue;
    }
    const Side side = pair.left ? Side::Left : Side::Right;
    const auto free = std::find_if(rows.begin() + std::ptrdiff_t(begin), rows.end(),
                                   [&](const LineRow& row) { return row.pair[side] == nullptr; });
    if (free == rows.end()) {
      rows.emplace_back();
      rows.back().pair[side] = &pair;
    } else {
      free->pair[side] = &pair;
    }
  }
  return rows;
}

// The lines of the kernel that execute in the round that is shown, from 1.
std::set<int> executingLineNumbers(const session::Replay& replay) {
  std::set<int> lines;
  const auto& sites = replay.run()->trace.sites;
  for (const analysis::WarpOperation& operation : replay.round().operations)
    if (operation.site < sites.size()) lines.insert(sites[operation.site].line);
  return lines;
}

// How far all lines of the side are indented.
std::size_t indentOf(const analysis::SourceDifference& difference, Side side) {
  std::size_t least = std::string::npos;
  for (const analysis::LinePair& pair : difference.pairs)
    if (const CodeLine* const line = pair.same ? nullptr : difference.lineOf(pair, side))
      least = std::min(least, line->text.find_first_not_of(' '));
  return least == std::string::npos ? 0 : least;
}

std::string titleOf(const analysis::SourceDifference& difference, Side side) {
  const std::size_t lines = difference.countOf(side);
  if (!difference.differs()) return "Source: the same on both sides";
  if (lines == 0) return "Source: no line that the other lacks";
  return lines == 1 ? "Source, the line that differs"
                    : "Source, the " + std::to_string(lines) + " lines that differ";
}

// At the right of the title line; it is left out where it does not fit.
bool wholeTextAsked(ViewContext& view, ImDrawList& list, const Box& box, float titleEnd) {
  const std::string text = "whole text";
  const draw::TextStyle style = view.words(view.colours().dim);
  const float right = box.max.x - view.px(draw::kPanelInset), left = right - draw::textSize(style, text).x;
  if (left < titleEnd + view.px(16)) return false;
  const ImVec2 min{left, box.min.y + view.px(6)}, max{right, box.min.y + view.px(26)};
  const HitArea area = hitArea("whole text", min, max);
  const draw::DrawnText drawn =
      view.text(list, min, max, text, area.hovered ? view.words(view.colours().text) : style);
  list.AddRectFilled({left, drawn.max.y}, {drawn.max.x, drawn.max.y + view.px(1)},
                     view.colours().operandLine);
  return area.clicked;
}

struct RowPainter {
  ViewContext& view;
  ImDrawList& list;
  float left = 0, right = 0;  // pixels
  std::size_t indent = 0;     // characters that all lines begin with

  float height() const { return view.px(draw::kCodeLineHeight); }
  float textLeft() const { return left + view.px(kGutter + kGutterGap); }

  void missing(float top) const {
    draw::drawHatch(view.draw, list, {textLeft(), top + view.px(2)}, {right, top + height() - view.px(2)},
                    view.colours().toCome);
  }

  void line(const CodeLine& code, const std::vector<analysis::TextSpan>& spans, bool whole, bool executes,
            float top) const {
    const draw::Palette& colours = view.colours();
    const std::string_view text = std::string_view(code.text).substr(std::min(indent, code.text.size()));
    if (executes) {
      list.AddRectFilled({left - view.px(4), top}, {right, top + height()}, colours.raised);
      list.AddRectFilled({left - view.px(4), top},
                         {left - view.px(4) + view.px(kDifferenceEdge), top + height()}, colours.result);
    }
    const auto mark = [&](std::size_t begin, std::size_t end) {
      const auto columnOf = [&](std::size_t byte) {
        return float(draw::textSize(view.code(0), text.substr(0, std::min(byte, text.size()))).x);
      };
      const float from = textLeft() + columnOf(begin), to = textLeft() + columnOf(end);
      list.AddRectFilled({from - view.px(1), top + view.px(1)},
                         {std::min(right, to + view.px(1)), top + height() - view.px(1)},
                         draw::mix(colours.panel, colours.operand, 0.3f), view.px(2));
    };
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    if (whole && !text.empty()) mark(first, text.size());
    for (const analysis::TextSpan& span : spans)
      if (span.end > indent) mark(std::max(span.begin, indent) - indent, span.end - indent);
    const draw::TextStyle number = executes ? view.codeBold(colours.text) : view.code(colours.dim);
    view.text(list, {left, top}, {left + view.px(kGutter), top + height()}, std::to_string(code.number),
              number, draw::TextAlign::Right);
    const draw::DrawnText drawn =
        view.text(list, {textLeft(), top}, {right, top + height()}, text, view.code(colours.text));
    if (drawn.shortened && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({left, top}, {right, top + height()}))
      wideTooltip(view, std::string(text));
  }
};

}  // namespace

float sourceDifferencesHeight(const analysis::SourceDifference& difference) {
  return draw::kPanelTitleHeight + draw::kCodeLineHeight * float(rowsOf(difference).size()) + kBottom;
}

bool drawSourceDifferences(ViewContext& view, const analysis::SourceDifference& difference, Side side,
                           const Box& box, float& firstRow) {
  const PartWindow window("Source lines##" + std::string(analysis::nameOf(side)), box);
  ImDrawList& list = window.list();
  list.AddRectFilled(box.min, box.max, view.colours().panel, view.px(draw::kPanelRadius));
  const float left = box.min.x + view.px(draw::kPanelInset), right = box.max.x - view.px(draw::kPanelInset);
  const std::string title = titleOf(difference, side);
  const draw::DrawnText drawn =
      view.text(list, {left, box.min.y}, {right, box.min.y + view.px(draw::kPanelTitleHeight)}, title,
                view.semiBold(view.colours().text, draw::kBodySize));
  const bool asked = wholeTextAsked(view, list, box, drawn.max.x);

  const std::vector<LineRow> rows = rowsOf(difference);
  const float top = box.min.y + view.px(draw::kPanelTitleHeight), bottom = box.max.y - view.px(kBottom);
  const RowPainter painter{
      .view = view, .list = list, .left = left, .right = right, .indent = indentOf(difference, side)};
  const auto shown = std::size_t(std::max(1.0f, std::floor((bottom - top) / painter.height())));
  const float last = float(rows.size() - std::min(rows.size(), shown));
  if (ImGui::IsMouseHoveringRect(box.min, box.max) && ImGui::IsWindowHovered())
    firstRow -= ImGui::GetIO().MouseWheel * 3;
  firstRow = std::clamp(std::round(firstRow), 0.0f, last);
  const bool hasRound = view.comparison->hasRound(side) && view.replay.run() != nullptr;
  const std::set<int> executing = hasRound ? executingLineNumbers(view.replay) : std::set<int>();
  float y = top;
  for (auto i = std::size_t(firstRow); i < rows.size() && y + painter.height() <= bottom + 1; ++i) {
    const analysis::LinePair* const pair = rows[i].pair[side];
    if (pair == nullptr) {
      painter.missing(y);
    } else {
      const CodeLine& line = *difference.lineOf(*pair, side);
      painter.line(line, analysis::spansOf(*pair, side), !rows[i].isPair, executing.contains(line.number), y);
    }
    y += painter.height();
  }
  if (last > 0) {  // where the rows that are shown lie among all
    const float track = bottom - top, length = track * float(shown) / float(rows.size());
    const float from = top + (track - length) * firstRow / last;
    list.AddRectFilled({right + view.px(3), from}, {right + view.px(6), from + length}, view.colours().line,
                       view.px(2));
  }
  return asked;
}

}  // namespace stridescope::views
