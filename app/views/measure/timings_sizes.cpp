// By size, time or GB/s against n; and by block size. Both axes are logarithmic.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "base/numbers.h"
#include "draw/marks.h"
#include "kernels/catalog.h"
#include "narration/why_sentences.h"
#include "views/measure/timings_controls.h"
#include "views/measure/timings_look.h"

namespace stridescope::views {
namespace {

constexpr double kRoom = 1.35;  // beside what is shown
constexpr float kPointRadius = 6;
constexpr float kBothFrom = 420;  // units: time above, GB/s below it

// What one of these plots shows of each line, and how.
struct CurvePlot {
  const char* name;
  const char* title;
  TimingsTab tab;
  AxisKind xKind, yKind;
  AxisRange *x, *y;
  TimingCurve TimingLine::*curve;
  std::vector<double> TimingCurve::*values;
  double chosen;  // x of what the window shows
};

const std::vector<double>& valuesOf(const CurvePlot& plot, const TimingLine& line) {
  return (line.*plot.curve).*plot.values;
}
bool showsRates(const CurvePlot& plot) { return plot.yKind == AxisKind::GigabytesPerSecond; }
bool isBySize(const CurvePlot& plot) { return plot.tab == TimingsTab::BySize; }

double gigabytes(std::uint64_t elements, double microseconds) {
  return double(elements) * sizeof(int) / microseconds / 1e3;
}

bool isNear(ImVec2 point, float radius) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return std::hypot(mouse.x - point.x, mouse.y - point.y) <= radius && ImGui::IsWindowHovered();
}

void tellPublished(const ViewContext& view, const PublishedTimes& published, const PublishedTime& time) {
  wideTooltip(view,
              labelOf(published) + ": " + timeText(time.microseconds) +
                  (kernels::familyOf(time.subject) ? ", " + kernels::titleOf(time.subject) : ", OpenMP") +
                  "\nNot measured here. " + std::string(published.source));
}

// Calls draw(published, time, x, y) with each that was printed.
template <class Draw>
void eachPublished(const CurvePlot& spec, Draw draw) {
  for (const PublishedTimes& published : publishedTimes())
    for (const PublishedTime& time : published.times)
      draw(published, time, double(published.elements),
           showsRates(spec) ? gigabytes(published.elements, time.microseconds) : time.microseconds);
}

// Outlined in the dim colour: nobody measured them here.
void drawPublished(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  LineLook look{.colour = scene.view.colours().dim, .filled = false};
  std::map<const PublishedTimes*, Extent> ends;
  eachPublished(spec, [&](const PublishedTimes& published, const PublishedTime& time, double x, double y) {
    look.mark = published.mark;
    plot.mark(x, y, look);
    ends[&published].take(y);
    if (isNear(plot.at(x, y), scene.view.px(kPointRadius))) tellPublished(scene.view, published, time);
  });
  for (const auto& [published, end] : ends) {
    const double x = double(published->elements);
    if (end.most > end.least) plot.dashed(x, end.least, x, end.most, draw::withAlpha(look.colour, 0.5f));
  }
}

void drawCeiling(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  const double ceiling = scene.picture().readCeiling;
  if (ceiling <= 0 || !isBySize(spec)) return;
  const double bytes = model::bytesOf(scene.picture().filter.type);
  const auto at = [&](double elements) {
    return showsRates(spec) ? ceiling : elements * bytes / ceiling / 1e3;
  };
  const double left = spec.x->least, right = spec.x->most;
  plot.dashed(left, at(left), right, at(right), scene.view.colours().text);
  const ImU32 colour = scene.view.colours().text;
  const std::string figure = gigabytesText(ceiling) + " GB/s";
  const std::array labels{"peak read bandwidth (measured): " + figure, "peak read bandwidth: " + figure,
                          "peak: " + figure};
  // Under the line of times there is a corner that no reduction reaches.
  const double corner = spec.y->least * std::pow(spec.y->most / spec.y->least, 0.08);
  const auto isInCorner = [&](const std::string& label) {
    return plot.text(right / 1.01, corner, label, colour, TimingsPlot::Lead::None);
  };
  if (!showsRates(spec) && std::ranges::any_of(labels, isInCorner)) return;
  // Else somewhere else, with a line to it.
  const double lowest = showsRates(spec) ? left : std::max(left, spec.y->least * 1e3 * ceiling / bytes);
  for (const std::string& label : labels)
    for (const double share : {0.15, 0.3, 0.5}) {
      const double x = lowest * std::pow(right / lowest, share);
      if (plot.text(x, at(x), label, colour)) return;
    }
}

void drawCrossover(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot) {
  const auto& crossover = scene.picture().crossover;
  if (!crossover || !isBySize(spec)) return;
  const double bytes = model::bytesOf(scene.picture().filter.type);
  const double y = showsRates(spec) ? crossover->elements * bytes / crossover->microseconds / 1e3
                                    : crossover->microseconds;
  const ImVec2 point = plot.at(crossover->elements, y);
  plot.clip();
  plot.list().AddCircle(point, scene.view.px(9), scene.view.colours().text, 0, scene.view.px(2));
  plot.unclip();
  plot.text(crossover->elements, y, crossover->ahead + " ahead from " + elementsAtText(crossover->elements),
            scene.view.colours().text);
}

// Draws a tick with a foot to the left where a grid that does nothing stops taking half as long as a line's
// variant, and one with a foot to the right where reading the input once begins to. The chosen variant's
// ticks are named; each tick has a tooltip. Lines that are grey have none.
void drawBounds(const TimingsScene& scene, const CurvePlot& spec, TimingsPlot& plot, const TimingLine& line) {
  const auto& at = (line.*spec.curve).at;
  const LineStanding standing = standingOf(scene.view, scene.state, spec.tab, line);
  if (standing != LineStanding::Coloured) return;
  const LineLook look = lookOf(scene.view, scene.state, line, standing);
  const bool chosen = line.series->subject.id == scene.view.workspace.experiment().variant;
  const auto tick = [&](const std::optional<double>& elements, float foot, const char* name) {
    const auto value = elements ? valueAt(at, valuesOf(spec, line), *elements) : std::nullopt;
    if (!value) return;
    const ImVec2 point = plot.at(*elements, *value);
    const float length = scene.view.px(chosen ? 8 : 5), width = scene.view.px(chosen ? 2 : 1);
    plot.clip();
    plot.list().AddLine({point.x, point.y - length}, {point.x, point.y + length}, look.colour, width);
    plot.list().AddLine({point.x, point.y + length}, {point.x + foot * length, point.y + length}, look.colour,
                        width);
    plot.unclip();
    if (chosen) plot.text(*elements, *value, std::string(name) + elementsAtText(*elements), look.colour);
    if (isNear(point, scene.view.px(kPointRadius)))
      wideTooltip(scene.view, line.series->label + ": " + narration::boundsSentence(line.bounds) +
                                  "\nBoth are bounds, which overlap: neither says what the time is due to.");
  };
  tick(line.bounds.emptyGridUntil, -1, "empty grid half as long until ");
  tick(line.bounds.memoryFrom, +1, "memory half as long from ");
}

// The place with measured points that lies next to x: between such places nothing is known.
std::optional<double> measuredNear(const CurvePlot& spec, const std::vector<const TimingLine*>& lines,
                                   double x) {
  std::optional<double> nearest;
  const auto distance = [x](double place) { return std::abs(std::log(place / x)); };
  for (const TimingLine* line : lines)
    for (const double place : (line->*spec.curve).at)
      if (!nearest || distance(place) < distance(*nearest)) nearest = place;
  return nearest;
}

std::optional<double> valueOf(const std::vector<double>& at, const std::vector<double>& values, double x) {
  const auto found = std::ranges::find(at, x);
  if (found == at.end()) return std::nullopt;
  return values[std::size_t(found - at.begin())];
}

std::vector<LegendEntry> entriesOf(const TimingsScene& scene, const CurvePlot& spec, const TimingsPlot& plot,
                                   std::optional<double> cursor) {
  std::vector<LegendEntry> entries;
  for (const TimingLine& line : scene.picture().lines) {
    const auto& at = (line.*spec.curve).at;
    const auto& values = valuesOf(spec, line);
    if (at.empty()) continue;
    const std::optional<double> value = cursor ? valueOf(at, values, *cursor) : values.back();
    LegendEntry entry{&line, "–"};
    if (value) {
      entry.value = showsRates(spec) ? gigabytesText(*value) + " GB/s" : timeText(*value);
      entry.height = plot.at(at.back(), *value).y;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

// The place next to what the window shows where every line has a value, but for recorded ones of what is
// measured here, too; nullopt: there is none.
std::optional<double> chosenPlace(const TimingsScene& scene, const CurvePlot& spec) {
  std::optional<std::vector<double>> all;
  for (const TimingLine& line : scene.picture().lines) {
    const auto& at = (line.*spec.curve).at;
    if (at.empty() || isMeasuredHereToo(scene.picture(), scene.state, line)) continue;
    if (!all) all = at;
    std::erase_if(*all, [&](double place) { return !std::ranges::binary_search(at, place); });
  }
  if (!all || all->empty()) return std::nullopt;
  const auto distance = [&](double place) { return std::abs(std::log(place / spec.chosen)); };
  return *std::ranges::min_element(*all, {}, distance);
}

// What the labels' values are at: the cursor, else where the lines end.
std::string headingOf(const TimingsScene& scene, TimingCurve TimingLine::*curve, std::optional<double> cursor,
                      std::string (*at)(double), const std::string& quantity) {
  if (cursor) return at(*cursor);
  std::set<double> ends;
  for (const TimingLine& line : scene.picture().lines)
    if (!(line.*curve).at.empty() && !isMeasuredHereToo(scene.picture(), scene.state, line))
      ends.insert((line.*curve).at.back());
  return ends.size() == 1 ? at(*ends.begin()) : "at each line's last " + quantity;
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
    for (const double value : (line->*spec.curve).at) x.take(value);
    for (const double value : valuesOf(spec, *line)) y.take(value);
  }
  const bool published = isBySize(spec) && showsPublished(scene);
  if (published)
    eachPublished(spec, [&](const PublishedTimes&, const PublishedTime&, double atX, double atY) {
      x.take(atX);
      y.take(atY);
    });
  TimingsPlot plot(scene.view, scene.list, spec.name, spec.title, min, max,
                   axisOf(spec.xKind, spec.x, x, 1.15), axisOf(spec.yKind, spec.y, y, kRoom));
  if (!plot) return {};
  for (const TimingLine* line : lines) {
    const LineLook look =
        lookOf(scene.view, scene.state, *line, standingOf(scene.view, scene.state, spec.tab, *line));
    const auto& at = (line->*spec.curve).at;
    if (at.size() > 1) plot.line(line->key, look, at, valuesOf(spec, *line));
    plot.marks(look, at, valuesOf(spec, *line));
  }
  if (published) drawPublished(scene, spec, plot);
  const std::optional<double> chosen = chosenPlace(scene, spec);
  drawCeiling(scene, spec, plot);  // its label may interrupt the cursor's line
  if (chosen) plot.reserve(*chosen);
  drawCrossover(scene, spec, plot);
  if (isBySize(spec))
    for (const TimingLine* line : lines) drawBounds(scene, spec, plot, *line);
  if (plot.pointer())
    cursor = measuredNear(spec, lines, *plot.pointer());
  else if (!cursor)
    cursor = chosen;
  if (cursor) plot.cursor(*cursor, cursor != chosen);
  scene.menuWanted = scene.menuWanted || plot.clickedRight();
  return entriesOf(scene, spec, plot, cursor);
}

CurvePlot sizesPlot(TimingsScene& scene, bool rates) {
  TimingsState& state = scene.state;
  return {.name = rates ? "rate by size" : "time by size",
          .title = rates ? "GB/s of the input, by n" : "time per reduction, by n",
          .tab = TimingsTab::BySize,
          .xKind = AxisKind::Elements,
          .yKind = rates ? AxisKind::GigabytesPerSecond : AxisKind::LogMicroseconds,
          .x = &state.sizeX,  // the same for both: they are zoomed together
          .y = rates ? &state.sizeRate : &state.sizeTime,
          .curve = &TimingLine::bySize,
          .values = rates ? &TimingCurve::gigabytes : &TimingCurve::microseconds,
          .chosen = double(scene.picture().filter.elements)};
}

}  // namespace

float drawPublishedKey(TimingsScene& scene, const char* title) {
  const ViewContext& view = scene.view;
  const draw::TextStyle style = view.words(view.colours().dim);
  const float line = view.px(draw::kLabelLineHeight), mark = view.px(14), gap = view.px(8);
  const auto widthOf = [&](const PublishedTimes& times) {
    return mark + std::ceil(draw::textSize(style, labelOf(times)).x) + gap;
  };
  float all = -gap;
  for (const PublishedTimes& times : publishedTimes()) all += widthOf(times);
  const bool besideTitle = scene.min.x + draw::textSize(style, title).x + gap + all <= scene.max.x;
  float x = besideTitle ? scene.max.x - all : scene.min.x, y = scene.min.y;
  for (const PublishedTimes& times : publishedTimes()) {
    if (x > scene.min.x && x + widthOf(times) - gap > scene.max.x + 1) x = scene.min.x, y += line;
    draw::drawPlotMark(view.draw, scene.list, {x + view.px(5), y + line / 2}, view.px(5), times.mark,
                       view.colours().text, false);
    scene.view.text(scene.list, {x + mark, y}, {scene.max.x + 1, y + line}, labelOf(times), style);
    x += widthOf(times);
  }
  y += line + view.px(2);
  if (!besideTitle) scene.min.y = y;
  return y;
}

void drawSizesTab(TimingsScene& scene) {
  const float top =
      showsPublished(scene) ? drawPublishedKey(scene, sizesPlot(scene, false).title) : scene.min.y;
  const float height = scene.max.y - scene.min.y;
  const bool both = height >= scene.view.px(kBothFrom);
  const LegendRoom room = legendRoom(scene.view, scene.max.x - scene.min.x,
                                     !both && scene.state.gigabytes ? LegendUnit::Rate : LegendUnit::Time);
  const float legendLeft = scene.max.x - room.width, right = legendLeft - scene.view.px(kPlotLegendGap);
  std::optional<double> cursor;
  std::vector<LegendEntry> entries;
  if (both) {
    const float middle = std::round(scene.min.y + height * 0.55f);
    const float gap = scene.view.px(8);
    entries = drawCurves(scene, sizesPlot(scene, false), scene.min, {right, middle - gap}, cursor);
    drawCurves(scene, sizesPlot(scene, true), {scene.min.x, middle + gap}, {right, scene.max.y}, cursor);
  } else {
    entries =
        drawCurves(scene, sizesPlot(scene, scene.state.gigabytes), scene.min, {right, scene.max.y}, cursor);
  }
  const auto sizeOf = [](double elements) { return "at n = " + sizeText(std::uint64_t(elements)); };
  drawLegend(scene.view, scene.state, room, headingOf(scene, &TimingLine::bySize, cursor, sizeOf, "n"),
             std::move(entries), {legendLeft, top}, scene.max);
}

void drawBlocksTab(TimingsScene& scene) {
  const bool any = std::ranges::any_of(scene.picture().lines,
                                       [](const TimingLine& line) { return !line.byBlock.at.empty(); });
  if (!any)
    return drawNothing(scene,
                       scene.view.measurements.canTimeOnGpu()
                           ? "Block sizes were not timed yet. \"Time all blocks\" takes 32 to 1024 threads."
                           : "Only a GPU has block sizes, and no recording here holds times of them.");
  const LegendRoom room = legendRoom(scene.view, scene.max.x - scene.min.x, LegendUnit::Time);
  const float legendLeft = scene.max.x - room.width, right = legendLeft - scene.view.px(kPlotLegendGap);
  const CurvePlot spec{.name = "time by block",
                       .title = "time per reduction, by block size",
                       .tab = TimingsTab::ByBlock,
                       .xKind = AxisKind::BlockThreads,
                       .yKind = AxisKind::LogMicroseconds,
                       .x = &scene.state.blockX,
                       .y = &scene.state.blockTime,
                       .curve = &TimingLine::byBlock,
                       .values = &TimingCurve::microseconds,
                       .chosen = double(scene.view.workspace.experiment().threads)};
  std::optional<double> cursor;
  auto entries = drawCurves(scene, spec, scene.min, {right, scene.max.y}, cursor);
  const auto blockOf = [](double threads) { return "block of " + figure(std::uint64_t(threads)); };
  drawLegend(scene.view, scene.state, room, headingOf(scene, &TimingLine::byBlock, cursor, blockOf, "block"),
             std::move(entries), {legendLeft, scene.min.y}, scene.max);
}

}  // namespace stridescope::views
