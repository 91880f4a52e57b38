// A GPU where it runs an experiment, else the CPU executor: what 'auto' means on a machine with a GPU.
#pragma once

#include <memory>

#include "engine/engine.h"

namespace stridescope::engine {

// executor() is the GPU's; a trace says who recorded it. refusalOf(executor(), experiment) says why it was
// the CPU executor.
std::unique_ptr<Engine> makeAutoEngine(std::unique_ptr<Engine> gpu, std::unique_ptr<Engine> host);

}  // namespace stridescope::engine
