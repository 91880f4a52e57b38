#include "twin/figures.h"

#include <algorithm>

namespace stridescope {

std::vector<Figure> figuresOf(const RoundAt& at) {
  const Round& round = at.round();
  unsigned wavefronts = 0, ideal = 0, way = 0;
  for (const Request& request : round.requests) {
    wavefronts += request.wavefronts;
    ideal += request.ideal;
    way = std::max(way, request.way);
  }
  return {{"active lanes", round.activeLanes, at.launch.block},
          {"active warps", round.activeWarps, at.warps()},
          {"partial warps", round.partialWarps, at.warps()},
          {"divergent branches", round.divergentBranches},
          {"wavefronts", wavefronts},
          {"ideal wavefronts", ideal},
          {"bank conflicts", wavefronts - ideal},
          {"highest way", way}};
}

}  // namespace stridescope
