// What the program is told of the kernels of a person's text. Both include this header.
#pragma once

#include "hooks.h"

namespace accesses {

enum class NumberKind : unsigned char { Signed, Unsigned, Floating, Half, Bfloat, Bytes };

struct MemberFacts {
  NumberKind kind{};
  U32 bytes = 0, offset = 0;
};

inline constexpr U32 kMaxMembers = 32;

struct ParameterFacts {
  bool isPointer = false, isConst = false;  // const: what it points to
  bool isWhole = true;                      // all of it is among the members
  U32 bytes = 0;                            // of the value, or of one element that is pointed to; 0: void
  U32 members = 0;
  MemberFacts member[kMaxMembers]{};
};

struct KernelEntry {
  void (*call)(void** arguments);  // a pointer to each
  unsigned (*parameters)();
  void (*tell)(ParameterFacts* facts);  // one for each parameter
};

}  // namespace accesses
