// CUDA's built-in vector types with their sizes and alignments, and the functions that make them (CUDA C++
// Programming Guide, Built-in Vector Types). In the global namespace, because CUDA has them there.
//
// In CUDA they are aggregates; here they have constructors, because copies may record themselves
// (ACCESS_CLASS_COPIES).
#pragma once

#include "core.h"

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

#define ACCESS_VECTOR_1(name, T)                                                \
  struct name##1 {                                                              \
    T x;                                                                        \
    ACCESS_CLASS_COPIES(name##1)                                                \
    ACCESS_INLINE constexpr name##1(T x_) : x(x_) {}                            \
                                                                                \
   private:                                                                     \
    ACCESS_INLINE constexpr void assign(const name##1 & other) { x = other.x; } \
  };                                                                            \
  ACCESS_INLINE constexpr name##1 make_##name##1(T x) { return {x}; }
#define ACCESS_VECTOR_2(name, T, alignment)                           \
  struct alignas(alignment) name##2 {                                 \
    T x, y;                                                           \
    ACCESS_CLASS_COPIES(name##2)                                      \
    ACCESS_INLINE constexpr name##2(T x_, T y_ = 0) : x(x_), y(y_) {} \
                                                                      \
   private:                                                           \
    ACCESS_INLINE constexpr void assign(const name##2 & other) {      \
      x = other.x;                                                    \
      y = other.y;                                                    \
    }                                                                 \
  };                                                                  \
  ACCESS_INLINE constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }
#define ACCESS_VECTOR_3(name, T)                                                       \
  struct name##3 {                                                                     \
    T x, y, z;                                                                         \
    ACCESS_CLASS_COPIES(name##3)                                                       \
    ACCESS_INLINE constexpr name##3(T x_, T y_ = 0, T z_ = 0) : x(x_), y(y_), z(z_) {} \
                                                                                       \
   private:                                                                            \
    ACCESS_INLINE constexpr void assign(const name##3 & other) {                       \
      x = other.x;                                                                     \
      y = other.y;                                                                     \
      z = other.z;                                                                     \
    }                                                                                  \
  };                                                                                   \
  ACCESS_INLINE constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define ACCESS_VECTOR_4(name, T, alignment)                                                             \
  struct alignas(alignment) name##4 {                                                                   \
    T x, y, z, w;                                                                                       \
    ACCESS_CLASS_COPIES(name##4)                                                                        \
    ACCESS_INLINE constexpr name##4(T x_, T y_ = 0, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {} \
                                                                                                        \
   private:                                                                                             \
    ACCESS_INLINE constexpr void assign(const name##4 & other) {                                        \
      x = other.x;                                                                                      \
      y = other.y;                                                                                      \
      z = other.z;                                                                                      \
      w = other.w;                                                                                      \
    }                                                                                                   \
  };                                                                                                    \
  ACCESS_INLINE constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define ACCESS_VECTORS(name, T, alignment2, alignment4) \
  ACCESS_VECTOR_1(name, T)                              \
  ACCESS_VECTOR_2(name, T, alignment2)                  \
  ACCESS_VECTOR_3(name, T)                              \
  ACCESS_VECTOR_4(name, T, alignment4)

ACCESS_VECTORS(char, signed char, 2, 4)
ACCESS_VECTORS(uchar, unsigned char, 2, 4)
ACCESS_VECTORS(short, short, 4, 8)
ACCESS_VECTORS(ushort, unsigned short, 4, 8)
ACCESS_VECTORS(int, int, 8, 16)
ACCESS_VECTORS(uint, unsigned, 8, 16)
ACCESS_VECTORS(long, long, 16, 16)
ACCESS_VECTORS(ulong, unsigned long, 16, 16)
ACCESS_VECTORS(longlong, long long, 16, 16)
ACCESS_VECTORS(ulonglong, unsigned long long, 16, 16)
ACCESS_VECTORS(float, float, 8, 16)
ACCESS_VECTORS(double, double, 16, 16)

#undef ACCESS_VECTORS
#undef ACCESS_VECTOR_4
#undef ACCESS_VECTOR_3
#undef ACCESS_VECTOR_2
#undef ACCESS_VECTOR_1

struct dim3 {
  unsigned x, y, z;
  ACCESS_INLINE constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  ACCESS_INLINE constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  ACCESS_INLINE constexpr operator uint3() const { return {x, y, z}; }
};

// Which thread runs, and in what grid (CUDA C++ Programming Guide, Built-in Variables). The variables are
// macros over functions that return values: naming one is no access to memory.

namespace accesses {

ACCESS_INLINE uint3 threadIndex() {
  const Extent& index = *hooks->threadIndex();
  return {index.x, index.y, index.z};
}
ACCESS_INLINE uint3 blockIndex() {
  const Extent& index = *hooks->blockIndex();
  return {index.x, index.y, index.z};
}
ACCESS_INLINE dim3 blockShape() {
  const Extent& shape = *hooks->blockShape();
  return {shape.x, shape.y, shape.z};
}
ACCESS_INLINE dim3 gridShape() {
  const Extent& shape = *hooks->gridShape();
  return {shape.x, shape.y, shape.z};
}

}  // namespace accesses

#define threadIdx (accesses::threadIndex())
#define blockIdx (accesses::blockIndex())
#define blockDim (accesses::blockShape())
#define gridDim (accesses::gridShape())
constexpr int warpSize = 32;
