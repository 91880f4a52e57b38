#include "measure/gpu/cupti_api.h"

#include "engine/gpu/library_search.h"

namespace stridescope::measure::gpu {
namespace {

using engine::gpu::SharedLibrary;

Result<std::shared_ptr<CuptiApi>> openCupti(const std::string& candidate) {
  auto library = SharedLibrary::open({candidate});
  if (!library) return tl::unexpected(library.error());
  auto api = std::make_shared<CuptiApi>();
  api->library = *library;
#define STRIDESCOPE_LOOK_UP(name)                               \
  api->name = api->library->function<decltype(&::name)>(#name); \
  if (api->name == nullptr) return unavailable({}, candidate + " has no " #name);
  STRIDESCOPE_CUPTI_FUNCTIONS(STRIDESCOPE_LOOK_UP)
#undef STRIDESCOPE_LOOK_UP
  return api;
}

const char* sentenceOf(CUptiResult code) {
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "The driver lets only administrators read this GPU's counters. An administrator allows it to "
             "everyone with the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel module nvidia "
             "(in /etc/modprobe.d, then restart), or starts this program.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "This is a virtual GPU whose host does not allow profiling. Whoever runs the host can turn it "
             "on "
             "for this machine.";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "This is a virtual GPU, whose counters cannot be read.";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "This GPU is partitioned (MIG), and the counters of this part cannot be read.";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "This GPU runs in confidential computing, which keeps its counters from everyone.";
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
      return "In this release of WSL the counters cannot be read.";
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
      return "With SLI the counters cannot be read. Turn it off.";
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
      return "NVIDIA's mining processors have no counters that can be read.";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    case CUPTI_ERROR_OLD_PROFILER_API_INITIALIZED:
      return "Another profiler reads this GPU's counters. Close it and try again.";
    case CUPTI_ERROR_INVALID_CHIP_NAME:
    case CUPTI_ERROR_INVALID_DEVICE:
      return "This CUPTI does not know this GPU. Install the CUDA toolkit of a newer release, or name its "
             "libcupti in STRIDESCOPE_CUPTI.";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "There is not enough memory to read the counters. Close other programs.";
    default:
      return nullptr;
  }
}

}  // namespace

Result<std::shared_ptr<const CuptiApi>> loadCupti() {
  std::string reasons;
  for (const std::string& candidate : engine::gpu::cuptiCandidates()) {
    auto opened = openCupti(candidate);
    if (opened) return *opened;
    reasons += (reasons.empty() ? "" : "\n") + opened.error().details;
  }
  return unavailable(
      "CUPTI, which reads the GPU's counters, was not found (libcupti.so.13, or .12 from CUDA 12.6 on). "
      "Install "
      "the CUDA toolkit, or name the file in STRIDESCOPE_CUPTI.",
      reasons);
}

Error cuptiError(const CuptiApi& api, CUptiResult code, std::string_view call) {
  const char* name = nullptr;
  if (api.cuptiGetResultString(code, &name) != CUPTI_SUCCESS || name == nullptr) name = "an unknown code";
  const char* const sentence = sentenceOf(code);
  return {.kind = ErrorKind::Unavailable,
          .sentence = sentence != nullptr ? std::string(sentence)
                                          : "The GPU's counters could not be read: " + std::string(name) +
                                                ". Update the driver and the CUDA toolkit to one release.",
          .details = std::string(call) + ": " + name + " (" + std::to_string(int(code)) + ")"};
}

std::string whyUnsupported(const CUpti_Profiler_DeviceSupported_Params& support) {
  if (support.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED ||
      support.isSupported == CUPTI_PROFILER_CONFIGURATION_UNKNOWN)
    return {};
  const auto lacks = [](CUpti_Profiler_Support_Level level) {
    return level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
           level == CUPTI_PROFILER_CONFIGURATION_DISABLED;
  };
  if (lacks(support.architecture))
    return "This GPU is too old to have its counters read: that needs compute capability 7.0.";
  if (support.vGpu == CUPTI_PROFILER_CONFIGURATION_DISABLED)
    return sentenceOf(CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
  if (lacks(support.vGpu)) return sentenceOf(CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
  if (lacks(support.confidentialCompute)) return sentenceOf(CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
  if (lacks(support.sli)) return sentenceOf(CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
  if (lacks(support.cmp)) return sentenceOf(CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
  if (lacks(support.wsl)) return sentenceOf(CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
  return "CUPTI says that this GPU's counters cannot be read.";
}

}  // namespace stridescope::measure::gpu
