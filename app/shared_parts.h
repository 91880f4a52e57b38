// What all of the program shares: the window, its exports, the commands.
#pragma once

#include <memory>

#include "engine/code_trust.h"
#include "engine/worker/gpu_worker.h"
#include "lab/sources/sources.h"

namespace stridescope::program {

struct SharedParts {
  std::shared_ptr<engine::CodeTrust> trust;
  std::shared_ptr<engine::worker::GpuWorkers> gpus;
  lab::sources::Sources sources;
};

}  // namespace stridescope::program
