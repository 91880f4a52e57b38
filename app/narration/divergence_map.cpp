#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "narration/round_kind.h"
#include "narration/text_maps.h"

namespace stridescope::narration {
namespace {

constexpr std::size_t kRoundsAcross = 15;

std::string cellOf(const analysis::Round& round, unsigned warp) {
  const auto begin = round.lanes.begin() + warp * model::kWarpSize;
  const auto end =
      round.lanes.end() - begin > long(model::kWarpSize) ? begin + model::kWarpSize : round.lanes.end();
  const auto active = std::count(begin, end, analysis::LaneState::Active);
  if (active == 0) return ".";
  return fmt::format("{}{}", active, active < end - begin ? "*" : " ");
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::string divergenceMap(const RoundAt& at) {
  const std::size_t rounds = at.analysis.rounds.size();
  std::string text;
  for (std::size_t first = 0; first < rounds; first += kRoundsAcross) {
    const std::size_t end = std::min(rounds, first + kRoundsAcross);
    std::string head = fmt::format("{:>7}", "");
    for (std::size_t index = first; index < end; ++index)
      head += fmt::format("{:>5} ", tickOf({at.trace, at.launch, at.analysis, at.flow, index}));
    text += trimmed(head) + "\n";
    for (unsigned warp = 0; warp < at.warps(); ++warp) {
      std::string row = fmt::format("{:>7}", fmt::format("W{}", warp));
      for (std::size_t index = first; index < end; ++index) {
        const std::string cell = cellOf(at.analysis.rounds[index], warp);
        row += fmt::format("{:>6}", cell == "." ? ". " : cell);
      }
      text += trimmed(row) + "\n";
    }
  }
  return text + fmt::format("{:>7}  active lanes of each warp; * partial warp, . idle warp\n", "");
}

}  // namespace stridescope::narration
