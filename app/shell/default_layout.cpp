#include "shell/default_layout.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "draw/draw_context.h"

namespace stridescope::shell {
namespace {

// The wide layout's extents at 1600 x 1000 units.
constexpr float kReferenceWidth = 1600;
constexpr float kReferenceHeight = 1000;
constexpr float kBelowHeight = 364;
constexpr float kRightBelowHeight = 326;
constexpr float kRightsShareOfGrowth = 0.35f;
constexpr float kBelowsShareOfGrowth = 0.45f;  // of what a window is higher
// By so much the centre takes all that a window is wider: its memory map shows more of a round's operands
// with it. Beyond that the right column gets its share.
constexpr float kCentreFirst = 840;

// The narrow one's, at 1280 x 720. What a window is wider goes to the right column and a little more, so that
// at 1366 units it has room for a kernel's longest line.
constexpr float kNarrowReferenceWidth = 1280;
constexpr float kNarrowRightsShareOfGrowth = 1.1f;
constexpr float kNarrowLeftWidth = 176;
constexpr float kNarrowRightWidth = 436;
constexpr float kBelowsShare = 0.457f;
constexpr float kTabsShareOfTwo = 0.44f;

using Panels = std::span<const PlacedPanel>;

// Tabs of one place: those of the first region, then those of the next.
DockLayout tabsOf(Panels panels, std::initializer_list<Region> regions) {
  std::vector<std::string> names;
  for (const Region region : regions)
    for (const PlacedPanel& panel : panels)
      if (panel.place.region == region) names.push_back(panel.name);
  return dockPanels(std::move(names));
}

// Side by side from `first` on, their widths times `widen`; the last but one takes what rounding leaves.
DockLayout rowOf(const std::vector<PlacedPanel>& panels, std::size_t first, float widen) {
  DockLayout place = dockPanels({panels[first].name});
  if (first + 1 == panels.size()) return place;
  DockLayout rest = rowOf(panels, first + 1, widen);
  if (first + 2 == panels.size())
    return rightOf(panels.back().place.width * widen, std::move(place), std::move(rest));
  return leftOf(panels[first].place.width * widen, std::move(place), std::move(rest));
}

DockLayout belowInARow(Panels panels, float width) {
  std::vector<PlacedPanel> below;
  std::ranges::copy_if(panels, std::back_inserter(below),
                       [](const PlacedPanel& panel) { return panel.place.region == Region::Below; });
  if (below.empty()) return {};
  const float taken =
      std::accumulate(below.begin(), below.end(), 0.0f,
                      [](float sum, const PlacedPanel& panel) { return sum + panel.place.width; });
  return rowOf(below, 0, (width - float(below.size() - 1) * draw::kPanelGap) / taken);
}

DockLayout wide(Panels panels, float width, float height, const ColumnWidths& columns) {
  const float wider = std::max(0.0f, width - kReferenceWidth);
  const float narrower = std::max(0.0f, kReferenceWidth - width);
  const float shorter = std::max(0.0f, kReferenceHeight - height);
  const float grown = std::max(0.0f, height - kReferenceHeight) * kBelowsShareOfGrowth - shorter * 0.4f;
  const float right =
      columns.right + std::max(0.0f, wider - kCentreFirst) * kRightsShareOfGrowth - narrower * 0.5f;
  const float centre = width - 4 * draw::kPanelGap - columns.left - right;
  DockLayout middle =
      bottomOf(kBelowHeight + grown, tabsOf(panels, {Region::Centre}), belowInARow(panels, centre));
  DockLayout column = bottomOf(kRightBelowHeight + grown, tabsOf(panels, {Region::Right}),
                               tabsOf(panels, {Region::RightBelow}));
  return leftOf(columns.left, tabsOf(panels, {Region::Left}),
                rightOf(right, std::move(middle), std::move(column)));
}

DockLayout narrow(Panels panels, float width, float height) {
  const float room = height - kTopBarHeight - kTransportHeight;
  DockLayout middle =
      bottomOf(room * kBelowsShare, tabsOf(panels, {Region::Centre}), tabsOf(panels, {Region::Below}));
  const float right =
      kNarrowRightWidth + kNarrowRightsShareOfGrowth * std::max(0.0f, width - kNarrowReferenceWidth);
  return leftOf(kNarrowLeftWidth, tabsOf(panels, {Region::Left}),
                rightOf(right, std::move(middle), tabsOf(panels, {Region::Right, Region::RightBelow})));
}

// Large text in a small window.
DockLayout stacked(Panels panels, float height) {
  using enum Region;
  const float room = height - kTopBarHeight - kTransportHeight;
  return bottomOf(room * kBelowsShare, tabsOf(panels, {Centre}),
                  tabsOf(panels, {Below, Right, RightBelow, Left}));
}

DockLayout twoPlaces(Panels panels, float width) {
  using enum Region;
  return rightOf((width - 3 * draw::kPanelGap) * kTabsShareOfTwo, tabsOf(panels, {Centre}),
                 tabsOf(panels, {Below, Right, RightBelow, Left}));
}

DockLayout onePlace(Panels panels) {
  using enum Region;
  return tabsOf(panels, {Centre, Below, Right, RightBelow, Left});
}

}  // namespace

std::vector<NamedLayout> defaultLayouts(float width, float height, std::span<const PlacedPanel> panels,
                                        const ColumnWidths& columns) {
  return {{"wide", wide(panels, width, height, columns)},
          {"narrow", narrow(panels, width, height)},
          {"stacked", stacked(panels, height)},
          {"two places", twoPlaces(panels, width)},
          {"one place", onePlace(panels)}};
}

std::string defaultLayoutName(float width, float height) {
  if (width >= kWideLayoutWidth) return "wide";
  if (width >= kNarrowLayoutWidth) return "narrow";
  if (height - kTopBarHeight - kTransportHeight >= kMinStackedHeight) return "stacked";
  return width >= kMinTwoPlacesWidth ? "two places" : "one place";
}

}  // namespace stridescope::shell
