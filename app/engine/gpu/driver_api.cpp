#include "engine/gpu/driver_api.h"

#include "engine/gpu/library_search.h"

namespace stridescope::engine::gpu {

Result<std::shared_ptr<const DriverApi>> loadDriver(const std::string& given) {
  auto library = SharedLibrary::open(driverCandidates(given));
  if (!library)
    return unavailable(
        "No NVIDIA driver was found (libcuda.so.1). Install NVIDIA's driver for this GPU; stepping works "
        "without it, on the CPU executor: --engine host.",
        library.error().details);

  auto api = std::make_shared<DriverApi>();
  api->library = *library;
  std::string missing;
#define STRIDESCOPE_TEXT_OF(name) #name
#define STRIDESCOPE_LOOK_UP(name)                                                   \
  api->name = api->library->function<decltype(&::name)>(STRIDESCOPE_TEXT_OF(name)); \
  if (api->name == nullptr) missing += std::string(missing.empty() ? "" : ", ") + STRIDESCOPE_TEXT_OF(name);
  STRIDESCOPE_DRIVER_FUNCTIONS(STRIDESCOPE_LOOK_UP)
#undef STRIDESCOPE_LOOK_UP
#undef STRIDESCOPE_TEXT_OF
  api->createContext = api->library->function<decltype(api->createContext)::Pointer>("cuCtxCreate_v2");
  if (api->createContext == nullptr) missing += " cuCtxCreate_v2";
  if (!missing.empty())
    return unavailable("NVIDIA's driver is too old for this program. Update the driver.",
                       api->library->path() + " has no " + missing);

  // The version first: it answers without a GPU, and an old driver is the likeliest reason for a failing
  // start.
  if (api->cuDriverGetVersion(&api->version) != CUDA_SUCCESS) api->version = 0;
  if (const CUresult code = api->cuInit(0); code != CUDA_SUCCESS)
    return tl::unexpected(driverError(*api, code, "cuInit", "start the NVIDIA driver"));
  return api;
}

std::string cudaVersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace stridescope::engine::gpu
