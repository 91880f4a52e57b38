// What the lanes of a warp do together, on threads of the operating system. A part of record_run.h. All live
// lanes of the warp take part, whatever the mask: the catalogue's right kernels name no other.
#pragma once

namespace emulated {

inline unsigned laneOf(const Thread& self) { return self.threadIndex.x % 32; }
inline Warp& warpOf(const Thread& self) { return self.block->warps[self.threadIndex.x / 32]; }

// Puts `value` into the lane's slot and gives what read(warp) finds once all lanes have done so.
template <class T, class Read>
auto exchange(T value, Read read) {
  Warp& warp = warpOf(*thread);
  const unsigned lane = laneOf(*thread);
  std::memcpy(&warp.slots[lane], &value, sizeof value);
  warp.present[lane] = true;
  warp.barrier.meet(0);
  const auto result = read(warp);
  warp.barrier.meet(0);  // nobody puts the next value in before all have read
  warp.present[lane] = false;
  return result;
}

template <class T>
T slotOf(const Warp& warp, unsigned lane) {
  T value;
  std::memcpy(&value, &warp.slots[lane], sizeof value);
  return value;
}

// From `source`; the lane's own value if that is not there.
template <class T>
T shuffle(T value, unsigned source) {
  return exchange(value,
                  [&](const Warp& warp) { return warp.present[source] ? slotOf<T>(warp, source) : value; });
}

template <class T, class Fold>
T reduce(T value, Fold fold) {
  return exchange(value, [&](const Warp& warp) {
    bool any = false;
    T result{};
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!warp.present[lane]) continue;
      result = any ? T(fold(result, slotOf<T>(warp, lane))) : slotOf<T>(warp, lane);
      any = true;
    }
    return result;
  });
}

inline unsigned ballot(bool predicate) {
  return reduce(predicate ? 1u << laneOf(*thread) : 0u, [](unsigned a, unsigned b) { return a | b; });
}
inline unsigned liveLanes() { return ballot(true); }

}  // namespace emulated

inline void __syncwarp(unsigned = ~0u) { emulated::warpOf(*emulated::thread).barrier.meet(0); }
inline unsigned __activemask() { return emulated::liveLanes(); }
inline unsigned __ballot_sync(unsigned, int predicate) { return emulated::ballot(predicate != 0); }
inline int __any_sync(unsigned, int predicate) { return emulated::ballot(predicate != 0) != 0; }
inline int __all_sync(unsigned, int predicate) { return emulated::ballot(predicate == 0) == 0; }

template <class T>
T __shfl_sync(unsigned, T value, int source, int width = 32) {
  const unsigned lane = emulated::laneOf(*emulated::thread), within = unsigned(width) - 1;
  return emulated::shuffle(value, (lane & ~within) | (unsigned(source) & within));
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned delta, int width = 32) {
  const unsigned lane = emulated::laneOf(*emulated::thread), place = lane % unsigned(width);
  return emulated::shuffle(value, place >= delta ? lane - delta : lane);
}
template <class T>
T __shfl_down_sync(unsigned, T value, unsigned delta, int width = 32) {
  const unsigned lane = emulated::laneOf(*emulated::thread), place = lane % unsigned(width);
  return emulated::shuffle(value, place + delta < unsigned(width) ? lane + delta : lane);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int laneMask, int width = 32) {
  const unsigned lane = emulated::laneOf(*emulated::thread), other = lane ^ unsigned(laneMask);
  return emulated::shuffle(value, other / unsigned(width) <= lane / unsigned(width) ? other : lane);
}

#define EMULATED_REDUCTION(name, expression)                                  \
  template <class T>                                                          \
  T __reduce_##name##_sync(unsigned, T value) {                               \
    return emulated::reduce(value, [](T a, T b) -> T { return expression; }); \
  }
EMULATED_REDUCTION(add, a + b)
EMULATED_REDUCTION(min, b < a ? b : a)
EMULATED_REDUCTION(max, a < b ? b : a)
EMULATED_REDUCTION(and, a& b)
EMULATED_REDUCTION(or, a | b)
EMULATED_REDUCTION(xor, a ^ b)
#undef EMULATED_REDUCTION
