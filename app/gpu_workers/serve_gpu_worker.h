// The worker processes that call NVIDIA's libraries (engine/worker/gpu_worker.h).
#pragma once

#include <optional>

namespace stridescope::gpu_workers {

// Does the work that the program was started for and gives the exit code; nothing: it was started for
// something else.
std::optional<int> serveAsGpuWorker(int argc, const char* const* argv);

}  // namespace stridescope::gpu_workers
