#include "views/compare/compare_layout.h"

#include <algorithm>
#include <cmath>

namespace stridescope::views {
namespace {

// Units. Below a width of kWithSource there are no lines of the kernels, below kWithMap no maps.
constexpr float kWithSource = 1264, kWithMap = 980;
constexpr float kMinMemory = 160, kGoodMemory = 190, kMinMap = 160, kGoodMap = 190, kMinSource = 66,
                kMaxSourceShare = 0.24f, kMapShare = 0.36f;
constexpr float kMinColumn = 360, kMinStacked = kCompareHead + kGoodMemory;

struct Shown {
  float source = 0, map = 0;  // pixels, the map's with its tabs; 0: not shown
};

Shown shownIn(const CompareRoom& room, float width, float height) {
  const float unit = room.unit;
  const float least = (kCompareHead + kMinMemory) * unit, good = (kCompareHead + kGoodMemory) * unit;
  const float leastMap = (kCompareTabs + kMinMap) * unit;
  Shown shown;
  if (width < kWithMap * unit || height < least + room.gap + leastMap) return shown;
  // In a low room, as below a message, both give way as far as they have what they show in view.
  shown.map = std::max(std::min(std::max((kCompareTabs + kGoodMap) * unit, std::floor(height * kMapShare)),
                                height - good - room.gap),
                       leastMap);
  const float source = std::clamp(room.sourceRows * unit, kMinSource * unit,
                                  std::max(kMinSource * unit, std::floor(height * kMaxSourceShare)));
  if (width >= kWithSource * unit && room.sourceRows > 0 &&
      height >= good + shown.map + source + 2 * room.gap)
    shown.source = source;
  return shown;
}

CompareColumn columnIn(const CompareRoom& room, const Box& box, const Shown& shown) {
  CompareColumn column;
  float bottom = box.max.y;
  if (shown.map > 0) {
    const float top = bottom - shown.map, tabs = top + kCompareTabs * room.unit;
    column.tabs = {{box.min.x, top}, {box.max.x, tabs}};
    column.map = {{box.min.x, tabs}, {box.max.x, bottom}};
    bottom = std::max(box.min.y, top - room.gap);
  }
  if (shown.source > 0) {
    column.source = {{box.min.x, bottom - shown.source}, {box.max.x, bottom}};
    bottom -= shown.source + room.gap;
  }
  const float head = box.min.y + kCompareHead * room.unit;
  column.head = {box.min, {box.max.x, head}};
  column.memory = {{box.min.x, head}, {box.max.x, bottom}};
  return column;
}

}  // namespace

CompareLayout layOutCompare(const CompareRoom& room) {
  const float width = room.max.x - room.min.x, height = room.max.y - room.min.y;
  const float middle = std::min(kMiddleWidth * room.unit, width / 3);
  const float side = std::floor((width - middle - 2 * room.gap) / 2);
  const float half = std::floor((height - room.gap) / 2);
  CompareLayout layout;
  if (side < kMinColumn * room.unit && half >= kMinStacked * room.unit) {
    const float right = room.max.x - middle - room.gap;
    layout.sides.left = columnIn(room, {room.min, {right, room.min.y + half}}, {});
    layout.sides.right = columnIn(room, {{room.min.x, room.max.y - half}, {right, room.max.y}}, {});
    layout.middle = {{room.max.x - middle, room.min.y}, room.max};
    return layout;
  }
  Shown shown = shownIn(room, width, height);
  if (side < kMinColumn * room.unit) shown = {.source = 0, .map = height - kCompareHead * room.unit};
  layout.sides.left = columnIn(room, {room.min, {room.min.x + side, room.max.y}}, shown);
  layout.sides.right = columnIn(room, {{room.max.x - side, room.min.y}, room.max}, shown);
  layout.middle = {{room.min.x + side + room.gap, room.min.y}, {room.max.x - side - room.gap, room.max.y}};
  return layout;
}

}  // namespace stridescope::views
