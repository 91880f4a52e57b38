// How well a warp's access to device memory is coalesced: modelled. Device memory is read and written in
// sectors of 32 bytes; buffers begin at a multiple of 256 bytes, so that the offset alone decides the sector.
#pragma once

#include <cstdint>

#include "analysis/bank_conflicts.h"

namespace stridescope {

inline constexpr unsigned kSectorBytes = 32;

struct SectorUse {
  unsigned sectors = 0;  // distinct sectors that the lanes touch
  unsigned ideal = 0;    // the bytes of the distinct elements, packed densely: rounded up to whole sectors
};

// Offsets count from the start of the buffer.
SectorUse countSectors(const LaneAddresses& addresses);

}  // namespace stridescope
