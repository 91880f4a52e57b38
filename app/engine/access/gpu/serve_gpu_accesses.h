// The process that runs a person's kernel on a GPU and records it (engine/access/gpu_access.h).
#pragma once

namespace stridescope::engine::access::gpu {

// Serves GPU `index`, in the driver's numbering, on the worker's stream until that is closed. The process's
// exit code.
int serveGpuAccesses(unsigned index);

}  // namespace stridescope::engine::access::gpu
