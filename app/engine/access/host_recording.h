// recording/host.h for the recorder itself, which is no instrumented text.
#pragma once

#include "engine/host/executor/block_runner.h"
#include "recording/host.h"

// CUDA's names, which instrumented text needs, are none of the program's.
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim
#undef warpSize
