#include "views/frame/presented_layout.h"

#include <algorithm>
#include <cmath>

#include "views/frame/menu_bar.h"

namespace stridescope::views {
namespace {

constexpr float kTransport = 45;  // units
// In a window too low for both, in units, one panel stands over a caption of four lines.
constexpr float kMinHero = 164, kMinPresentedMap = 154, kCompactCaption = 81;
// A window held upright has both panels and the caption one below the other.
constexpr float kColumnWidth = 520;
constexpr float kColumnHeroShare = 0.38f, kColumnMapShare = 0.34f;  // of the height beyond the least
// Below a large map the memory keeps all rows of the round: operands that lie apart stand one below the
// other.
constexpr float kMinPresentedMemory = 172;
constexpr float kHeroShare = 0.56f, kHeroShareBesideText = 0.44f;   // the height's, without the transport
constexpr float kPresentedMapShare = 0.47f, kWideMapShare = 0.58f;  // shares of the width, beside the caption
constexpr float kLargeMapShare = 0.66f;  // of the height, of a map that is the large panel

}  // namespace

PresentedLayout layoutFor(const ViewContext& view, float left, ImVec2 size, const PresentedState& state) {
  const float gap = view.px(kPresenterGap), inset = view.px(kPresenterInset);
  const float top = gap + (state.hasMessage ? view.px(kMessageHeight) + gap : 0);
  const float bottom = size.y - gap - view.px(kTransport) - gap, room = bottom - top;
  const bool isWide = state.isSwapped || !state.isNarrow;
  PresentedLayout layout{
      .hasOnePanel = left > 0, .largeMin = {left + gap, top}, .captionMax = {size.x - gap, bottom}};
  const float least = state.isSwapped ? kMinPresentedMemory : kMinPresentedMap;
  const float leastColumn = view.px(kMinHero + kMinPresentedMemory + kCompactCaption) + 2 * gap;
  if (left <= 0 && size.x < view.px(kColumnWidth) && room >= leastColumn) {
    const float spare = room - leastColumn;
    const float large = view.px(kMinHero) + spare * kColumnHeroShare;
    const float small = view.px(kMinPresentedMemory) + spare * kColumnMapShare;
    layout.largeMax = {size.x - gap, std::round(top + large)};
    layout.smallMin = {gap, layout.largeMax.y + gap};
    layout.smallMax = {size.x - gap, std::round(layout.smallMin.y + small)};
    layout.captionMin = {gap, layout.smallMax.y + gap};
  } else if (const float most = room - gap - view.px(least); most >= view.px(kMinHero)) {
    const float share = state.isSwapped ? kLargeMapShare : isWide ? kHeroShareBesideText : kHeroShare;
    const float heroBottom = std::round(top + std::clamp(room * share, view.px(kMinHero), most));
    const float mapRight = std::round(size.x * (isWide ? kWideMapShare : kPresentedMapShare));
    layout.largeMax = {size.x - gap, heroBottom};
    layout.smallMin = {gap, heroBottom + gap};
    layout.smallMax = {mapRight, bottom};
    layout.captionMin = {(left > 0 ? left : mapRight) + gap, heroBottom + gap};
  } else {  // over the caption
    layout.hasOnePanel = layout.isLow = true;
    layout.captionMin = {gap, bottom - view.px(kCompactCaption)};
    layout.largeMax = {size.x - gap, layout.captionMin.y - gap};
  }
  layout.textMin = {layout.captionMin.x + inset + view.px(6), layout.captionMin.y + view.px(6)};
  layout.textMax = {layout.captionMax.x - inset, layout.captionMax.y - view.px(2)};
  return layout;
}

}  // namespace stridescope::views
