// All of a page's program is one module.
#include "kernel_module.h"

extern "C" const char __global_base, __data_end;  // the linker's: where constants and variables lie

namespace recording {

bool isInModuleOf(void (*)(void**), std::uintptr_t address) {
  return address >= reinterpret_cast<std::uintptr_t>(&__global_base) &&
         address < reinterpret_cast<std::uintptr_t>(&__data_end);
}

}  // namespace recording
