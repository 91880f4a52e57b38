// Which function of the kernel a site stands in, and where the functions call each other. Events do not tell
// that a function was called; the kernel's model does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/trace.h"

namespace stridescope::analysis {

class KernelFunctions {
 public:
  // Without a model the text counts as one function.
  KernelFunctions(const model::KernelModel& kernel, std::size_t sites);

  std::uint32_t functionOf(std::uint32_t site) const { return functionOf_[site]; }
  std::uint32_t kernel() const { return kernel_; }  // the __global__ function

  bool calls(std::uint32_t caller, std::uint32_t callee) const;

  // Where `caller` calls `callee` for the first time after it has passed `passed` of the text's sites: the
  // number of sites with lesser ids than what is evaluated after the call. nullopt if the text has no such
  // call.
  std::optional<std::uint32_t> nextCall(std::uint32_t caller, std::uint32_t callee,
                                        std::uint32_t passed) const;

 private:
  std::vector<std::uint32_t> functionOf_;  // per site
  std::vector<model::KernelCall> calls_;   // in the order of the text
  std::uint32_t kernel_ = 0;
};

}  // namespace stridescope::analysis
