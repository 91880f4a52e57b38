// Where the lanes stand when the Shared memory panel shows registers, in pixels. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twin/round_at.h"
#include "views/shared_memory_layout.h"

namespace stridescope {

// One lane of the shown warp in a round in which lanes pass values to each other.
struct LaneColumn {
  unsigned thread = 0, lane = 0, source = 0;  // source: the lane whose value it received
  bool takesPart = false;
  bool useful = false;  // what it holds afterwards is still needed
  bool feeds = false;   // what it gave goes into such a value
  Span span;            // from the map's left edge
  std::string given, after;
};

struct RegisterBand {
  unsigned warp = 0;
  EventKind kind{};  // Shuffle, Vote or WarpReduce
  std::vector<LaneColumn> lanes;
  bool givenFit = false, afterFit = false;  // every value that feeds, or is still needed, fits its lane
};

// The warps that pass values in the round, ascending.
std::vector<unsigned> exchangingWarps(const RoundAt& at);

// Lanes that feed a needed value share the width; those that merely execute are folded to strips of at least
// `leastLane` pixels where the others need the room for their values. Requires that the warp passes values.
RegisterBand layOutRegisters(const RoundAt& at, unsigned warp, float width, float leastLane,
                             const std::function<float(const std::string&)>& textWidth);

// Gives the band's lanes the places of another warp's, so that rows of several warps stand under each other.
void placeLike(RegisterBand& band, const RegisterBand& other,
               const std::function<float(const std::string&)>& textWidth);

}  // namespace stridescope
