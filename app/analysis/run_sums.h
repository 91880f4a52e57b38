// What the rounds of a run come to when they are added up: one side of a comparison.
#pragma once

#include <cstdint>

#include "analysis/analysis.h"

namespace stridescope::analysis {

// Over the requests of one round; `way` is the highest.
struct RoundSums {
  unsigned requests = 0, wavefronts = 0, ideal = 0, way = 0, sectors = 0, idealSectors = 0;
};

RoundSums sumsOf(const Round& round);

// Over all rounds of all launches.
struct RunSums {
  std::uint64_t rounds = 0, blockBarriers = 0, warpBarriers = 0, workingWarps = 0, partialWarps = 0,
                divergentBranches = 0, wavefronts = 0, inStrides = 0, inMixedRounds = 0, conflicts = 0,
                sectors = 0, races = 0, problems = 0;
};

RunSums sumsOf(const Analysis& analysis);

}  // namespace stridescope::analysis
