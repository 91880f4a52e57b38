#include "engine/gpu/driver_api.h"

#include <array>
#include <cctype>
#include <fstream>
#include <sstream>

#include "engine/gpu/shared_library.h"

namespace stridescope::engine::gpu {

Result<std::shared_ptr<const DriverApi>> loadDriver(const std::string& given) {
  auto library = SharedLibrary::open(driverCandidates(given));
  if (!library)
    return unavailable(
        "No NVIDIA driver was found (libcuda.so.1). Install NVIDIA's driver for this GPU; stepping works "
        "without it, on the CPU executor (on the command line: --engine host).",
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
  api->launchInClusters =
      api->library->function<decltype(api->launchInClusters)::Pointer>("cuLaunchKernelEx");
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

// What the driver's codes mean to a person.

namespace {

// What to do about a failure; one sentence a cause.
std::string_view remedyFor(CUresult code) {
  switch (code) {
    case CUDA_ERROR_NO_DEVICE:
      return "Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it; a GPU in MIG "
             "mode "
             "needs a compute instance (nvidia-smi mig -lci lists them). Or use the CPU executor (on the "
             "command line: --engine host).";
    case CUDA_ERROR_STUB_LIBRARY:
      return "The libcuda that was found is the toolkit's stub; remove its folder from LD_LIBRARY_PATH.";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "The driver was updated while in use; restart the machine.";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "Remove CUDA's forward-compatibility libraries from LD_LIBRARY_PATH, or update the driver.";
    case CUDA_ERROR_SYSTEM_NOT_READY:
      return "Start the services that the GPU needs (nvidia-fabricmanager, on machines with NVSwitch).";
    case CUDA_ERROR_MPS_CONNECTION_FAILED:
    case CUDA_ERROR_MPS_SERVER_NOT_READY:
    case CUDA_ERROR_MPS_RPC_FAILURE:
    case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
    case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
      return "The multi-process service (MPS) refuses this program; stop other clients or restart the "
             "service.";
    case CUDA_ERROR_DEVICE_NOT_LICENSED:
      return "The virtual GPU has no licence; ask who runs the machine.";
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "Take fewer elements, or close other programs that use the GPU (nvidia-smi lists them).";
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return "Another program holds the GPU (nvidia-smi lists them), or its compute mode forbids a second "
             "one: "
             "nvidia-smi --compute-mode=DEFAULT shares it.";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
      return "The driver does not take what this NVRTC compiles; update the driver, or name an older "
             "libnvrtc "
             "in STRIDESCOPE_NVRTC.";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return "Take a smaller block.";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "The kernel accessed memory that is not its own; check its indices. The CPU executor names the "
             "line "
             "(on the command line: --engine host).";
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ASSERT:
      return "The kernel was stopped by the GPU; the CPU executor may name the line (on the command line: "
             "--engine host).";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "The desktop's watchdog stopped the kernel; take fewer elements.";
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
      return "The GPU's hardware reports a fault; nvidia-smi -q tells more.";
    case CUDA_ERROR_OPERATING_SYSTEM:
      return "Check that you may open /dev/nvidia*, for example by being in the group that owns them.";
    default:
      return "If it stays so, restart the program; nvidia-smi tells whether the GPU answers.";
  }
}

std::string textOf(const DriverApi& api, CUresult code, bool name) {
  const char* text = nullptr;
  const auto& ask = name ? api.cuGetErrorName : api.cuGetErrorString;
  if (ask(code, &text) != CUDA_SUCCESS || text == nullptr)
    return name ? "CUresult " + std::to_string(code) : "an error that this driver has no text for";
  return text;
}

}  // namespace

Error driverError(const DriverApi& api, CUresult code, std::string_view call, std::string_view doing) {
  std::string sentence = "Could not " + std::string(doing) + ": " + textOf(api, code, false) + ". ";
  sentence += remedyFor(code);
  const bool isLimit = code == CUDA_ERROR_OUT_OF_MEMORY || code == CUDA_ERROR_LAUNCH_TIMEOUT;
  return {isLimit ? ErrorKind::Limit : ErrorKind::Unavailable, std::move(sentence),
          std::string(call) + ": " + textOf(api, code, true) + " (" + std::to_string(code) + ")"};
}

bool losesContext(CUresult code) {
  switch (code) {
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

// The driver's release number, which the driver API does not tell.

namespace {

bool isRelease(const std::string& word) {  // 580.159 or 580.159.03
  return word.size() >= 6 && std::isdigit(static_cast<unsigned char>(word[0])) != 0 &&
         word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos;
}

std::string firstReleaseIn(const char* path) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (isRelease(word)) return word;
  return {};
}

// NVML answers where the module's files are hidden: in WSL2 and in some containers.
std::string releaseFromNvml() {
  const LibraryCall call("NVML");
  auto library = SharedLibrary::open({"libnvidia-ml.so.1"});
  if (!library) return {};
  using Plain = int (*)();
  using GetVersion = int (*)(char*, unsigned);
  const auto start = (*library)->function<Plain>("nvmlInit_v2");
  const auto end = (*library)->function<Plain>("nvmlShutdown");
  const auto version = (*library)->function<GetVersion>("nvmlSystemGetDriverVersion");
  if (start == nullptr || end == nullptr || version == nullptr || start() != 0) return {};
  std::array<char, 96> text{};  // NVML asks for at least 80
  const bool told = version(text.data(), static_cast<unsigned>(text.size() - 1)) == 0;
  end();
  return told ? text.data() : "";
}

}  // namespace

std::string installedDriverRelease() {
  for (const char* path : {"/sys/module/nvidia/version", "/proc/driver/nvidia/version"})
    if (std::string release = firstReleaseIn(path); !release.empty()) return release;
  return releaseFromNvml();
}

}  // namespace stridescope::engine::gpu
