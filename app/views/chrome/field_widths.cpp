#include "views/chrome/field_widths.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {

std::vector<float> fieldWidths(std::span<const FieldWish> wishes, float room, float gap) {
  if (wishes.empty()) return {};
  std::size_t standing = 0;
  float least = -gap, lacking = 0;
  for (const FieldWish& wish : wishes) {
    if (least + gap + wish.least > room) break;
    least += gap + wish.least;
    lacking += std::max(0.0f, wish.usual - wish.least);
    ++standing;
  }
  if (standing == 0) return {std::max(0.0f, room)};
  const float share = lacking > 0 ? std::min(1.0f, (room - least) / lacking) : 0;
  std::vector<float> widths;
  for (const FieldWish& wish : wishes.first(standing))
    widths.push_back(std::floor(wish.least + share * std::max(0.0f, wish.usual - wish.least)));
  return widths;
}

}  // namespace stridescope::views
