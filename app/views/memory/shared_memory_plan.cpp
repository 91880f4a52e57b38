#include "views/memory/shared_memory_plan.h"

#include <algorithm>

#include "views/memory/shared_memory_legend.h"

namespace stridescope::views {
namespace {

constexpr float kMinLines = 24, kLinesToSpare = 14;
constexpr float kMaxRowGrowth = 2, kMaxBandGrowth = 2.5f;

// Earlier rounds give way first.
RowCounts fitRows(float room, float rowHeight, unsigned past, unsigned toCome) {
  constexpr unsigned kMaxPast = 6;
  RowCounts counts{std::min(past, kMaxPast), toCome};
  const auto most = unsigned(std::max(0.0f, room / rowHeight));
  while (counts.past + counts.toCome > most && counts.past > 1) --counts.past;
  while (counts.past + counts.toCome > most && counts.toCome > 0) --counts.toCome;
  if (counts.past > most) counts.past = most;
  return counts;
}

// How many later rounds still have something to show.
unsigned roundsToCome(const MemoryScene& scene, unsigned current) {
  unsigned count = 0;
  while (current + 1 + count < scene.rows.size() && !scene.rows[current + 1 + count].live.empty()) ++count;
  return count;
}

// How many earlier rounds, counted back from the shown one, left anything that is still needed.
unsigned roundsBefore(const MemoryScene& scene, unsigned current) {
  unsigned count = 0;
  const auto rows = std::min<std::size_t>(current, scene.rows.size());
  while (count < rows && !scene.rows[rows - 1 - count].live.empty()) ++count;
  return count;
}

float rows(const MemoryPlan& plan) { return float(plan.rows.past + plan.rows.toCome); }

// How much higher the band is than at least: the same in all rounds of a launch, whatever their rows leave,
// so that it stays where it is while a person steps.
float bandGrowth(const ViewContext& view, float bandUnits, float height) {
  constexpr std::size_t kMaxPlanRows = 12;
  std::size_t rounds = view.replay.launchAnalysis().told();
  for (const session::RoundName& coming : view.replay.run()->toCome)
    rounds += coming.launch == view.replay.playhead().launch ? 1 : 0;
  const std::size_t others = std::min(rounds - 1, kMaxPlanRows);
  const float fixed =
      kMemoryAxisHeight + kMemoryOverviewHeight + kWedgeHeight + 2 * kMemoryGap + kMemoryLegendHeight;
  const float all = bandUnits + (kMemoryRowHeight + kMemoryRowGap) * float(others);
  return std::clamp((height / view.draw.scale - fixed) / all, 1.0f, kMaxBandGrowth);
}

// Its cells, lines and results; the labels keep their size.
void growBy(BandHeights& heights, float units) {
  const float growing = heights.cell * float(heights.operandRows) + heights.lines + heights.result;
  const float factor = 1 + units / growing;
  heights.cell *= factor, heights.lines *= factor, heights.result *= factor;
}

}  // namespace

MemoryPlan planOf(const ViewContext& view, const MemoryScene& scene, float height) {
  MemoryPlan plan;
  const Band& band = scene.band;
  const unsigned current = view.replay.playhead().round;
  const unsigned past = roundsBefore(scene, current);
  plan.heights.operandRows = band.shape == BandShape::Columns && band.hasB ? 2 : 1;
  const float rowHeight = view.px(kMemoryRowHeight + kMemoryRowGap);
  const bool withLegend = !view.app.isPresenting();  // the presenter says it
  bool withOverview = true;
  const auto place = [&](bool withPast) {
    plan.wedge = withPast && hasWedge(scene);
    plan.overview = withOverview && hasOverview(scene, withPast);
    const float fixed = (withPast ? view.px(kMemoryAxisHeight) : 0) +
                        (plan.overview ? view.px(kMemoryOverviewHeight + kMemoryGap) : 0) +
                        view.px(plan.wedge ? kWedgeHeight : 4) + view.px(kMemoryGap);
    plan.heights.lines = BandHeights().lines;
    float free = height - fixed - view.px(plan.heights.total());
    if (const float lacking = view.px(kMemoryLegendHeight) - free;
        withLegend && lacking > 0 && lacking <= view.px(kLinesToSpare)) {
      plan.heights.lines -= lacking / view.draw.scale;
      free += lacking;
    }
    plan.legend = withLegend && free >= view.px(kMemoryLegendHeight);
    const float room = plan.legend ? free - view.px(kMemoryLegendHeight) : free;
    plan.rows = fitRows(room, rowHeight, withPast ? past : 0, roundsToCome(scene, current));
    return room;
  };
  float room = place(past > 0);
  if (past > 0 && plan.rows.past == 0) room = place(false);
  if (plan.overview && -room > view.px(plan.heights.lines - kMinLines)) {  // not even low lines would do
    withOverview = false;
    room = place(false);
  }
  if (room < 0) plan.heights.lines = std::max(kMinLines, plan.heights.lines + room / view.draw.scale);
  const float growth = bandGrowth(view, plan.heights.total(), height);
  const float higher =
      std::min((growth - 1) * view.px(plan.heights.total()), std::max(0.0f, room - rowHeight * rows(plan)));
  growBy(plan.heights, higher / view.draw.scale);
  if (rows(plan) > 0) {
    const float spare = room - higher - rowHeight * rows(plan);
    plan.rowHeight *= std::clamp(1 + spare / (rowHeight * rows(plan)), 1.0f, kMaxRowGrowth);
  }
  return plan;
}

}  // namespace stridescope::views
