// Launches run again and again with a mark of each block at its beginning and end, and as they are.
#pragma once

#include "engine/access/gpu/sanitizer_api.h"
#include "engine/access/gpu_access.h"
#include "engine/gpu/gpu_session.h"

namespace stridescope::engine::access::gpu {

// Within the device's context, with the patches added to it. Limit: more blocks than are kept.
Result<model::TimelineRecord> timeBlocks(engine::gpu::GpuSession& session, const SanitizerApi& sanitizer,
                                         const GpuAccessOrder& asked, JobControl& job);

}  // namespace stridescope::engine::access::gpu
