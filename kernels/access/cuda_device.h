// CUDA's device language (CUDA C++ Programming Guide, C++ Language Extensions; CUDA Math API) for g++ and
// clang++: included before a person's kernel, which is then compiled for the CPU and stepped by the program.
//
// Functions that CUDA's threads see one another by (barriers, votes, shuffles, atomics) and accesses that are
// functions call the program (hooks.h) with the address of the person's call; runtime.h does it for plain
// accesses. Half precision and groups of threads are in headers of their own, by CUDA's names.
#pragma once

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "device/atomics.h"
#include "device/branches.h"
#include "device/casts.h"
#include "device/floats.h"
#include "device/integers.h"
#include "device/loads.h"
#include "device/runtime_functions.h"
#include "device/vectors.h"
#include "device/warp.h"
#include "runtime.h"

// Behind everything: they are macros, and other headers use some of the words.
#include "device/keywords.h"

// The text is what the device's compiler would see, for compute capability 9.0.
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 900
#endif
