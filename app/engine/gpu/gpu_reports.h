// What the recording kernel reported, as problems for a person.
#pragma once

#include <vector>

#include "instrument/instrument.h"
#include "recording/gpu_control.h"
#include "model/trace.h"

namespace stridescope {

// One problem for each kind and site, of its lowest thread.
std::vector<Problem> problemsOf(const recording::GpuControl& control, const Instrumented& instrumented);

}  // namespace stridescope
