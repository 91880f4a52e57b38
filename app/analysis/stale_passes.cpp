#include "analysis/stale_passes.h"

#include <algorithm>
#include <set>

#include "analysis/pass_view.h"

namespace stridescope::analysis {
namespace {

bool hasStaleOperand(const PassView& view) {
  return std::ranges::any_of(view.flow.work, [](const ThreadWork& work) {
    return std::ranges::any_of(work.operands,
                               [](const Operand& operand) { return operand.left.has_value(); });
  });
}

}  // namespace

std::vector<PassPlace> findStalePasses(const model::Trace& trace, const model::LaunchTrace& launch,
                                       const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow) {
  std::set<std::uint32_t> racing;
  for (const Race& race : analysis.races)
    if (race.shared && race.round < analysis.rounds.size()) racing.insert(race.round);

  std::vector<PassPlace> stale;
  PassViewer viewer(trace, launch, analysis, flow);
  for (const std::uint32_t round : racing) {
    const std::uint32_t passes = analysis.rounds[round].passes;
    if (passes > kMaxPassesWalked || std::uint64_t(passes) * launch.block > kMaxThreadsCached) continue;
    for (std::uint32_t pass = 0; pass < passes; ++pass)
      if (const auto view = viewer.view(round, pass); view && hasStaleOperand(*view))
        stale.push_back({round, pass});
  }
  return stale;
}

}  // namespace stridescope::analysis
