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
  std::map<std::uint64_t, std::vector<unsigned>> arrivals;  // by barrier and thread
  for (const Entry& entry : entries) {
    if (entry.kind != EntryKind::Arrival || BarrierAct(entry.value) != BarrierAct::Arrive) continue;
    if (entry.thread >= threads) continue;
    auto& ofThreads = arrivals[entry.address];
    ofThreads.resize(threads);
    ++ofThreads[entry.thread];
  }
  std::set<std::uint64_t> whole;
  for (const auto& [barrier, times] : arrivals)
    if (times.front() > 0 && std::ranges::count(times, times.front()) == std::ptrdiff_t(threads))
      whole.insert(barrier);
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
