#include "analysis/pass_view.h"

#include <algorithm>
#include <set>

#include "analysis/data_flow.h"
#include "analysis/element_flags.h"
#include "analysis/event_groups.h"
#include "analysis/lanes.h"
#include "analysis/requests.h"
#include "analysis/rounds.h"
#include "analysis/snapshots.h"
#include "analysis/stride.h"

namespace stridescope::analysis {
namespace {

// The pass of each operation. Passes can be the trips of a loop. Then what a warp does between two accesses
// of different passes belongs to the first pass, and from the loop's condition on to the second. If no such
// condition stands between, the passes are steps one after the other, and the second begins with its guard.
// What a warp does behind its last access belongs to the passes that others go on with, a trip each.
std::vector<std::uint32_t> passesOf(const Round& round, const PassReader& reader) {
  const auto& operations = round.operations;
  std::vector<std::uint32_t> passes(operations.size(), 0);
  for (std::size_t begin = 0; begin < operations.size();) {
    std::size_t end = begin;  // the end of the warp's operations
    while (end < operations.size() && operations[end].warp == operations[begin].warp) ++end;
    std::optional<std::uint32_t> pass;  // the last access's
    for (std::size_t i = begin; i < end;) {
      std::size_t next = i;  // the next access
      while (next < end && !isAccess(operations[next].kind)) ++next;
      const auto isCondition = [&](const WarpOperation& operation) {
        return operation.kind == model::EventKind::Branch && reader.isPassLoop(operation.site);
      };
      const bool inLoop = std::any_of(operations.begin() + std::ptrdiff_t(i),
                                      operations.begin() + std::ptrdiff_t(next), isCondition);
      bool passed = !pass;  // the condition of the loop or a guard, or before the first access
      bool inTrip = pass.has_value();
      std::uint32_t trip = pass.value_or(0);
      for (; i < next; ++i) {
        const bool condition = isCondition(operations[i]);
        passed = passed || condition || (!inLoop && operations[i].kind == model::EventKind::Branch);
        if (next == end && condition && inTrip) trip = std::min(trip + 1, round.passes - 1);
        inTrip = inTrip || condition;
        passes[i] = next < end && passed ? operations[next].pass : trip;
      }
      if (next == end) break;
      pass = passes[next] = operations[next].pass;
      i = next + 1;
    }
    begin = end;
  }
  return passes;
}

bool isUsefulInRound(const RoundFlow& round, std::uint32_t thread) {
  const auto found = std::ranges::lower_bound(round.work, thread, {}, &ThreadWork::thread);
  return found != round.work.end() && found->thread == thread && found->useful;
}

// Work is useful if what it stores is needed; what is kept in a register is as the thread's round is.
void findUseful(std::vector<ThreadWork>& work, const RoundFlow& whole, ElementFlags& needed) {
  for (ThreadWork& own : work) {
    const auto flag = own.result ? needed.at(*own.result) : std::nullopt;
    own.useful = flag ? bool(*flag) : isUsefulInRound(whole, own.thread);
  }
}

void stepBack(const std::vector<ThreadWork>& work, ElementFlags& needed) {
  for (const ThreadWork& own : work)
    if (own.result) needed.set(*own.result, false);
  for (const ThreadWork& own : work)
    if (own.useful)
      for (const Operand& operand : own.operands) needed.set(operand, true);
}

}  // namespace

PassViewer::PassViewer(const model::Trace& trace, const model::LaunchTrace& launch,
                       const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow)
    : launch_(launch), analysis_(analysis), flow_(flow), reader_(trace, launch) {}

std::optional<PassView> PassViewer::view(std::uint32_t round, std::uint32_t pass) {
  const Round& whole = analysis_.rounds[round];
  if (whole.passes <= 1) return std::nullopt;
  pass = std::min(pass, whole.passes - 1);
  PassView view{.pass = pass, .round = {}, .flow = flowOf(round, pass), .before = {}};
  const LastStores stores = fillRound(round, view);
  if (pass > 0) findStaleOperands(view, stores);
  return view;
}

const Pass& PassViewer::read(std::uint32_t round, std::uint32_t pass) {
  if (cachedRound_ != round || pass < cachedFirst_ || pass >= cachedFirst_ + cached_.size()) {
    const std::uint32_t count =
        std::clamp<std::uint32_t>(kMaxThreadsCached / std::max(1u, launch_.block), 1, kMaxPassesWalked);
    cachedFirst_ = pass / count * count;
    cachedRound_ = round;
    cached_ = reader_.read(analysis_.rounds[round], cachedFirst_, count);
  }
  return cached_[pass - cachedFirst_];
}

PassViewer::LastStores PassViewer::fillRound(std::uint32_t index, PassView& view) const {
  const Round& whole = analysis_.rounds[index];
  const std::vector<std::uint32_t> passes = passesOf(whole, reader_);
  Round& round = view.round;
  std::vector<std::size_t> writesBefore;
  for (std::size_t i = 0; i < passes.size(); ++i) {
    if (passes[i] == view.pass) round.operations.push_back(whole.operations[i]);
    if (passes[i] < view.pass && isWrite(whole.operations[i].kind)) writesBefore.push_back(i);
  }
  round.outputElement = whole.outputElement;
  round.endsWith = whole.endsWith;

  std::ranges::stable_sort(writesBefore, {}, [&](std::size_t i) { return passes[i]; });
  Replay replay = index == 0 ? Replay(launch_) : Replay(launch_, analysis_.rounds[index - 1].snapshot);
  const SharedLayout layout(launch_);
  LastStores stores;
  for (const std::size_t i : writesBefore) {
    const WarpOperation& operation = whole.operations[i];
    if (firstEventOf(operation, launch_).inShared()) {
      forEachLane(operation.mask, [&](unsigned lane) {
        const model::Event& event = launch_.recorded().events[operation.event[lane]];
        stores[layout.beginOf(event)] = {
            threadOf(operation, lane),
            wordOf(replay.bytes(), replay.known(), layout.beginOf(event), valueBytesOf(event))};
      });
    }
    replay.apply(operation);
  }
  view.before = {SnapshotFrom::Replayed, replay.bytes(), replay.known()};
  for (const WarpOperation& operation : round.operations) replay.apply(operation);
  round.snapshot = {SnapshotFrom::Replayed, replay.bytes(), replay.known()};
  if (view.pass + 1 == whole.passes) {
    round.exchanges = whole.exchanges;
    round.snapshot = whole.snapshot;
  }

  findLaneStatesOfPass(launch_, whole, round);
  if (whole.divergentBranches) round.divergentBranches = countDivergentBranches(round);
  round.requests = sumRequests(launch_, round);
  round.kind = findKind(launch_, round);
  round.stride = findStride(launch_, SharedPadding(launch_, analysis_.rounds), round);
  return stores;
}

// By threads whose work in the round is useful, in statements behind the loop that the last pass is of.
std::vector<Operand> PassViewer::readBehindTheLastPass(std::uint32_t index) const {
  const Round& whole = analysis_.rounds[index];
  std::vector<Operand> read;
  for (const WarpOperation& operation : whole.operations) {
    if (operation.kind != model::EventKind::Load || operation.inPass || operation.pass + 1 != whole.passes)
      continue;
    forEachLane(operation.mask, [&](unsigned lane) {
      const model::Event& event = launch_.recorded().events[operation.event[lane]];
      if (!event.inShared() && !event.inGlobal()) return;
      if (!isUsefulInRound(flow_[index], threadOf(operation, lane))) return;
      read.push_back({.shared = event.inShared(),
                      .array = event.inShared() ? event.sharedArray() : event.buffer(),
                      .element = elementOf(event, launch_)});
    });
  }
  return read;
}

// Only in shared memory: what a pass left in device memory is not followed.
void PassViewer::findStaleOperands(PassView& view, const LastStores& stores) const {
  const SharedLayout layout(launch_);
  const auto storedByThread = [&](const ThreadWork& work, const Operand& operand) {
    return std::ranges::any_of(view.flow.work, [&](const ThreadWork& other) {
      return other.thread == work.thread && &other != &work && other.result &&
             sameElement(*other.result, operand);
    });
  };
  const auto findLeft = [&](const ThreadWork& work, Operand& operand) {
    if (!operand.placed || !operand.shared || operand.inRegister || storedByThread(work, operand)) return;
    const std::size_t bytes = launch_.recorded().shared[operand.array].elementBytes;
    const std::size_t place = layout.beginOf(operand.array) + std::size_t(operand.element) * bytes;
    const auto bits = view.before.word(place, bytes);
    if (bits && *bits != operand.bits) operand.left = bits;
    const auto store = stores.find(place);
    operand.orderUnknown = bits && *bits == operand.bits && store != stores.end() &&
                           store->second.thread != work.thread && store->second.over == bits;
  };
  for (ThreadWork& work : view.flow.work) {
    for (Operand& operand : work.operands) findLeft(work, operand);
    for (auto* const operand : {&work.a, &work.b})
      if (*operand) findLeft(work, **operand);
  }
}

RoundFlow PassViewer::flowOf(std::uint32_t round, std::uint32_t pass) {
  const Round& whole = analysis_.rounds[round];
  const RoundFlow& ofRound = flow_[round];
  ElementFlags needed(analysis_.deviceMemory, ofRound.liveAfter, ofRound.deviceLiveAfter);
  for (const Operand& operand : readBehindTheLastPass(round)) needed.set(operand, true);
  for (std::uint32_t later = whole.passes; whole.passes <= kMaxPassesWalked && --later > pass;) {
    std::vector<ThreadWork> work = threadWorkOf(read(round, later));
    findUseful(work, ofRound, needed);
    stepBack(work, needed);
  }
  RoundFlow flow{.work = threadWorkOf(read(round, pass)),
                 .liveAfter = needed.shared(),
                 .deviceLiveAfter = needed.device(),
                 .registerUseful = {},
                 .registerGivesIdentity = {},
                 .registerIdentity = {}};
  if (pass + 1 == whole.passes) {
    flow.registerUseful = ofRound.registerUseful;
    flow.registerGivesIdentity = ofRound.registerGivesIdentity;
    flow.registerIdentity = ofRound.registerIdentity;
  }
  findUseful(flow.work, ofRound, needed);
  return flow;
}

namespace {

bool hasStaleOperand(const PassView& view) {
  return std::ranges::any_of(view.flow.work, [](const ThreadWork& work) {
    return std::ranges::any_of(work.operands,
                               [](const Operand& operand) { return operand.left.has_value(); });
  });
}

}  // namespace

std::vector<PassPlace> findStalePasses(const model::Trace& trace, const model::LaunchTrace& launch,
                                       const LaunchAnalysis& analysis, const std::vector<RoundFlow>& flow) {
  std::set<std::uint32_t> racing;
  for (const Race& race : analysis.races)
    if (race.shared && race.round < analysis.rounds.size()) racing.insert(race.round);

  std::vector<PassPlace> stale;
  PassViewer viewer(trace, launch, analysis, flow);
  for (const std::uint32_t round : racing) {
    const std::uint32_t passes = analysis.rounds[round].passes;
    if (passes > kMaxPassesWalked || std::uint64_t(passes) * launch.block > kMaxThreadsCached) continue;
    for (std::uint32_t pass = 0; pass < passes; ++pass)
      if (const auto view = viewer.view(round, pass); view && hasStaleOperand(*view))
        stale.push_back({round, pass});
  }
  return stale;
}

}  // namespace stridescope::analysis
