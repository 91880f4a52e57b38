// CUDA's half precision: __half and __half2, their conversions and what device/half_precision.h has for both
// formats of 16 bits (CUDA Math API, Half Precision Intrinsics).
#pragma once

#include "cuda_device.h"
#include "device/small_floats.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define ACCESS_NUMBER __half
#define ACCESS_PAIR __half2
#define ACCESS_RAW __half_raw
#define ACCESS_FORMAT accesses::SmallFloat<10, 5>
#define ACCESS_NAMED(before, after) before##half##after
#define ACCESS_NAMED_PAIR(before, after) before##half2##after
#include "device/half_precision.h"

using half = __half;
using half2 = __half2;

ACCESS_CALL __half2 __half2half2(const __half& both) {
  const double value = both.take(ACCESS_PLACE);
  return __half2::of(value, value);
}
ACCESS_CALL __half2 make_half2(const __half& low, const __half& high) {
  const double first = low.take(ACCESS_PLACE), second = high.take(ACCESS_PLACE);
  return __half2::of(first, second);
}
