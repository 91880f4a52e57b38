#include "views/memory/device_map_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

// Units.
constexpr float kLabelWidth = 52, kArrayLabelWidth = 30, kJoinedNamesWidth = 50, kAxisHeight = 16,
                kLegendHeight = 22, kBarGap = 2, kRowGap = 10, kNarrowRowGap = 6, kMinBar = 6, kText = 13;
// Parts of a bar's height.
constexpr float kTextPart = 0.3f, kBarGapPart = 0.05f, kRowGapPart = 0.35f;
constexpr float kMaxTextGrowth = 2.5f;
constexpr float kNamePart = 0.9f;  // of a line of text, that a bar and its gap need for a name of their own

void setBar(DeviceMapLayout& map, float bar, float rowGap) {
  map.bar = bar;
  map.barGap = std::max(kBarGap * map.unit, std::floor(kBarGapPart * bar));
  map.rowGap = std::max(rowGap * map.unit, std::floor(kRowGapPart * bar));
}

// The highest bars that leave room for the legend.
void fit(DeviceMapLayout& map, float bottom) {
  const float room = bottom - map.legendHeight;
  const float least = std::ceil(kMinBar * map.unit);
  for (const float rowGap : {kRowGap, kNarrowRowGap}) {
    float bar = std::floor((room - map.top) / float(map.devices * map.arrays));
    setBar(map, std::max(bar, least), rowGap);
    while (map.bar > least && map.bottom() > room) setBar(map, --bar, rowGap);
    if (map.bottom() <= room) return;
  }
}

}  // namespace

float DeviceMapLayout::xOf(std::uint64_t element) const {
  return std::round(left + (right - left) * float(double(element) / double(elements)));
}

DeviceArrow DeviceMapLayout::arrowOf(const analysis::DeviceTransfer& transfer) const {
  const unsigned result = arrays - 1;
  const unsigned source = transfer.isLoad() ? transfer.buffer : result;
  const unsigned target = transfer.isLoad() ? result : transfer.buffer;
  const analysis::ElementRun& run = transfer.runs.front();
  const float begin = xOf(run.first), end = xOf(run.end);
  const float over =
      float(std::max(transfer.from, transfer.to) - std::min(transfer.from, transfer.to) - 1);  // devices
  const float aside = (14 + 9 * over) * unit * growth;
  const float x = std::clamp(std::round((begin + end) / 2 + (transfer.isLoad() ? -aside : aside)), begin + 2,
                             std::max(begin + 2, end - 2));
  const bool isDown = transfer.to > transfer.from;
  return {x, barTop(transfer.from, source) + (isDown ? bar : 0),
          barTop(transfer.to, target) + (isDown ? 0 : bar)};
}

DeviceMapLayout layOutDevices(const DeviceMapRoom& room) {
  DeviceMapLayout map{.labels = room.left,
                      .right = room.right,
                      .devices = std::max(1u, room.devices),
                      .arrays = std::max(1u, room.arrays),
                      .elements = std::max<std::uint64_t>(1, room.elements),
                      .unit = room.unit};
  // Text that grows takes height from the bars, which are fitted once more.
  for (const bool grows : {false, true}) {
    if (grows) map.growth = std::clamp(kTextPart * map.bar / (kText * room.unit), 1.0f, kMaxTextGrowth);
    map.top = room.top + std::round(kAxisHeight * room.unit * map.growth);
    map.legendHeight = std::round(kLegendHeight * room.unit * map.growth);
    fit(map, room.bottom);
  }
  map.namesEachArray = map.bar + map.barGap >= kNamePart * kText * room.unit;
  map.arrayNames = room.left + std::round(kLabelWidth * room.unit * map.growth);
  map.left = map.arrayNames +
             std::round((map.namesEachArray ? kArrayLabelWidth : kJoinedNamesWidth) * room.unit * map.growth);
  return map;
}

}  // namespace stridescope::views
