// What the host tells a peeled kernel before a launch: the layout of the module's one symbol, clocking_peel.
// Compiled by the program and by NVRTC: built-in types only, and the same size in both.
#pragma once

namespace clocking {

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
