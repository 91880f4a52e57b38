#include "views/chrome/field_widths.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {

std::vector<float> fieldWidths(std::span<const FieldRequest> requests, float room, float gap) {
  if (requests.empty()) return {};
  std::size_t standing = 0;
  float least = -gap, lacking = 0;
  for (const FieldRequest& request : requests) {
    if (least + gap + request.least > room) break;
    least += gap + request.least;
    lacking += std::max(0.0f, request.preferred - request.least);
    ++standing;
  }
  if (standing == 0) return {std::max(0.0f, room)};
  const float share = lacking > 0 ? std::min(1.0f, (room - least) / lacking) : 0;
  std::vector<float> widths;
  for (const FieldRequest& request : requests.first(standing))
    widths.push_back(std::floor(request.least + share * std::max(0.0f, request.preferred - request.least)));
  return widths;
}

}  // namespace stridescope::views
