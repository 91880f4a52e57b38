// A real GPU behind the engines' interface: NVRTC compiles the kernel's text for the device that is found,
// the driver runs it. Both libraries are opened when they are asked for, so that one program starts with and
// without a GPU. Nothing here throws; what is missing is a sentence that says what to do.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "model/experiment.h"

namespace stridescope::engine::gpu {

// Where things are, if not in the usual places. Empty members: the environment's STRIDESCOPE_LIBCUDA,
// STRIDESCOPE_NVRTC and STRIDESCOPE_KERNEL_CACHE; where those are unset, the usual places
// (shared_library.h, kernel_compiler.h).
struct GpuPlaces {
  std::string driver = {};       // libcuda's file
  std::string nvrtc = {};        // libnvrtc's file, or the folder it lies in
  std::string cacheFolder = {};  // keeps compiled kernels
};

// The engine of GPU `index`, in the driver's numbering. Fails if there is no driver, no NVRTC that fits the
// driver and the GPU, or no such GPU. Its record() may be called from any thread, one call at a time does the
// work. After a kernel's failure the next record() tries a fresh context; drivers refuse one to a process
// whose kernel faulted, so isUsable() is false then and the engine belongs into a process of its own
// (worker/).
Result<std::unique_ptr<Engine>> makeGpuEngine(unsigned index, const GpuPlaces& places = {},
                                              const RecordLimits& limits = {});

// Looks anew on every call; takes up to a second, most of it the driver's start. A driver may hang or crash:
// called by a worker process alone, which others ask (worker/gpu_worker.h).
GpuStatus queryGpus(const GpuPlaces& places = {});

// In which a text is timed.
enum class TimedForm : std::uint8_t {
  Clean,          // as a person reads it
  Clocked,        // with marks of the clock (clocking/clock.h), whose symbol is clocking_control
  Marked,         // with a mark of each block (clocking/marked_block.h), whose place is the last parameter
  Peeled,         // it can be ended early (clocking/peeled.h); the symbol is clocking_peel
  CountingMarks,  // the same, and it counts the marks at which it could be ended
};

}  // namespace stridescope::engine::gpu
