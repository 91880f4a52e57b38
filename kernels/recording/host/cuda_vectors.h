// CUDA's built-in vector types of two and four, aligned as on the device so that each is one access of 8 or
// 16 bytes, and the functions that make them. In the global namespace, because CUDA has them there.
#pragma once

#define RECORDING_VECTORS(name, type)                                     \
  struct alignas(2 * sizeof(type)) name##2 {                              \
    type x, y;                                                            \
  };                                                                      \
  constexpr name##2 make_##name##2(type x, type y) { return {x, y}; }     \
  struct alignas(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4 { \
    type x, y, z, w;                                                      \
  };                                                                      \
  constexpr name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
RECORDING_VECTORS(int, int)
RECORDING_VECTORS(uint, unsigned)
RECORDING_VECTORS(longlong, long long)
RECORDING_VECTORS(ulonglong, unsigned long long)
RECORDING_VECTORS(float, float)
RECORDING_VECTORS(double, double)
#undef RECORDING_VECTORS
