#include "views/source/source_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

std::vector<UnbrokenPart> partsOf(const SourceLine& line) {
  std::vector<UnbrokenPart> parts;
  for (const SourceAccess& access : line.accesses) parts.push_back({access.column, access.length});
  return parts;
}

bool carriesAnnotation(const SourceLine& line, const SourceRow& row) {
  if (goesBothWays(line) && liesOn(row, line.branchColumn, line.branchLength)) return true;
  return std::ranges::any_of(
      line.accesses, [&](const SourceAccess& access) { return liesOn(row, access.column, access.length); });
}

// How much of what the round does lies outside of the view: a line whose values are told counts for more than
// one that only runs.
int missedOutside(const SourceText& text, float from, float to) {
  constexpr float kRounding = 0.5f;
  constexpr int kWithAccesses = 4;
  int missed = 0, last = -1;
  for (const SourceTextRow& row : text.rows) {
    const SourceLine* const line = text.executingAt(row.line);
    if (line == nullptr || row.line == last) continue;
    if (row.top >= from - kRounding && row.top + row.height <= to + kRounding) continue;
    last = row.line;
    missed += line->accesses.empty() ? 1 : kWithAccesses;
  }
  return missed;
}

}  // namespace

bool liesOn(const SourceRow& row, int column, int length) {
  return column - 1 < row.to && column - 1 + length > row.from;
}

const SourceLine* SourceText::executingAt(int line) const {
  const auto found = executing.find(numberOf(line));
  return found == executing.end() ? nullptr : &found->second;
}

int SourceText::lineAt(float y) const {
  for (const SourceTextRow& row : rows)
    if (y < row.top + row.height) return row.line;
  return rows.empty() ? 0 : rows.back().line;
}

SourceText layOutSource(const session::Replay& replay, unsigned thread, const SourceTextMeasures& measures) {
  const model::Trace& trace = replay.run()->trace;
  SourceText text;
  text.lines = splitLines(trace.preamble);
  text.preambleLines = int(text.lines.size());
  for (std::string& line : splitLines(trace.kernelText)) text.lines.push_back(std::move(line));
  text.executing = executingLines(replay, thread);
  // Where some line does not fit, all are indented less, so that they still line up.
  const bool tight = std::ranges::any_of(
      text.lines, [&](const std::string& line) { return rowsOf(line, measures.columns, {}).size() > 1; });
  for (int line = 0; line < int(text.lines.size()); ++line) {
    if (line == text.preambleLines && line > 0) text.height += measures.between;
    const SourceLine* executing = text.executingAt(line);
    const float top = text.height;
    bool annotated = false;
    for (const SourceRow& part :
         rowsOf(text.lines[std::size_t(line)], measures.columns,
                executing == nullptr ? std::vector<UnbrokenPart>() : partsOf(*executing), tight)) {
      SourceTextRow row{.line = line, .part = part, .top = text.height, .height = measures.lineHeight};
      row.first = text.rows.empty() || text.rows.back().line != line;
      row.annotated = executing != nullptr && carriesAnnotation(*executing, part);
      row.carriesWay = row.annotated && !annotated;
      annotated |= row.annotated;
      if (row.annotated) row.height += measures.annotationHeight;
      text.height += row.height;
      text.rows.push_back(row);
    }
    if (executing == nullptr) continue;
    if (text.executingTop < 0) text.executingTop = top;
    text.executingBottom = text.height;
  }
  return text;
}

float greatestScroll(const SourceText& text, float room) {
  const float least = std::max(0.0f, text.height - room);
  const auto row = std::ranges::find_if(
      text.rows, [&](const SourceTextRow& each) { return each.first && each.top >= least; });
  return row == text.rows.end() ? least : row->top;
}

LinesOutside executingOutside(const SourceText& text, float from, float to) {
  constexpr float kRounding = 0.5f;  // a scroll is a whole number of pixels
  LinesOutside outside;
  int last = -1;
  for (const SourceTextRow& row : text.rows) {
    if (text.executingAt(row.line) == nullptr || row.line == last) continue;
    const bool above = row.top<from - kRounding, below = row.top + row.height> to + kRounding;
    if (!above && !below) continue;
    last = row.line;
    ++(above ? outside.above : outside.below);
  }
  return outside;
}

float scrollToExecuting(const SourceText& text, float room) {
  if (text.executingTop < 0 || text.height <= room) return 0;
  const float middle = (text.executingTop + text.executingBottom - room) / 2;
  const float greatest = greatestScroll(text, room);
  float scroll = 0, offMiddle = 0;
  int fewest = -1;
  for (const SourceTextRow& row : text.rows) {
    if (row.top > greatest) break;
    if (!row.first) continue;
    const int lines = missedOutside(text, row.top, row.top + room);
    const float off = std::abs(row.top - middle);
    if (fewest >= 0 && (lines > fewest || (lines == fewest && off >= offMiddle))) continue;
    fewest = lines, offMiddle = off, scroll = row.top;
  }
  return scroll;
}

float scrollToLine(const SourceText& text, float room, int number, float scroll) {
  const auto row = std::ranges::find_if(
      text.rows, [&](const SourceTextRow& each) { return each.first && text.numberOf(each.line) == number; });
  if (row == text.rows.end() || (row->top >= scroll && row->top + row->height <= scroll + room))
    return scroll;
  const float wanted = row->top - (room - row->height) / 2;
  float nearest = 0;
  for (const SourceTextRow& each : text.rows)
    if (each.first && each.top <= std::min(wanted, greatestScroll(text, room))) nearest = each.top;
  return nearest;
}

std::string copiedLines(const SourceText& text, int first, int last) {
  if (first > last) std::swap(first, last);
  std::string copied;
  for (int line = std::max(0, first); line <= last && line < int(text.lines.size()); ++line)
    copied += text.lines[std::size_t(line)] + "\n";
  return copied;
}

}  // namespace stridescope::views
