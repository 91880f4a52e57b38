// Barriers, and the functions by which the lanes of a warp exchange values (CUDA C++ Programming Guide:
// Synchronization Functions, Warp Vote, Match, Reduce and Shuffle Functions). A thread that waits is laid
// aside by the program.
#pragma once

#include "core.h"
#include "vectors.h"

// ---- Barriers and fences. One OS thread runs the whole block: every write is visible at once. What fences
// order is told to the program, which looks for races.

ACCESS_CALL void __syncthreads() {
  accesses::hooks->blockBarrier(accesses::BarrierVote::None, 0, ACCESS_PLACE);
}
ACCESS_CALL int __syncthreads_count(int predicate) {
  return accesses::hooks->blockBarrier(accesses::BarrierVote::Count, predicate != 0, ACCESS_PLACE);
}
ACCESS_CALL int __syncthreads_and(int predicate) {
  return accesses::hooks->blockBarrier(accesses::BarrierVote::And, predicate != 0, ACCESS_PLACE);
}
ACCESS_CALL int __syncthreads_or(int predicate) {
  return accesses::hooks->blockBarrier(accesses::BarrierVote::Or, predicate != 0, ACCESS_PLACE);
}
ACCESS_CALL void __syncwarp(unsigned mask = 0xffffffffu) { accesses::hooks->warpBarrier(mask, ACCESS_PLACE); }
ACCESS_INLINE void __threadfence() { accesses::fence(accesses::Order::Sequential); }
ACCESS_INLINE void __threadfence_block() { accesses::fence(accesses::Order::Sequential); }
ACCESS_INLINE void __threadfence_system() { accesses::fence(accesses::Order::Sequential); }

// ---- Votes.

ACCESS_CALL unsigned __activemask() { return accesses::hooks->activeLanes(ACCESS_PLACE); }
ACCESS_CALL unsigned __ballot_sync(unsigned mask, int predicate) {
  return accesses::hooks->vote(accesses::LaneVote::Ballot, mask, predicate != 0, ACCESS_PLACE);
}
ACCESS_CALL int __any_sync(unsigned mask, int predicate) {
  return accesses::hooks->vote(accesses::LaneVote::Any, mask, predicate != 0, ACCESS_PLACE) != 0;
}
ACCESS_CALL int __all_sync(unsigned mask, int predicate) {
  return accesses::hooks->vote(accesses::LaneVote::All, mask, predicate != 0, ACCESS_PLACE) != 0;
}
ACCESS_INLINE unsigned __lanemask_lt() { return (1u << accesses::hooks->lane()) - 1; }

// ---- Shuffles, matches, reductions.

namespace accesses {

// The lane that a shuffle reads. One whose source would lie outside its segment of `width` lanes keeps its
// own value; by xor a lane may read an earlier segment, not a later one.
ACCESS_INLINE U32 indexedSource(int source, int width) {
  const U32 within = static_cast<U32>(width) - 1;
  return (hooks->lane() & ~within) | (static_cast<U32>(source) & within);
}
ACCESS_INLINE U32 upSource(U32 delta, int width) {
  const U32 lane = hooks->lane(), within = static_cast<U32>(width) - 1;
  return (lane & within) >= delta ? lane - delta : lane;
}
ACCESS_INLINE U32 downSource(U32 delta, int width) {
  const U32 lane = hooks->lane(), within = static_cast<U32>(width) - 1;
  return delta <= within - (lane & within) ? lane + delta : lane;
}
ACCESS_INLINE U32 xorSource(int laneMask, int width) {
  const U32 lane = hooks->lane(), within = static_cast<U32>(width) - 1;
  const U32 other = lane ^ static_cast<U32>(laneMask);
  return other <= (lane | within) ? other : lane;
}

template <class T>
ACCESS_INLINE T shuffle(U32 mask, const T& value, U32 source, const void* place) {
  return fromBits<T>(hooks->shuffle(mask, accesses::bitsOf<T>(value), sizeof(T), source, place));
}

// The lanes of the mask whose value is the caller's.
template <class T>
ACCESS_INLINE U32 matchAny(U32 mask, T value, const void* place) {
  return hooks->match(mask, bitsOf(value), sizeof(T), place);
}
// The mask where all its lanes have the same value, else 0.
template <class T>
ACCESS_INLINE U32 matchAll(U32 mask, T value, int* all, const void* place) {
  const bool equal = matchAny(mask, value, place) == mask;
  write(all, sizeof(int), place);
  *all = equal;
  return equal ? mask : 0;
}

template <class T, Fold kind>
ACCESS_INLINE U64 foldLanes(U64 left, U64 right) {
  const T a = fromBits<T>(left), b = fromBits<T>(right);
  switch (kind) {
    case Fold::Add:
      return bitsOf(static_cast<T>(a + b));
    case Fold::Min:
      return bitsOf(b < a ? b : a);
    case Fold::Max:
      return bitsOf(a < b ? b : a);
    case Fold::And:
      return left & right;
    case Fold::Or:
      return left | right;
    case Fold::Xor:
      return left ^ right;
  }
  return 0;
}
template <Fold kind, class T>
ACCESS_INLINE T reduceLanes(U32 mask, T value, const void* place) {
  return fromBits<T>(hooks->reduce(kind, mask, bitsOf(value), sizeof(T), &foldLanes<T, kind>, place));
}

}  // namespace accesses

// One overload a type, as in CUDA: a narrower argument is promoted.
#define ACCESS_SHUFFLES(T)                                                                       \
  ACCESS_CALL T __shfl_sync(unsigned mask, T value, int source, int width = warpSize) {          \
    return accesses::shuffle(mask, value, accesses::indexedSource(source, width), ACCESS_PLACE); \
  }                                                                                              \
  ACCESS_CALL T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {   \
    return accesses::shuffle(mask, value, accesses::upSource(delta, width), ACCESS_PLACE);       \
  }                                                                                              \
  ACCESS_CALL T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize) { \
    return accesses::shuffle(mask, value, accesses::downSource(delta, width), ACCESS_PLACE);     \
  }                                                                                              \
  ACCESS_CALL T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = warpSize) {    \
    return accesses::shuffle(mask, value, accesses::xorSource(laneMask, width), ACCESS_PLACE);   \
  }
#define ACCESS_MATCHES(T)                                                   \
  ACCESS_CALL unsigned __match_any_sync(unsigned mask, T value) {           \
    return accesses::matchAny(mask, value, ACCESS_PLACE);                   \
  }                                                                         \
  ACCESS_CALL unsigned __match_all_sync(unsigned mask, T value, int* all) { \
    return accesses::matchAll(mask, value, all, ACCESS_PLACE);              \
  }
#define ACCESS_EXCHANGES(T) \
  ACCESS_SHUFFLES(T)        \
  ACCESS_MATCHES(T)
ACCESS_EXCHANGES(int)
ACCESS_EXCHANGES(unsigned)
ACCESS_EXCHANGES(long)
ACCESS_EXCHANGES(unsigned long)
ACCESS_EXCHANGES(long long)
ACCESS_EXCHANGES(unsigned long long)
ACCESS_EXCHANGES(float)
ACCESS_EXCHANGES(double)
#undef ACCESS_EXCHANGES
#undef ACCESS_MATCHES

#define ACCESS_REDUCE(name, T, kind)                                               \
  ACCESS_CALL T __reduce_##name##_sync(unsigned mask, T value) {                   \
    return accesses::reduceLanes<accesses::Fold::kind>(mask, value, ACCESS_PLACE); \
  }
ACCESS_REDUCE(add, int, Add)
ACCESS_REDUCE(add, unsigned, Add)
ACCESS_REDUCE(min, int, Min)
ACCESS_REDUCE(min, unsigned, Min)
ACCESS_REDUCE(max, int, Max)
ACCESS_REDUCE(max, unsigned, Max)
ACCESS_REDUCE(and, unsigned, And)
ACCESS_REDUCE(or, unsigned, Or)
ACCESS_REDUCE(xor, unsigned, Xor)
#undef ACCESS_REDUCE
