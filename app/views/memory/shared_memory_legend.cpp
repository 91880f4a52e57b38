#include "views/memory/shared_memory_legend.h"

#include <algorithm>
#include <cmath>

#include "draw/marks.h"
#include "narration/wording.h"
#include "views/shared/explanations.h"

namespace stridescope::views {
namespace {

constexpr float kLegendGap = 20, kMinLegendGap = 10;  // units

// What the discs stand for: "thread that adds", "thread that copies".
std::string discText(const ViewContext& view, const Band& band) {
  const bool combine =
      std::ranges::any_of(band.columns, [](const BandColumn& column) { return column.work->b.has_value(); });
  if (combine) return "thread that " + narration::combines(view.replay.run()->trace.experiment.op, false);
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
  if (inMemory) items.push_back({band.hasB ? "operand A" : "operand", Mark::Fill, colours.operand, 0});
  unsigned more = 0;
  for (const BandColumn& column : band.columns) more = std::max(more, column.more);
  if (inRegister) items.push_back({"A, in a register", Mark::Fill, registerOperandColour(colours), 0});
  if (band.hasB) items.push_back({"operand B", Mark::Outline, colours.operand, 0});
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
  if (used) items.push_back({"result", Mark::Fill, colours.result, 0});
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
  const draw::TextStyle words = draw::wordsStyle(view.draw, draw::kLabelSize, view.colours().dim);
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
  const float gap = std::clamp(std::floor(spare), view.px(kMinLegendGap), view.px(kLegendGap));
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
    draw::drawText(view.draw, list, {x + box + view.px(8), min.y}, {x + width + view.px(2), min.y + line},
                   item.text, words);
    explain(view, item.text, {x, min.y}, {x + width, min.y + line});
    x += width + gap;
  }
}

}  // namespace stridescope::views
