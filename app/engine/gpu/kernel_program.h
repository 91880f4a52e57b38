// The programs of a kernel: clean, as a person reads it and as it is timed, recorded, clocked, and marked.
#pragma once

#include <string>
#include <string_view>

#include "engine/gpu/compiler.h"
#include "engine/gpu/kernel_text.h"
#include "instrument/instrument.h"

namespace stridescope::engine::gpu {

// Preamble and text, verbatim. `architecture` is NVRTC's option (architectureOption). Messages count lines
// from the kernel's own file; those on the preamble say "preamble".
Program cleanProgram(const KernelText& kernel, const std::string& architecture);

// The recording runtime, the preamble, and the instrumented text on the same lines. Multiplications and
// additions are not contracted, so that values equal the CPU executor's.
Program recordedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                        const std::string& architecture);

// The clean program with marks of the clock in it: the same options, the instrumented text's clocked form.
Program clockedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                       const std::string& architecture);

// The clean program with a mark of each block (clocking/marked_block.h): the same options, the kernel as it
// is. It has one parameter more, the marks' place.
Program markedProgram(const KernelText& kernel, const instrument::Instrumented& instrumented,
                      const std::string& architecture);

// Whether the text includes headers of CUDA, which NVRTC then needs the folders of.
bool includesHeaders(std::string_view kernelText);

}  // namespace stridescope::engine::gpu
