// What a person chose in the Timings panel, and what is kept between its frames.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "views/shared/timings_data.h"

namespace stridescope::views {

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

}  // namespace stridescope::views
