// What a log has that no event of a trace shows: accesses to other blocks of a cluster, bulk copies, and
// barriers in shared memory or of a part of the block.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/access/gpu/access_log.h"
#include "engine/access/gpu/told_acts.h"
#include "engine/access/gpu_access.h"

namespace stridescope::engine::access::gpu {

// One for each instruction, each block that it goes to, and each number of block barriers before it, in the
// order in which they came; at most model::kMaxOtherActs. `unshown`: readLog()'s. `names`: of the log's
// buffers.
std::vector<model::OtherAct> otherActsOf(const LoggedBlock& log, const std::vector<UnshownEntry>& unshown,
                                         const std::vector<std::string>& names, const LineOf& lineOf);

}  // namespace stridescope::engine::access::gpu
