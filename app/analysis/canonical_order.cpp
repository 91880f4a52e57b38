#include "analysis/canonical_order.h"

#include <algorithm>
#include <numeric>

namespace stridescope::analysis {
namespace {

class RunSorter {
 public:
  RunSorter(const model::LaunchTrace& launch, const SiteTable& sites, std::vector<std::uint32_t>& order)
      : events_(launch.events), sites_(sites), order_(order) {}

  // Sorts the run that begins at `begin` and returns its end, at most `limit`.
  std::uint32_t sortRun(std::uint32_t begin, std::uint32_t limit) {
    const int statement = sites_.statementOf(events_[begin].site());
    bool sorted = true;
    std::uint32_t end = begin + 1;
    for (; end < limit; ++end) {
      const model::Event& event = events_[end];
      if (event.kind() != model::EventKind::Load || sites_.statementOf(event.site()) != statement) break;
      if (event.secondHalf()) continue;
      if (siteComesIn(begin, end, event.site())) break;
      sorted = sorted && event.site() > events_[end - 1].site();
    }
    if (!sorted)
      std::stable_sort(
          order_.begin() + begin, order_.begin() + end,
          [this](std::uint32_t a, std::uint32_t b) { return events_[a].site() < events_[b].site(); });
    return end;
  }

 private:
  // Runs are as short as a statement, so that searching beats any table.
  bool siteComesIn(std::uint32_t begin, std::uint32_t end, std::uint32_t site) const {
    for (std::uint32_t i = end; i-- > begin;)
      if (events_[i].site() == site) return true;
    return false;
  }

  const std::vector<model::Event>& events_;
  const SiteTable& sites_;
  std::vector<std::uint32_t>& order_;
};

}  // namespace

std::vector<std::uint32_t> canonicalOrder(const model::LaunchTrace& launch, const SiteTable& sites) {
  std::vector<std::uint32_t> order(launch.events.size());
  std::iota(order.begin(), order.end(), 0u);
  RunSorter sorter(launch, sites, order);
  for (std::uint32_t thread = 0; thread < launch.block; ++thread) {
    const std::uint32_t end = launch.first[thread + 1];
    for (std::uint32_t i = launch.first[thread]; i < end;)
      i = launch.events[i].kind() == model::EventKind::Load ? sorter.sortRun(i, end) : i + 1;
  }
  return order;
}

}  // namespace stridescope::analysis
