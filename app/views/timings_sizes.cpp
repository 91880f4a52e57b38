// By size, time or GB/s against n; and by block size. Both axes are logarithmic.
#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "views/timings_legend.h"
#include "views/timings_published.h"
#include "views/timings_tabs.h"

namespace stridescope {
namespace {

constexpr double kRoom = 1.35;    // beside what is shown
constexpr float kLegendGap = 10;  // units
constexpr float kBothFrom = 420;  // units: time above, GB/s below it

struct Extent {
  double least = 1e30, most = 0;
  void take(double value) { least = std::min(least, value), most = std::max(most, value); }
  void take(const std::vector<double>& values) {
    for (const double value : values) take(value);
  }
  bool empty() const { return most <= 0; }
};

// What one of these plots shows of each line, and how.
struct CurvePlot {
  const char* name;
  const char* title;
  TimingsTab tab;
  AxisKind xKind, yKind;
  AxisRange *x, *y;
  TimingCurve TimingLine::*curve;
  std::vector<double> TimingCurve::*values;
};

const std::vector<double>& valuesOf(const CurvePlot& plot, const TimingLine& line) {
  return (line.*plot.curve).*plot.values;
}
bool showsRates(const CurvePlot& plot) { return plot.yKind == AxisKind::GigabytesPerSecond; }
bool isBySize(const CurvePlot& plot) { return plot.tab == TimingsTab::BySize; }

double gigabytes(std::uint64_t elements, double microseconds) {
  return double(elements) * sizeof(int) / microseconds / 1e3;
}

// Only ints and + were published.
bool showsPublished(const TimingsScene& scene) {
  const TimingFilter& filter = scene.picture().filter;
  return scene.state.published && filter.op == Operator::Add && filter.type == ElementType::Int;
}

void takePublished(const CurvePlot& spec, Extent& x, Extent& y) {
  for (const PublishedTimes& published : publishedTimes()) {
    x.take(double(published.elements));
    for (const PublishedTime& time : published.times)
      y.take(showsRates(spec) ? gigabytes(published.elements, time.microseconds) : time.microseconds);
  }
}

// Outlined in the dim colour: nobody measured them here.
void drawPublished(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  const LineLook look{.colour = scene.view.colours().dim, .filled = false};
  for (const PublishedTimes& published : publishedTimes()) {
    LineLook own = look;
    own.mark = published.mark;
    const double x = double(published.elements);
    Extent ends;
    for (const PublishedTime& time : published.times) {
      const double y =
          showsRates(spec) ? gigabytes(published.elements, time.microseconds) : time.microseconds;
      plot.mark(x, y, own);
      ends.take(y);
    }
    if (ends.most > ends.least) plot.dashed(x, ends.least, x, ends.most, withAlpha(own.colour, 0.5f));
    plot.text(x, showsRates(spec) ? ends.least : ends.most, labelOf(published), own.colour);
  }
}

void drawCeiling(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  const double ceiling = scene.picture().readCeiling;
  if (ceiling <= 0 || !isBySize(spec)) return;
  const double bytes = bytesOf(scene.picture().filter.type);
  const auto at = [&](double elements) {
    return showsRates(spec) ? ceiling : elements * bytes / ceiling / 1e3;
  };
  const double left = spec.x->least, right = spec.x->most;
  plot.dashed(left, at(left), right, at(right), scene.view.colours().text);
  plot.text(std::sqrt(left * std::sqrt(left * right)), at(std::sqrt(left * std::sqrt(left * right))),
            "reads " + gigabytesText(ceiling) + " GB/s", scene.view.colours().text);
}

void drawCrossover(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  const auto& crossover = scene.picture().crossover;
  if (!crossover || !isBySize(spec)) return;
  const double bytes = bytesOf(scene.picture().filter.type);
  const double y = showsRates(spec) ? crossover->elements * bytes / crossover->microseconds / 1e3
                                    : crossover->microseconds;
  const ImVec2 point = plot.at(crossover->elements, y);
  plot.clip();
  plot.list().AddCircle(point, scene.view.px(9), scene.view.colours().text, 0, scene.view.px(2));
  plot.unclip();
  plot.text(crossover->elements, y, "the GPU is ahead from " + elementsAtText(crossover->elements),
            scene.view.colours().text);
}

std::vector<LegendEntry> entriesOf(const TimingsScene& scene, const CurvePlot& spec, const TimingsPlot& plot,
                                   std::optional<double> cursor) {
  std::vector<LegendEntry> entries;
  for (const TimingLine& line : scene.picture().lines) {
    const auto& at = (line.*spec.curve).at;
    const auto& values = valuesOf(spec, line);
    if (at.empty()) continue;
    const std::optional<double> value = cursor ? valueAt(at, values, *cursor) : values.back();
    LegendEntry entry{&line, "–", {}};
    if (value) {
      entry.value = showsRates(spec) ? gigabytesText(*value) : microsecondsText(*value);
      const float y = plot.at(at.back(), *value).y;
      if (y >= plot.min().y - 1 && y <= plot.max().y + 1) entry.height = y;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

PlotAxis axisOf(AxisKind kind, AxisRange* range, Extent extent, double room) {
  if (extent.empty()) extent = {1, 10};
  if (extent.least == extent.most) room = 2;
  return {.kind = kind, .range = range, .least = extent.least / room, .most = extent.most * room};
}

// Draws one plot in [min, max] and gives the labels of its lines.
std::vector<LegendEntry> drawCurves(TimingsScene& scene, const CurvePlot& spec, ImVec2 min, ImVec2 max,
                                    std::optional<double>& cursor) {
  Extent x, y;
  const auto lines = shownLines(scene.view, scene.state, spec.tab);
  for (const TimingLine* line : lines) {
    x.take((line->*spec.curve).at);
    y.take(valuesOf(spec, *line));
  }
  const bool published = isBySize(spec) && showsPublished(scene);
  if (published) takePublished(spec, x, y);
  TimingsPlot plot(scene.view, scene.list, spec.name, spec.title, min, max,
                   axisOf(spec.xKind, spec.x, x, 1.15), axisOf(spec.yKind, spec.y, y, kRoom));
  if (!plot) return {};
  drawCeiling(scene, spec, plot);
  if (published) drawPublished(scene, spec, plot);
  for (const TimingLine* line : lines) {
    const LineLook look = lookOf(scene.view, scene.state, *line);
    const auto& at = (line->*spec.curve).at;
    if (at.size() > 1) plot.line(line->key, look, at, valuesOf(spec, *line));
    plot.marks(look, at, valuesOf(spec, *line));
  }
  drawCrossover(scene, spec, plot);
  if (plot.pointer()) cursor = plot.pointer();
  if (cursor) plot.cursor(*cursor);
  scene.menuWanted = scene.menuWanted || plot.clickedRight();
  return entriesOf(scene, spec, plot, cursor);
}

CurvePlot sizesPlot(TimingsState& state, bool rates) {
  return {.name = rates ? "rate by size" : "time by size",
          .title = rates ? "GB/s of the input, by n" : "time per reduction, by n",
          .tab = TimingsTab::BySize,
          .xKind = AxisKind::Elements,
          .yKind = rates ? AxisKind::GigabytesPerSecond : AxisKind::LogMicroseconds,
          .x = &state.sizeX,  // the same for both: they are zoomed together
          .y = rates ? &state.sizeRate : &state.sizeTime,
          .curve = &TimingLine::bySize,
          .values = rates ? &TimingCurve::gigabytes : &TimingCurve::microseconds};
}

}  // namespace

void drawSizesTab(TimingsScene& scene) {
  const LegendRoom room = legendRoom(scene.view, scene.state, scene.max.x - scene.min.x);
  const float legendLeft = scene.max.x - room.width, right = legendLeft - scene.view.px(kLegendGap);
  const float height = scene.max.y - scene.min.y;
  std::optional<double> cursor;
  std::vector<LegendEntry> entries;
  if (height >= scene.view.px(kBothFrom)) {
    const float middle = std::round(scene.min.y + height * 0.55f);
    const float gap = scene.view.px(8);
    entries = drawCurves(scene, sizesPlot(scene.state, false), scene.min, {right, middle - gap}, cursor);
    drawCurves(scene, sizesPlot(scene.state, true), {scene.min.x, middle + gap}, {right, scene.max.y},
               cursor);
  } else {
    entries = drawCurves(scene, sizesPlot(scene.state, scene.state.gigabytes), scene.min,
                         {right, scene.max.y}, cursor);
  }
  drawLegend(scene.view, scene.state, room, std::move(entries), {legendLeft, scene.min.y}, scene.max);
}

void drawBlocksTab(TimingsScene& scene) {
  const bool any = std::ranges::any_of(scene.picture().lines,
                                       [](const TimingLine& line) { return !line.byBlock.at.empty(); });
  if (!any)
    return drawNothing(scene,
                       scene.view.session.canTimeOnGpu()
                           ? "Block sizes were not timed yet. \"Time all blocks\" takes 32 to 1024 threads."
                           : "Only a GPU has block sizes, and no recording here holds times of them.");
  const LegendRoom room = legendRoom(scene.view, scene.state, scene.max.x - scene.min.x);
  const float legendLeft = scene.max.x - room.width, right = legendLeft - scene.view.px(kLegendGap);
  const std::string title = "time per reduction of " + elementsAtText(double(scene.picture().blockElements)) +
                            ", by threads of a block";
  const CurvePlot spec{.name = "time by block",
                       .title = title.c_str(),
                       .tab = TimingsTab::ByBlock,
                       .xKind = AxisKind::BlockThreads,
                       .yKind = AxisKind::LogMicroseconds,
                       .x = &scene.state.blockX,
                       .y = &scene.state.blockTime,
                       .curve = &TimingLine::byBlock,
                       .values = &TimingCurve::microseconds};
  std::optional<double> cursor;
  auto entries = drawCurves(scene, spec, scene.min, {right, scene.max.y}, cursor);
  drawLegend(scene.view, scene.state, room, std::move(entries), {legendLeft, scene.min.y}, scene.max);
}

}  // namespace stridescope
