// The caption's second line: what one thread did in a round.
// thread 5   warp 0 lane 5   data[80] + data[88] = 34 + 22 = 56   load A: bank 16, wavefront 3 of 8   ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// One access to shared memory. If one request makes several, it is the one that the Banks panel shows.
struct ThreadAccess {
  std::string name;          // "load A", "load B", "store"
  unsigned bank = 0;         // its first word's
  unsigned wavefront = 0;    // from 1; modelled
  unsigned wavefronts = 0;   // those of the warp's request
  std::string text() const;  // "load A: bank 16, wavefront 3 of 8"
};

struct ThreadLine {
  unsigned thread = 0, warp = 0, lane = 0;
  analysis::LaneState state{};
  std::string formula;  // "data[80] + data[88] = 34 + 22 = 56"; for a lane without work what it is instead
  std::vector<ThreadAccess> accesses;
  std::string text() const;  // the pieces, three spaces between
};

// `thread` < LaunchTrace::block.
ThreadLine threadLineOf(const RoundAt& at, unsigned thread);

}  // namespace stridescope::narration
