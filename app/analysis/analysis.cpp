#include "analysis/analysis.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "analysis/device_traffic.h"
#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "analysis/races.h"
#include "analysis/requests.h"
#include "analysis/rounds.h"
#include "analysis/snapshots.h"
#include "analysis/stride.h"
#include "analysis/warp_operations.h"
#include "base/in_parallel.h"
#include "base/numbers.h"

namespace stridescope::analysis {
namespace {

// How the block uses one buffer.
struct BufferUse {
  bool read = false;
  std::optional<std::size_t> firstWritten;  // in which round
  bool writtenAgain = false;                // in a later one
  std::uint64_t firstByte = ~std::uint64_t{0}, endByte = 0;
};

template <class Visit>
void forEachDeviceAccess(const model::LaunchTrace& launch, const std::vector<Round>& rounds, Visit visit) {
  for (std::size_t round = 0; round < rounds.size(); ++round)
    for (const WarpOperation& operation : rounds[round].operations) {
      if (!isAccess(operation.kind) || !firstEventOf(operation, launch).inGlobal()) continue;
      forEachLane(operation.mask, [&](unsigned lane) { visit(round, operation, lane); });
    }
}

std::vector<BufferUse> usesOf(const model::LaunchTrace& launch, const std::vector<Round>& rounds) {
  std::vector<BufferUse> uses(launch.buffers.size());
  forEachDeviceAccess(launch, rounds, [&](std::size_t round, const WarpOperation& operation, unsigned lane) {
    const model::Event& event = launch.recorded().events[operation.event[lane]];
    BufferUse& use = uses[event.buffer()];
    use.firstByte = std::min<std::uint64_t>(use.firstByte, event.offset());
    use.endByte = std::max<std::uint64_t>(use.endByte, event.offset() + event.width());
    use.read = use.read || operation.kind == model::EventKind::Load;
    if (!isWrite(operation.kind)) return;
    if (!use.firstWritten) use.firstWritten = round;
    use.writtenAgain = use.writtenAgain || *use.firstWritten != round;
  });
  return uses;
}

std::vector<DeviceWindow> windowsOf(const model::LaunchTrace& launch, const std::vector<BufferUse>& uses) {
  std::vector<DeviceWindow> windows;
  for (std::uint32_t buffer = 0; buffer < uses.size(); ++buffer) {
    const BufferUse& use = uses[buffer];
    if (!use.firstWritten || !(use.read || use.writtenAgain)) continue;
    const unsigned bytes = std::max(1u, launch.buffers[buffer].elementBytes);
    const std::uint64_t first = use.firstByte / bytes, end = (use.endByte + bytes - 1) / bytes;
    windows.push_back({buffer, first, std::min(end - first, kMaxFollowedElements), use.read});
  }
  return windows;
}

class DeviceMemoryFollower {
 public:
  DeviceMemoryFollower(const model::LaunchTrace& launch, DeviceMemory& memory)
      : launch_(launch), memory_(memory) {
    for (const DeviceWindow& window : memory.windows) seen_.emplace_back(window.elements, false);
  }

  void follow(std::size_t round, model::EventKind kind, std::uint32_t thread, std::uint32_t index) {
    note(round, kind, launch_.recorded().events[index]);
    if (const model::Event* upper = upperHalfOf(launch_, thread, index)) note(round, kind, *upper);
  }

 private:
  void note(std::size_t round, model::EventKind kind, const model::Event& event) {
    const auto window = memory_.windowOf(event.buffer());
    const unsigned bytes = std::max(1u, launch_.buffers[event.buffer()].elementBytes);
    if (!window || bytes > sizeof event.value) return;
    const unsigned elements = std::max(1u, valueBytesOf(event) / bytes);
    for (unsigned i = 0; i < elements; ++i) {
      const std::uint64_t element = event.offset() / bytes + i - memory_.windows[*window].first;
      if (element >= memory_.windows[*window].elements) return;
      const std::uint64_t mask = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
      add(round, kind, *window, element, event.value >> (8 * bytes * i) & mask);
    }
  }

  void add(std::size_t round, model::EventKind kind, std::size_t window, std::uint64_t element,
           std::uint64_t bits) {
    const bool first = !seen_[window][element];
    seen_[window][element] = true;
    if (kind == model::EventKind::Load && !first) return;
    // What was there before the block came to it: nobody else can have changed it if there is nobody else.
    const bool fromTheStart = kind == model::EventKind::Load && launch_.grid == 1;
    memory_.changes.push_back({fromTheStart ? 0 : std::uint32_t(round), std::uint32_t(window), element,
                               kind == model::EventKind::Atomic ? std::nullopt : std::optional(bits)});
  }

  const model::LaunchTrace& launch_;
  DeviceMemory& memory_;
  std::vector<std::vector<bool>> seen_;
};

}  // namespace

DeviceMemory followDeviceMemory(const model::LaunchTrace& launch, const std::vector<Round>& rounds) {
  DeviceMemory memory;
  if (launch.devices > 1) return memory;  // device_traffic.h follows what several devices work in
  memory.windows = windowsOf(launch, usesOf(launch, rounds));
  if (memory.windows.empty()) return memory;
  DeviceMemoryFollower follower(launch, memory);
  forEachDeviceAccess(launch, rounds, [&](std::size_t round, const WarpOperation& operation, unsigned lane) {
    follower.follow(round, operation.kind, threadOf(operation, lane), operation.event[lane]);
  });
  std::ranges::stable_sort(memory.changes, {}, &DeviceChange::round);
  return memory;
}

std::vector<std::optional<std::uint64_t>> DeviceMemory::wordsAfter(std::size_t window,
                                                                   std::size_t round) const {
  std::vector<std::optional<std::uint64_t>> words(windows[window].elements);
  for (const DeviceChange& change : changes) {
    if (change.round > round) break;
    if (change.window == window) words[change.element] = change.bits;
  }
  return words;
}

std::optional<std::size_t> DeviceMemory::windowOf(std::uint32_t buffer) const {
  const auto found = std::ranges::find(windows, buffer, &DeviceWindow::buffer);
  if (found == windows.end()) return std::nullopt;
  return std::size_t(found - windows.begin());
}

namespace {

// What is wrong with a run although it ended: found in the trace, where an engine cannot see it while it
// runs.

void add(std::vector<model::Problem>& problems, model::Problem problem) {
  const bool known = std::ranges::any_of(problems, [&](const model::Problem& other) {
    return other.kind == problem.kind && (other.site == problem.site || other.site < 0);
  });
  if (!known) problems.push_back(std::move(problem));
}

std::string lineOf(const model::Trace& trace, std::uint32_t site) {
  return "line " + std::to_string(trace.sites[site].line);
}

std::uint32_t firstThreadOf(const WarpOperation& operation) {
  return threadOf(operation, lowestLane(operation.mask));
}

void findDivergentBarrier(const model::Trace& trace, const Round& round,
                          std::vector<model::Problem>& problems) {
  const WarpOperation* first = nullptr;
  for (const WarpOperation& operation : round.operations) {
    if (operation.kind != model::EventKind::BlockBarrier) continue;
    if (first == nullptr) first = &operation;
    if (operation.site == first->site) continue;
    const std::uint32_t thread = firstThreadOf(operation);
    add(problems,
        {.kind = model::ProblemKind::DivergentBarrier,
         .text = "Thread " + std::to_string(thread) + " waits at the barrier in " +
                 lineOf(trace, operation.site) + " while thread " + std::to_string(firstThreadOf(*first)) +
                 " waits at the one in " + lineOf(trace, first->site) +
                 ": all threads of a block must come to the same barrier.",
         .site = int(operation.site),
         .thread = thread});
  }
}

void findUndefinedShuffle(const model::Trace& trace, const model::LaunchTrace& launch,
                          const WarpOperation& operation, std::vector<model::Problem>& problems) {
  for (std::uint32_t rest = operation.mask; rest != 0; rest &= rest - 1) {
    const auto lane = lowestLane(rest);
    const unsigned source = launch.recorded().events[operation.event[lane]].sourceLane();
    if (source >= model::kWarpSize || contains(operation.mask, source)) continue;
    add(problems,
        {.kind = model::ProblemKind::UndefinedShuffle,
         .text = "The shuffle in " + lineOf(trace, operation.site) + " reads lane " + std::to_string(source) +
                 ", which takes no part in it: what lane " + std::to_string(lane) + " of warp " +
                 std::to_string(operation.warp) + " receives is undefined.",
         .site = int(operation.site),
         .thread = threadOf(operation, lane)});
    return;
  }
}

// The engine's problems, and those found here: threads that waited at different block barriers for each
// other, and shuffles that read a lane which took no part (one per site; none where the engine reported that
// kind there). Then, snapshots that were left out (snapshots.h).
std::vector<model::Problem> findProblems(const model::Trace& trace, const model::LaunchTrace& launch,
                                         const std::vector<Round>& rounds) {
  std::vector<model::Problem> problems = launch.recorded().problems;
  for (const Round& round : rounds) {
    if (round.endsWith == RoundEnd::BlockBarrier) findDivergentBarrier(trace, round, problems);
    for (const WarpOperation& operation : round.operations)
      if (operation.kind == model::EventKind::Shuffle)
        findUndefinedShuffle(trace, launch, operation, problems);
  }
  return problems;
}

// Without shared memory the snapshot is that of device memory, which is always replayed.
void nameReplayedSnapshots(const model::LaunchTrace& launch, LaunchAnalysis& analysis) {
  if (!launch.recorded().shared.empty() || analysis.deviceMemory.windows.empty()) return;
  for (Round& round : analysis.rounds) round.snapshot.from = SnapshotFrom::Replayed;
}

model::Problem limitProblem(std::string text) {
  return {.kind = model::ProblemKind::Limit, .text = std::move(text), .site = -1, .thread = 0};
}

model::Problem roundsCut(std::size_t rounds, const MemoryBudget& budget) {
  return limitProblem((rounds == 0 ? "No round of this launch is shown"
                                   : "The rounds are shown up to round " + figure(rounds - 1)) +
                      ": what all of them need is more than " + budget.text() +
                      ". Take fewer elements or a smaller block.");
}

LaunchAnalysis analyseLaunch(const model::Trace& trace, const model::LaunchTrace& launch,
                             const SiteTable& sites, MemoryBudget& budget) {
  LaunchAnalysis analysis;
  bool cut = false;
  {
    MemoryBudget untilTheyAreCut = budget;  // the timelines are gone after this: what they take is free again
    const AlignedWarps timelines = lineUpWarps(launch, sites, untilTheyAreCut);
    CutRounds all = cutIntoRounds(launch, timelines.warps, untilTheyAreCut);
    cut = timelines.cut || all.cut;
    analysis.rounds = std::move(all.rounds);
    // A step in which this device has no turn is one of the others all the same.
    if (launch.devices > 1 && analysis.rounds.empty()) analysis.rounds.emplace_back();
    for (const Round& round : analysis.rounds) budget.spend(costOf(launch, round));
    for (Round& round : analysis.rounds) numberPasses(timelines.passes, round);
  }
  findLaneStates(launch, analysis.rounds);
  placeOtherActs(launch, analysis.rounds);
  const unsigned threads = threadsFor(launch);
  const auto findAccesses = [&](Round& round) {
    for (WarpOperation& operation : round.operations) findMemoryUse(launch, operation);
    if (sites.tellBranches()) round.divergentBranches = countDivergentBranches(round);
    round.requests = sumRequests(launch, round);
    round.kind = findKind(launch, round);
  };
  // Snapshots and accesses need nothing of each other.
  const auto findPart = [&](std::size_t part) {
    part == 0 ? findSnapshots(launch, analysis.rounds) : findAccesses(analysis.rounds[part - 1]);
  };
  inParallel(1 + analysis.rounds.size(), findPart, threads);
  const auto findRest = [&] {
    const SharedPadding padding(launch, analysis.rounds);
    for (Round& round : analysis.rounds) round.stride = findStride(launch, padding, round);
    findExchanges(trace, launch, analysis.rounds);
    findOutputElements(launch, analysis.rounds);
    analysis.headArrays = findHeadArrays(trace, launch);
    analysis.deviceMemory = followDeviceMemory(launch, analysis.rounds);
  };
  // Races are told by the rounds' operations and snapshots, which the rest leaves as they are.
  RaceSearch search;
  const auto findRaceOrRest = [&](std::size_t part) {
    part == 0 ? void(search = findRaces(launch, trace.sites, analysis.rounds, budget)) : findRest();
  };
  inParallel(2, findRaceOrRest, threads);
  nameReplayedSnapshots(launch, analysis);
  analysis.races = std::move(search.races);
  analysis.totals = totalsOf(analysis.rounds);
  analysis.problems = findProblems(trace, launch, analysis.rounds);
  if (cut) analysis.problems.push_back(roundsCut(analysis.rounds.size(), budget));
  if (search.endedIn)
    analysis.problems.push_back(
        limitProblem("Data races were searched for up to round " + figure(*search.endedIn) +
                     " only: there are too many accesses. Take fewer elements or a smaller block."));
  return analysis;
}

}  // namespace

std::optional<std::uint64_t> wordOf(const std::vector<std::uint8_t>& bytes, const std::vector<bool>& known,
                                    std::size_t begin, std::size_t count) {
  if (begin + count > bytes.size() || begin + count > known.size()) return std::nullopt;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!known[begin + i]) return std::nullopt;
    if (i < sizeof bits) bits |= std::uint64_t(bytes[begin + i]) << (8 * i);
  }
  return bits;
}

bool usesShared(const LaunchAnalysis& analysis) {
  return std::ranges::any_of(analysis.rounds, [](const Round& round) {
    return std::ranges::any_of(round.requests, &Request::shared);
  });
}

Analysis analyse(const model::Trace& trace) {
  MemoryBudget budget;
  return analyse(trace, budget);
}

Analysis analyse(const model::Trace& trace, MemoryBudget& budget) {
  const SiteTable sites(trace);
  Analysis analysis;
  analysis.launches.reserve(trace.launches.size());
  for (const model::LaunchTrace& launch : trace.launches) {
    analysis.launches.push_back(analyseLaunch(trace, launch, sites, budget));
    analysis.totals = analysis.totals + analysis.launches.back().totals;
  }
  findDeviceTraffic(trace, sites, budget, analysis.launches);
  return analysis;
}

std::string_view nameOf(RoundEnd end) {
  constexpr std::array<std::string_view, 5> names{"block barrier", "warp barrier", "shuffle", "end", "wait"};
  return names[std::size_t(end)];
}

std::string_view nameOf(RoundKind kind) {
  constexpr std::array<std::string_view, 6> names{"load", "combine", "exchange", "merge", "write", "mixed"};
  return names[std::size_t(kind)];
}

std::string_view nameOf(SnapshotFrom from) {
  constexpr std::array<std::string_view, 3> names{"copied", "carried", "replayed"};
  return names[std::size_t(from)];
}

std::size_t mostRounds(const Analysis& analysis) {
  std::size_t most = 0;
  for (const LaunchAnalysis& launch : analysis.launches) most = std::max(most, launch.rounds.size());
  return most;
}

}  // namespace stridescope::analysis
