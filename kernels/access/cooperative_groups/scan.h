// Cooperative groups' scans over the lanes of a tile or a coalesced group: in steps of 1, 2, 4 ... lanes.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

// The values of the ranks up to the lane's own, combined in order.
template <class T, class Operator>
ACCESS_INLINE T scanLanes(const LaneGroup& group, T value, Operator combine, const void* place) {
  const U32 lanes = group.lanes(), size = group.size(), rank = group.thread_rank();
  for (U32 step = 1; step < size; step *= 2) {
    const U32 source = rank >= step ? nthLane(lanes, rank - step) : accesses::hooks->lane();
    const T before = shuffleLanes(lanes, value, source, place);
    if (rank >= step) value = combine(before, value);
  }
  return value;
}

template <class T, class Operator = plus<T>>
ACCESS_CALL T inclusive_scan(const LaneGroup& group, T value, Operator combine = {}) {
  return scanLanes(group, value, combine, ACCESS_PLACE);
}
// The first rank's result is T{}, which CUDA leaves open but for plus.
template <class T, class Operator = plus<T>>
ACCESS_CALL T exclusive_scan(const LaneGroup& group, T value, Operator combine = {}) {
  const U32 rank = group.thread_rank();
  const T upToOwn = scanLanes(group, value, combine, ACCESS_PLACE);
  const U32 source = rank > 0 ? nthLane(group.lanes(), rank - 1) : accesses::hooks->lane();
  const T before = shuffleLanes(group.lanes(), upToOwn, source, ACCESS_PLACE);
  return rank > 0 ? before : T{};
}

}  // namespace cooperative_groups
