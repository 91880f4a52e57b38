// Random kernels from a small grammar, each with the instrumented text that it must become. The ids are
// counted by walking the kernel in the order in which it is run, not in the order of its text.
#pragma once

#include <string>

namespace stridescope::instrument {

struct GeneratedKernel {
  std::string text;
  std::string expected;
  int sites = 0;
};

// The same seed gives the same kernel everywhere.
GeneratedKernel generateKernel(unsigned seed);

}  // namespace stridescope::instrument
