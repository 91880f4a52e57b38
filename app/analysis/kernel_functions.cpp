#include "analysis/kernel_functions.h"

#include <algorithm>

namespace stridescope::analysis {

KernelFunctions::KernelFunctions(const model::KernelModel& kernel, std::size_t sites)
    : functionOf_(sites, 0), calls_(kernel.calls) {
  const auto found = std::ranges::find_if(kernel.functions, &model::KernelFunction::isKernel);
  if (found == kernel.functions.end()) return;
  kernel_ = std::uint32_t(found - kernel.functions.begin());
  for (std::size_t site = 0; site < sites; ++site)
    functionOf_[site] = site < kernel.sites.size() && kernel.sites[site].function >= 0
                            ? std::uint32_t(kernel.sites[site].function)
                            : kernel_;
}

bool KernelFunctions::calls(std::uint32_t caller, std::uint32_t callee) const {
  return std::ranges::any_of(calls_, [&](const model::KernelCall& call) {
    return std::uint32_t(call.caller) == caller && std::uint32_t(call.callee) == callee;
  });
}

std::optional<std::uint32_t> KernelFunctions::nextCall(std::uint32_t caller, std::uint32_t callee,
                                                       std::uint32_t passed) const {
  for (const model::KernelCall& call : calls_)
    if (std::uint32_t(call.caller) == caller && std::uint32_t(call.callee) == callee &&
        std::uint32_t(call.sitesBefore) >= passed)
      return std::uint32_t(call.sitesBefore);
  return std::nullopt;
}

}  // namespace stridescope::analysis
