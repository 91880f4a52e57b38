#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "narration/wording.h"
#include "views/memory/shared_memory_scene.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kMinLines = 24, kLinesToSpare = 14;
constexpr float kMaxRowGrowth = 3, kMaxBandGrowth = 4;

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
  for (const lab::RoundName& coming : view.replay.run()->toCome)
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
    const float lacking = view.px(kMemoryLegendHeight) - free;
    plan.legend = withLegend && draw::showsLegend(view.draw, lacking <= view.px(kLinesToSpare));
    if (plan.legend && lacking > 0) {
      plan.heights.lines -= lacking / view.draw.scale;
      free += lacking;
    }
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
    const float each = (room - higher) / rows(plan) / view.draw.scale - kMemoryRowGap;
    const float most = std::max(kMemoryRowHeight * kMaxRowGrowth, plan.heights.cell);
    plan.rowHeight = std::clamp(each, kMemoryRowHeight, most);
  }
  return plan;
}

namespace {

constexpr float kMemoryLegendGap = 20, kMinMemoryLegendGap = 10;  // units

// What the discs stand for: "thread that adds", "thread that copies".
std::string discText(const ViewContext& view, const Band& band) {
  const bool combine =
      std::ranges::any_of(band.columns, [](const BandColumn& column) { return column.work->b.has_value(); });
  if (model::leavesArrays(view.replay.run()->trace)) return "thread that accesses";
  if (combine)
    return "thread that " + narration::combines(model::operatorOf(view.replay.run()->trace), false);
  return band.hasResult ? "thread that copies" : "thread that reads";
}

}  // namespace

std::vector<LegendItem> legendOf(const ViewContext& view, const MemoryScene& scene, bool past, bool toCome) {
  using Mark = LegendItem::Mark;
  const draw::Palette& colours = view.colours();
  const Band& band = scene.band;
  const auto any = [&](auto is) {
    return std::ranges::any_of(band.columns, [&](const BandColumn& column) { return is(*column.work); });
  };
  const bool inRegister = any([](const analysis::ThreadWork& work) { return work.a && work.a->inRegister; });
  const bool inMemory = any([](const analysis::ThreadWork& work) { return work.a && !work.a->inRegister; });
  const bool used =
      any([](const analysis::ThreadWork& work) { return work.result && work.result->placed && work.useful; });
  const bool unused = any([](const analysis::ThreadWork& work) { return work.result && !work.useful; });

  std::vector<LegendItem> items;
  // It is known who accessed what in a person's own kernel, and not what for.
  const bool isOwn = model::leavesArrays(view.replay.run()->trace);
  const char* const first = isOwn ? "read" : "operand";
  const char* const ofTwo = isOwn ? "first read" : "operand A";
  if (inMemory) items.push_back({band.hasB ? ofTwo : first, Mark::Fill, colours.operand, 0});
  unsigned more = 0;
  for (const BandColumn& column : band.columns) more = std::max(more, column.more);
  if (inRegister) items.push_back({"A, in a register", Mark::Fill, registerOperandColour(colours), 0});
  if (band.hasB) items.push_back({isOwn ? "second read" : "operand B", Mark::Outline, colours.operand, 0});
  if (more > 0) items.push_back({"+" + std::to_string(more) + " more", Mark::Outline, colours.operand, 0});
  if (!band.columns.empty()) items.push_back({discText(view, band), Mark::Disc, colours.result, 0});
  const auto isStale = [](const std::optional<analysis::Operand>& operand) {
    return operand && operand->left;
  };
  if (any([&](const analysis::ThreadWork& work) { return isStale(work.a) || isStale(work.b); }))
    items.push_back({"not what the pass before left", Mark::Outline, colours.problem, 0});
  const bool lookOn = std::ranges::any_of(
      band.columns, [&](const BandColumn& column) { return band.hasResult && !column.hasResult(); });
  if (lookOn) items.push_back({"thread that only reads", Mark::Ring, colours.result, colours.raised});
  if (used) items.push_back({isOwn ? "stored" : "result", Mark::Fill, colours.result, 0});
  const bool kept = std::ranges::any_of(band.columns, &BandColumn::inRegister);
  if (kept) items.push_back({"in its register", Mark::Fill, registerResultColour(colours), 0});
  if (unused) items.push_back({"unused result", Mark::Outline, colours.result, colours.dead});
  if (roundAt(view.replay).round().outputElement)
    items.push_back({"L3: of list 3", Mark::None, colours.text, 0});
  const bool told = view.replay.run()->toCome.empty();  // else nobody knows what will be needed
  if (past) items.push_back({told ? "still needed" : "not combined yet", Mark::Fill, colours.live, 0});
  if (past) items.push_back({told ? "no longer needed" : "combined", Mark::Fill, colours.dead, 0});
  if (toCome) items.push_back({"to come", Mark::Outline, colours.toCome, 0});
  return items;
}

void drawMemoryLegend(ViewContext& view, ImDrawList& list, const std::vector<LegendItem>& items, ImVec2 min,
                      float right) {
  const draw::TextStyle words = view.words(view.colours().dim);
  const float line = view.px(kMemoryLegendHeight);
  const auto boxOf = [&](const LegendItem& item) {
    return item.mark == LegendItem::Mark::None ? -view.px(8) : view.px(14);
  };
  const auto widthOf = [&](const LegendItem& item) {
    return boxOf(item) + view.px(8) + std::ceil(draw::textSize(words, item.text).x);
  };
  // Where all do not fit, they stand closer.
  float all = 0;
  for (const LegendItem& item : items) all += widthOf(item);
  const float spare = items.size() < 2 ? 0 : (right - min.x - all) / float(items.size() - 1);
  const float gap = std::clamp(std::floor(spare), view.px(kMinMemoryLegendGap), view.px(kMemoryLegendGap));
  float x = min.x;
  for (const LegendItem& item : items) {
    const float box = boxOf(item), width = widthOf(item);
    if (x + width > right) break;
    const float top = std::round(min.y + (line - view.px(12)) / 2);
    const ImVec2 boxMin{x, top}, boxMax{x + box, top + view.px(12)};
    switch (item.mark) {
      case LegendItem::Mark::None:
        break;
      case LegendItem::Mark::Disc:
        list.AddCircleFilled({x + box / 2, min.y + line / 2}, view.px(6), item.colour);
        break;
      case LegendItem::Mark::Ring:
        list.AddCircleFilled({x + box / 2, min.y + line / 2}, view.px(6), item.ground);
        list.AddCircle({x + box / 2, min.y + line / 2}, view.px(6), item.colour, 0, view.px(1));
        break;
      case LegendItem::Mark::Fill:
        list.AddRectFilled(boxMin, boxMax, item.colour);
        break;
      case LegendItem::Mark::Outline:
        if (item.ground != 0) list.AddRectFilled(boxMin, boxMax, item.ground);
        draw::outlineInside(view.draw, list, boxMin, boxMax, item.colour, 1);
        break;
      case LegendItem::Mark::Dashes:
        for (const float from : {0.0f, 5.0f, 10.0f})
          list.AddRectFilled({x + view.px(from), min.y + line / 2 - view.px(1)},
                             {x + view.px(from + 3), min.y + line / 2 + view.px(1)}, item.colour);
        break;
      case LegendItem::Mark::Struck:
        draw::drawStruckCell(view.draw, list, boxMin, boxMax, item.colour);
        break;
    }
    view.text(list, {x + box + view.px(8), min.y}, {x + width + view.px(2), min.y + line}, item.text, words);
    explain(view, item.text, {x, min.y}, {x + width, min.y + line});
    x += width + gap;
  }
}

}  // namespace stridescope::views
