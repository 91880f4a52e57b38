// The launches of an order, recorded on a GPU: as they are compiled, once more with a text that tells its
// conditions and exchanges, and once more with the clock read at barriers, if that is asked for.
#pragma once

#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

// Within the device's context, with the patches added to it. The order's numbers are in their ranges.
Result<GpuAccessRecord> recordAccesses(engine::gpu::GpuSession& session, const SanitizerApi& sanitizer,
                                       const GpuAccessOrder& asked, JobControl& job);

}  // namespace stridescope::engine::access::gpu
