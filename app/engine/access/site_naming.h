// The places of a person's text from which the recorder was called become a trace's sites.
#pragma once

#include <cstdint>
#include <string>

#include "access_recorder.h"
#include "access_worker.h"
#include "debug_info.h"

namespace stridescope::engine::access {

// `record` names places by the recorder's numbers; then sites, in the order of the text. `base`: where the
// compiled text is loaded.
void nameSites(const AccessRecorder& recorder, const DebugInfo& info, std::uint64_t base,
               const std::string& textFile, AccessRecord& record);

}  // namespace stridescope::engine::access
