#include <array>

#include "base/numbers.h"
#include "draw/grid_picture.h"
#include "draw/panel.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "views/measure/timeline_plot.h"
#include "views/panels.h"
#include "views/shared/shown_round.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kTimelineTitle = "Timeline";
constexpr float kTimelineGap = 6, kScaleWidth = 96, kScaleHeight = 10, kMinPlot = 70;  // units
constexpr int kScaleSteps = 24;

void drawWithout(ViewContext& view, const draw::Panel& panel) {
  const lab::RunTimeline& timeline = view.replay.timeline();
  drawInstead(view, panel, whyNone(view, timeline.why, narration::noTimeline(timeline.sizes)),
              timeline.sizes);
}

// What the colours mean. Returns the height that it takes.
void drawScale(ViewContext& view, ImDrawList& list, ImVec2 at, const TimelineState& state) {
  const draw::Palette& colours = view.colours();
  const draw::TextStyle style = view.words(colours.dim);
  const std::string slots = figure(state.grid->timeline.slots);
  if (state.oneRow) {
    const ImVec2 max{at.x + view.px(22), at.y + view.px(kScaleHeight)};
    list.AddRectFilled(at, max, colours.result);
    view.textAt(list, {max.x + view.px(6), at.y - view.px(2)},
                "the block that is inspected; a row for each of " + slots + " places", style);
    return;
  }
  const float width = view.px(kScaleWidth), step = width / kScaleSteps;
  for (int i = 0; i < kScaleSteps; ++i)
    list.AddRectFilled({at.x + step * float(i), at.y},
                       {at.x + step * float(i + 1), at.y + view.px(kScaleHeight)},
                       draw::viridis(float(i) / (kScaleSteps - 1)));
  view.textAt(list, {at.x + width + view.px(6), at.y - view.px(2)},
              "1 to " + slots + " blocks at once on an SM", style);
}

// The sentences below the picture, the most important first.
std::string sentences(const ViewContext& view, const lab::MarkedGrid& grid) {
  const std::size_t launch =
      std::min<std::size_t>(view.replay.playhead().launch, grid.timeline.launches.size() - 1);
  std::string text = narration::launchTimes(grid.record, grid.timeline, launch) + " " +
                     narration::markedRun(measuredFrom(view.replay.timeline()), grid.record);
  if (const std::string cost = narration::markingCost(grid.record); !cost.empty()) text += " " + cost;
  return text;
}

void drawTimeline(ViewContext& view, const draw::Panel& panel, TimelineState& state) {
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const draw::TextStyle words = view.words(view.colours().dim);
  const std::string text = sentences(view, *state.grid);
  const int lines = draw::wrappedLineCount(words, text, max.x - min.x);
  const float scale = view.px(draw::kLabelLineHeight + kTimelineGap);
  // The picture keeps its room; sentences that have none are the tooltip's of the last line.
  const float left = max.y - min.y - view.px(kMinPlot) - scale;
  const int shownLines = std::clamp(int(left / view.px(draw::kLabelLineHeight)), 0, lines);
  const float below = scale + view.px(draw::kLabelLineHeight) * float(shownLines);
  drawTimelinePlot(view, min, {max.x, max.y - below}, state);
  drawScale(view, panel.list(), {min.x, max.y - below + view.px(kTimelineGap)}, state);
  if (shownLines == 0) return;
  const ImVec2 textMin{min.x, max.y - view.px(draw::kLabelLineHeight) * float(shownLines)};
  view.wrapped(panel.list(), textMin, max.x - min.x, view.px(draw::kLabelLineHeight), text, words,
               shownLines);
  if (shownLines < lines && ImGui::IsMouseHoveringRect(textMin, max) && ImGui::IsWindowHovered())
    wideTooltip(view, text);
}

void drawTimelinePanel(ViewContext& view, TimelineState& state) {
  draw::Panel panel(
      view.draw, {.name = kTimelineTitle, .hasControlsInTitle = true, .leastWidth = 240, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  if (state.grid != view.replay.timeline().grid) {
    state = {.grid = view.replay.timeline().grid, .oneRow = state.oneRow, .row = state.row};
    if (state.grid) state.row = std::min(state.row, state.grid->timeline.rows.size() - 1);
  }
  if (!state.grid) return drawWithout(view, panel);
  const std::string one = "SM " + figure(state.grid->timeline.rows[state.row].multiprocessor);
  const std::array<Choice, 4> choices{{{"all SMs"}, {one}, {"<"}, {">"}}};
  float end = 0;
  const std::size_t count = state.oneRow ? choices.size() : 2;
  const std::size_t rows = state.grid->timeline.rows.size();
  switch (drawTabs(view, panel, std::span(choices).first(count), state.oneRow ? 1 : 0, view.colours().result,
                   end)) {
    case 0:
      state.oneRow = false;
      break;
    case 1:
      state.oneRow = true;
      break;
    case 2:
      state.row = (state.row + rows - 1) % rows;
      break;
    case 3:
      state.row = (state.row + 1) % rows;
      break;
    default:
      break;
  }
  drawTimeline(view, panel, state);
}

std::string timelineText(const ViewContext& view) {
  if (!view.replay.run() || !view.replay.timeline().grid) return {};
  const lab::MarkedGrid& grid = *view.replay.timeline().grid;
  return narration::wrapped(sentences(view, grid), narration::kTextColumns) + "\n" +
         narration::timelineMap(grid.timeline);
}

}  // namespace

Panel timelinePanel() {
  return {.id = "timeline",
          .title = kTimelineTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
          .draw = [state = TimelineState()](ViewContext& view) mutable { drawTimelinePanel(view, state); },
          .text = timelineText,
          .gestures = {{"Timeline: zoom in time, pan, all of it", "wheel, drag, F"}},
          .isOfRecordings = true};
}

}  // namespace stridescope::views
