// What a round leaves in device memory, as one sentence.
#pragma once

#include <string>

#include "narration/round_at.h"

namespace stridescope::narration {

// "Write: thread 0 writes 1105 to out[0], the sum of this block."
std::string writeSentence(const RoundAt& at);

// The same within another round: "Thread 0 writes 1105 to out[0], the sum of this block." Empty if nothing is
// written.
std::string alsoWritesSentence(const RoundAt& at);

}  // namespace stridescope::narration
