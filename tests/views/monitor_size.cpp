// Virtual displays tell no size of their monitors. Preloaded into the program, this says that each is as many
// millimetres wide as STRIDESCOPE_MONITOR_MM names, where the X server would: in XRRGetOutputInfo(), which
// GLFW finds by dlsym().
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

using Dlsym = void* (*)(void* library, const char* name);
// As Xrandr.h has it up to there, which need not be there to build this.
struct OutputInfo {
  unsigned long timestamp, crtc;
  char* name;
  int nameLength;
  unsigned long millimetresWide, millimetresHigh;
};
using GetOutputInfo = OutputInfo* (*)(void* display, void* resources, unsigned long output);

GetOutputInfo toldByServer = nullptr;

OutputInfo* outputInfo(void* display, void* resources, unsigned long output) {
  OutputInfo* const info = toldByServer(display, resources, output);
  const char* const millimetres = std::getenv("STRIDESCOPE_MONITOR_MM");
  if (info == nullptr || millimetres == nullptr) return info;
  info->millimetresWide = std::strtoul(millimetres, nullptr, 10);
  info->millimetresHigh = info->millimetresWide * 9 / 16;
  return info;
}

// The C library's, by either of the versions that it has had.
Dlsym librarysOwn() {
  for (const char* const version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
    if (void* const found = dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<Dlsym>(found);
  std::abort();
}

}  // namespace

extern "C" void* dlsym(void* __restrict library, const char* __restrict name) noexcept {
  static const Dlsym own = librarysOwn();
  void* const found = own(library, name);
  if (found == nullptr || std::strcmp(name, "XRRGetOutputInfo") != 0) return found;
  toldByServer = reinterpret_cast<GetOutputInfo>(found);
  return reinterpret_cast<void*>(outputInfo);
}
