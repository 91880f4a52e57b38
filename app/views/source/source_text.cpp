#include "views/source/source_text.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

constexpr float kScrollRounding = 0.5f;  // a scroll is a whole number of pixels
constexpr int kLabelSpace = 1;           // characters between two labels
constexpr float kBesideBracket = 12;     // pixels that stay in view beside a bracket

// How much of what the round does lies outside of the view: a line whose values are told counts for more than
// one that only runs.
int missedOutside(const SourceText& text, float from, float to) {
  constexpr int kWithAccesses = 4;
  int missed = 0;
  for (const SourceTextRow& row : text.rows) {
    const SourceLine* const line = text.executingAt(row.line);
    if (line == nullptr) continue;
    if (row.top >= from - kScrollRounding && row.top + row.height <= to + kScrollRounding) continue;
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

// An access or a condition may go on below: the panel brackets what is on its first line.
void keepWithin(SourceLine& line, int characters) {
  const auto kept = [&](int column, int length) {
    return std::clamp(characters - (column - 1), 0, std::max(0, length));
  };
  for (SourceAccess& access : line.accesses) access.length = kept(access.column, access.length);
  line.branchLength = kept(line.branchColumn, line.branchLength);
}

// The words of an access or a condition: at its bracket, where the view cuts that, and where there is no
// room.
struct Wording {
  std::string whole, cut, brief;
};

Wording wordingOf(const SourceAccess& access, const std::string& line) {
  if (access.value.empty()) return {};
  const std::size_t begin = std::size_t(std::clamp(access.column - 1, 0, int(line.size())));
  const std::string name = line.substr(begin, std::size_t(access.length));
  if (access.writes) return {"becomes " + access.value, name + " becomes " + access.value, access.value};
  return {access.value, name + ": " + access.value, access.value};
}

Wording wordingOf(const SourceLine& line, unsigned block) {
  const std::string words = conditionWords(line, block);
  return {words, words,
          "true in " + std::to_string(line.branchTrue) + " of " + std::to_string(line.branchAll)};
}

int charactersOf(const std::string& text) {
  return int(std::ranges::count_if(text, [](char each) { return (each & 0xC0) != 0x80; }));
}

std::vector<SourceLabel> labelsOf(const SourceLine& line, const std::string& code, unsigned block,
                                  const SourceTextMeasures& measures) {
  std::vector<SourceLabel> labels;
  const float left = measures.scroll, right = measures.scroll + measures.room;
  const auto add = [&](LabelKind kind, std::uint32_t site, int column, int length, const Wording& wording) {
    SourceLabel label{.kind = kind,
                      .site = site,
                      .from = measures.glyph * float(column - 1),
                      .to = measures.glyph * float(column - 1 + length)};
    const auto take = [&](std::string words) {
      label.width = kind != LabelKind::Condition ? measures.glyph * float(charactersOf(words))
                    : measures.wordsWidth        ? measures.wordsWidth(words)
                                                 : 0;
      label.words = std::move(words);
      return label.width <= measures.room;
    };
    const bool cutBefore = label.from<left - kScrollRounding, cutBehind = label.to> right + kScrollRounding;
    const auto pointing = [&](const std::string& words) {
      return cutBefore == cutBehind ? words : cutBefore ? "‹ " + words : words + " ›";
    };
    if (!wording.whole.empty() && !take(pointing(cutBefore == cutBehind ? wording.whole : wording.cut)) &&
        !take(pointing(wording.whole)))
      take(pointing(wording.brief));
    labels.push_back(std::move(label));
  };
  for (const SourceAccess& access : line.accesses)
    add(access.writes ? LabelKind::Written : LabelKind::Read, access.site, access.column, access.length,
        wordingOf(access, code));
  if (goesBothWays(line))
    add(LabelKind::Condition, line.branchSite, line.branchColumn, line.branchLength, wordingOf(line, block));
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

void placeLabels(std::vector<SourceLabel>& labels, float start, float limit, float gap, float view) {
  std::vector<float> taken;  // where the words of each row end
  for (SourceLabel& label : labels) {
    if (label.words.empty()) continue;
    const float from = std::clamp(label.from, view, std::max(view, limit));
    const float to = std::clamp(label.to, view, std::max(view, limit));
    const float middle = std::round((from + to - label.width) / 2), last = limit - label.width;
    for (std::size_t row = 0;; ++row) {
      const float first = row == 0 ? start : view;
      const float wanted = std::max(first, std::min(middle, last));
      const bool isFree = row == taken.size();
      if (isFree) taken.push_back(first - gap);
      const float left = std::max(wanted, taken[row] + gap);
      // The margin's figure, too, may leave no room at the bracket; words of one that is not in view have
      // none.
      const float atBracket = label.to > view ? std::min(middle, last) : wanted;
      const bool fits = left <= last && left <= std::max(atBracket, std::min(to - gap, last));
      if (!fits && (!isFree || first > view)) continue;
      label.left = left;
      label.width = std::min(label.width, std::max(0.0f, limit - left));
      label.row = int(row);
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
  text.width += measures.end;
  // Lines that fit are not scrolled.
  SourceTextMeasures seen = measures;
  seen.scroll = std::clamp(measures.scroll, 0.0f, std::max(0.0f, std::ceil(text.width - measures.room)));
  for (int line = 0; line < int(text.lines.size()); ++line) {
    if (line == text.preambleLines && line > 0) text.height += measures.between;
    SourceTextRow row{.line = line, .top = text.height, .height = measures.lineHeight};
    if (const auto found = text.executing.find(text.numberOf(line)); found != text.executing.end()) {
      SourceLine& executing = found->second;
      const std::string& code = text.lines[std::size_t(line)];
      keepWithin(executing, int(code.size()));
      row.labels = labelsOf(executing, code, block, seen);
      float start = seen.scroll;
      if (!row.labels.empty()) addFigure(row, executing, block, thread);
      if (!row.figure.empty() && measures.wordsWidth) {
        const float width = measures.wordsWidth(row.figure);
        start += std::max(0.0f, std::max(measures.figureLeft, measures.figureEnd - width) + width +
                                    measures.glyph * float(kLabelSpace));
      }
      placeLabels(row.labels, start, seen.scroll + seen.room, measures.glyph * float(kLabelSpace),
                  seen.scroll);
      if (!row.labels.empty())
        row.height += measures.labelHeight + measures.furtherLabelHeight * float(furtherRows(row.labels));
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
    if (row.top < from - kScrollRounding)
      ++outside.above;
    else if (row.top + row.height > to + kScrollRounding)
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

float scrollToSite(const SourceText& text, float room, std::uint32_t site, float scroll) {
  for (const SourceTextRow& row : text.rows)
    for (const SourceLabel& label : row.labels) {
      if (label.site != site) continue;
      if (label.to > scroll + room) scroll = std::ceil(label.to + kBesideBracket - room);
      if (label.from < scroll) scroll = std::max(0.0f, std::floor(label.from - kBesideBracket));
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
