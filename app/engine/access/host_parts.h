// Leaves out of a person's text what is the host's: main, what calls CUDA's host functions or launches
// kernels, what uses such, and the headers that only the host includes.
#pragma once

#include <string>
#include <vector>

#include "declarations.h"
#include "text_edits.h"

namespace stridescope::engine::access {

struct HostParts {
  std::vector<std::string> names;                           // "main()", "Timer", "#include <thrust/sort.h>"
  std::vector<std::pair<std::size_t, std::size_t>> ranges;  // bytes of the text that are no longer there

  bool hold(std::size_t at) const;
};

HostParts leaveOutHostParts(const KernelTokens& tokens, const std::vector<Declaration>& declarations,
                            TextEdits& edits);

}  // namespace stridescope::engine::access
