#include "narration/figures.h"

#include <algorithm>

namespace stridescope::narration {

std::optional<unsigned> usefulLanes(const RoundAt& at) {
  const auto& useful = at.work().registerUseful;
  if (useful.empty()) return std::nullopt;
  return unsigned(std::ranges::count(useful, true));
}

analysis::LaneCounts lanesByUse(const RoundAt& at) {
  return analysis::countLanes(at.round(), analysis::laneUses(at.round(), at.work()));
}

std::vector<Figure> figuresOf(const RoundAt& at) {
  const analysis::Round& round = at.round();
  unsigned wavefronts = 0, ideal = 0, way = 0, sectors = 0, idealSectors = 0;
  for (const analysis::Request& request : round.requests) {
    wavefronts += request.wavefronts;
    ideal += request.ideal;
    way = std::max(way, request.way);
    sectors += request.sectors;
    idealSectors += request.idealSectors;
  }
  std::vector<Figure> figures{{"active lanes", round.activeLanes, at.launch.block},
                              {"active warps", round.activeWarps, at.warps()},
                              {"partial warps", round.partialWarps, at.warps()},
                              {"divergent branches", round.divergentBranches},
                              {"wavefronts", wavefronts},
                              {"ideal wavefronts", ideal},
                              {"bank conflicts", wavefronts - ideal},
                              {"highest way", way}};
  if (sectors > 0) {
    figures.push_back({"sectors", sectors});
    figures.push_back({"ideal sectors", idealSectors});
  }
  if (const analysis::LaneCounts lanes = lanesByUse(at); lanes.used < lanes.active())
    figures.push_back({"used lanes", lanes.used, round.activeLanes});
  return figures;
}

}  // namespace stridescope::narration
