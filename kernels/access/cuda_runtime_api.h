// By the name that a person's file includes. CUDA's runtime interface: of it only the device language.
#pragma once

#include "cuda_device.h"
