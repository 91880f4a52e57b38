// By the name that a person's file includes. CUDA's make_ functions.
#pragma once

#include "cuda_device.h"
