// Live: time per reduction over time. Each variant has a line, and a band from the 10th to the 90th
// percentile.
#include <algorithm>
#include <cmath>

#include "base/numbers.h"
#include "views/measure/timings_legend.h"
#include "views/measure/timings_tabs.h"

namespace stridescope::views {
namespace {

constexpr double kLinearUpTo = 30;  // greatest over least of what is shown; beyond it the axis is logarithmic
constexpr double kRoomAbove = 1.15, kRoomBeside = 1.25;
constexpr float kLegendGap = 10;  // units

struct Extent {
  double least = 1e30, most = 0;
  void take(double value) { least = std::min(least, value), most = std::max(most, value); }
  bool empty() const { return most <= 0; }
};

// Recorded medians are set beside live lines where they are of the same type, operator and size.
bool isComparable(const TimingsPicture& picture, const TimingLine& line) {
  if (!line.recorded || line.rung == nullptr) return false;
  if (!picture.hasLive) return true;
  const model::TimingCase &recorded = line.rung->timingCase, &live = picture.snapshot->timingCase;
  return recorded.type == live.type && recorded.op == live.op && recorded.elements == live.elements;
}

Extent extentOf(const TimingsScene& scene) {
  Extent extent;
  const double begin = scene.picture().newestSeconds - scene.picture().liveSpan;
  for (const TimingLine* line : shownLines(scene.view, scene.state, TimingsTab::Live)) {
    for (std::size_t i = 0; i < line->live.seconds.size(); ++i)
      if (line->live.seconds[i] >= begin) extent.take(line->live.median[i]);
    if (isComparable(scene.picture(), *line)) extent.take(line->rung->time.median);
  }
  return extent;
}

PlotAxis timeAxis(TimingsScene& scene, const Extent& extent) {
  PlotAxis axis{.kind = AxisKind::Microseconds, .range = &scene.state.liveTime, .lowest = 0};
  const bool logarithmic = scene.state.logarithmic || extent.most > extent.least * kLinearUpTo;
  axis.most = extent.most * kRoomAbove;
  axis.least = 0;
  if (!logarithmic) return axis;
  axis.kind = AxisKind::LogMicroseconds;
  axis.lowest = 1e-3;
  axis.least = extent.least / kRoomBeside;
  axis.most = extent.most * kRoomBeside;
  axis.range->least = std::max(axis.range->least, axis.lowest);  // it may have been linear, from 0
  return axis;
}

// The bucket next to x.
std::size_t nearest(const std::vector<double>& at, double x) {
  const auto above = std::ranges::lower_bound(at, x);
  auto place = std::size_t(above - at.begin());
  if (place == at.size() || (place > 0 && x - at[place - 1] < at[place] - x)) --place;
  return place;
}

std::vector<LegendEntry> entriesOf(const TimingsScene& scene, const TimingsPlot& plot) {
  std::vector<LegendEntry> entries;
  for (const TimingLine& line : scene.picture().lines) {
    std::optional<double> value;
    if (isComparable(scene.picture(), line)) value = line.rung->time.median;
    if (!line.live.seconds.empty())
      value = line.live.median[plot.pointer() ? nearest(line.live.seconds, *plot.pointer())
                                              : line.live.median.size() - 1];
    if (!value) continue;
    entries.push_back({&line, timeText(*value), plot.at(0, *value).y});
  }
  return entries;
}

void drawLines(const TimingsScene& scene, TimingsPlot& plot) {
  for (const TimingLine* line : shownLines(scene.view, scene.state, TimingsTab::Live)) {
    const LineLook look = lookOf(scene.view, scene.state, *line);
    const LiveLine& live = line->live;
    if (!live.seconds.empty()) {
      plot.band(line->key, look, live.seconds, live.low, live.high);
      plot.line(line->key, look, live.seconds, live.median);
      plot.mark(live.seconds.back(), live.median.back(), look);
    } else if (isComparable(scene.picture(), *line)) {
      plot.mark(scene.state.liveX.most, line->rung->time.median, look);
    }
  }
}

}  // namespace

void drawLiveTab(TimingsScene& scene) {
  const Extent extent = extentOf(scene);
  if (extent.empty() && scene.picture().lines.empty()) return drawNothing(scene, "Nothing was sampled yet.");
  const double newest = scene.picture().newestSeconds;
  const PlotAxis seconds{.kind = AxisKind::Ago,
                         .range = &scene.state.liveX,
                         .least = newest - scene.picture().liveSpan,
                         .most = newest,
                         .lowest = -1e6};
  const Extent safe = extent.empty() ? Extent{1, 10} : extent;
  const PlotAxis time = timeAxis(scene, safe);
  const LegendRoom room = legendRoom(scene.view, scene.max.x - scene.min.x, LegendUnit::Time);
  const float legendLeft = scene.max.x - room.width, gap = scene.view.px(kLegendGap);
  const char* title = time.kind == AxisKind::Microseconds ? "µs per reduction, seconds ago"
                                                          : "time per reduction, seconds ago";
  std::vector<LegendEntry> entries;
  ImVec2 areaMax = scene.max;
  {
    TimingsPlot plot(scene.view, scene.list, "live plot", title, scene.min, {legendLeft - gap, scene.max.y},
                     seconds, time, newest);
    if (!plot) return;
    drawLines(scene, plot);
    if (plot.pointer()) plot.cursor(*plot.pointer());
    entries = entriesOf(scene, plot);
    scene.menuWanted = scene.menuWanted || plot.clickedRight();
    areaMax = plot.max();
  }
  drawLegend(scene.view, scene.state, room, std::move(entries), {legendLeft, scene.min.y},
             {scene.max.x, scene.max.y});
}

}  // namespace stridescope::views
