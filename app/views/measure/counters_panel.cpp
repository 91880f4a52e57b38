#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/requests.h"
#include "draw/panel.h"
#include "narration/measured_sentences.h"
#include "narration/text_maps.h"
#include "narration/wording.h"
#include "views/panels.h"
#include "views/shared/shown_round.h"
#include "views/shared/tooltip.h"

namespace stridescope::views {
namespace {

constexpr const char* kCountersTitle = "Counters";
constexpr const char* kNotModelled = "–";
constexpr float kCounterRowHeight = 20, kCounterColumnGap = 14;  // units

// A counter of the shown launch.
struct CounterRow {
  const model::CounterFacts* facts = nullptr;
  std::optional<double> modelled;
  double measured = 0;

  std::string modelledText() const {
    return modelled ? narration::counterAmount(*modelled, facts->unit) : kNotModelled;
  }
  std::string measuredText() const { return narration::counterAmount(measured, facts->unit); }
  std::string difference() const { return narration::counterDifference(modelled, measured, facts->unit); }
  bool differs() const { return modelled && *modelled != measured; }
};

// Those that were counted, in their order. Requires a record.
std::vector<CounterRow> rowsOf(const session::Replay& replay) {
  const unsigned launch = replay.playhead().launch;
  const model::LaunchCounters& counted = replay.counters().record->launches[launch];
  std::vector<CounterRow> rows;
  for (const model::CounterFacts& facts : model::counterFacts())
    if (const auto measured = counted.find(facts.counter))
      rows.push_back(
          {&facts, analysis::modelled(facts.counter, replay.launch(), replay.launchAnalysis()), *measured});
  return rows;
}

// Whose they are, of which launch, and which of them are capped.
std::string originOf(const session::Replay& replay) {
  const model::CounterRecord& record = *replay.counters().record;
  const unsigned launch = replay.playhead().launch;
  const std::string capped = narration::cappedRatios(record.launches[launch]);
  return narration::countedLaunch(measuredFrom(replay.counters()), record, launch) +
         (capped.empty() ? "" : " " + capped);
}

// The right edges of the columns, pixels; the title's left one is the panel's.
struct Columns {
  float left = 0, title = 0, modelled = 0, measured = 0, difference = 0;
};

Columns columnsFor(const ViewContext& view, const std::vector<CounterRow>& rows, float left, float right) {
  const draw::TextStyle figures = view.code(0);
  const draw::TextStyle words = view.words(0);
  const auto widest = [&](const char* head, auto textOf) {
    float width = draw::textSize(words, head).x;
    for (const CounterRow& row : rows) width = std::max(width, draw::textSize(figures, textOf(row)).x);
    return std::ceil(width) + view.px(kCounterColumnGap);
  };
  Columns columns{.left = left, .difference = right};
  columns.measured = right - widest("difference", [](const CounterRow& row) { return row.difference(); });
  columns.modelled =
      columns.measured - widest("measured", [](const CounterRow& row) { return row.measuredText(); });
  columns.title =
      columns.modelled - widest("modelled", [](const CounterRow& row) { return row.modelledText(); });
  return columns;
}

struct CountersPainter {
  ViewContext& view;
  ImDrawList& list;
  Columns columns;

  void cell(float right, float top, float height, const std::string& text,
            const draw::TextStyle& style) const {
    view.text(list, {right - draw::textSize(style, text).x - 1, top}, {right + 1, top + height}, text, style,
              draw::TextAlign::Right);
  }

  void head(float top) const {
    const draw::TextStyle style = view.words(view.colours().dim);
    cell(columns.modelled, top, view.px(draw::kLabelLineHeight), "modelled", style);
    cell(columns.measured, top, view.px(draw::kLabelLineHeight), "measured", style);
    cell(columns.difference, top, view.px(draw::kLabelLineHeight), "difference", style);
  }

  void row(const CounterRow& row, float top, bool striped) const {
    const draw::Palette& colours = view.colours();
    const float height = view.px(kCounterRowHeight);
    const HitArea area =
        hitArea(std::string(row.facts->id).c_str(), {columns.left, top}, {columns.difference, top + height});
    if (area.hovered || striped)
      list.AddRectFilled({columns.left - view.px(4), top}, {columns.difference + view.px(4), top + height},
                         area.hovered ? colours.raised : colours.field);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) wideTooltip(view, tooltipOf(row));
    view.text(list, {columns.left, top}, {columns.title, top + height}, row.facts->title,
              view.words(colours.text));
    cell(columns.modelled, top, height, row.modelledText(),
         view.code(row.modelled ? colours.text : colours.dim));
    cell(columns.measured, top, height, row.measuredText(), view.codeBold(colours.text));
    cell(columns.difference, top, height, row.difference(),
         row.differs() ? view.codeBold(colours.problem) : view.code(colours.dim));
  }

  std::string tooltipOf(const CounterRow& row) const {
    const std::string known =
        narration::knownDifference(view.replay.run()->trace.experiment.variant, row.facts->counter);
    std::string text = std::string(row.facts->meaning) + "\n" + std::string(row.facts->metric);
    if (row.differs())
      text += "\n" + (known.empty() ? narration::whyDifferent(row.facts->counter, *row.modelled, row.measured)
                                    : known);
    return text;
  }
};

void drawRows(ViewContext& view, const draw::Panel& panel, const std::vector<CounterRow>& rows) {
  const ImVec2 min = panel.contentMin(), max = panel.contentMax();
  const float bottom = drawFoot(view, panel, originOf(view.replay));
  const float height = view.px(kCounterRowHeight) * float(rows.size());
  const float top = min.y + view.px(draw::kLabelLineHeight + 4);
  const bool scrolls = top + height > bottom;
  const float right = max.x - (scrolls ? ImGui::GetStyle().ScrollbarSize + view.px(4) : view.px(4));
  const Columns columns = columnsFor(view, rows, min.x + view.px(4), right);
  CountersPainter{view, panel.list(), columns}.head(min.y);
  const ScrolledPart part("rows", {min.x, top}, {max.x, bottom});
  if (!part) return;
  const CountersPainter painter{view, *ImGui::GetWindowDrawList(), columns};
  for (std::size_t i = 0; i < rows.size(); ++i)
    painter.row(rows[i], part.origin().y + view.px(kCounterRowHeight) * float(i), i % 2 == 1);
  part.fill(height);
}

void drawCountersPanel(ViewContext& view) {
  draw::Panel panel(view.draw, {.name = kCountersTitle, .leastWidth = 300, .leastHeight = 140});
  if (!panel || !view.replay.run()) return;
  if (!view.replay.counters().record) {
    drawInstead(view, panel, whyNone(view, view.replay.counters().why, narration::noCounters()));
    return;
  }
  drawRows(view, panel, rowsOf(view.replay));
}

std::string countersText(const ViewContext& view) {
  if (!view.replay.run() || !view.replay.counters().record) return {};
  std::string text;
  for (const CounterRow& row : rowsOf(view.replay)) {
    text += std::string(row.facts->title) + ": " + row.measuredText();
    if (row.modelled) text += ", modelled " + row.modelledText() + ", " + row.difference();
    text += "\n";
  }
  return text + narration::wrapped(originOf(view.replay), narration::kTextColumns) + "\n";
}

}  // namespace

Panel countersPanel() {
  return {.id = "counters",
          .title = kCountersTitle,
          .places = {{.mode = session::Mode::Explore, .dock = {.region = shell::Region::RightBelow}},
                     {.mode = session::Mode::Present, .role = session::PanelRole::Turn}},
          .draw = drawCountersPanel,
          .text = countersText,
          .isOfRecordings = true};
}

}  // namespace stridescope::views
