// The program's part that a kernel's text was compiled into.
#pragma once

#include <cstdint>

namespace recording {

// Whether the address lies in it: in its constants and variables, among others.
bool isInModuleOf(void (*kernel)(void**), std::uintptr_t address);

}  // namespace recording
