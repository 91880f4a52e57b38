#include "shell/default_layout.h"

#include <algorithm>

#include "draw/metrics.h"

namespace stridescope::shell {
namespace {

// The wide layout's extents at 1600 x 1000 units.
constexpr float kReferenceWidth = 1600;
constexpr float kReferenceHeight = 1000;
constexpr float kLadderWidth = 200;
constexpr float kMapsHeight = 364;
constexpr float kLanesWidth = 272;
constexpr float kDivergenceWidth = 236;
constexpr float kBanksWidth = 316;
constexpr float kSourceWidth = 528;
constexpr float kTimingsHeight = 326;
constexpr float kSourceShareOfGrowth = 0.35f;

// The narrow one's, at 1280 x 720.
constexpr float kNarrowLadderWidth = 176;
constexpr float kNarrowSourceWidth = 436;
constexpr float kNarrowMapsShare = 0.457f;

DockLayout wide(float width, float height) {
  const float wider = std::max(0.0f, width - kReferenceWidth);
  const float narrower = std::max(0.0f, kReferenceWidth - width);
  const float shorter = std::max(0.0f, kReferenceHeight - height);
  const float source = kSourceWidth + wider * kSourceShareOfGrowth - narrower * 0.5f;
  const float mapsWidth = kLanesWidth + kDivergenceWidth + kBanksWidth;
  const float centre = width - 4 * draw::kPanelGap - kLadderWidth - source;
  const float widen = (centre - 2 * draw::kPanelGap) / mapsWidth;
  DockLayout maps = leftOf(kLanesWidth * widen, dockPanels({"Lanes"}),
                           rightOf(kBanksWidth * widen, dockPanels({"Divergence"}), dockPanels({"Banks"})));
  DockLayout middle = bottomOf(kMapsHeight - shorter * 0.4f, dockPanels({"Shared memory"}), std::move(maps));
  DockLayout column =
      bottomOf(kTimingsHeight - shorter * 0.4f, dockPanels({"Source"}), dockPanels({"Timings"}));
  return leftOf(kLadderWidth, dockPanels({"Ladder"}), rightOf(source, std::move(middle), std::move(column)));
}

DockLayout narrow(float height) {
  const float room = height - kTopBarHeight - kTransportHeight;
  DockLayout middle = bottomOf(room * kNarrowMapsShare, dockPanels({"Shared memory"}),
                               dockPanels({"Lanes", "Divergence", "Banks"}));
  return leftOf(kNarrowLadderWidth, dockPanels({"Ladder"}),
                rightOf(kNarrowSourceWidth, std::move(middle), dockPanels({"Source", "Timings"})));
}

// Large text in a small window.
NamedLayout small(float height) {
  const float room = height - kTopBarHeight - kTransportHeight;
  if (room < kLeastStackedHeight)
    return {"one place",
            dockPanels({"Shared memory", "Lanes", "Divergence", "Banks", "Source", "Timings", "Ladder"})};
  return {"stacked", bottomOf(room * kNarrowMapsShare, dockPanels({"Shared memory"}),
                              dockPanels({"Lanes", "Divergence", "Banks", "Source", "Timings", "Ladder"}))};
}

}  // namespace

NamedLayout defaultLayout(float width, float height) {
  if (width < kNarrowLayoutWidth) return small(height);
  if (width < kWideLayoutWidth) return {"narrow", narrow(height)};
  return {"wide", wide(width, height)};
}

}  // namespace stridescope::shell
