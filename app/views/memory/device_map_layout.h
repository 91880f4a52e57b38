// Where the arrays of several GPUs stand: a bar for each array of each GPU, and an arrow for what goes from
// one to another. Pure: no ImGui, so that the geometry is tested without a window.
#pragma once

#include <cstdint>

#include "analysis/analysis.h"

namespace stridescope::views {

// What there is, and the room for it in pixels. `unit`: pixels of a unit.
struct DeviceMapRoom {
  float left = 0, top = 0, right = 0, bottom = 0;
  float unit = 1;
  unsigned devices = 1, arrays = 1;
  std::uint64_t elements = 1;  // of each array
};

// From one array's edge to another's, straight down or up.
struct DeviceArrow {
  float x = 0, from = 0, to = 0;
  bool isDown() const { return to > from; }
};

struct DeviceMapLayout {
  float growth = 1;  // of text, lines and arrows over their usual size
  // Whether a bar is as high as its array's name; else the names of a GPU's arrays stand together.
  bool namesEachArray = true;
  float labels = 0, arrayNames = 0;  // where they begin
  float left = 0, right = 0;         // of the bars
  float top = 0;                     // of the first bar; the numbers of elements stand above it
  float bar = 0, barGap = 0, rowGap = 0;
  float legendHeight = 0;
  unsigned devices = 1, arrays = 1;
  std::uint64_t elements = 1;
  float unit = 1;

  float rowHeight() const { return bar * float(arrays) + barGap * float(arrays - 1); }
  float rowTop(unsigned device) const { return top + (rowHeight() + rowGap) * float(device); }
  float barTop(unsigned device, unsigned array) const {
    return rowTop(device) + (bar + barGap) * float(array);
  }
  float bottom() const { return rowTop(devices - 1) + rowHeight(); }
  float xOf(std::uint64_t element) const;

  // From the array that the elements leave to the one where they come to: what a load brings is stored in the
  // last array. It stands at the first run of elements. Those that go to the devices next to theirs stand
  // apart from those that go on.
  DeviceArrow arrowOf(const analysis::DeviceTransfer& transfer) const;
};

// Bars fill the height: they have at most what it gives, and where it gives too little they go beyond it, at
// a height at which they can still be told apart.
DeviceMapLayout layOutDevices(const DeviceMapRoom& room);

}  // namespace stridescope::views
