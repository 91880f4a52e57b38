// The recording runtime's GPU half for texts with cooperative groups. What cg::reduce does inside stays
// unseen: recorded are what each lane gives and what it receives.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "recording/gpu.h"

namespace recording {

template <class Group>
RECORDING_FUNCTION U32 lanesOf(const Group& tile) {
  const U32 width = U32(tile.size());
  return (0xffffffffu >> (32 - width)) << currentLane() / width * width;
}

template <class Group, class T, class Combine>
RECORDING_FUNCTION T reduceGroup(U32 site, const Group& tile, T value, Combine combine) {
  return recordedReduceBy<T>(site, lanesOf(tile), value,
                             [&](T own) { return cooperative_groups::reduce(tile, own, combine); });
}

}  // namespace recording

#define RECORDING_REDUCE_GROUP(site, ...) recording::reduceGroup(site, __VA_ARGS__)
