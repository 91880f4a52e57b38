// Accesses to the shared memory of another block of the cluster: they are in no block's events, so the block
// that makes them has them as acts beside its events.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/trace.h"

namespace stridescope::model {

// One such access of the recorded block.
struct RemoteAccess {
  std::uint32_t site = 0;
  std::uint32_t rank = 0;    // in the cluster, of the block whose shared memory it is
  std::uint32_t array = 0;   // the shared array's number
  std::uint64_t offset = 0;  // in bytes, from the array's start
  std::uint32_t bytes = 0;
  std::uint32_t thread = 0, eventsBefore = 0;  // of the thread
  std::size_t barriersBefore = 0;              // block barriers that the block had passed before
};

// The acts, at most kMaxOtherActs, in the order of the barriers before them and of their first threads: one
// for the accesses of a site to a block of the cluster between two block barriers. Whatever order `accesses`
// come in, it gives the same. `shared`: the arrays of the block, which all blocks have alike; accesses whose
// site or array is not there are left out.
std::vector<OtherAct> remoteActs(std::vector<RemoteAccess> accesses, std::span<const Site> sites,
                                 std::span<const Array> shared);

}  // namespace stridescope::model
