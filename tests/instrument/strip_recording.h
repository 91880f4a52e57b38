// Takes the recording calls out of an instrumented text again. Works on characters and on CALLS.md alone and
// shares no code with the text pass, so that each can be held against the other.
#pragma once

#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {

// The sites tell *p from p[0], for (;;) from for (; true;) and block.sync() from __syncthreads(), which
// become the same call; the shared declarations tell T x from T x[1]. A declaration of shared memory comes
// back with single spaces.
std::string stripRecording(const Instrumented& instrumented);

}  // namespace stridescope::instrument
