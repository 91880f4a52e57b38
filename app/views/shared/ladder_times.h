// What each variant costs, for the Ladder panel and for its text: the medians that the ladder tab of Timings
// draws, a live one before a recorded one; or the cycles of one block.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/draw_context.h"
#include "imgui.h"
#include "session/measurements.h"
#include "session/replay.h"
#include "session/workspace.h"
#include "views/shared/timings_data.h"

namespace stridescope::views {

enum class RungUnit : std::uint8_t { Microseconds, Cycles };

struct RungTime {
  std::string variant;  // its id
  double amount = 0;    // in the unit
  double share = 0;     // a share of a full bar; above 1: it goes on beyond it
  bool recorded = false;
};

struct LadderTimes {
  RungUnit unit = RungUnit::Microseconds;
  std::vector<RungTime> rungs;             // the variants' that have a time on a GPU
  std::string liveDevice, recordedDevice;  // empty: no time is of that kind
  std::uint64_t elements = 0;              // the same for all; 0 for cycles
  unsigned threads = 0;                    // in the block whose cycles they are; 0 for microseconds

  const RungTime* find(std::string_view variant) const;  // nullptr: it has no time
};

// All at picture.ladderElements, the recorded ones of one device.
LadderTimes ladderTimes(const TimingsPicture& picture);

// What one block of each variant takes alone, at the run's type, operator and block size. Empty: not known.
LadderTimes ladderCycles(const session::Replay& replay);

// "12.1 µs", "1 204 cycles"
std::string amountOf(const LadderTimes& times, const RungTime& rung);

// The microseconds of a full bar: the most that one of the ladder's variants takes, since what takes a
// hundred times as long would flatten them. Without these, the most among the other lines on a GPU, then
// among those on a CPU. The lines have a rung; 0: there are none.
double fullBarOf(std::span<const TimingLine* const> lines);

// Whose times they are, and of what: "Recorded on NVIDIA H100, n = 2^24". Where both kinds stand beside
// each other, with the words that name how each looks: "Filled", "Outlined".
std::string originOf(const LadderTimes& times, std::string_view live, std::string_view recorded);

// A line per variant, and whose times they are; empty: there are none.
std::string ladderTimesText(const LadderTimes& times);

// The times of the measurements as panels show them, worked out once a snapshot and kept for the frames
// between.
struct ShownTimes {
  TimingsPicture picture;
  LadderTimes rungs;  // the picture's

  // Takes in what was timed since the frame before; before anything that draws it.
  void refresh(const session::Workspace& workspace, const session::Measurements& measurements);
};

// What tells a title from its neighbours' at a glance: what stands after its last comma, and of that the
// first words. "interleaved, modulo" becomes "modulo".
std::string shortTitle(std::string_view title);

// The bar of a variant's time, alike in the Ladder panel and in the ladder tab of Timings.

struct RungBar {
  double share = 0;  // a share of the ground; above 1: cut, with a gap that says so
  ImU32 colour = 0;
  bool recorded = false;  // outlined: it was not measured now
};

// From the left of the ground [min, max], which is drawn, too.
void drawRungBar(const draw::DrawContext& context, ImDrawList& list, ImVec2 min, ImVec2 max,
                 const RungBar& bar);

}  // namespace stridescope::views
