// A kernel's machine code, for reading: what is timed, compiled once more with the lines of its text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/gpu/gpu_engine.h"
#include "model/machine_code.h"

namespace stridescope::engine::gpu {

inline constexpr int kReadCapability = 90;  // for which code is shown where there is no GPU

// The machine code of the experiment's clean kernel for GPU `index`; nullopt: for kReadCapability, or the
// newest before it that the compiler knows. SASS where NVIDIA's nvdisasm is installed (PATH, CUDA_HOME,
// /usr/local/cuda), else PTX. Errors: no NVRTC, no such GPU; the kernel needs headers that are not there.
Result<model::MachineCode> machineCodeOf(const model::Experiment& experiment, std::optional<unsigned> index,
                                         const GpuPlaces& places = {});

// The same of a cubin that is there: its lines, if nvdisasm is installed and reads it; else none.
std::vector<model::CodeLine> disassembledLines(const std::string& cubin, std::string_view fileName);

// What nvdisasm prints of a cubin, and NVRTC's PTX, as lines with the lines of the kernel's text.

// Reads what `nvdisasm --print-code --print-line-info-inline` prints: instructions, given without their
// addresses, and labels. A line of the text applies to what follows it; where a function was inlined, the
// innermost line of the kernel's file. Padding behind the last instruction is left out. Where
// there are several functions, each begins with a label that has its name. `fileName` is the kernel's text's,
// as #line names it.
std::vector<model::CodeLine> sassLines(std::string_view text, std::string_view fileName);

// Reads PTX made with --generate-line-info: the instructions and labels of all functions.
std::vector<model::CodeLine> ptxLines(std::string_view text, std::string_view fileName);

}  // namespace stridescope::engine::gpu
