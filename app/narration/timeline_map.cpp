#include "narration/timeline_map.h"

#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "narration/text_maps.h"
#include "narration/timeline_sentence.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

constexpr std::size_t kLabelColumns = 12, kMaxRows = 24;

std::string padded(std::string text, std::size_t columns) {
  const std::size_t length = charactersIn(text);
  return length < columns ? text + std::string(columns - length, ' ') : text;
}

char digitOf(double share) {
  if (share <= 0) return '.';
  const int tenths = int(std::ceil(share * 10 - 1e-9));
  return tenths >= 10 ? '#' : char('0' + std::max(1, tenths));
}

std::string lineOf(const std::string& name, const analysis::TimeSpan& span) {
  return padded(name, 28) + timeText(double(span.begin) / 1e3) + " to " + timeText(double(span.end) / 1e3) +
         ", " + timeText(double(span.length()) / 1e3) + "\n";
}

}  // namespace

std::string timelineMap(const analysis::GridTimeline& timeline) {
  constexpr std::size_t kColumns = kTextColumns - kLabelColumns;
  const std::size_t perRow = (timeline.rows.size() + kMaxRows - 1) / kMaxRows;
  std::string text = padded("SM", kLabelColumns) + "0 to " + timeText(double(timeline.nanoseconds) / 1e3) +
                     ": tenths of the places that are filled\n";
  for (std::size_t first = 0; first < timeline.rows.size(); first += perRow) {
    const std::size_t last = std::min(first + perRow, timeline.rows.size()) - 1;
    text += padded(first == last ? figure(first) : figure(first) + "-" + figure(last), kLabelColumns);
    for (std::size_t column = 0; column < kColumns; ++column) {
      const analysis::TimeSpan span{timeline.nanoseconds * column / kColumns,
                                    timeline.nanoseconds * (column + 1) / kColumns};
      double resident = 0;
      for (std::size_t row = first; row <= last; ++row)
        resident += timeline.rows[row].residency.average(span);
      text += digitOf(timeline.slots == 0 ? 0 : resident / double(last - first + 1) / timeline.slots);
    }
    text += "\n";
  }
  text += "\n";
  for (std::size_t gap = 0; gap < timeline.gaps.size(); ++gap) {
    if (timeline.gaps[gap].length() > 0) text += lineOf(gapName(timeline, gap), timeline.gaps[gap]);
    if (gap < timeline.launches.size())
      text += lineOf("launch " + figure(gap + 1), timeline.launches[gap].time);
  }
  return text;
}

}  // namespace stridescope::narration
