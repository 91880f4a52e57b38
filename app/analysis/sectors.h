// How well a warp's access to device memory is coalesced: modelled. Device memory is read and written in
// sectors of 32 bytes; buffers begin at a multiple of 256 bytes, so that the offset alone decides the sector.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/bank_conflicts.h"

namespace stridescope::analysis {

inline constexpr unsigned kSectorBytes = 32;

struct SectorUse {
  unsigned sectors = 0;  // distinct sectors that the lanes touch
  unsigned ideal = 0;    // the bytes of the distinct elements, packed densely: rounded up to whole sectors

  // Touches more sectors; or as many, of which fewer would do.
  bool isWorseThan(const SectorUse& other) const {
    return sectors != other.sectors ? sectors > other.sectors : ideal < other.ideal;
  }
};

// Offsets count from the start of the buffer.
SectorUse countSectors(const LaneAddresses& addresses);

// For each of the `warps` of a block its worst request of the round; all 0 for a warp that does not touch
// device memory. Needs the memory use of the round's operations.
std::vector<SectorUse> worstSectorsByWarp(const Round& round, unsigned warps);

// The worst of these; all 0 if there is none.
SectorUse worstOf(const std::vector<SectorUse>& uses);

}  // namespace stridescope::analysis
