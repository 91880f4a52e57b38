#include "analysis/site_table.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stridescope::analysis {

SiteTable::SiteTable(const model::Trace& trace) : functions_(trace.kernel, trace.sites.size()) {
  firstLoop_.reserve(trace.sites.size() + 1);
  firstLoop_.push_back(0);
  for (const model::Site& site : trace.sites) {
    const bool loop = site.kind == model::SiteKind::Loop;
    for (const int id : site.loops) loops_.push_back(std::uint32_t(id));
    if (loop && !std::ranges::count(site.loops, site.id)) loops_.push_back(std::uint32_t(site.id));
    firstLoop_.push_back(std::uint32_t(loops_.size()));
    statement_.push_back(site.statement);
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
