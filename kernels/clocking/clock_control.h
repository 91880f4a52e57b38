// What the host tells a clocked kernel before a launch, and what the kernel leaves: the layout of the
// module's one symbol, clocking_control, and of the marks. Compiled by the program and by NVRTC: built-in
// types only, and the same size in both.
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

struct Control {
  Mark* marks = nullptr;   // `limit` a warp of the inspected block, all of kind None before the launch
  U64 inspectedBlock = 0;  // the others write none
  U32 limit = 0;           // at least 2; where a warp makes more marks, the last place holds its End
  U32 unused = 0;
};
// A page has shorter pointers, and no device.
static_assert(sizeof(void*) != 8 || sizeof(Control) == 24,
              "the control block's layout is shared by host and device");

}  // namespace clocking
