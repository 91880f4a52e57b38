#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/lane_use.h"
#include "narration/round_kind.h"
#include "narration/text_maps.h"

namespace stridescope::narration {
namespace {

constexpr std::size_t kRoundsAcross = 15;

// "32", "16*", or "16/32" if some lanes only take part.
std::string cellOf(const analysis::LaneCounts& lanes, std::size_t size) {
  if (lanes.active() == 0) return ".";
  const std::string of = lanes.used < lanes.active() ? fmt::format("{}/{}", lanes.used, lanes.active())
                                                     : std::to_string(lanes.used);
  return of + (lanes.active() < size ? "*" : " ");
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string divergenceMap(const RoundAt& at) {
  const std::size_t rounds = at.analysis.told();
  std::string text;
  bool unusedToo = false;
  for (std::size_t first = 0; first < rounds; first += kRoundsAcross) {
    const std::size_t end = std::min(rounds, first + kRoundsAcross);
    std::string head = fmt::format("{:>7}", "");
    for (std::size_t index = first; index < end; ++index)
      head += fmt::format("{:>5} ", tickOf({at.trace, at.launch, at.analysis, at.flow, index}));
    text += trimmed(head) + "\n";
    std::vector<std::vector<analysis::LaneUse>> uses;
    for (std::size_t index = first; index < end; ++index)
      uses.push_back(analysis::laneUses(at.analysis.rounds[index], at.flow[index]));
    for (unsigned warp = 0; warp < at.warps(); ++warp) {
      std::string row = fmt::format("{:>7}", fmt::format("W{}", warp));
      const std::size_t begin = std::size_t(warp) * model::kWarpSize;
      for (std::size_t index = first; index < end; ++index) {
        const auto lanes =
            analysis::countLanes(at.analysis.rounds[index], uses[index - first], begin, model::kWarpSize);
        const std::string cell =
            cellOf(lanes, std::min<std::size_t>(model::kWarpSize, at.launch.block - begin));
        unusedToo = unusedToo || lanes.used < lanes.active();
        row += fmt::format("{:>6}", cell == "." ? ". " : cell);
      }
      text += trimmed(row) + "\n";
    }
  }
  return text + fmt::format("{:>7}  active lanes of each warp; * partial warp, . idle warp{}\n", "",
                            unusedToo ? "; 8/32: the results of 8 are used" : "");
}

}  // namespace stridescope::narration
