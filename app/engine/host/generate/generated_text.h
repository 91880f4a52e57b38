// The C++ text that stridescope_generate writes. Functions of the catalogue alone: no files here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace stridescope::engine::host {

// The variant's instrumented text in a namespace for each type, and its table of HostKernels.
Result<std::string> kernelSource(std::string_view variant);

// hostKernels(): finds a variant's table.
std::string registrySource(const std::vector<std::string>& variants);

// hostOperators(): the preambles' identities and combines.
std::string operatorSource();

}  // namespace stridescope::engine::host
