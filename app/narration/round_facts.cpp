#include "narration/round_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "analysis/event_groups.h"
#include "narration/wording.h"

namespace stridescope {
namespace {

template <class Visit>
void forEachAccess(const RoundAt& at, Visit visit) {
  for (const WarpOperation& operation : at.round().operations) {
    if (!isAccess(operation.kind)) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      visit(operation.kind, operation.warp * kWarpSize + lane, at.launch.events[operation.event[lane]]);
    });
  }
}

std::uint64_t elementOf(const std::vector<Array>& arrays, std::uint32_t array, const Event& event) {
  return event.offset() / std::max(1u, arrays[array].elementBytes);
}

}  // namespace

bool takesPart(const Round& round, EventKind kind) {
  return std::ranges::any_of(round.operations,
                             [&](const WarpOperation& operation) { return operation.kind == kind; });
}

DeviceReads deviceReads(const RoundAt& at) {
  std::vector<bool> written(at.launch.buffers.size(), false), read(at.launch.buffers.size(), false);
  for (const WarpOperation& operation : at.round().operations) {
    if (!isAccess(operation.kind)) continue;
    const Event& event = firstEventOf(operation, at.launch);
    if (event.inGlobal()) (operation.kind == EventKind::Load ? read : written)[event.buffer()] = true;
  }
  DeviceReads reads;
  for (std::uint32_t buffer = 0; buffer < read.size(); ++buffer) {
    if (!read[buffer]) continue;
    reads.inPlace = reads.inPlace || written[buffer];
    (at.analysis.deviceMemory.windowOf(buffer) ? reads.ownWork : reads.input) = true;
  }
  return reads;
}

bool readsOneEach(const RoundAt& at) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> readBy;  // thread and array
  bool one = true;
  forEachAccess(at, [&](EventKind kind, std::uint32_t thread, const Event& event) {
    if (kind != EventKind::Load || !event.inShared()) return;
    const std::uint64_t element = elementOf(at.launch.shared, event.sharedArray(), event);
    const auto [entry, fresh] = readBy.try_emplace({thread, event.sharedArray()}, element);
    one = one && (fresh || entry->second == element);
  });
  return one;
}

std::vector<DeviceWrite> deviceWrites(const RoundAt& at) {
  std::vector<DeviceWrite> writes;
  forEachAccess(at, [&](EventKind kind, std::uint32_t thread, const Event& event) {
    if (!isWrite(kind) || !event.inGlobal()) return;
    writes.push_back({thread, event.buffer(), elementOf(at.launch.buffers, event.buffer(), event),
                      event.value, kind == EventKind::Atomic});
  });
  std::ranges::stable_sort(writes, {}, &DeviceWrite::thread);
  return writes;
}

std::vector<WarpFill> workingWarps(const RoundAt& at) {
  std::vector<WarpFill> working;
  const auto& lanes = at.round().lanes;
  for (unsigned warp = 0; warp < at.warps(); ++warp) {
    const auto begin = lanes.begin() + warp * kWarpSize;
    const unsigned size = std::min(kWarpSize, unsigned(lanes.end() - begin));
    const unsigned active = unsigned(std::count(begin, begin + size, LaneState::Active));
    if (active > 0) working.push_back({warp, active, size});
  }
  return working;
}

std::string warpsInWords(const std::vector<WarpFill>& working) {
  return working.size() == 1 ? "warp " + std::to_string(working[0].warp) : count(working.size(), "warp");
}

std::string siteText(const RoundAt& at, EventKind kind) {
  for (const WarpOperation& operation : at.round().operations)
    if (operation.kind == kind && operation.site < at.trace.sites.size())
      return at.trace.sites[operation.site].text;
  return {};
}

}  // namespace stridescope
