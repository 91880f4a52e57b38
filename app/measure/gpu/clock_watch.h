// Whether a GPU's clock is held down and whether others use the GPU, told by NVML, which is opened at run
// time. Without NVML there is nothing to tell.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/gpu/shared_library.h"

namespace stridescope::measure::gpu {

class ClockWatch {
 public:
  // The GPU on that bus: "0000:1b:00.0".
  explicit ClockWatch(const std::string& busId);
  ~ClockWatch();
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;

  // Sentences about this moment.
  std::vector<std::string> disturbances() const;

 private:
  std::shared_ptr<engine::gpu::SharedLibrary> library_;
  void* device_ = nullptr;  // nvmlDevice_t
};

}  // namespace stridescope::measure::gpu
