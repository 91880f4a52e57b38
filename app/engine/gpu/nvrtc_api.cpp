#include "engine/gpu/nvrtc_api.h"

#include <algorithm>

#include "engine/gpu/driver_api.h"
#include "engine/gpu/library_search.h"

namespace stridescope::engine::gpu {
namespace {

constexpr int kOldestMajor = 12;

std::string capabilityText(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

// One candidate, with its functions and what it says of itself; the reason if it is of no use.
Result<std::shared_ptr<NvrtcApi>> openNvrtc(const std::string& candidate) {
  auto library = SharedLibrary::open({candidate});
  if (!library) return tl::unexpected(library.error());
  auto api = std::make_shared<NvrtcApi>();
  api->library = *library;
#define STRIDESCOPE_LOOK_UP(name)                               \
  api->name = api->library->function<decltype(&::name)>(#name); \
  if (api->name == nullptr) return unavailable({}, candidate + " has no " #name);
  STRIDESCOPE_NVRTC_FUNCTIONS(STRIDESCOPE_LOOK_UP)
#undef STRIDESCOPE_LOOK_UP

  int count = 0;
  if (api->nvrtcVersion(&api->major, &api->minor) != NVRTC_SUCCESS ||
      api->nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
    return unavailable({}, candidate + " does not tell its version");
  api->architectures.resize(static_cast<std::size_t>(count));
  if (api->nvrtcGetSupportedArchs(api->architectures.data()) != NVRTC_SUCCESS)
    return unavailable({}, candidate + " does not tell its architectures");
  std::ranges::sort(api->architectures);
  return api;
}

}  // namespace

Result<std::shared_ptr<const NvrtcApi>> loadNvrtc(const std::string& given, int driverVersion) {
  std::string reasons, tooNew;
  for (const std::string& candidate : nvrtcCandidates(given)) {
    auto opened = openNvrtc(candidate);
    std::string reason;
    if (!opened)
      reason = opened.error().details;
    else if ((*opened)->major < kOldestMajor)
      reason = candidate + " is NVRTC " + (*opened)->versionText() + ", older than 12";
    else if (driverVersion != 0 && (*opened)->major > driverVersion / 1000)
      reason = candidate + " is NVRTC " + (tooNew = (*opened)->versionText());
    else
      return *opened;
    if (!reasons.empty()) reasons += '\n';
    reasons += reason;
  }
  if (!tooNew.empty())
    return unavailable("The NVIDIA driver runs programs of CUDA " + cudaVersionText(driverVersion) +
                           " at most, but the compiler found is NVRTC " + tooNew +
                           ". Update the driver (CUDA 13 needs 580 or newer), or name a libnvrtc.so.12 in "
                           "STRIDESCOPE_NVRTC.",
                       reasons);
  return unavailable(
      "NVRTC, CUDA's run-time compiler, was not found (libnvrtc.so.13 or .12). Install the CUDA toolkit or "
      "unpack this program's NVRTC archive over it, or name the file in STRIDESCOPE_NVRTC.",
      reasons);
}

Result<std::string> architectureOption(const NvrtcApi& nvrtc, int computeCapability) {
  const auto& known = nvrtc.architectures;
  if (std::ranges::binary_search(known, computeCapability))
    return "--gpu-architecture=sm_" + std::to_string(computeCapability);
  if (computeCapability < known.front())
    return unavailable("This GPU has compute capability " + capabilityText(computeCapability) +
                       ", but NVRTC " + nvrtc.versionText() + " compiles for " +
                       capabilityText(known.front()) +
                       " and newer. Name an older libnvrtc (12 compiles for 5.0 and newer) in "
                       "STRIDESCOPE_NVRTC, or use the CPU executor: --engine host.");
  const auto newest = std::prev(std::ranges::upper_bound(known, computeCapability));
  return "--gpu-architecture=compute_" + std::to_string(*newest);
}

}  // namespace stridescope::engine::gpu
