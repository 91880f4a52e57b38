// What the program is told of the kernels of a person's text. Both include this header. The types of their
// parameters are in the debug information.
#pragma once

#include "hooks.h"

namespace accesses {

struct KernelEntry {
  void (*call)(void** arguments);  // a pointer to each
  const void* function;            // the kernel itself
  U32 parameters;                  // how many
  const void* const* defaults;  // by parameter: its default argument; null: it has none, or none is asked for
};

}  // namespace accesses
