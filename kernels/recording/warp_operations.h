// The recording runtime's warp operations, for the GPU and for the host: shuffles, votes, reductions. Part of
// recording/core.h, which includes it.
#pragma once

#include "recording/core.h"

namespace recording {

// ---- Shuffles. The source lane is CUDA's (Programming Guide, Warp Shuffle Functions): a lane whose source
// would lie outside its segment of `width` lanes keeps its own value.

template <ShuffleKind kind, class T>
RECORDING_FUNCTION T recordedShuffle(U32 site, U32 mask, T value, U32 operand, int width, U32 source) {
  noteAct(site, EventKind::Give, mask, log2WidthOf<T>(), bitsOf(value));
  const T received = shuffle<kind>(site, mask, value, operand, width, source);
  noteAct(site, EventKind::Shuffle, U64(mask) | U64(source) << 32, log2WidthOf<T>(), bitsOf(received));
  return received;
}

template <class T>
RECORDING_FUNCTION T shfl_sync(U32 site, U32 mask, T value, int sourceLane, int width = 32) {
  const U32 within = U32(width) - 1;
  const U32 source = (currentLane() & ~within) | (U32(sourceLane) & within);
  return recordedShuffle<ShuffleKind::Indexed>(site, mask, value, U32(sourceLane), width, source);
}
template <class T>
RECORDING_FUNCTION T shfl_up_sync(U32 site, U32 mask, T value, U32 delta, int width = 32) {
  const U32 lane = currentLane(), within = U32(width) - 1;
  const U32 source = (lane & within) >= delta ? lane - delta : lane;
  return recordedShuffle<ShuffleKind::Up>(site, mask, value, delta, width, source);
}
template <class T>
RECORDING_FUNCTION T shfl_down_sync(U32 site, U32 mask, T value, U32 delta, int width = 32) {
  const U32 lane = currentLane(), within = U32(width) - 1;
  const U32 source = delta <= within - (lane & within) ? lane + delta : lane;
  return recordedShuffle<ShuffleKind::Down>(site, mask, value, delta, width, source);
}
template <class T>
RECORDING_FUNCTION T shfl_xor_sync(U32 site, U32 mask, T value, int laneMask, int width = 32) {
  const U32 lane = currentLane(), within = U32(width) - 1;
  const U32 other = lane ^ U32(laneMask);
  const U32 source = other <= (lane | within) ? other : lane;  // an earlier segment may be read, a later not
  return recordedShuffle<ShuffleKind::Xor>(site, mask, value, U32(laneMask), width, source);
}

// ---- Votes and reductions of a warp.

template <VoteKind kind>
RECORDING_FUNCTION U32 recordedVote(U32 site, U32 mask, bool predicate) {
  noteAct(site, EventKind::Give, mask, 0, predicate);
  const U32 result = vote<kind>(site, mask, predicate);
  noteAct(site, EventKind::Vote, mask, 2, result);
  return result;
}
RECORDING_FUNCTION U32 ballot_sync(U32 site, U32 mask, int predicate) {
  return recordedVote<VoteKind::Ballot>(site, mask, predicate != 0);
}
RECORDING_FUNCTION int any_sync(U32 site, U32 mask, int predicate) {
  return int(recordedVote<VoteKind::Any>(site, mask, predicate != 0));
}
RECORDING_FUNCTION int all_sync(U32 site, U32 mask, int predicate) {
  return int(recordedVote<VoteKind::All>(site, mask, predicate != 0));
}
RECORDING_FUNCTION U32 activemask(U32 site) {
  const U32 lanes = activeLanes(site);
  noteAct(site, EventKind::Give, lanes, 0, 1);
  noteAct(site, EventKind::Vote, lanes, 2, lanes);
  return lanes;
}

template <ReduceKind kind, class T>
RECORDING_FUNCTION T recordedReduce(U32 site, U32 mask, T value) {
  noteAct(site, EventKind::Give, mask, log2WidthOf<T>(), bitsOf(value));
  const T result = reduceWarp<kind>(site, mask, value);
  noteAct(site, EventKind::WarpReduce, mask, log2WidthOf<T>(), bitsOf(result));
  return result;
}
template <class T>
RECORDING_FUNCTION T reduce_add_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::Add>(site, mask, value);
}
template <class T>
RECORDING_FUNCTION T reduce_min_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::Min>(site, mask, value);
}
template <class T>
RECORDING_FUNCTION T reduce_max_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::Max>(site, mask, value);
}
template <class T>
RECORDING_FUNCTION T reduce_and_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::And>(site, mask, value);
}
template <class T>
RECORDING_FUNCTION T reduce_or_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::Or>(site, mask, value);
}
template <class T>
RECORDING_FUNCTION T reduce_xor_sync(U32 site, U32 mask, T value) {
  return recordedReduce<ReduceKind::Xor>(site, mask, value);
}

// By a function of the kernel's own: `reduce`(value) is what the lane receives.
template <class T, class Reduce>
RECORDING_FUNCTION T recordedReduceBy(U32 site, U32 mask, T value, Reduce reduce) {
  noteAct(site, EventKind::Give, mask, log2WidthOf<T>(), bitsOf(value));
  const T result = reduce(value);
  noteAct(site, EventKind::WarpReduce, mask, log2WidthOf<T>(), bitsOf(result));
  return result;
}

}  // namespace recording
