// Where the arrays of several GPUs stand: they use the room, keep apart, and arrows go from edge to edge.
#include "views/memory/device_map_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace stridescope::views {
namespace {

// As large as the panel is in a window of 1280x720, 1600x1000 and 3840x2160.
struct Size {
  float width, height;
};
constexpr Size kSmall{612, 195}, kUsual{780, 330}, kLarge{2390, 980};

DeviceMapLayout laidOut(Size size, unsigned devices, float unit = 1) {
  return layOutDevices({.left = 10,
                        .top = 20,
                        .right = 10 + size.width,
                        .bottom = 20 + size.height,
                        .unit = unit,
                        .devices = devices,
                        .arrays = 2,
                        .elements = 1000});
}

TEST(DeviceMapLayout, UsesTheHeightAndLeavesRoomForTheLegend) {
  for (const Size size : {kSmall, kUsual, kLarge})
    for (const unsigned devices : {2u, 3u, 4u, 8u}) {
      const DeviceMapLayout map = laidOut(size, devices);
      SCOPED_TRACE(std::to_string(devices) + " devices in " + std::to_string(size.height));
      const float left = 20 + size.height - map.legendHeight - map.bottom();
      EXPECT_GE(left, 0);
      // A pixel more for each bar, and what that makes the gaps grow by, would be too much.
      EXPECT_LT(left, float(devices * 2 + devices * 2)) << "of " << size.height;
      EXPECT_GE(map.bar, 6);
      EXPECT_EQ(map.right, 10 + size.width);
    }
}

TEST(DeviceMapLayout, GrowsWithTheRoom) {
  EXPECT_EQ(laidOut(kSmall, 8).growth, 1);
  EXPECT_FALSE(laidOut(kSmall, 8).namesEachArray);
  EXPECT_TRUE(laidOut(kUsual, 4).namesEachArray);
  EXPECT_GT(laidOut(kLarge, 2).bar, 150);
  EXPECT_GT(laidOut(kLarge, 2).growth, 2);
  EXPECT_GT(laidOut(kLarge, 8).growth, 1);
  for (const unsigned devices : {2u, 4u, 8u}) {
    EXPECT_GT(laidOut(kLarge, devices).bar, laidOut(kUsual, devices).bar) << devices;
    EXPECT_LE(laidOut(kLarge, devices).growth, 2.5f) << devices;
  }
}

// With text twice as large, the map is that of half the room.
TEST(DeviceMapLayout, CountsInUnits) {
  const DeviceMapLayout map = laidOut(kLarge, 4, 2), half = laidOut({kLarge.width / 2, kLarge.height / 2}, 4);
  EXPECT_NEAR(map.growth, half.growth, 0.05);
  EXPECT_NEAR(map.bar, 2 * half.bar, 4);
}

TEST(DeviceMapLayout, KeepsWhatItDrawsApart) {
  for (const Size size : {kSmall, kUsual, kLarge})
    for (const unsigned devices : {2u, 8u}) {
      const DeviceMapLayout map = laidOut(size, devices);
      EXPECT_GE(map.top - 20, 15 * map.growth) << "the numbers of elements";
      EXPECT_GE(map.arrayNames - map.labels, 50 * map.growth) << "GPU 0";
      EXPECT_GE(map.left - map.arrayNames, (map.namesEachArray ? 28 : 46) * map.growth) << "out, or in/out";
      for (unsigned device = 0; device < devices; ++device) {
        EXPECT_GE(map.barTop(device, 1), map.barTop(device, 0) + map.bar + 2);
        if (device > 0) {
          EXPECT_GE(map.barTop(device, 0), map.barTop(device - 1, 1) + map.bar + 6);
        }
      }
      EXPECT_EQ(map.xOf(0), map.left);
      EXPECT_EQ(map.xOf(1000), map.right);
    }
}

// Each from the edge of the memory that the elements leave, the nearer one, to the nearer edge of that where
// they come to: what is loaded becomes part of the result, and what is stored is one.
TEST(DeviceMapLayout, DrawsArrowsFromWhereElementsLieToWhereTheyComeTo) {
  constexpr unsigned kIn = 0, kOut = 1;
  const DeviceMapLayout map = laidOut(kUsual, 4);
  const auto edge = [&](unsigned device, unsigned array, bool lower) {
    return map.barTop(device, array) + (lower ? map.bar : 0);
  };
  for (unsigned from = 0; from < 4; ++from)
    for (unsigned to = 0; to < 4; ++to) {
      if (from == to) continue;
      const bool down = to > from;
      for (const unsigned loaded : {kIn, kOut}) {
        const DeviceArrow load = map.arrowOf(
            {.from = from, .to = to, .by = to, .buffer = loaded, .runs = {{250, 500}}, .bytes = 1000});
        EXPECT_EQ(load.from, edge(from, loaded, down)) << from << " to " << to;
        EXPECT_EQ(load.to, edge(to, kOut, !down)) << from << " to " << to;
        EXPECT_EQ(load.isDown(), down);
        EXPECT_GT(load.x, map.xOf(250));
        EXPECT_LT(load.x, map.xOf(500)) << "at the elements";
      }
      const DeviceArrow store = map.arrowOf(
          {.from = from, .to = to, .by = from, .buffer = kOut, .runs = {{250, 500}}, .bytes = 1000});
      EXPECT_EQ(store.from, edge(from, kOut, down));
      EXPECT_EQ(store.to, edge(to, kOut, !down));
      const DeviceArrow load =
          map.arrowOf({.from = from, .to = to, .by = to, .buffer = kIn, .runs = {{250, 500}}, .bytes = 1000});
      EXPECT_NE(store.x, load.x) << "a load and a store of the same elements stand beside each other";
    }
}

}  // namespace
}  // namespace stridescope::views
