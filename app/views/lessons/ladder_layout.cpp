#include "views/lessons/ladder_layout.h"

#include <algorithm>

namespace stridescope::views {
namespace {

LadderLayout layOut(std::span<const kernels::Variant> variants, std::string_view chosen,
                    const LadderMeasures& measures, bool allSentences) {
  LadderLayout layout;
  const auto families = kernels::byFamily(variants);
  const auto add = [&](LadderRow row) {
    row.top = layout.height;
    layout.height += row.height;
    layout.rows.push_back(row);
  };
  for (const auto& family : families) {
    if (families.size() > 1)
      add({.variant = nullptr, .family = family.front()->family, .height = measures.heading});
    for (const kernels::Variant* variant : family) {
      LadderRow row{.variant = variant, .family = variant->family};
      row.titleLines = measures.titleLines(*variant);
      if (allSentences || variant->id == chosen) row.sentenceLines = measures.sentenceLines(*variant);
      row.hasTimeLine = measures.hasTimeLine && measures.hasTimeLine(*variant);
      row.height = 2 * measures.inset + measures.titleLine * float(row.titleLines) +
                   measures.sentenceLine * float(row.sentenceLines) +
                   (row.hasTimeLine ? measures.timeLine : 0);
      add(row);
    }
  }
  return layout;
}

}  // namespace

const LadderRow* LadderLayout::find(std::string_view id) const {
  for (const LadderRow& row : rows)
    if (row.variant != nullptr && row.variant->id == id) return &row;
  return nullptr;
}

LadderLayout layOutLadder(std::span<const kernels::Variant> variants, std::string_view chosen,
                          const LadderMeasures& measures, float room) {
  LadderLayout layout = layOut(variants, chosen, measures, true);
  return layout.height <= room ? layout : layOut(variants, chosen, measures, false);
}

float scrollTo(float top, float height, float scrolled, float room, float all) {
  const float round = std::min(height, std::max(0.0f, (room - height) / 2));  // a neighbour's worth
  const float least = top + height + round - room, most = top - round;
  return std::clamp(std::clamp(scrolled, std::min(least, most), most), 0.0f, std::max(0.0f, all - room));
}

}  // namespace stridescope::views
