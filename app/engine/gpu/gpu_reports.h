// What the recording kernel reported, as problems for a person.
#pragma once

#include <vector>

#include "instrument/instrument.h"
#include "model/trace.h"
#include "recording/gpu_control.h"

namespace stridescope::engine::gpu {

// One problem for each kind and site: its lowest thread's.
std::vector<model::Problem> problemsOf(const recording::GpuControl& control,
                                       const instrument::Instrumented& instrumented);

}  // namespace stridescope::engine::gpu
