#include "model/remote_acts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/numbers.h"
#include "model/trace_check.h"

namespace stridescope::model {
namespace {

// The accesses that become one act: of one site, to one array of one block, between two block barriers.
struct RemoteGroup {
  const RemoteAccess* first = nullptr;
  std::set<std::uint32_t> threads;
  std::uint64_t times = 0, low = ~0ull, high = 0;  // offsets of elements in the array
};

// What is done: "load", "store" or, of what both reads and writes, "change".
std::string verbOf(const Site& site) {
  return site.kind == SiteKind::Load ? "load" : site.kind == SiteKind::Store ? "store" : "change";
}

std::string kindOf(const Site& site) {
  return "remote " + (site.kind == SiteKind::Atomic ? std::string("atomic") : verbOf(site));
}

std::string sentenceOf(const RemoteGroup& group, const Site& site, const Array& array) {
  const bool isOne = group.threads.size() == 1;
  const std::uint32_t bytes = group.first->bytes;
  const auto place = [&](std::uint64_t offset) {
    return array.name + "[" + figure(offset / std::max(1u, array.elementBytes)) + "]";
  };
  std::string text = "Line " + std::to_string(site.line) + ": ";
  text +=
      isOne ? "Thread " + std::to_string(*group.threads.begin()) : figure(group.threads.size()) + " threads";
  text += " " + verbOf(site) + (isOne ? "s " : " ") + figure(bytes) + (bytes == 1 ? " byte" : " bytes") +
          (isOne ? "" : " each") + " in the shared memory of block " + std::to_string(group.first->rank) +
          " of the cluster, ";
  text += group.low == group.high ? "at " + place(group.low)
                                  : "from " + place(group.low) + " to " + place(group.high);
  return text + (group.times == group.threads.size() ? "" : ", " + figure(group.times) + " times in all") +
         ".";
}

}  // namespace

std::vector<OtherAct> remoteActs(std::vector<RemoteAccess> accesses, std::span<const Site> sites,
                                 std::span<const Array> shared) {
  std::erase_if(accesses, [&](const RemoteAccess& access) {
    return access.site >= sites.size() || access.array >= shared.size();
  });
  std::ranges::stable_sort(accesses, {}, [](const RemoteAccess& access) {
    return std::tuple(access.barriersBefore, access.thread, access.eventsBefore);
  });
  std::vector<RemoteGroup> groups;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::size_t>, std::size_t> known;
  for (const RemoteAccess& access : accesses) {
    const std::tuple key(access.site, access.rank, access.array, access.barriersBefore);
    if (groups.size() == kMaxOtherActs && !known.contains(key)) continue;
    const auto [found, isNew] = known.try_emplace(key, groups.size());
    if (isNew) groups.push_back({.first = &access, .threads = {}});
    RemoteGroup& group = groups[found->second];
    group.threads.insert(access.thread);
    ++group.times;
    group.low = std::min(group.low, access.offset);
    group.high = std::max(group.high, access.offset);
  }
  std::vector<OtherAct> acts;
  for (const RemoteGroup& group : groups) {
    const RemoteAccess& first = *group.first;
    const Site& site = sites[first.site];
    acts.push_back({.kind = kindOf(site),
                    .line = site.line,
                    .clusterRank = std::int64_t(first.rank),
                    .threads = group.threads.size(),
                    .times = group.times,
                    .bytes = group.times * first.bytes,
                    .sentence = sentenceOf(group, site, shared[first.array]),
                    .thread = first.thread,
                    .eventsBefore = first.eventsBefore});
  }
  return acts;
}

}  // namespace stridescope::model
