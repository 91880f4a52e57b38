#include "views/source/source_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

constexpr float kRounding = 0.5f;     // a scroll is a whole number of pixels
constexpr int kLabelGap = 1;          // characters between two labels
constexpr int kMaxFurtherRows = 3;    // then words are pushed aside
constexpr float kBesideBracket = 12;  // pixels that stay in view beside a bracket

// How much of what the round does lies outside of the view: a line whose values are told counts for more than
// one that only runs.
int missedOutside(const SourceText& text, float from, float to) {
  constexpr int kWithAccesses = 4;
  int missed = 0;
  for (const SourceTextRow& row : text.rows) {
    const SourceLine* const line = text.executingAt(row.line);
    if (line == nullptr) continue;
    if (row.top >= from - kRounding && row.top + row.height <= to + kRounding) continue;
    missed += line->accesses.empty() ? 1 : kWithAccesses;
  }
  return missed;
}

// "true in 16 of 256 threads".
std::string conditionWords(const SourceLine& line, unsigned block) {
  const std::string all = std::to_string(line.branchAll);
  const std::string among = line.branchAll == block                ? all + " threads"
                            : line.branchAll == line.branchThreads ? "the " + all + " threads that test it"
                                                                   : all + " tests";
  return "true in " + std::to_string(line.branchTrue) + " of " + among;
}

std::vector<SourceLabel> labelsOf(const SourceLine& line, unsigned block,
                                  const SourceTextMeasures& measures) {
  std::vector<SourceLabel> labels;
  const auto add = [&](LabelKind kind, std::uint32_t site, int column, int length, std::string words,
                       float width) {
    labels.push_back({.kind = kind,
                      .site = site,
                      .from = measures.glyph * float(column - 1),
                      .to = measures.glyph * float(column - 1 + length),
                      .words = std::move(words),
                      .width = width});
  };
  for (const SourceAccess& access : line.accesses) {
    const bool becomes = access.writes && !access.value.empty();
    std::string words = becomes ? "becomes " + access.value : access.value;
    const float width = measures.glyph * float(words.size());
    add(access.writes ? LabelKind::Written : LabelKind::Read, access.site, access.column, access.length,
        std::move(words), width);
  }
  if (goesBothWays(line)) {
    std::string words = conditionWords(line, block);
    const float width = measures.wordsWidth ? measures.wordsWidth(words) : 0;
    add(LabelKind::Condition, line.branchSite, line.branchColumn, line.branchLength, std::move(words), width);
  }
  std::ranges::stable_sort(labels, {}, &SourceLabel::from);
  return labels;
}

// The highest way of the line's requests; else the lanes of the shown warp that took the branch.
void addFigure(SourceTextRow& row, const SourceLine& line, unsigned block, unsigned thread) {
  if (line.way > 1) {
    row.figure = std::to_string(line.way) + "-way";
    row.figureMeaning = "8-way";
  } else if (goesBothWays(line) && line.warpAll > 0 && line.branchAll == line.branchThreads) {
    if (block > model::kWarpSize) row.figure = "W" + std::to_string(thread / model::kWarpSize) + " ";
    row.figure += std::to_string(line.warpTrue) + "/" + std::to_string(line.warpAll);
    row.figureMeaning = "16/32";
  }
}

int furtherRows(const std::vector<SourceLabel>& labels) {
  return labels.empty() ? 0 : std::ranges::max_element(labels, {}, &SourceLabel::row)->row;
}

// The bracket and its words.
float leftOf(const SourceLabel& label) {
  return label.words.empty() ? label.from : std::min(label.from, label.left);
}
float rightOf(const SourceLabel& label) {
  return label.words.empty() ? label.to : std::max(label.to, label.left + label.width);
}

}  // namespace

const SourceLine* SourceText::executingAt(int line) const {
  const auto found = executing.find(numberOf(line));
  return found == executing.end() ? nullptr : &found->second;
}

int SourceText::lineAt(float y) const {
  for (const SourceTextRow& row : rows)
    if (y < row.top + row.height) return row.line;
  return rows.empty() ? 0 : rows.back().line;
}

void placeLabels(std::vector<SourceLabel>& labels, float start, float limit, float gap) {
  std::vector<float> taken;  // where the words of each row end
  for (SourceLabel& label : labels) {
    if (label.words.empty()) continue;
    const float middle = std::round((label.from + label.to - label.width) / 2);
    const float wanted = std::max(start, std::min(middle, limit - label.width));
    const float latest = std::max(wanted, label.to - gap);
    for (std::size_t row = 0;; ++row) {
      const bool isFree = row == taken.size();
      const float left = isFree ? wanted : std::max(wanted, taken[row] + gap);
      if (!isFree && left > latest && int(row) < kMaxFurtherRows) continue;
      label.left = left;
      label.row = int(row);
      if (isFree) taken.push_back(0);
      taken[row] = left + label.width;
      break;
    }
  }
}

SourceText layOutSource(const session::Replay& replay, unsigned thread, const SourceTextMeasures& measures) {
  const model::Trace& trace = replay.run()->trace;
  const unsigned block = replay.launch().block;
  SourceText text;
  text.lines = splitLines(trace.preamble);
  text.preambleLines = int(text.lines.size());
  for (std::string& line : splitLines(trace.kernelText)) text.lines.push_back(std::move(line));
  text.executing = executingLines(replay, thread);
  for (const std::string& line : text.lines)
    text.width = std::max(text.width, measures.glyph * float(line.find_last_not_of(" \r") + 1));
  const float limit = std::max(text.width, measures.room);
  for (int line = 0; line < int(text.lines.size()); ++line) {
    if (line == text.preambleLines && line > 0) text.height += measures.between;
    SourceTextRow row{.line = line, .top = text.height, .height = measures.lineHeight};
    if (const SourceLine* const executing = text.executingAt(line)) {
      row.labels = labelsOf(*executing, block, measures);
      float start = 0;
      if (!row.labels.empty()) addFigure(row, *executing, block, thread);
      if (!row.figure.empty() && measures.wordsWidth) {
        const float width = measures.wordsWidth(row.figure);
        start = std::max(0.0f, std::max(measures.figureLeft, measures.figureEnd - width) + width +
                                   measures.glyph * float(kLabelGap));
      }
      placeLabels(row.labels, start, limit, measures.glyph * float(kLabelGap));
      if (!row.labels.empty())
        row.height += measures.labelHeight + measures.furtherLabelHeight * float(furtherRows(row.labels));
      for (const SourceLabel& label : row.labels) text.width = std::max(text.width, rightOf(label));
      if (text.executingTop < 0) text.executingTop = row.top;
      text.executingBottom = row.top + row.height;
    }
    text.height += row.height;
    text.rows.push_back(std::move(row));
  }
  return text;
}

float greatestScroll(const SourceText& text, float room) {
  const float least = std::max(0.0f, text.height - room);
  const auto row =
      std::ranges::find_if(text.rows, [&](const SourceTextRow& each) { return each.top >= least; });
  return row == text.rows.end() ? least : row->top;
}

LinesOutside executingOutside(const SourceText& text, float from, float to) {
  LinesOutside outside;
  for (const SourceTextRow& row : text.rows) {
    if (text.executingAt(row.line) == nullptr) continue;
    if (row.top < from - kRounding)
      ++outside.above;
    else if (row.top + row.height > to + kRounding)
      ++outside.below;
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
    const int lines = missedOutside(text, row.top, row.top + room);
    const float off = std::abs(row.top - middle);
    if (fewest >= 0 && (lines > fewest || (lines == fewest && off >= offMiddle))) continue;
    fewest = lines, offMiddle = off, scroll = row.top;
  }
  return scroll;
}

float scrollToLine(const SourceText& text, float room, int number, float scroll) {
  const auto row = std::ranges::find_if(
      text.rows, [&](const SourceTextRow& each) { return text.numberOf(each.line) == number; });
  if (row == text.rows.end() || (row->top >= scroll && row->top + row->height <= scroll + room))
    return scroll;
  const float wanted = row->top - (room - row->height) / 2;
  float nearest = 0;
  for (const SourceTextRow& each : text.rows)
    if (each.top <= std::min(wanted, greatestScroll(text, room))) nearest = each.top;
  return nearest;
}

float scrollToBrackets(const SourceText& text, float room) {
  if (text.width <= room) return 0;
  // A bracket that is wider than the view is in it with its beginning.
  const auto endOf = [&](const SourceLabel& label) {
    return std::min(rightOf(label) + kBesideBracket, leftOf(label) + room);
  };
  std::vector<const SourceLabel*> labels;
  for (const SourceTextRow& row : text.rows)
    for (const SourceLabel& label : row.labels) labels.push_back(&label);
  const auto inView = [&](float scroll) {
    return std::ranges::count_if(labels, [&](const SourceLabel* label) {
      return leftOf(*label) >= scroll - kRounding && endOf(*label) <= scroll + room + kRounding;
    });
  };
  float best = 0;
  auto most = inView(0);
  for (const SourceLabel* const label : labels) {
    const float scroll = std::clamp(std::ceil(endOf(*label) - room), 0.0f, std::ceil(text.width - room));
    const auto labelsInView = inView(scroll);
    if (labelsInView < most || (labelsInView == most && scroll >= best)) continue;
    most = labelsInView;
    best = scroll;
  }
  return best;
}

float scrollToSite(const SourceText& text, float room, std::uint32_t site, float scroll) {
  for (const SourceTextRow& row : text.rows)
    for (const SourceLabel& label : row.labels) {
      if (label.site != site) continue;
      const float left = leftOf(label), right = rightOf(label);
      if (right > scroll + room) scroll = std::ceil(right + kBesideBracket - room);
      if (left < scroll) scroll = std::max(0.0f, std::floor(left - kBesideBracket));
    }
  return std::clamp(scroll, 0.0f, std::max(0.0f, std::ceil(text.width - room)));
}

std::string copiedLines(const SourceText& text, int first, int last) {
  if (first > last) std::swap(first, last);
  std::string copied;
  for (int line = std::max(0, first); line <= last && line < int(text.lines.size()); ++line)
    copied += text.lines[std::size_t(line)] + "\n";
  return copied;
}

}  // namespace stridescope::views
