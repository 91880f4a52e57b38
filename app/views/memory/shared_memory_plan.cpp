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

}  // namespace

MemoryPlan planOf(const ViewContext& view, const MemoryScene& scene, float height) {
  MemoryPlan plan;
  const Band& band = scene.band;
  const unsigned current = view.replay.playhead().round;
  const unsigned past = roundsBefore(scene, current);
  plan.heights.operandRows = band.shape == BandShape::Columns && band.hasB ? 2 : 1;
  const float rowHeight = view.px(kMemoryRowHeight + kMemoryRowGap);
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
        lacking > 0 && lacking <= view.px(kLinesToSpare)) {
      plan.heights.lines -= lacking / view.draw.scale;
      free += lacking;
    }
    plan.legend = free >= view.px(kMemoryLegendHeight);
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
  const float spare = room - rowHeight * float(plan.rows.past + plan.rows.toCome);
  const float growing = view.px(plan.heights.total()) + rowHeight * float(plan.rows.past + plan.rows.toCome);
  const float most = 1 + std::max(0.0f, spare) / growing;  // if all grow alike
  plan.rowHeight *= std::min(most, kMaxRowGrowth);
  const float rest =
      spare - view.px(plan.rowHeight - kMemoryRowHeight) * float(plan.rows.past + plan.rows.toCome);
  const float growth = std::clamp(1 + rest / view.px(plan.heights.total()), 1.0f, kMaxBandGrowth);
  plan.heights.cell *= growth, plan.heights.lines *= growth, plan.heights.result *= growth;
  return plan;
}

}  // namespace stridescope::views
