#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/lane_use.h"
#include "narration/result_words.h"
#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

struct CellText {
  char character;
  std::string_view meaning;
};
// First the uses of active lanes, then the other states.
constexpr std::array<CellText, 6> kCells{{{'#', "active"},
                                          {'+', "active, result unused"},
                                          {'=', "active, identities only"},
                                          {'/', "inactive"},
                                          {'-', "in an idle warp"},
                                          {'x', "finished"}}};

// One character per thread.
std::string cellsOf(const RoundAt& at) {
  const auto& lanes = at.round().lanes;
  const std::vector<analysis::LaneUse> uses = analysis::laneUses(at.round(), at.work());
  std::string cells;
  for (std::size_t thread = 0; thread < lanes.size(); ++thread)
    cells += lanes[thread] == analysis::LaneState::Active ? kCells[std::size_t(uses[thread])].character
                                                          : kCells[2 + std::size_t(lanes[thread])].character;
  return cells;
}

}  // namespace

std::string laneMap(const RoundAt& at) {
  const std::string cells = cellsOf(at);
  const auto rowOf = [&](unsigned warp) { return cells.substr(warp * model::kWarpSize, model::kWarpSize); };
  std::string text = fmt::format("{:>7}  {:<8}{:<8}{:<8}{}\n", "lane", 0, 8, 16, 24);
  for (unsigned warp = 0; warp < at.warps();) {
    const std::string row = rowOf(warp);
    unsigned next = warp + 1;
    while (next < at.warps() && rowOf(next) == row) ++next;
    const std::string label =
        next == warp + 1 ? fmt::format("W{}", warp) : fmt::format("W{}-W{}", warp, next - 1);
    text += fmt::format("{:>7}  {}\n", label, row);
    warp = next;
  }
  std::string legend;
  for (const CellText& cell : kCells) {
    const auto number = std::ranges::count(cells, cell.character);
    if (number > 0)
      legend += fmt::format("{}{} {} {}", legend.empty() ? "" : "   ", cell.character,
                            figure(std::uint64_t(number)),
                            cell.character == 'x' && wasStopped(at) ? "stopped" : cell.meaning);
  }
  return text + fmt::format("{:>7}  {}\n", "", legend);
}

}  // namespace stridescope::narration
