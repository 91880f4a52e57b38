// In place of CUDA's <cooperative_groups/reduce.h> on the emulated device.
#pragma once

#include <cooperative_groups.h>
