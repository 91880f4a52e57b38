// What nvdisasm prints of a cubin, and NVRTC's PTX, as lines with the lines of the kernel's text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine_code.h"

namespace stridescope::engine::gpu {

// Reads what `nvdisasm --print-code --print-line-info-inline` prints: instructions, given without their
// addresses, and labels. A line of the text applies to what follows it; where a function was inlined, the
// innermost line of the kernel's file. Padding behind the last instruction is left out. `fileName` is the
// kernel's text's, as #line names it.
std::vector<model::CodeLine> sassLines(std::string_view text, std::string_view fileName);

// Reads PTX made with --generate-line-info: the instructions and labels of all functions.
std::vector<model::CodeLine> ptxLines(std::string_view text, std::string_view fileName);

}  // namespace stridescope::engine::gpu
