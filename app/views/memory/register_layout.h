// Where the lanes stand when the Shared memory panel shows registers, in pixels. Pure.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "narration/round_at.h"
#include "views/memory/shared_memory_layout.h"

namespace stridescope::views {

// One lane of a warp in a round in which lanes pass values to each other.
struct LaneColumn {
  unsigned thread = 0, lane = 0, source = 0;  // source: the lane whose value it received
  bool takesPart = false;
  bool useful = false;    // what it holds afterwards is still needed, and more than identities
  bool identity = false;  // it is made of identities alone
  bool feeds = false;     // what it gave goes into such a value
  bool inView = false;    // has the room for its values; else it is a strip
  Span span;              // from the map's left edge
  std::string given, after;
  // That value and all that are alike in the row have room: none stands alone among blanks.
  bool givenFits = false, afterFits = false;
};

struct RegisterBand {
  unsigned warp = 0;
  model::EventKind kind{};  // Shuffle, Vote or WarpReduce
  std::vector<LaneColumn> lanes;

  // Lanes come into view in groups: for a shuffle each useful lane with its source, else each lane that
  // feeds.
  std::size_t groups = 0, firstGroup = 0, groupsInView = 0;
  bool everything() const { return groupsInView >= groups; }
};

struct RegisterLayoutInput {
  float width = 0;      // the map's
  float leastLane = 0;  // the width of a lane that is a strip
  std::function<float(const std::string&)> textWidth;
  float leastValue = 0;  // what the longest value of other rows needs that stand under each other with this
  std::optional<unsigned> heldLane;         // comes into view
  std::optional<std::size_t> groupsInView;  // the person's zoom; nullopt: as many as fit their values
  std::optional<std::size_t> firstGroup;    // the person's pan
};

// The warps that pass values in the round, ascending.
std::vector<unsigned> exchangingWarps(const narration::RoundAt& at);

// What the lanes of the warp gave and hold; nothing is placed. Requires that the warp passes values.
RegisterBand readRegisters(const narration::RoundAt& at, unsigned warp);

// The room that the longest value needs, among those that feed or are still needed.
float widestValue(const RegisterBand& band, const std::function<float(const std::string&)>& textWidth);

// Lanes that feed a needed value share the width; those whose result is unused are folded to strips of at
// least leastLane pixels where the others need the room for their values. If they do not fit all the same,
// the view is the greatest power of two of groups that does, aligned, with the held lane, and the other
// groups are strips, too. Where not even one fits, all share the width without values.
void layOutRegisters(RegisterBand& band, const RegisterLayoutInput& input);

// Gives the bands' lanes the places of another warp's, so that rows of several warps stand under each other,
// with all values or without.
void placeLike(std::span<RegisterBand> bands, const RegisterBand& other,
               const std::function<float(const std::string&)>& textWidth);

// The group of a lane, also of one that only gives; nullopt: it is in none.
std::optional<std::size_t> groupOf(const RegisterBand& band, unsigned lane);

}  // namespace stridescope::views
