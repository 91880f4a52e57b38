// The places of a person's text from which the recorder was called become a trace's sites.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "access_recorder.h"
#include "access_worker.h"
#include "debug_info.h"

namespace stridescope::engine::access {

struct NamedText {
  std::string file;                      // the text's name
  std::uint64_t base = 0;                // where it is loaded, compiled
  std::set<std::uint64_t> kernels = {};  // the addresses of those that were launched
};

// `record` names places by the recorder's numbers; then sites, in the order of the text, and the functions
// that they are in.
void nameSites(const AccessRecorder& recorder, const DebugInfo& info, const NamedText& text,
               AccessRecord& record);

}  // namespace stridescope::engine::access
