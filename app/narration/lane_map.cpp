#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "narration/text_maps.h"
#include "narration/wording.h"

namespace stridescope::narration {
namespace {

struct StateText {
  analysis::LaneState state;
  char character;
  std::string_view meaning;
};
constexpr std::array<StateText, 4> kStates{{{analysis::LaneState::Active, '#', "active"},
                                            {analysis::LaneState::Inactive, '/', "inactive"},
                                            {analysis::LaneState::IdleWarp, '-', "in an idle warp"},
                                            {analysis::LaneState::Finished, 'x', "finished"}}};

std::string rowOf(const RoundAt& at, unsigned warp) {
  const auto& lanes = at.round().lanes;
  std::string row;
  for (std::size_t lane = warp * model::kWarpSize;
       lane < std::min<std::size_t>(lanes.size(), (warp + 1) * model::kWarpSize); ++lane)
    row += characterOf(lanes[lane]);
  return row;
}

}  // namespace

char characterOf(analysis::LaneState state) {
  return std::ranges::find(kStates, state, &StateText::state)->character;
}

std::string laneMap(const RoundAt& at) {
  std::string text = fmt::format("{:>7}  {:<8}{:<8}{:<8}{}\n", "lane", 0, 8, 16, 24);
  for (unsigned warp = 0; warp < at.warps();) {
    const std::string row = rowOf(at, warp);
    unsigned next = warp + 1;
    while (next < at.warps() && rowOf(at, next) == row) ++next;
    const std::string label =
        next == warp + 1 ? fmt::format("W{}", warp) : fmt::format("W{}-W{}", warp, next - 1);
    text += fmt::format("{:>7}  {}\n", label, row);
    warp = next;
  }
  std::string legend;
  for (const StateText& state : kStates) {
    const auto number = std::ranges::count(at.round().lanes, state.state);
    if (number > 0)
      legend += fmt::format("{}{} {} {}", legend.empty() ? "" : "   ", state.character,
                            figure(std::uint64_t(number)), state.meaning);
  }
  return text + fmt::format("{:>7}  {}\n", "", legend);
}

}  // namespace stridescope::narration
