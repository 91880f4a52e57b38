// What the driver's codes mean to a person.
#include "engine/gpu/driver_api.h"

namespace stridescope::engine::gpu {
namespace {

// What to do about a failure; one sentence a cause.
std::string_view remedyFor(CUresult code) {
  switch (code) {
    case CUDA_ERROR_NO_DEVICE:
      return "Check that nvidia-smi lists a GPU and that CUDA_VISIBLE_DEVICES does not hide it; a GPU in MIG "
             "mode "
             "needs a compute instance (nvidia-smi mig -lci lists them). Or use the CPU executor: --engine "
             "host.";
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
      return "The kernel accessed memory that is not its own; check its indices. The CPU executor (--engine "
             "host) names the line.";
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ASSERT:
      return "The kernel was stopped by the GPU; the CPU executor (--engine host) may name the line.";
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

}  // namespace stridescope::engine::gpu
