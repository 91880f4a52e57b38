// By the name that a person's file includes. threadIdx and its like.
#pragma once

#include "cuda_device.h"
