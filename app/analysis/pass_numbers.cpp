#include "analysis/pass_numbers.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {

void numberPasses(const std::vector<Position>& positions, Round& round) {
  std::vector<std::uint32_t> present;
  for (const WarpOperation& operation : round.operations)
    if (isAccess(operation.kind)) present.push_back(operation.pass);
  std::ranges::sort(present, {}, [&](std::uint32_t i) -> const Position& { return positions[i]; });
  present.erase(std::unique(present.begin(), present.end()), present.end());

  // In this order whatever a position is around comes right behind it.
  std::vector<std::uint32_t> passes;
  for (std::size_t i = 0; i < present.size(); ++i)
    if (i + 1 == present.size() || !positions[present[i]].isAround(positions[present[i + 1]]))
      passes.push_back(present[i]);

  round.passes = std::max<std::uint32_t>(1, std::uint32_t(passes.size()));
  for (WarpOperation& operation : round.operations) {
    if (!isAccess(operation.kind)) {
      operation.pass = 0;
      continue;
    }
    const Position& own = positions[operation.pass];
    const auto found = std::ranges::lower_bound(
        passes, own, {}, [&](std::uint32_t i) -> const Position& { return positions[i]; });
    std::size_t number = std::size_t(found - passes.begin());
    operation.inPass = found != passes.end() && positions[*found] == own;
    // What stands around passes belongs to the first of them, or to the last that comes before it.
    if (!operation.inPass)
      while (number + 1 < passes.size() && own.isAround(positions[passes[number + 1]]) &&
             !own.isBefore(operation.site, positions[passes[number + 1]]))
        ++number;
    operation.pass = std::uint32_t(std::min(number, passes.size() - 1));
  }
}

}  // namespace stridescope::analysis
