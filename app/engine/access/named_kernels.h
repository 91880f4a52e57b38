// The kernels of a person's text that its launches name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/access/kernel_declaration.h"
#include "engine/access/kernel_file.h"
#include "kernel_text.h"

namespace stridescope::engine::access {

// One of the kernels that the launches name, as C++ names it.
struct NamedKernel {
  std::string expression;  // "sumTwo<int, 128>"
  KernelDeclaration declaration;
  std::string templateArguments;      // "int, 128"
  std::set<std::size_t> fromDefault;  // the parameters that a launch leaves to their default arguments
};

struct NamedKernels {
  std::vector<NamedKernel> all;
  std::vector<std::uint32_t> ofLaunch;  // by launch: which of them
};

// The errors are kernelOf()'s.
Result<NamedKernels> namedKernels(const KernelFile& file, const KernelText& text);

}  // namespace stridescope::engine::access
