#include <algorithm>
#include <array>

#include "base/numbers.h"
#include "draw/panel.h"
#include "views/measure/timings_controls.h"
#include "views/measure/timings_look.h"
#include "views/panels.h"
#include "views/shared/tabs.h"
#include "views/shared/zoom_and_pan.h"

namespace stridescope::views {
namespace {

constexpr const char* kTimingsTitle = "Timings";
const std::array<Choice, 4> kTimingsTabs{{{"live"}, {"ladder"}, {"by size"}, {"by block"}}};  // as TimingsTab
constexpr float kSentenceLine = 20, kSentenceWidth = 380;                                     // units

void drawTab(TimingsScene& scene) {
  switch (scene.state.tab) {
    case TimingsTab::Live:
      return drawLiveTab(scene);
    case TimingsTab::Ladder:
      scene.state.pointedAt.clear();  // it has no labels beside lines
      return drawLadderTab(scene);
    case TimingsTab::BySize:
      return drawSizesTab(scene);
    case TimingsTab::ByBlock:
      return drawBlocksTab(scene);
  }
}

// What is reduced: "int add, n = 2^24".
std::string noteOf(const TimingsPicture& picture, const TimingsState& state) {
  const auto noteOn = [](model::ElementType type, model::Operator op) {
    return std::string(model::nameOf(type)) + " " + std::string(model::nameOf(op));
  };
  if (state.tab == TimingsTab::Live && picture.hasLive) {
    // What was measured, whatever has been chosen since.
    const model::TimingCase& measured = picture.snapshot->timingCase;
    return noteOn(measured.type, measured.op) + ", n = " + sizeText(measured.elements);
  }
  const std::string note = noteOn(picture.filter.type, picture.filter.op);
  if (state.tab == TimingsTab::Live || state.tab == TimingsTab::Ladder)
    return note + ", n = " + sizeText(picture.ladderElements);
  if (state.tab == TimingsTab::ByBlock) return note + ", n = " + sizeText(picture.blockElements);
  return note;
}

// Draws the note at the right of the tabs, where it fits.
void drawNote(ViewContext& view, const draw::Panel& panel, const std::string& note, float tabsEnd) {
  const draw::TextStyle style = view.words(view.colours().dim);
  const ImVec2 max{panel.contentMax().x, panel.contentMin().y};
  const ImVec2 min{tabsEnd + view.px(draw::kBaseUnit), max.y - view.px(draw::kPanelTitleHeight)};
  if (min.x + draw::textSize(style, note).x > max.x) return;
  view.text(panel.list(), min, max, note, style, draw::TextAlign::Right);
}

// The tab that is in front and the check marks come back with the next start; a command brings a tab to the
// front by the settings.
void followSettings(ViewContext& view, TimingsState& state) {
  session::Settings settings = view.app.settings();
  if (!std::exchange(state.isKept, true))
    state.toggled.insert(settings.timingsChecks.begin(), settings.timingsChecks.end());
  const session::Settings before = settings;
  const auto tab = std::ranges::find(kTimingsTabs, settings.timingsTab, &Choice::label);
  if (tab != kTimingsTabs.end() && settings.timingsTab != state.keptTab)
    state.tab = TimingsTab(tab - kTimingsTabs.begin());
  state.keptTab = settings.timingsTab = kTimingsTabs[std::size_t(state.tab)].label;
  settings.timingsChecks.assign(state.toggled.begin(), state.toggled.end());
  if (settings != before) view.commands.push_back(session::ChangeSettings{settings});
}

std::vector<PanelTab> tabsToFind() {
  std::vector<PanelTab> tabs;
  for (const Choice& tab : kTimingsTabs)
    tabs.push_back({.title = tab.label,
                    .also = "timings time plot of the panel",
                    .bring = [label = tab.label](const session::Parts& parts) -> session::Command {
                      session::Settings settings = parts.app.settings();
                      settings.timingsTab = label;
                      return session::ChangeSettings{settings};
                    }});
  return tabs;
}

void drawTimings(ViewContext& view, TimingsState& state) {
  draw::Panel panel(
      view.draw, {.name = kTimingsTitle, .hasControlsInTitle = true, .leastWidth = 360, .leastHeight = 160});
  followSettings(view, state);
  if (!panel) return;
  float tabsEnd = 0;
  const int clicked = drawTabs(view, panel, kTimingsTabs, int(state.tab), view.colours().result, tabsEnd);
  drawNote(view, panel, noteOf(view.times.picture, state), tabsEnd);
  if (clicked >= 0) state.tab = TimingsTab(clicked);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && areLettersFree(view.app) &&
      ImGui::IsKeyPressed(ImGuiKey_F))
    state.fit();

  TimingsScene scene{view, state, panel.list(), panel.contentMin(), panel.contentMax()};
  const TimingsPicture& picture = scene.picture();
  const bool blank = picture.lines.empty() && picture.snapshot->state != measure::TimingState::Failed;
  const bool onlyFailed = picture.lines.empty() && !blank;
  if (blank) {
    drawTimingStart(scene);
  } else {
    drawTimingControls(scene);
    drawTimingStatus(scene);
    if (!onlyFailed) drawTab(scene);
  }
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) && state.tab == TimingsTab::Ladder &&
      ImGui::IsMouseReleased(ImGuiMouseButton_Right))
    scene.menuWanted = true;
  drawTimingMenu(scene);
}

}  // namespace

void drawNothing(TimingsScene& scene, const std::string& sentence) {
  const ViewContext& view = scene.view;
  const draw::TextStyle style = view.words(view.colours().dim, draw::kBodySize);
  const float width = std::min(scene.max.x - scene.min.x, view.px(kSentenceWidth));
  const float line = view.px(kSentenceLine);
  const float height = line * float(draw::wrappedLineCount(style, sentence, width));
  const ImVec2 topLeft{(scene.min.x + scene.max.x - width) / 2, (scene.min.y + scene.max.y - height) / 2};
  scene.view.wrapped(scene.list, topLeft, width, line, sentence, style);
}

Panel timingsPanel(std::shared_ptr<TimingsState> state) {
  if (!state) state = std::make_shared<TimingsState>();
  return {.id = kTimingsId,
          .title = kTimingsTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn, .turn = 5}},
          .draw = [state = std::move(state)](ViewContext& view) { drawTimings(view, *state); },
          .tabs = tabsToFind()};
}

// Live: time per reduction over time. Each variant has a line, and a band from the 10th to the 90th
// percentile.

namespace {

constexpr double kLinearUpTo = 30;  // greatest over least of what is shown; beyond it the axis is logarithmic
constexpr double kRoomAbove = 1.15, kRoomBeside = 1.25;

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
    const LineLook look =
        lookOf(scene.view, scene.state, *line, standingOf(scene.view, scene.state, TimingsTab::Live, *line));
    const LiveLine& live = line->live;
    if (!live.seconds.empty()) {
      if (!look.grey) plot.band(line->key, look, live.seconds, live.low, live.high);
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
  const float legendLeft = scene.max.x - room.width, gap = scene.view.px(kPlotLegendGap);
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
  const std::uint64_t elements = scene.picture().hasLive ? scene.picture().snapshot->timingCase.elements
                                                         : scene.picture().ladderElements;
  drawLegend(scene.view, scene.state, room, "at n = " + sizeText(elements), std::move(entries),
             {legendLeft, scene.min.y}, {scene.max.x, scene.max.y});
}

}  // namespace stridescope::views
