// The legend under a map of lanes: one line, whatever width there is. Each item is a box, how many there are
// and what it stands for; words are shortened, and then left out, before anything would be cut. Whoever rests
// the pointer on an item reads all of its words.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "views/shared/view_context.h"

namespace stridescope::views {

struct LineLegendItem {
  unsigned count = 0;
  const char* words = "";  // "inactive, in a working warp": also what the explanations know it by
  const char* brief = "";  // "inactive"
  bool stays = false;      // though there is none
  std::function<void(ImVec2 min, ImVec2 max)> drawBox = {};
};

enum class LegendWording : std::uint8_t { Words, Brief, BriefOfThoseThere, Figures };

// The first wording with which the line fits into `width`: `widthOf` gives the width of the line. Pure.
LegendWording wordingFor(float width, const std::function<float(LegendWording)>& widthOf);

inline constexpr float kLineLegendHeight = 22, kLegendGap = 8;  // units; the gap is above it

// Draws the legend from `min` on, in a line that ends at `right`.
void drawLineLegend(ViewContext& view, ImDrawList& list, ImVec2 min, float right,
                    std::span<const LineLegendItem> items);

}  // namespace stridescope::views
