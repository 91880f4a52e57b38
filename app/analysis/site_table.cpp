#include "analysis/site_table.h"

#include <algorithm>

namespace stridescope::analysis {

SiteTable::SiteTable(const model::Trace& trace) : functions_(trace.kernelText, trace.sites) {
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
}

}  // namespace stridescope::analysis
