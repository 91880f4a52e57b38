#include "engine/gpu/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include "base/address_space.h"

namespace stridescope::engine::gpu {

Result<std::shared_ptr<SharedLibrary>> SharedLibrary::open(const std::vector<std::string>& candidates) {
  if (const auto room = checkAddressSpace(candidates.empty() ? "a library" : candidates.front()); !room)
    return unavailable("None of the libraries could be opened.", room.error().sentence);
  std::string reasons;
  for (const std::string& name : candidates) {
    // RTLD_LOCAL: two releases of a library may be open at once without seeing each other's symbols.
    // Never unloaded again: the driver and NVRTC keep threads and tables of their own until the program ends.
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)) {
      const link_map* map = nullptr;
      const bool told = dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&map)) == 0 && map != nullptr;
      const std::string path = told && map->l_name != nullptr ? map->l_name : "";
      return std::shared_ptr<SharedLibrary>(new SharedLibrary(handle, path.empty() ? name : path));
    }
    const char* reason = dlerror();
    if (!reasons.empty()) reasons += '\n';
    reasons += reason != nullptr ? reason : name.c_str();
  }
  return unavailable("None of the libraries could be opened.", reasons);
}

SharedLibrary::~SharedLibrary() { dlclose(handle_); }

void* SharedLibrary::symbol(const char* name) const { return dlsym(handle_, name); }

}  // namespace stridescope::engine::gpu
