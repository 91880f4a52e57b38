// What stands before a text whose conditions, shuffles, votes and reductions of a warp tell what they do:
// each stores to a box of its own, and the patches (patches.cu) take such a store for what it tells. The
// calls of conditions are put into the text (app/engine/access/branch_conditions.h); the exchanges are
// macros, so that those of CUDA's own headers tell, too. NVRTC compiles it, as device code; it includes
// nothing.
#pragma once

namespace accesses {

using U32 = unsigned int;
using U64 = unsigned long long;

}  // namespace accesses

// The layout is that of log.h: a box of 16 bytes for conditions, one for what a lane gives, one for what it
// receives.
extern "C" __device__ __attribute__((used)) ulonglong2 stridescopeTold[3] = {};

namespace accesses {

enum class ToldExchange : U32 { Shuffle, Vote, WarpReduce };

__device__ __forceinline__ void tellCondition(U32 id, bool taken) {
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(&stridescopeTold[0]), "r"(id << 1 | U32(taken))
               : "memory");
}
__device__ __forceinline__ void tellExchange(U32 box, U64 bits, U32 mask, U32 about) {
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(&stridescopeTold[box]),
               "r"(U32(bits)), "r"(U32(bits >> 32)), "r"(mask), "r"(about)
               : "memory");
}

__device__ __forceinline__ constexpr bool branch(U32 id, bool taken) {
  if (!__builtin_is_constant_evaluated()) tellCondition(id, taken);
  return taken;
}
__device__ __forceinline__ constexpr bool loop(U32 id, bool goesOn) {
  if (!__builtin_is_constant_evaluated()) tellCondition(id, goesOn);
  return goesOn;
}

// What a switch is of. Its labels are asked one after the other, up to the one that it goes to.
template <class T>
class Switch {
 public:
  __device__ __forceinline__ constexpr explicit Switch(T value) : value_(value) {}
  template <U32 id, class... Label>
  __device__ __forceinline__ constexpr Switch& label(Label... values) {
    if (found_) return *this;
    found_ = ((value_ == static_cast<T>(values)) || ...);
    if (!__builtin_is_constant_evaluated()) tellCondition(id, found_);
    return *this;
  }
  __device__ __forceinline__ constexpr T value() const { return value_; }

 private:
  T value_;
  bool found_ = false;
};

template <class T>
__device__ __forceinline__ U64 toldBits(const T& value) {
  if constexpr (sizeof(T) == 1)
    return *reinterpret_cast<const unsigned char*>(&value);
  else if constexpr (sizeof(T) == 2)
    return *reinterpret_cast<const unsigned short*>(&value);
  else if constexpr (sizeof(T) == 4)
    return *reinterpret_cast<const U32*>(&value);
  else
    return *reinterpret_cast<const U64*>(&value);
}

__device__ __forceinline__ U32 toldLane() {
  U32 lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// The lane that a shuffle reads (CUDA C++ Programming Guide, Warp Shuffle Functions): one whose source would
// lie outside its segment of `width` lanes keeps its own value; by xor a lane may read an earlier segment.
__device__ __forceinline__ U32 toldIndexed(U32 source, U32 width) {
  return (toldLane() & ~(width - 1)) | (source & (width - 1));
}
__device__ __forceinline__ U32 toldUp(U32 delta, U32 width) {
  const U32 lane = toldLane();
  return (lane & (width - 1)) >= delta ? lane - delta : lane;
}
__device__ __forceinline__ U32 toldDown(U32 delta, U32 width) {
  const U32 lane = toldLane(), within = width - 1;
  return delta <= within - (lane & within) ? lane + delta : lane;
}
__device__ __forceinline__ U32 toldXor(U32 laneMask, U32 width) {
  const U32 lane = toldLane(), other = lane ^ laneMask;
  return other <= (lane | (width - 1)) ? other : lane;
}

// The functions by which lanes exchange values: as they are, between what is given and what is received.
#define STRIDESCOPE_TOLD_SHUFFLE(name, shuffle, Lane, sourceOf)                             \
  template <class T>                                                                        \
  __device__ __forceinline__ auto name(unsigned mask, T value, Lane lane, int width = 32) { \
    using Given = decltype(shuffle(mask, value, lane, width));                              \
    const Given given = value;                                                              \
    const U32 about = sourceOf(U32(lane), U32(width)) | U32(sizeof(Given)) << 8;            \
    tellExchange(1, toldBits(given), mask, about | U32(ToldExchange::Shuffle) << 16);       \
    const Given received = shuffle(mask, given, lane, width);                               \
    tellExchange(2, toldBits(received), mask, about);                                       \
    return received;                                                                        \
  }
STRIDESCOPE_TOLD_SHUFFLE(toldShuffle, __shfl_sync, int, toldIndexed)
STRIDESCOPE_TOLD_SHUFFLE(toldShuffleUp, __shfl_up_sync, unsigned, toldUp)
STRIDESCOPE_TOLD_SHUFFLE(toldShuffleDown, __shfl_down_sync, unsigned, toldDown)
STRIDESCOPE_TOLD_SHUFFLE(toldShuffleXor, __shfl_xor_sync, int, toldXor)
#undef STRIDESCOPE_TOLD_SHUFFLE

#define STRIDESCOPE_TOLD_VOTE(name, vote, Result)                        \
  __device__ __forceinline__ Result name(unsigned mask, int predicate) { \
    const U32 about = 4u << 8 | U32(ToldExchange::Vote) << 16;           \
    tellExchange(1, predicate != 0, mask, about);                        \
    const Result result = vote(mask, predicate);                         \
    tellExchange(2, U32(result), mask, about);                           \
    return result;                                                       \
  }
STRIDESCOPE_TOLD_VOTE(toldBallot, __ballot_sync, unsigned)
STRIDESCOPE_TOLD_VOTE(toldAny, __any_sync, int)
STRIDESCOPE_TOLD_VOTE(toldAll, __all_sync, int)
#undef STRIDESCOPE_TOLD_VOTE

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define STRIDESCOPE_TOLD_REDUCE(name, reduce)                        \
  template <class T>                                                 \
  __device__ __forceinline__ auto name(unsigned mask, T value) {     \
    using Given = decltype(reduce(mask, value));                     \
    const U32 about = 4u << 8 | U32(ToldExchange::WarpReduce) << 16; \
    tellExchange(1, U32(value), mask, about);                        \
    const Given result = reduce(mask, value);                        \
    tellExchange(2, U32(result), mask, about);                       \
    return result;                                                   \
  }
STRIDESCOPE_TOLD_REDUCE(toldAdd, __reduce_add_sync)
STRIDESCOPE_TOLD_REDUCE(toldMin, __reduce_min_sync)
STRIDESCOPE_TOLD_REDUCE(toldMax, __reduce_max_sync)
STRIDESCOPE_TOLD_REDUCE(toldAnd, __reduce_and_sync)
STRIDESCOPE_TOLD_REDUCE(toldOr, __reduce_or_sync)
STRIDESCOPE_TOLD_REDUCE(toldExclusive, __reduce_xor_sync)
#undef STRIDESCOPE_TOLD_REDUCE
#define __reduce_add_sync(...) accesses::toldAdd(__VA_ARGS__)
#define __reduce_min_sync(...) accesses::toldMin(__VA_ARGS__)
#define __reduce_max_sync(...) accesses::toldMax(__VA_ARGS__)
#define __reduce_and_sync(...) accesses::toldAnd(__VA_ARGS__)
#define __reduce_or_sync(...) accesses::toldOr(__VA_ARGS__)
#define __reduce_xor_sync(...) accesses::toldExclusive(__VA_ARGS__)
#endif

}  // namespace accesses

#define __shfl_sync(...) accesses::toldShuffle(__VA_ARGS__)
#define __shfl_up_sync(...) accesses::toldShuffleUp(__VA_ARGS__)
#define __shfl_down_sync(...) accesses::toldShuffleDown(__VA_ARGS__)
#define __shfl_xor_sync(...) accesses::toldShuffleXor(__VA_ARGS__)
#define __ballot_sync(...) accesses::toldBallot(__VA_ARGS__)
#define __any_sync(...) accesses::toldAny(__VA_ARGS__)
#define __all_sync(...) accesses::toldAll(__VA_ARGS__)
