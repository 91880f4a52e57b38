// The rounds of a merge, as sentences.
#pragma once

#include <string>
#include <vector>

#include "narration/round_at.h"

namespace stridescope::narration {

// The sentences for a round that serves an output element: "Element 7 of 256, stride 4: the first 4 of 8
// threads compare two heads, ...", "1 thread takes the other head with its list's number, as it comes first;
// ..."
std::vector<std::string> mergeSentences(const RoundAt& at);

}  // namespace stridescope::narration
