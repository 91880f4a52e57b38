#include "analysis/sectors.h"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/lane_mask.h"

namespace stridescope::analysis {

SectorUse countSectors(const LaneAddresses& addresses) {
  std::array<std::uint64_t, model::kWarpSize> offsets{};
  std::size_t lanes = 0;
  for (std::uint32_t rest = addresses.mask; rest != 0; rest &= rest - 1)
    offsets[lanes++] = addresses.offset[lowestLane(rest)];
  const std::span used(offsets.data(), lanes);
  if (!std::ranges::is_sorted(used)) std::ranges::sort(used);

  SectorUse use;
  unsigned elements = 0;
  std::uint64_t nextSector = 0;  // the first one not counted yet
  for (std::size_t i = 0; i < lanes; ++i) {
    if (i == 0 || used[i] != used[i - 1]) ++elements;
    const std::uint64_t first = std::max(nextSector, used[i] / kSectorBytes);
    const std::uint64_t end = (used[i] + addresses.width - 1) / kSectorBytes + 1;
    if (end > first) {
      use.sectors += unsigned(end - first);
      nextSector = end;
    }
  }
  use.ideal = (elements * addresses.width + kSectorBytes - 1) / kSectorBytes;
  return use;
}

std::vector<SectorUse> worstSectorsByWarp(const Round& round, unsigned warps) {
  std::vector<SectorUse> worst(warps);
  for (const WarpOperation& operation : round.operations) {
    const SectorUse use{operation.sectors, operation.idealSectors};
    if (use.sectors > 0 && use.isWorseThan(worst.at(operation.warp))) worst[operation.warp] = use;
  }
  return worst;
}

SectorUse worstOf(const std::vector<SectorUse>& uses) {
  SectorUse worst;
  for (const SectorUse& use : uses)
    if (use.sectors > 0 && use.isWorseThan(worst)) worst = use;
  return worst;
}

}  // namespace stridescope::analysis
