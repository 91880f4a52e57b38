#include "archive/older_order.h"

#include <algorithm>
#include <cstddef>

namespace stridescope::archive {
namespace {

class RunSorter {
 public:
  RunSorter(std::vector<model::Event>& events, const std::vector<model::Site>& sites)
      : events_(events), sites_(sites) {}

  // Sorts the run that begins at `begin` and returns its end, at most `limit`.
  std::size_t sortRun(std::size_t begin, std::size_t limit) {
    const int statement = statementOf(begin);
    bool sorted = true;
    std::size_t end = begin + 1;
    for (; end < limit; ++end) {
      const model::Event& event = events_[end];
      if (event.kind() != model::EventKind::Load || statementOf(end) != statement) break;
      if (event.secondHalf()) continue;
      if (siteComesIn(begin, end, event.site())) break;
      sorted = sorted && event.site() > events_[end - 1].site();
    }
    if (!sorted)
      std::stable_sort(events_.begin() + std::ptrdiff_t(begin), events_.begin() + std::ptrdiff_t(end),
                       [](const model::Event& a, const model::Event& b) { return a.site() < b.site(); });
    return end;
  }

 private:
  int statementOf(std::size_t event) const { return sites_[events_[event].site()].statement; }

  // Runs are as short as a statement, so that searching beats any table.
  bool siteComesIn(std::size_t begin, std::size_t end, std::uint32_t site) const {
    for (std::size_t i = end; i-- > begin;)
      if (events_[i].site() == site) return true;
    return false;
  }

  std::vector<model::Event>& events_;
  const std::vector<model::Site>& sites_;
};

}  // namespace

void putLoadsInOrder(model::LaunchTrace& launch, const std::vector<model::Site>& sites) {
  RunSorter sorter(launch.recorded().events, sites);
  for (std::size_t thread = 0; thread < launch.block; ++thread) {
    const std::size_t end = launch.recorded().first[thread + 1];
    for (std::size_t i = launch.recorded().first[thread]; i < end;)
      i = launch.recorded().events[i].kind() == model::EventKind::Load ? sorter.sortRun(i, end) : i + 1;
  }
}

}  // namespace stridescope::archive
