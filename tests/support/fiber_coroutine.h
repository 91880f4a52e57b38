// The Test Engine's coroutine as a fiber. Its own is a thread, so that each frame of a test takes two
// switches by the kernel: a fifth of the processor time of a window's tests, and more of their time on a busy
// machine.
#pragma once

#include <imgui_te_coroutine.h>

namespace stridescope::support {

// For ImGuiTestEngineIO::CoroutineFuncs; lives as long as the program. Not for AddressSanitizer: the
// executor, which a test may call, tells it of the bounds of threads' stacks alone.
ImGuiTestCoroutineInterface* fiberCoroutines();

}  // namespace stridescope::support
