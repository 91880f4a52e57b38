// Takes the recording calls out of an instrumented text again. Works on characters and on CALLS.md alone and
// shares nothing with the text pass, so that each can be held against the other.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "recording/site.h"

namespace stridescope {

// `sites` tells *p from p[0], and for (;;) from for (; true;), which become the same call.
// A declaration of shared memory comes back with single spaces.
std::string stripRecording(std::string_view instrumentedText, const std::vector<recording::Site>& sites);

}  // namespace stridescope
