// Several GPUs in the Shared memory panel: their arrays below one another, which devices' elements each part
// combines, and as arrows what goes from one memory to another in the shown round; or, where each GPU reduces
// a part, a strip above the map with the messages between them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "views/shared/view_context.h"

namespace stridescope::views {

// A part of a bar: elements of a GPU's array, and what is known of them.
struct DeviceCell {
  std::uint64_t first = 0, end = 0;
  std::uint32_t of = 0;   // a bit for each device whose elements it combines
  bool isTaken = false;   // it goes over a link in this round
  bool isStored = false;  // it was written in this round
  std::string label{};    // "0+1", "all", "-"
  friend bool operator==(const DeviceCell&, const DeviceCell&) = default;
};

// By buffer, by device, as DeviceTraffic::partsAfter has them after each round.
using DeviceParts = std::vector<std::vector<std::vector<analysis::DevicePart>>>;

// The bar of a buffer on a device: what it holds `now`, after the round. Cells begin and end where one of
// their properties changes. `round` may be null: it is not told; `before` too: what was stored is not known.
// Pure.
std::vector<DeviceCell> deviceCells(const DeviceParts& now, const DeviceParts* before,
                                    const analysis::DeviceRound* round, std::uint32_t buffer,
                                    unsigned device);

// The block in the same place of the device's grid as the shown one, numbered among those of all devices.
std::uint64_t blockOnDevice(const model::LaunchTrace& launch, unsigned device);
// Whether the device's block waits in the round for another one's word. `round` may be null.
bool waitsIn(const analysis::DeviceRound* round, unsigned device);

// Whether the launch's picture is that of the devices' arrays.
bool showsDeviceMap(const session::Replay& replay);
// Draws it, and gives the notes for the panel's title line, the longer one first.
std::vector<std::string> drawDeviceMap(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max);
// "Memory of 2 GPUs".
std::string deviceMapTitle(const session::Replay& replay);

// Whether each GPU reduces a part in the launch.
bool showsDeviceStrip(const session::Replay& replay);
inline constexpr float kDeviceStripHeight = 54;  // units
void drawDeviceStrip(ViewContext& view, ImDrawList& list, ImVec2 min, ImVec2 max, float labelRight);

}  // namespace stridescope::views
