#include "engine/access/gpu/whole_barriers.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace stridescope::engine::access::gpu {
namespace {

using patched::BarrierAct;
using patched::Entry;
using patched::EntryKind;

// Where they lie.
std::set<std::uint64_t> wholeBarriers(const std::vector<Entry>& entries, unsigned threads) {
  struct Visits {
    unsigned arrivals = 0, waits = 0;
  };
  std::map<std::uint64_t, std::vector<Visits>> visits;  // by barrier and thread
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::Arrival || entry.thread >= threads) continue;
    auto& ofThreads = visits[entry.address];
    ofThreads.resize(threads);
    if (BarrierAct(entry.value) == BarrierAct::Arrive) ++ofThreads[entry.thread].arrivals;
    if (BarrierAct(entry.value) == BarrierAct::Wait) ++ofThreads[entry.thread].waits;
  }
  std::set<std::uint64_t> whole;
  for (const auto& [barrier, ofThreads] : visits) {
    const unsigned times = ofThreads.front().arrivals;
    const auto meets = [times](const Visits& each) { return each.arrivals == times && each.waits > 0; };
    if (times > 0 && std::ranges::all_of(ofThreads, meets)) whole.insert(barrier);
  }
  return whole;
}

}  // namespace

void meetAtWholeBarriers(WrittenBlock& block, unsigned threads) {
  const std::set<std::uint64_t> whole = wholeBarriers(block.entries, threads);
  std::erase_if(block.entries, [&](const Entry& entry) {
    return entry.kind == EntryKind::Arrival && whole.contains(entry.address) &&
           BarrierAct(entry.value) != BarrierAct::Arrive;
  });
  for (Entry& entry : block.entries)
    if (entry.kind == EntryKind::Arrival && whole.contains(entry.address))
      entry.kind = EntryKind::BlockBarrier;
  std::size_t kept = 0;
  for (std::size_t c = 0; c < block.copies.size() && c < block.copiedAt.size(); ++c) {
    if (block.copiedAt[c] != 0 && !whole.contains(block.copiedAt[c])) continue;
    if (kept != c) block.copies[kept] = std::move(block.copies[c]);
    ++kept;
  }
  block.copies.resize(std::min(kept, block.copies.size()));
  block.copiedAt.clear();
}

}  // namespace stridescope::engine::access::gpu
