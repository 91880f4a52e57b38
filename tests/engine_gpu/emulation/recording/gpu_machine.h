// In place of kernels/recording/gpu_machine.h: the same three functions on the emulated device.
#pragma once

#include "recording/event.h"

namespace recording {

RECORDING_FUNCTION void stopThread() { throw emulated::ThreadEnds{}; }
RECORDING_FUNCTION U64 globalTime() { return 1; }
RECORDING_FUNCTION U32 dynamicSharedBytes() { return emulated::thread->block->dynamicSharedBytes; }

}  // namespace recording
