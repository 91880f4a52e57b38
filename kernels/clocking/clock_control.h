// What the host tells a clocked, a marked or a peeled kernel before a launch, and what the kernel leaves: the
// layout of the modules' symbols and of the marks. Compiled by the program and by NVRTC: built-in types only,
// and the same size in both.
#pragma once

namespace clocking {

using U32 = unsigned int;
using U64 = unsigned long long;

enum class MarkKind : U32 {
  None,    // memory that no mark was written to
  Start,   // the kernel begins
  Arrive,  // before a block barrier or a shuffle
  Leave,   // after a barrier
  End,     // the warp's first lane returns
};

// What the first lane of a warp read from the SM's clock, in cycles. All warps of a block run on one SM, so
// that their marks can be compared.
struct Mark {
  U64 clock = 0;
  U32 site = 0;  // of the text pass; 0 at Start and End
  MarkKind kind{};
  friend constexpr bool operator==(const Mark& a, const Mark& b) {
    return a.clock == b.clock && a.site == b.site && a.kind == b.kind;
  }
};
static_assert(sizeof(Mark) == 16, "the marks' layout is shared by host and device");

// clocking_control, the one symbol of a clocked module.
struct Control {
  Mark* marks = nullptr;   // `limit` a warp of the inspected block, all of kind None before the launch
  U64 inspectedBlock = 0;  // the others write none
  U32 limit = 0;           // at least 2; where a warp makes more marks, the last place holds its End
  U32 unused = 0;
};
// A page has shorter pointers, and no device.
static_assert(sizeof(void*) != 8 || sizeof(Control) == 24,
              "the control block's layout is shared by host and device");

// What a block leaves of itself in a marked run of the whole grid: when its first thread began and ended, and
// on which multiprocessor.
struct BlockMark {
  // Nanoseconds of the GPU's global timer, its lower half: it wraps every 4.3 seconds.
  unsigned start = 0, end = 0;
  unsigned multiprocessor = 0;  // its number, %smid
  unsigned unused = 0;
};
static_assert(sizeof(BlockMark) == 16, "the marks' layout is shared by host and device");

// What the host tells a peeled kernel: clocking_peel, the module's one symbol.

// A thread passes a mark when it leaves a barrier, and when it comes to a shuffle.
struct PeelControl {
  unsigned marks = 0;  // a thread ends at this one, counted from 1; 0: where the kernel begins
  unsigned unused = 0;
  // Where the program counts marks: what the grid's first thread passed, which must not be ended then.
  unsigned* passed = nullptr;
};
// A page has shorter pointers, and no device.
static_assert(sizeof(void*) != 8 || sizeof(PeelControl) == 16,
              "the control block's layout is shared by host and device");

inline constexpr unsigned kAllMarks = 0xffffffff;

}  // namespace clocking
