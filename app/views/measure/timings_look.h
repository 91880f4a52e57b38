// How a line of the Timings panel looks, the same in every plot.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/marks.h"
#include "views/shared/timings_data.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// What a person chose in the Timings panel, and what is kept between its frames.

enum class TimingsTab { Live, Ladder, BySize, ByBlock };

// What an axis shows. As long as it follows, the plot sets it to what there is to see.
struct AxisRange {
  double least = 0, most = 1;
  bool follows = true;
};

// Where the labels of a plot's lines stand: while the pointer or the keyboard is among them none moves,
// whatever is checked.
struct LegendOrder {
  TimingsTab tab{};
  std::vector<std::string> keys;  // the lines', from above
  std::vector<float> tops;        // those of labels that stand beside their lines' ends
  bool hasKeys = false;           // the keyboard's frame was on one in the frame before
};

struct TimingsState {
  TimingsTab tab = TimingsTab::Ladder;  // worth a look before anything is timed
  bool gigabytes = false;               // By size: GB/s in place of time
  bool byTime = false;                  // Ladder: the fastest first
  bool published = true;                // times that others printed
  bool recordedBesideLive = false;      // recorded times of what is measured here, too
  bool logarithmic = false;             // Live and By block; else it is chosen by what there is to see
  AxisRange liveX, liveTime, sizeX, sizeTime, sizeRate, blockX, blockTime;
  std::set<std::string> toggled;  // lines whose check mark is other than by itself (standingOf)
  LegendOrder legend;
  bool isKept = false;    // the settings have been read, and follow
  std::string keptTab;    // as they had it then
  std::string pointedAt;  // the key of the line whose label is under the pointer

  void fit() {
    for (AxisRange* range : {&liveX, &liveTime, &sizeX, &sizeTime, &sizeRate, &blockX, &blockTime})
      range->follows = true;
  }
};

// How a line stands in a plot. By itself the chosen variant, the one that it is taught after, and CUB are in
// colour, and without a GPU what is measured here; the others are grey. In Live the CPU's lines are not drawn
// where there are the GPU's, which they would press to the ground.
enum class LineStanding { Coloured, Grey, Absent };
inline std::string toggleKey(TimingsTab tab, const TimingLine& line) {
  return (tab == TimingsTab::Live ? "live " : "") + line.key;
}
LineStanding standingOf(const TimingsPicture& picture, const TimingsState& state, TimingsTab tab,
                        const TimingLine& line, std::string_view chosenVariant);

// A recorded line that steps back for the live one of the same subject: it has no label either.
bool isMeasuredHereToo(const TimingsPicture& picture, const TimingsState& state, const TimingLine& line);

struct LineLook {
  ImU32 colour = 0;
  draw::PlotMark mark = draw::PlotMark::Circle;
  float widthPx = 2;
  bool selected = false;  // the variant that the window shows: orange, thicker, drawn last
  bool filled = true;     // false: recorded, not measured now
  bool grey = false;      // behind the others, with small marks
};
LineLook lookOf(const ViewContext& view, const TimingsState& state, const TimingLine& line,
                LineStanding standing = LineStanding::Coloured);
LineStanding standingOf(const ViewContext& view, const TimingsState& state, TimingsTab tab,
                        const TimingLine& line);

// The lines that a tab draws: grey ones, those in colour, and the chosen variant's last.
std::vector<const TimingLine*> shownLines(const ViewContext& view, const TimingsState& state, TimingsTab tab);

// The name on a label; a variant's begins with the number of the Ladder panel.
enum class NameLength {
  Full,    // "7 several elements per thread", "CUB DeviceReduce"
  Short,   // "7 several elements", "CUB"
  Number,  // "7"; baselines as in Short
};
std::string nameOf(const TimingLine& line, NameLength length = NameLength::Full);

// Where a line's subject ran: "NVIDIA H200", "2 × NVIDIA H200".
std::string deviceOf(const measure::TimingSeries& series);

// What a baseline's time holds that others' does not; empty: nothing.
std::string whatElseIsTimed(const model::TimingSubject& subject);

// Where a line's times come from: "measured here on NVIDIA H100", or "recorded on ..., not live".
std::string originOf(const TimingLine& line);

// The labels of a plot's lines at its right: check box, mark, value, name. A click brings the line into
// colour, or takes it out.

inline constexpr float kNoHeight = 1e9f;     // a line's without a value: below all others
inline constexpr float kPlotLegendGap = 10;  // units, between the plot and the labels
inline constexpr float kPlotMarkRadius = 5;  // units, in the plot and in the labels

enum class LegendUnit { Time, Rate };

struct LegendEntry {
  const TimingLine* line = nullptr;
  std::string value;         // with its unit: at the cursor, else the last
  float height = kNoHeight;  // where the line ends, pixels of the screen; may lie outside of the plot
};

struct LegendRoom {
  float width = 0;                      // pixels, for the labels
  float valueWidth = 0;                 // the part of it for the values
  NameLength names = NameLength::Full;  // as long as the plot keeps the greater part
};
LegendRoom legendRoom(const ViewContext& view, float available, LegendUnit unit);

// Beside their lines' ends where they fit below one another, else a list that scrolls, with those in colour
// first. `heading` says above them what the values are at. Notes in `state` which label the pointer is on.
void drawLegend(ViewContext& view, TimingsState& state, const LegendRoom& room, const std::string& heading,
                std::vector<LegendEntry> entries, ImVec2 min, ImVec2 max);

// The upper edges of labels of `line` pixels each that shall stand round `middles` (ascending), pushed apart
// and kept within [top, bottom], which has room for all.
std::vector<float> pushedApart(const std::vector<float>& middles, float line, float top, float bottom);

// Times that others printed, to set beside what is measured here.

struct PublishedTime {
  std::string_view subject;  // a variant's id, or a baseline's of the CPU
  double microseconds = 0;   // the whole reduction
};

// One card's, or one machine's, all at one size.
struct PublishedTimes {
  std::string_view device;
  unsigned year = 0;  // in which the device came out
  std::string_view source;
  std::uint64_t elements = 0;  // 32-bit integers
  bool onCpu = false;
  draw::PlotMark mark = draw::PlotMark::Diamond;
  std::span<const PublishedTime> times{};
};

std::span<const PublishedTimes> publishedTimes();

// "Tesla C2070, 2010"
std::string labelOf(const PublishedTimes& published);

// A subject's time over that of the same card's first one; 0: either was not printed.
double shareOfFirst(const PublishedTimes& published, std::string_view subject);

}  // namespace stridescope::views
