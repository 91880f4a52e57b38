// Which thread runs, and in what grid (CUDA C++ Programming Guide, Built-in Variables). The variables are
// macros over functions that return values: naming one is no access to memory.
#pragma once

#include "core.h"
#include "vectors.h"

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
