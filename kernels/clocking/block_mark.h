// What a block leaves of itself in a marked run of the whole grid: when its first thread began and ended, and
// on which multiprocessor. Compiled by the program and by NVRTC: built-in types only, and the same size in
// both.
#pragma once

namespace clocking {

struct BlockMark {
  // Nanoseconds of the GPU's global timer, its lower half: it wraps every 4.3 seconds.
  unsigned start = 0, end = 0;
  unsigned multiprocessor = 0;  // its number, %smid
  unsigned unused = 0;
};
static_assert(sizeof(BlockMark) == 16, "the marks' layout is shared by host and device");

}  // namespace clocking
