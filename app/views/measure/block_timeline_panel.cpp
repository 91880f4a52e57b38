#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "draw/grid_painter.h"
#include "draw/marks.h"
#include "draw/panel.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "views/measure/timings_plot.h"
#include "views/panels.h"
#include "views/shared/cell_walk.h"
#include "views/shared/shown_round.h"
#include "views/shared/tabs.h"

namespace stridescope::views {
namespace {

constexpr const char* kBlockTimelineTitle = "Block timeline";
const std::array<Choice, 2> kBlockTimelineTabs{{{"alone"}, {"in a full grid"}}};  // as model::ClockedGrid
constexpr float kMaxWarpRowHeight = 24, kBlockHeadHeight = 18, kBlockAxisHeight = 20, kBlockGap = 8,
                kLegendSwatch = 22, kBlockTickRoom = 90;  // units

// What is drawn, and where: cycles from `from` to `to` over [min.x, max.x), a row for each warp.
struct BlockTimelineFrame {
  ImVec2 min, max;
  std::uint64_t from = 0, to = 1;
  std::size_t warps = 1;

  float x(std::uint64_t cycles) const {
    const double share = double(cycles - from) / double(to - from);
    return std::round(min.x + (max.x - min.x) * float(share));
  }
  float y(std::size_t warp) const { return std::round(min.y + (max.y - min.y) * float(warp) / float(warps)); }
  ImVec2 cellMin(std::size_t warp, const analysis::WarpRound& round) const {
    return {x(round.begin), y(warp) + 1};
  }
  ImVec2 cellMax(std::size_t warp, const analysis::WarpRound& round) const {
    return {std::max(x(round.end), x(round.begin) + 1), std::max(y(warp + 1), y(warp) + 2)};
  }
};

// From the beginning of the first round that is told to the end of the last, over all warps, or of `round`
// alone. False: nothing is told.
bool extentOf(const analysis::RoundCycles& cycles, std::optional<std::size_t> round, std::uint64_t& from,
              std::uint64_t& to) {
  from = std::numeric_limits<std::uint64_t>::max();
  to = 0;
  for (const analysis::WarpTimeline& warp : cycles.warps)
    for (std::size_t r = 0; r < warp.size(); ++r) {
      if (!warp[r] || (round && r != *round)) continue;
      from = std::min(from, warp[r]->begin);
      to = std::max(to, warp[r]->end);
    }
  return from < to;
}

struct TimelinePainter {
  ViewContext& view;
  ImDrawList& list;
  const analysis::RoundCycles& cycles;
  const BlockTimelineFrame& frame;
  unsigned current;

  void axis() const {
    const draw::Palette& colours = view.colours();
    const draw::TextStyle style = view.code(colours.dim);
    const int count = std::max(2, int((frame.max.x - frame.min.x) / view.px(kBlockTickRoom)));
    for (const AxisTick& tick : axisTicks(AxisKind::Cycles, 0, double(frame.to - frame.from), count)) {
      const float x = frame.x(frame.from + std::uint64_t(tick.value));
      list.AddRectFilled({x, frame.min.y}, {x + 1, frame.max.y + view.px(4)}, colours.grid);
      const std::string text = tick.value == 0 ? "0 cycles" : tick.label;
      const float width = draw::textSize(style, text).x;
      const float left = std::clamp(x - width / 2, frame.min.x, std::max(frame.min.x, frame.max.x - width));
      view.textAt(list, {left, frame.max.y + view.px(5)}, text, style);
    }
  }

  void band() const {
    std::uint64_t from = 0, to = 0;
    if (!extentOf(cycles, current, from, to)) return;
    list.AddRectFilled({frame.x(from), frame.min.y - view.px(kBlockHeadHeight)}, {frame.x(to), frame.max.y},
                       view.colours().field);
  }

  void segment(std::size_t warp, unsigned round, const analysis::WarpRound& span) const {
    const draw::Palette& colours = view.colours();
    const bool shown = round == current;
    const ImVec2 min = frame.cellMin(warp, span), max = frame.cellMax(warp, span);
    const float arrive = std::clamp(frame.x(span.arrive), min.x, max.x);
    if (span.arrive < span.end) {
      const ImU32 ground = shown ? colours.field : colours.panel;
      list.AddRectFilled({arrive, min.y}, max, ground);
      draw::drawHatch(view.draw, list, {arrive, min.y}, max, shown ? colours.result : colours.dim);
      list.AddRect({arrive, min.y}, max, shown ? colours.result : colours.dim);
    }
    list.AddRectFilled(min, {arrive, max.y},
                       shown ? colours.result : draw::mix(colours.panel, colours.dim, 0.65f));
    list.AddRectFilled({max.x - 1, min.y}, max, colours.panel);  // rounds stand apart
  }

  void rows() const {
    for (std::size_t warp = 0; warp < cycles.warps.size(); ++warp)
      for (unsigned round = 0; round < cycles.warps[warp].size(); ++round)
        if (const auto& span = cycles.warps[warp][round]) segment(warp, round, *span);
  }

  void rings() const {
    for (std::size_t warp = 0; warp < cycles.warps.size(); ++warp)
      for (unsigned round = 0; round < cycles.warps[warp].size(); ++round) {
        const auto& span = cycles.warps[warp][round];
        const bool lit = view.linked.round(round) || (round == current && view.linked.warp(unsigned(warp)));
        if (span && lit)
          draw::drawHoverRing(view.draw, list, frame.cellMin(warp, *span), frame.cellMax(warp, *span));
      }
  }

  // The shown round is named first, then whatever else has room.
  void heads() const {
    const draw::TextStyle dim = view.code(view.colours().dim);
    const draw::TextStyle strong = view.codeBold(view.colours().text);
    std::vector<std::pair<float, float>> taken;
    const auto place = [&](unsigned round, const draw::TextStyle& style) {
      std::uint64_t from = 0, to = 0;
      if (!extentOf(cycles, round, from, to)) return;
      const std::string text = tickOf(view.replay, round);
      const float width = draw::textSize(style, text).x;
      const float middle = (frame.x(from) + frame.x(to)) / 2;
      const float left =
          std::round(std::clamp(middle - width / 2, frame.min.x, std::max(frame.min.x, frame.max.x - width)));
      for (const auto& [otherLeft, otherRight] : taken)
        if (left < otherRight + view.px(4) && left + width + view.px(4) > otherLeft) return;
      taken.emplace_back(left, left + width);
      view.textAt(list, {left, frame.min.y - view.px(kBlockHeadHeight)}, text, style);
    };
    const auto rounds = unsigned(view.replay.launchAnalysis().rounds.size());
    place(current, strong);
    for (unsigned round = 0; round < rounds; ++round)
      if (round != current) place(round, dim);
  }
};

std::string warpName(std::size_t warp) { return "W" + std::to_string(warp); }

// A segment finds its warp, and a click goes to its round; the pointer is told what it is.
void takePointer(ViewContext& view, const analysis::RoundCycles& cycles, const BlockTimelineFrame& frame,
                 unsigned current) {
  const HitArea area = walkArea(view, "block timeline", frame.min, frame.max, [&](const AddCell& add) {
    for (std::size_t warp = 0; warp < cycles.warps.size(); ++warp)
      for (unsigned round = 0; round < cycles.warps[warp].size(); ++round)
        if (const auto& span = cycles.warps[warp][round])
          add({frame.cellMin(warp, *span), frame.cellMax(warp, *span)},
              round == current && view.linked.warp(unsigned(warp)));
  });
  if (!area.hovered && !area.clicked) return;
  const ImVec2 at = frame.min + area.pointer;
  for (std::size_t warp = 0; warp < cycles.warps.size(); ++warp)
    for (unsigned round = 0; round < cycles.warps[warp].size(); ++round) {
      const auto& span = cycles.warps[warp][round];
      if (!span || at.y < frame.y(warp) || at.y >= frame.y(warp + 1) || at.x < frame.x(span->begin) ||
          at.x >= frame.cellMax(warp, *span).x)
        continue;
      if (area.clicked) view.commands.push_back(session::GoToRound{view.replay.playhead().launch, round});
      if (!area.hovered) continue;
      hoverOver(view, {session::HoverKind::Warp, warp});
      wideTooltip(view,
                  warpName(warp) + ", " + tickOf(view.replay, round) + ": " + narration::warpCycles(*span));
    }
}

// Swatches and what they mean, on one line. Returns its height, pixels.
void drawLegend(ViewContext& view, ImDrawList& list, ImVec2 at) {
  const draw::Palette& colours = view.colours();
  const draw::TextStyle style = view.words(colours.dim);
  const auto swatch = [&](bool waits, const char* text) {
    const ImVec2 max{at.x + view.px(kLegendSwatch), at.y + view.px(12)};
    if (waits) {
      draw::drawHatch(view.draw, list, at, max, colours.dim);
      list.AddRect(at, max, colours.dim);
    } else {
      list.AddRectFilled(at, max, draw::mix(colours.panel, colours.dim, 0.65f));
    }
    at.x = view.textAt(list, {max.x + view.px(6), at.y - view.px(1)}, text, style).max.x + view.px(16);
  };
  swatch(false, "works");
  swatch(true, "waits at the barrier");
}

void drawTimeline(ViewContext& view, const draw::Panel& panel, const analysis::RoundCycles& cycles,
                  const model::ClockRecord& clocks) {
  BlockTimelineFrame frame{
      .min = panel.contentMin(), .max = panel.contentMax(), .warps = cycles.warps.size()};
  if (!extentOf(cycles, std::nullopt, frame.from, frame.to)) return;
  const std::string last = warpName(frame.warps - 1);
  const draw::TextStyle labels = view.code(view.colours().dim);
  const draw::TextStyle words = view.words(view.colours().dim);
  const std::string sentence = narration::clockedLaunch(measuredFrom(view.replay.cycles()), clocks);
  const float width = frame.max.x - frame.min.x;
  const float texts = view.px(kBlockGap + draw::kLabelLineHeight +
                              draw::kLabelLineHeight * float(draw::wrappedLineCount(words, sentence, width)));
  frame.min.x += std::ceil(draw::textSize(labels, last).x) + view.px(kBlockGap);
  frame.min.y += view.px(kBlockHeadHeight);
  frame.max.y -= view.px(kBlockAxisHeight);
  const bool withTexts = frame.max.y - frame.min.y - texts >= view.px(4) * float(frame.warps);
  if (withTexts) frame.max.y -= texts;
  frame.max.y = std::min(frame.max.y, frame.min.y + view.px(kMaxWarpRowHeight) * float(frame.warps));
  frame.max.y = std::max(frame.max.y, frame.min.y + float(frame.warps));

  const unsigned current = view.replay.playhead().round;
  const TimelinePainter painter{view, panel.list(), cycles, frame, current};
  painter.band();
  painter.axis();
  painter.rows();
  painter.heads();
  const float rowHeight = (frame.max.y - frame.min.y) / float(frame.warps);
  const auto step =
      std::size_t(std::max(1.0f, std::ceil(view.px(draw::kLabelLineHeight) / std::max(1.0f, rowHeight))));
  for (std::size_t warp = 0; warp < frame.warps; warp += step) {
    const float middle = (frame.y(warp) + frame.y(warp + 1)) / 2 - view.px(draw::kLabelLineHeight) / 2;
    view.text(panel.list(), {panel.contentMin().x, middle},
              {frame.min.x - view.px(kBlockGap), middle + view.px(draw::kLabelLineHeight)}, warpName(warp),
              labels, draw::TextAlign::Right);
  }
  takePointer(view, cycles, frame, current);
  painter.rings();
  if (!withTexts) return;
  const float below = frame.max.y + view.px(kBlockAxisHeight + kBlockGap);
  drawLegend(view, panel.list(), {panel.contentMin().x, below});
  view.wrapped(panel.list(), {panel.contentMin().x, below + view.px(draw::kLabelLineHeight)}, width,
               view.px(draw::kLabelLineHeight), sentence, words);
}

void drawBlockTimelinePanel(ViewContext& view, model::ClockedGrid& company) {
  draw::Panel panel(
      view.draw,
      {.name = kBlockTimelineTitle, .hasControlsInTitle = true, .leastWidth = 240, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  const model::ClockRecord* const clocks = clocksOf(view.replay, company);
  float tabsEnd = 0;
  const int clicked = drawTabs(view, panel, kBlockTimelineTabs, int(company), view.colours().result, tabsEnd);
  if (clicked >= 0) company = model::ClockedGrid(clicked);
  const analysis::RoundCycles& cycles = cyclesIn(view.replay, view.replay.playhead().launch, company);
  std::uint64_t from = 0, to = 0;
  if (clocks == nullptr || !extentOf(cycles, std::nullopt, from, to)) {
    const lab::RunCycles& all = view.replay.cycles();
    drawInstead(view, panel, whyNone(view, all.why, narration::noCycles(company, !all.clocks.empty())));
    return;
  }
  drawTimeline(view, panel, cycles, *clocks);
}

std::string blockTimelineText(const ViewContext& view) {
  if (!view.replay.run()) return {};
  const session::Playhead at = view.replay.playhead();
  std::string text;
  for (const model::ClockedGrid company : model::kClockedGrids) {
    const model::ClockRecord* const clocks = clocksOf(view.replay, company);
    if (clocks == nullptr) continue;
    std::string rows;
    const auto& warps = cyclesIn(view.replay, at.launch, company).warps;
    for (std::size_t warp = 0; warp < warps.size(); ++warp)
      if (warps[warp][at.round])
        rows += warpName(warp) + " " + narration::warpCycles(*warps[warp][at.round]) + "\n";
    const std::string whose = narration::clockedLaunch(measuredFrom(view.replay.cycles()), *clocks);
    if (!rows.empty()) text += narration::wrapped(whose, narration::kTextColumns) + "\n" + rows;
  }
  return text;
}

}  // namespace

Panel blockTimelinePanel() {
  return {.id = "block_timeline",
          .title = kBlockTimelineTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Compare, .role = session::PanelRole::Turn, .turn = 5},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
          .draw = [company = model::ClockedGrid::Alone](
                      ViewContext& view) mutable { drawBlockTimelinePanel(view, company); },
          .text = blockTimelineText,
          .isOfRecordings = true};
}

}  // namespace stridescope::views
