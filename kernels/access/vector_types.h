// By the name that a person's file includes. CUDA's vector types.
#pragma once

#include "cuda_device.h"
