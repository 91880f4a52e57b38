#include "analysis/pass_numbers.h"

#include <algorithm>
#include <utility>

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
  constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t last = kNone;  // the last of the warp's accesses in passes so far
  unsigned warp = ~0u;
  for (WarpOperation& operation : round.operations) {
    if (std::exchange(warp, operation.warp) != operation.warp) last = kNone;
    if (!isAccess(operation.kind)) {
      operation.pass = 0;
      continue;
    }
    const Position& own = positions[operation.pass];
    const auto found = std::ranges::lower_bound(
        passes, own, {}, [&](std::uint32_t i) -> const Position& { return positions[i]; });
    std::size_t number = std::min(std::size_t(found - passes.begin()), passes.size() - 1);
    operation.inPass = found != passes.end() && positions[*found] == own;
    // What stands around passes belongs to the first of them; behind some, to the last trip of the loop that
    // the warp comes from, though other warps make more trips.
    if (!operation.inPass && last != kNone) {
      number = std::max(number, last);
      while (number + 1 < passes.size() && own.isAround(positions[passes[number + 1]]) &&
             positions[passes[number + 1]].isInTheLoopsOf(positions[passes[last]]))
        ++number;
    }
    operation.pass = std::uint32_t(number);
    if (operation.inPass) last = last == kNone ? number : std::max(last, number);
  }
}

}  // namespace stridescope::analysis
