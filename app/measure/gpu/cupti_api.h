// CUPTI, NVIDIA's profiling library, opened at run time: a table of the functions that read counters.
#pragma once

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <memory>
#include <string_view>

#include "base/result.h"
#include "engine/gpu/shared_library.h"
#include "engine/library_call.h"

namespace stridescope::measure::gpu {

#define STRIDESCOPE_CUPTI_FUNCTIONS(use)                                                                    \
  use(cuptiGetResultString) use(cuptiProfilerInitialize) use(cuptiProfilerDeviceSupported)                  \
      use(cuptiDeviceGetChipName) use(cuptiProfilerGetCounterAvailability) use(cuptiProfilerHostInitialize) \
          use(cuptiProfilerHostDeinitialize) use(cuptiProfilerHostConfigAddMetrics)                         \
              use(cuptiProfilerHostGetConfigImageSize) use(cuptiProfilerHostGetConfigImage)                 \
                  use(cuptiProfilerHostEvaluateToGpuValues) use(cuptiProfilerHostGetMetricProperties)       \
                      use(cuptiRangeProfilerEnable) use(cuptiRangeProfilerDisable)                          \
                          use(cuptiRangeProfilerGetCounterDataSize)                                         \
                              use(cuptiRangeProfilerCounterDataImageInitialize)                             \
                                  use(cuptiRangeProfilerSetConfig) use(cuptiRangeProfilerStart)             \
                                      use(cuptiRangeProfilerStop) use(cuptiRangeProfilerDecodeData)         \
                                          use(cuptiRangeProfilerGetCounterDataInfo)

#define STRIDESCOPE_DECLARE_FUNCTION(name) engine::LibraryFunction<decltype(&::name)> name{#name};
struct CuptiApi {
  std::shared_ptr<engine::gpu::SharedLibrary> library;
  STRIDESCOPE_CUPTI_FUNCTIONS(STRIDESCOPE_DECLARE_FUNCTION)
};
#undef STRIDESCOPE_DECLARE_FUNCTION

// The first CUPTI (library_search.h) that has the range profiler, which came with CUDA 12.6.
Result<std::shared_ptr<const CuptiApi>> loadCupti();

// The one way from CUPTI's code to a person: what it means for reading counters and what helps; the details
// name the call and the code.
Error cuptiError(const CuptiApi& api, CUptiResult code, std::string_view call);

// Why this GPU's counters cannot be read, a sentence; empty: they can, as far as CUPTI tells beforehand.
std::string whyUnsupported(const CUpti_Profiler_DeviceSupported_Params& support);

}  // namespace stridescope::measure::gpu
