// The recorded kernels that run on the emulated device: all of the catalogue and those of this folder.
#pragma once

#include <string_view>

#include "../stand_in_driver.h"

namespace stridescope::engine::gpu {

StandInKernel emulatedKernel(std::string_view name);  // nullptr: there is none

}  // namespace stridescope::engine::gpu
