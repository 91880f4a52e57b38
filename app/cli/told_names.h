// What a handout calls a run.
#pragma once

#include <string>

#include "model/trace.h"

namespace stridescope::cli {

struct ToldNames {
  std::string title;    // "interleaved, contiguous"; the id of a variant that the catalogue no longer has
  std::string changed;  // a sentence; may be empty
  std::string experiment, engine;
};
ToldNames namesOf(const model::Trace& trace);

}  // namespace stridescope::cli
