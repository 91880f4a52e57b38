// For tests that compile: skips visibly where there is no NVRTC.
#pragma once

#include <gtest/gtest.h>

#include "engine/gpu/compiler.h"

#define NEEDS_NVRTC()                                                                \
  do {                                                                               \
    if (const auto anyNvrtc = stridescope::engine::gpu::loadNvrtc({}, 0); !anyNvrtc) \
      GTEST_SKIP() << "SKIPPED: " << anyNvrtc.error().sentence;                      \
  } while (false)
