// Cooperative groups' reduction over the lanes of a tile or a coalesced group.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T, class Operator>
ACCESS_CALL T reduce(const LaneGroup& group, T value, Operator combine) {
  return combineLanes(group.lanes(), value, combine, ACCESS_PLACE);
}

}  // namespace cooperative_groups
