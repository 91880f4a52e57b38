// Which elements of the row above the band shows: the wedge between the two, and its words.
#include <algorithm>

#include "views/memory/shared_memory_scene.h"

namespace stridescope::views {

bool hasWedge(const MemoryScene& scene) {
  if (scene.band.shape != BandShape::Columns || scene.band.columns.empty() || !isContiguous(scene.band))
    return false;
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  if (!scene.stage.holds(first.a) || !scene.stage.holds(first.b) || !scene.stage.holds(last.a)) return false;
  if (last.b && !scene.stage.holds(last.b)) return false;
  return !last.b || last.b->element - last.a->element == first.b->element - first.a->element;
}

std::string pairsInView(const MemoryScene& scene) {
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  const auto range = [](std::uint64_t from, std::uint64_t to) {
    return std::to_string(from) + (from == to ? "" : "-" + std::to_string(to));
  };
  return (&first == &last ? "element " : "elements ") + range(first.a->element, last.a->element) + " over " +
         range(first.b->element, (last.b ? *last.b : *first.b).element);
}

void drawWedge(ViewContext& view, ImDrawList& list, const MemoryScene& scene, float rowBottom,
               float bandTop) {
  const draw::Palette& colours = view.colours();
  const analysis::ThreadWork& first = *scene.band.columns.front().work;
  const analysis::ThreadWork& last = *scene.band.columns.back().work;
  const auto part = [&](const analysis::Operand& from, const analysis::Operand& to) {
    const std::uint64_t one = scene.stage.placeOf(from), other = scene.stage.placeOf(to);
    return std::pair{scene.xOf(std::min(one, other)), scene.xOf(std::max(one, other) + 1)};
  };
  const auto a = part(*first.a, *last.a);
  const auto b = part(*first.b, last.b ? *last.b : *first.b);
  const float y = rowBottom + view.px(2);
  for (const auto& [from, to] : {a, b}) {
    list.AddQuadFilled({from, y}, {to, y}, {scene.right, bandTop}, {scene.left, bandTop},
                       draw::withAlpha(colours.raised, 0.6f));
    list.AddRectFilled({from, y}, {to, y + view.px(2)}, colours.text);
  }
  list.AddRectFilled({b.first, y - view.px(2)}, {b.first + view.px(1), y + view.px(5)}, colours.text);
  draw::drawText(view.draw, list, {scene.left, y + view.px(4)}, {scene.right, bandTop}, pairsInView(scene),
                 draw::wordsStyle(view.draw, draw::kLabelSize, colours.dim), draw::TextAlign::Centre);
}

}  // namespace stridescope::views
