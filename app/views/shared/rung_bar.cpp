#include "views/shared/rung_bar.h"

#include <algorithm>

namespace stridescope::views {
namespace {

constexpr float kMinLength = 2, kGapFromEnd = 14, kGapLean = 6, kGapWidth = 4;  // units
constexpr float kRecordedFill = 0.35f;

}  // namespace

void drawRungBar(const draw::DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max,
                 const RungBar& bar) {
  const float end =
      min.x + std::max(context.px(kMinLength), (max.x - min.x) * float(std::min(bar.share, 1.0)));
  list.AddRectFilled(min, max, context.colours().field);
  if (bar.recorded) {
    list.AddRectFilled(min, {end, max.y}, draw::withAlpha(bar.colour, kRecordedFill));
    list.AddRect(min, {end, max.y}, bar.colour, 0, 0, context.px(1));
  } else {
    list.AddRectFilled(min, {end, max.y}, bar.colour);
  }
  if (bar.share <= 1) return;
  const float middle = max.x - context.px(kGapFromEnd), lean = context.px(kGapLean),
              gap = context.px(kGapWidth);
  list.AddQuadFilled({middle, max.y}, {middle + lean, min.y}, {middle + lean + gap, min.y},
                     {middle + gap, max.y}, context.colours().panel);
}

}  // namespace stridescope::views
