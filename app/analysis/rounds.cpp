#include "analysis/rounds.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/data_flow.h"
#include "analysis/event_groups.h"
#include "analysis/snapshots.h"

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

// A look for what another device has stored.
bool looksIntoInbox(const WarpOperation& operation, const model::LaunchTrace& launch) {
  if (operation.kind != model::EventKind::Load || launch.devices == 1) return false;
  const model::Event& event = firstEventOf(operation, launch);
  return event.inGlobal() && launch.buffers[event.buffer()].role == model::ParameterRole::Inbox;
}

bool doesSomething(const WarpOperation& operation) {
  return isAccess(operation.kind) || isExchange(operation.kind);
}

// The operations must be of one warp, without block barriers. What stands before a shuffle that follows no
// other is a segment, even an empty one: another warp may have loaded there. Tiles of a warp shuffle by
// themselves, each with its own mask, and are one segment, as a GPU has one instruction for them.
std::vector<Segment> cutAtWarpBarriersAndShuffles(Operations operations, const model::LaunchTrace& launch) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  bool stored = false, waited = false;
  const WarpOperation* shuffle = nullptr;  // with which the segment begins, if it has nothing else
  std::uint32_t lanes = 0;                 // that have made it
  const auto close = [&](std::size_t end, RoundEnd how) {
    segments.push_back({operations.subspan(begin, end - begin), how});
    begin = end;
    stored = false;
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const WarpOperation& operation = operations[i];
    if (operation.kind == model::EventKind::Shuffle) {
      const bool isOfAnotherTile =
          shuffle != nullptr && shuffle->site == operation.site && (lanes & operation.mask) == 0;
      if (!isOfAnotherTile) close(i, RoundEnd::Shuffle);
      lanes = isOfAnotherTile ? lanes | operation.mask : operation.mask;
      shuffle = &operation;
    } else if (doesSomething(operation) || operation.kind == model::EventKind::WarpBarrier) {
      shuffle = nullptr;
    }
    if (!waited && looksIntoInbox(operation, launch)) {
      waited = true;
      if (i > begin) close(i, RoundEnd::Wait);
    }
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
    if (warp.segments[n].endsWith != RoundEnd::End) end = warp.segments[n].endsWith;
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

namespace {

// Which memory is read and written. Worked in: shared memory, and buffers that the kernel works in.
struct Traffic {
  bool readsInput = false, readsWorkedIn = false, writesWorkedIn = false, writesOutput = false;
  bool exchanges = false;
};

bool isWorkedIn(const model::Array& buffer) { return buffer.role == model::ParameterRole::InPlace; }

Traffic trafficOf(const model::LaunchTrace& launch, const Round& round) {
  Traffic traffic;
  for (const WarpOperation& operation : round.operations) {
    traffic.exchanges = traffic.exchanges || operation.kind == model::EventKind::Shuffle ||
                        operation.kind == model::EventKind::WarpReduce;
    if (!isAccess(operation.kind)) continue;
    const model::Event& event = firstEventOf(operation, launch);
    if (!event.inShared() && !event.inGlobal()) continue;
    const model::Array& array = launch.arrayOf(event);
    if (!array.type) continue;
    const bool workedIn = event.inShared() || isWorkedIn(array);
    bool& flag = isWrite(operation.kind) ? (workedIn ? traffic.writesWorkedIn : traffic.writesOutput)
                                         : (workedIn ? traffic.readsWorkedIn : traffic.readsInput);
    flag = true;
  }
  return traffic;
}

}  // namespace

RoundKind findKind(const model::LaunchTrace& launch, const Round& round) {
  const Traffic traffic = trafficOf(launch, round);
  if (traffic.exchanges) return traffic.readsInput ? RoundKind::Mixed : RoundKind::Exchange;
  if (traffic.readsInput)
    return traffic.readsWorkedIn || traffic.writesOutput ? RoundKind::Mixed : RoundKind::Load;
  if (traffic.writesOutput) return traffic.writesWorkedIn ? RoundKind::Mixed : RoundKind::Write;
  if (!traffic.readsWorkedIn) return RoundKind::Mixed;
  return model::indexOfRole(launch.buffers, model::ParameterRole::Merged) ? RoundKind::Merge
                                                                          : RoundKind::Combine;
}

namespace {

// The lowest element that the round stores to the buffer.
std::optional<std::uint64_t> storedElement(const model::LaunchTrace& launch, const Round& round,
                                           std::uint32_t buffer) {
  std::optional<std::uint64_t> lowest;
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != model::EventKind::Store) continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch.recorded().events[operation.event[lane]];
      if (!event.inGlobal() || event.buffer() != buffer) return;
      const std::uint64_t element = event.offset() / std::max(1u, launch.buffers[buffer].elementBytes);
      if (!lowest || element < *lowest) lowest = element;
    });
  }
  return lowest;
}

// The shared array out of which the thread loaded what `store` wrote.
std::optional<std::uint32_t> arrayLoadedFor(const model::Trace& trace, std::span<const model::Event> ofThread,
                                            std::size_t store) {
  const auto isOperand = [&](const model::Event& load) {
    return std::ranges::any_of(trace.kernel.operands, [&](const model::SiteOperand& operand) {
      return operand.site == int(ofThread[store].site()) && operand.source == int(load.site());
    });
  };
  for (std::size_t i = store; i-- > 0;)
    if (ofThread[i].kind() == model::EventKind::Load && ofThread[i].inShared() && isOperand(ofThread[i]))
      return ofThread[i].sharedArray();
  return std::nullopt;
}

// The array behind the first store to the buffer with that role.
std::optional<std::uint32_t> arrayBehind(const model::Trace& trace, const model::LaunchTrace& launch,
                                         model::ParameterRole role) {
  const auto buffer = model::indexOfRole(launch.buffers, role);
  if (!buffer) return std::nullopt;
  for (std::size_t thread = 0; thread + 1 < launch.recorded().first.size(); ++thread) {
    const auto events = launch.recorded().eventsOf(thread);
    const auto store = std::ranges::find_if(events, [&](const model::Event& event) {
      return event.kind() == model::EventKind::Store && event.inGlobal() && event.buffer() == *buffer;
    });
    if (store != events.end()) return arrayLoadedFor(trace, events, std::size_t(store - events.begin()));
  }
  return std::nullopt;
}

}  // namespace

std::optional<HeadArrays> findHeadArrays(const model::Trace& trace, const model::LaunchTrace& launch) {
  const auto heads = arrayBehind(trace, launch, model::ParameterRole::Merged),
             lists = arrayBehind(trace, launch, model::ParameterRole::Origin);
  if (!heads || !lists || *heads == *lists) return std::nullopt;
  return HeadArrays{*heads, *lists};
}

void findOutputElements(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const auto buffer = model::indexOfRole(launch.buffers, model::ParameterRole::Merged);
  if (!buffer) return;

  std::optional<std::uint64_t> element, last;
  for (std::size_t i = rounds.size(); i-- > 0;) {
    if (const auto stored = storedElement(launch, rounds[i], *buffer)) element = stored;
    if (element && !last) last = element;
    rounds[i].outputElement = element;
  }
  if (!launch.recorded().cut) return;
  for (std::size_t i = rounds.size(); i-- > 0 && !rounds[i].outputElement;)
    rounds[i].outputElement = last ? *last + 1 : 0;
}

namespace {

// In which rounds the events of some threads are: by thread, events and their rounds ascending.
using EventRounds = std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>>;

EventRounds roundsOfEvents(const std::set<std::uint32_t>& threads, const std::vector<Round>& rounds) {
  std::map<std::uint32_t, std::uint32_t> lanes;  // by warp
  for (const std::uint32_t thread : threads)
    lanes[thread / model::kWarpSize] |= bitOf(thread % model::kWarpSize);
  EventRounds found;
  for (std::uint32_t r = 0; r < rounds.size(); ++r)
    for (const WarpOperation& operation : rounds[r].operations)
      if (const auto wanted = lanes.find(operation.warp); wanted != lanes.end())
        forEachLane(operation.mask & wanted->second, [&](unsigned lane) {
          found[threadOf(operation, lane)].emplace_back(operation.event[lane], r);
        });
  return found;
}

}  // namespace

void placeOtherActs(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const model::BlockTrace& block = launch.recorded();
  if (block.others.empty() || rounds.empty()) return;
  std::set<std::uint32_t> threads;
  for (const model::OtherAct& act : block.others) threads.insert(act.thread);
  const EventRounds all = roundsOfEvents(threads, rounds);
  for (std::uint32_t i = 0; i < block.others.size(); ++i) {
    const model::OtherAct& act = block.others[i];
    std::uint32_t round = 0;
    if (const auto found = all.find(act.thread); found != all.end()) {
      const auto& events = found->second;
      const auto next = std::ranges::lower_bound(events, block.first[act.thread] + act.eventsBefore, {},
                                                 &std::pair<std::uint32_t, std::uint32_t>::first);
      round = next != events.end() ? next->second : events.back().second;
      const bool isBehindBarrier =
          next == events.end() && block.events[events.back().first].kind() == model::EventKind::BlockBarrier;
      if (isBehindBarrier && round + 1 < rounds.size()) ++round;
    }
    rounds[round].others.push_back(i);
  }
}

void numberPasses(const std::vector<Position>& positions, Round& round) {
  std::vector<std::uint32_t> present;
  for (const WarpOperation& operation : round.operations)
    if (isAccess(operation.kind)) present.push_back(operation.pass);
  std::ranges::sort(present, {}, [&](std::uint32_t i) -> const Position& { return positions[i]; });
  present.erase(std::unique(present.begin(), present.end()), present.end());

  // In this order whatever a position is around comes right behind it.
  std::vector<std::uint32_t> passes;
  for (std::size_t i = 0; i < present.size(); ++i)
    if (i + 1 == present.size() || !positions[present[i]].isAround(positions[present[i + 1]]))
      passes.push_back(present[i]);

  round.passes = std::max<std::uint32_t>(1, std::uint32_t(passes.size()));
  constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t last = kNone;  // the last of the warp's accesses in passes so far
  unsigned warp = ~0u;
  for (WarpOperation& operation : round.operations) {
    if (std::exchange(warp, operation.warp) != operation.warp) last = kNone;
    if (!isAccess(operation.kind)) {
      operation.pass = 0;
      continue;
    }
    const Position& own = positions[operation.pass];
    const auto found = std::ranges::lower_bound(
        passes, own, {}, [&](std::uint32_t i) -> const Position& { return positions[i]; });
    std::size_t number = std::min(std::size_t(found - passes.begin()), passes.size() - 1);
    operation.inPass = found != passes.end() && positions[*found] == own;
    // What stands around passes belongs to the first of them; behind some, to the last trip of the loop that
    // the warp comes from, though other warps make more trips.
    if (!operation.inPass && last != kNone) {
      number = std::max(number, last);
      while (number + 1 < passes.size() && own.isAround(positions[passes[number + 1]]) &&
             positions[passes[number + 1]].isInTheLoopsOf(positions[passes[last]]))
        ++number;
    }
    operation.pass = std::uint32_t(number);
    if (operation.inPass) last = last == kNone ? number : std::max(last, number);
  }
}

namespace {

// Bits for each element of memory that a round keeps flags for.
std::uint64_t flagBytes(const model::LaunchTrace& launch) {
  std::uint64_t elements = 0;
  for (const model::Array& array : launch.recorded().shared) elements += array.bytes / array.elementBytes;
  for (const model::Array& buffer : launch.buffers)
    elements += std::min(buffer.bytes / buffer.elementBytes, kMaxFollowedElements);
  return elements / 8;
}

// One for each site, kind and space that is accessed, whichever warps do so.
std::uint64_t countRequests(const model::LaunchTrace& launch, const Round& round) {
  std::vector<std::tuple<std::uint32_t, model::EventKind, bool>> requests;
  for (const WarpOperation& operation : round.operations)
    if (isAccess(operation.kind))
      requests.emplace_back(operation.site, operation.kind, firstEventOf(operation, launch).inGlobal());
  std::ranges::sort(requests);
  return std::uint64_t(std::unique(requests.begin(), requests.end()) - requests.begin());
}

struct Users {
  std::uint64_t accessing = 0;  // threads
  std::uint64_t followed = 0;   // elements of device memory, each as often as it is accessed
  bool exchange = false;
};

std::uint64_t followedElements(const model::LaunchTrace& launch, const WarpOperation& operation) {
  const model::Event& event = firstEventOf(operation, launch);
  if (!event.inGlobal()) return 0;
  const unsigned elements = std::max(1u, event.width() / launch.buffers[event.buffer()].elementBytes);
  return std::uint64_t(std::popcount(operation.mask)) * elements;
}

Users usersOf(const model::LaunchTrace& launch, const Round& round) {
  Users users;
  std::vector<std::uint32_t> accessing(model::warpsOf(launch.block), 0);
  for (const WarpOperation& operation : round.operations) {
    if (isAccess(operation.kind)) {
      accessing[operation.warp] |= operation.mask;
      users.followed += followedElements(launch, operation);
    }
    users.exchange = users.exchange || isExchange(operation.kind);
  }
  for (const std::uint32_t lanes : accessing) users.accessing += std::uint64_t(std::popcount(lanes));
  return users;
}

}  // namespace

std::uint64_t costOf(const model::LaunchTrace& launch, const Round& round) {
  const std::uint64_t snapshot = SharedLayout(launch).bytes();
  const Users users = usersOf(launch, round);
  std::uint64_t bytes = sizeof(Round) + sizeof(RoundFlow) + launch.block * sizeof(LaneState);
  constexpr std::uint64_t kListed = 2 * sizeof(std::uint32_t);  // Request::operations grows by doubling
  bytes += round.operations.size() * (sizeof(WarpOperation) + kListed);
  bytes += 2 * countRequests(launch, round) * sizeof(Request);  // Round::requests grows by doubling, too
  bytes += snapshot + snapshot / 8 + flagBytes(launch);
  bytes += users.accessing * sizeof(ThreadWork) + users.followed * sizeof(DeviceChange);
  if (users.exchange) bytes += launch.block * (sizeof(std::optional<LaneExchange>) + 1);
  return bytes;
}

}  // namespace stridescope::analysis
