// By the name that a person's file includes. CUDA's atomic functions.
#pragma once

#include "cuda_device.h"
