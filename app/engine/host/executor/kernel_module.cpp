#include "kernel_module.h"

#include <dlfcn.h>

namespace recording {

bool isInModuleOf(void (*kernel)(void**), std::uintptr_t address) {
  Dl_info kernelsModule{}, module{};
  return dladdr(reinterpret_cast<const void*>(kernel), &kernelsModule) != 0 &&
         dladdr(reinterpret_cast<const void*>(address), &module) != 0 &&
         kernelsModule.dli_fbase == module.dli_fbase;
}

}  // namespace recording
