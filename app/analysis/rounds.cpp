#include "analysis/rounds.h"

#include <algorithm>
#include <span>

#include "analysis/event_groups.h"
#include "analysis/round_cost.h"

namespace stridescope::analysis {
namespace {

using Operations = std::span<const WarpOperation>;

// A warp's own round within a barrier interval.
struct Segment {
  Operations operations;
  RoundEnd endsWith = RoundEnd::End;  // End: it goes on to the end of the interval
};

bool storesToShared(const WarpOperation& operation, const model::LaunchTrace& launch) {
  return isWrite(operation.kind) && firstEventOf(operation, launch).inShared();
}

bool doesSomething(const WarpOperation& operation) {
  return isAccess(operation.kind) || isExchange(operation.kind);
}

// The operations must be of one warp, without block barriers. What stands before a shuffle that follows no
// other is a segment, even an empty one: another warp may have loaded there.
std::vector<Segment> cutAtWarpBarriersAndShuffles(Operations operations, const model::LaunchTrace& launch) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  bool stored = false;
  const auto close = [&](std::size_t end, RoundEnd how) {
    segments.push_back({operations.subspan(begin, end - begin), how});
    begin = end;
    stored = false;
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const WarpOperation& operation = operations[i];
    if (operation.kind == model::EventKind::Shuffle) close(i, RoundEnd::Shuffle);
    stored = stored || storesToShared(operation, launch);
    if (operation.kind == model::EventKind::WarpBarrier && stored) close(i + 1, RoundEnd::WarpBarrier);
  }
  close(operations.size(), RoundEnd::End);
  return segments;
}

// What one warp did between two block barriers.
struct WarpInterval {
  std::vector<Segment> segments;
  Operations barrier;  // its block barrier's operations, one for each site
};

WarpInterval intervalOf(const AlignedWarp& timeline, std::size_t interval, const model::LaunchTrace& launch) {
  if (interval >= timeline.intervalEnds.size()) return {};
  const std::size_t begin = interval == 0 ? 0 : timeline.intervalEnds[interval - 1];
  const std::size_t end = timeline.intervalEnds[interval];
  std::size_t barrier = end;
  while (barrier > begin && timeline.operations[barrier - 1].kind == model::EventKind::BlockBarrier)
    --barrier;
  const Operations all(timeline.operations);
  return {cutAtWarpBarriersAndShuffles(all.subspan(begin, barrier - begin), launch),
          all.subspan(barrier, end - barrier)};
}

// How the round that the warps' n-th segments make up ends. A warp barrier outweighs a shuffle: it is what
// the snapshot is taken at.
RoundEnd endOf(const std::vector<WarpInterval>& warps, std::size_t n) {
  RoundEnd end = RoundEnd::End;
  for (const WarpInterval& warp : warps) {
    if (n >= warp.segments.size()) continue;
    if (warp.segments[n].endsWith == RoundEnd::WarpBarrier) return RoundEnd::WarpBarrier;
    if (warp.segments[n].endsWith == RoundEnd::Shuffle) end = RoundEnd::Shuffle;
  }
  return end;
}

// Segments before a shuffle in which no warp did anything: branches alone make no round of their own.
void joinIdleSegments(std::vector<WarpInterval>& warps) {
  for (std::size_t n = 0;; ++n) {
    const auto has = [n](const WarpInterval& warp) { return n < warp.segments.size(); };
    if (std::ranges::none_of(warps, has)) return;
    const auto isBusy = [&](const WarpInterval& warp) {
      return has(warp) && std::ranges::any_of(warp.segments[n].operations, doesSomething);
    };
    if (std::ranges::any_of(warps, isBusy)) continue;
    for (WarpInterval& warp : warps) {
      if (!has(warp) || n + 1 == warp.segments.size()) continue;
      Segment& next = warp.segments[n + 1];
      const Operations idle = warp.segments[n].operations;
      next.operations = {idle.data(), idle.size() + next.operations.size()};
      warp.segments.erase(warp.segments.begin() + std::ptrdiff_t(n));
    }
  }
}

void append(std::vector<WarpOperation>& operations, Operations more) {
  operations.insert(operations.end(), more.begin(), more.end());
}

// False: the budget ended.
bool appendRounds(const model::LaunchTrace& launch, std::vector<Round>& rounds,
                  const std::vector<WarpInterval>& warps, MemoryBudget& budget) {
  std::size_t count = 0;
  bool endsWithBarrier = false;
  for (const WarpInterval& warp : warps) {
    count = std::max(count, warp.segments.size());
    endsWithBarrier = endsWithBarrier || !warp.barrier.empty();
  }
  for (std::size_t n = 0; n < count; ++n) {
    const bool last = n + 1 == count;
    Round round;
    round.endsWith = last && endsWithBarrier ? RoundEnd::BlockBarrier : endOf(warps, n);
    std::size_t operations = 0;
    for (const WarpInterval& warp : warps)
      operations += (n < warp.segments.size() ? warp.segments[n].operations.size() : 0) + warp.barrier.size();
    round.operations.reserve(operations);
    for (const WarpInterval& warp : warps) {
      if (n < warp.segments.size()) append(round.operations, warp.segments[n].operations);
      if (last) append(round.operations, warp.barrier);
    }
    const bool kept = round.endsWith != RoundEnd::End || std::ranges::any_of(round.operations, doesSomething);
    if (!kept) continue;
    if (!budget.take(costOf(launch, round))) return false;
    rounds.push_back(std::move(round));
  }
  return true;
}

}  // namespace

CutRounds cutIntoRounds(const model::LaunchTrace& launch, const std::vector<AlignedWarp>& timelines,
                        MemoryBudget& budget) {
  std::size_t intervals = 0;
  for (const AlignedWarp& timeline : timelines) intervals = std::max(intervals, timeline.intervalEnds.size());
  CutRounds all;
  std::vector<WarpInterval> warps(timelines.size());
  for (std::size_t interval = 0; interval < intervals && !all.cut; ++interval) {
    std::ranges::transform(timelines, warps.begin(), [&](const AlignedWarp& timeline) {
      return intervalOf(timeline, interval, launch);
    });
    joinIdleSegments(warps);
    all.cut = !appendRounds(launch, all.rounds, warps, budget);
  }
  return all;
}

}  // namespace stridescope::analysis
