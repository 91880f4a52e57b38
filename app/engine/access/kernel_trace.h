// What a run of a person's kernels recorded becomes a trace: its sites stand at their places in the text.
#pragma once

#include "access_worker.h"
#include "kernel_run.h"
#include "kernel_source.h"
#include "launch_planner.h"
#include "model/trace.h"

namespace stridescope::engine::access {

// `kernel`: the one of the first launch. `arrays`: what the launches were given. The executor is the CPU's;
// who recorded on a GPU says so.
model::Trace traceOf(const KernelFile& file, const CompiledKernels& compiled, const NamedKernel& kernel,
                     AccessRecord record, const Arrays& arrays);

}  // namespace stridescope::engine::access
