// CUDA's bfloat16: __nv_bfloat16 and __nv_bfloat162, their conversions and what device/half_precision.h has
// for both formats of 16 bits (CUDA Math API, Bfloat16 Precision Intrinsics).
#pragma once

#include "cuda_device.h"
#include "device/small_floats.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

#define ACCESS_NUMBER __nv_bfloat16
#define ACCESS_PAIR __nv_bfloat162
#define ACCESS_RAW __nv_bfloat16_raw
#define ACCESS_FORMAT accesses::SmallFloat<7, 8>
#define ACCESS_NAMED(before, after) before##bfloat16##after
#define ACCESS_NAMED_PAIR(before, after) before##bfloat162##after
#include "device/half_precision.h"

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

ACCESS_CALL __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16& both) {
  const double value = both.take(ACCESS_PLACE);
  return __nv_bfloat162::of(value, value);
}
ACCESS_CALL __nv_bfloat162 make_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) {
  const double first = low.take(ACCESS_PLACE), second = high.take(ACCESS_PLACE);
  return __nv_bfloat162::of(first, second);
}
