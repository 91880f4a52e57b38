#include "analysis/site_table.h"

#include <algorithm>
#include <map>
#include <utility>

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

SiteTable::SiteTable(const model::Trace& trace) : functions_(trace.kernel, trace.sites.size()) {
  firstLoop_.reserve(trace.sites.size() + 1);
  firstLoop_.push_back(0);
  for (const model::Site& site : trace.sites) {
    const bool loop = site.kind == model::SiteKind::Loop;
    for (const int id : site.loops) loops_.push_back(std::uint32_t(id));
    if (loop && !std::ranges::count(site.loops, site.id)) loops_.push_back(std::uint32_t(site.id));
    firstLoop_.push_back(std::uint32_t(loops_.size()));
    isLoop_.push_back(loop);
  }
  const auto& models = trace.kernel.sites;
  step_.assign(trace.sites.size(), kNoStep);
  std::map<std::pair<int, int>, std::uint32_t> firstOfStep;  // by function and step
  for (std::uint32_t site = 0; site < models.size(); ++site)
    if (models[site].step > 0)
      step_[site] = firstOfStep.try_emplace({models[site].function, models[site].step}, site).first->second;
}

}  // namespace stridescope::analysis
