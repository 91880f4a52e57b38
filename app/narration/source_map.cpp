#include <fmt/format.h>

#include <map>
#include <string>

#include "base/plain_text.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

constexpr std::size_t kGutter = 6;  // "> 12  "
constexpr std::string_view kEllipsis = "\u2026";

// What a round did at a site, for its mark: reads and writes told apart, everything else executes.
char markOf(model::EventKind kind) {
  switch (kind) {
    case model::EventKind::Load:
      return 'r';
    case model::EventKind::Store:
      return 'w';
    case model::EventKind::Atomic:
      return 'a';
    case model::EventKind::Shuffle:
    case model::EventKind::Vote:
    case model::EventKind::WarpReduce:
      return '~';
    default:
      return 0;
  }
}

struct LineMarks {
  bool executes = false;
  std::string marks;  // under the line; 'r' wins where a site is both read and written

  void put(const model::Site& site, char mark) {
    executes = true;
    if (mark == 0 || site.column < 1 || site.length < 1) return;
    const std::size_t from = std::size_t(site.column) - 1, end = from + std::size_t(site.length);
    if (marks.size() < end) marks.resize(end, ' ');
    for (std::size_t i = from; i < end; ++i)
      if (marks[i] == ' ' || mark == 'r') marks[i] = mark;
  }
};

// At most `columns` characters of the line; what is cut leaves an ellipsis.
std::string fitted(std::string_view line, std::size_t columns) {
  if (charactersIn(line) <= columns) return std::string(line);
  return std::string(firstCharacters(line, columns - 1)) + std::string(kEllipsis);
}

// Lines and their marks in at most `columns` columns.
std::string sourceWithin(const RoundAt& at, std::size_t columns) {
  std::map<int, LineMarks> byLine;
  for (const analysis::WarpOperation& operation : at.round().operations) {
    if (operation.site >= at.trace.sites.size()) continue;
    const model::Site& site = at.trace.sites[operation.site];
    byLine[site.line].put(site, markOf(operation.kind));
  }

  std::string text;
  std::string_view rest = at.trace.kernelText;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const LineMarks marks = byLine.contains(number) ? byLine[number] : LineMarks{};
    std::string row = fmt::format("{} {:>2}  {}", marks.executes ? '>' : ' ', number,
                                  fitted(printable(line, Lines::Many), columns - kGutter));
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
    if (!marks.marks.empty())
      text += fmt::format("{:>{}}{}\n", "", kGutter, marks.marks.substr(0, columns - kGutter));
  }
  return text;
}

}  // namespace

std::string sourceMap(const RoundAt& at) { return sourceWithin(at, kTextColumns); }

std::string wholeSourceMap(const RoundAt& at) { return sourceWithin(at, std::string::npos); }

}  // namespace stridescope::narration
