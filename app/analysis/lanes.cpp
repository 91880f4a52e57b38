#include "analysis/lanes.h"

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "analysis/event_groups.h"
#include "model/arithmetic.h"

namespace stridescope::analysis {
namespace {

using LaneMasks = std::vector<std::uint32_t>;  // one per warp

bool touchesShared(const WarpOperation& operation, const model::LaunchTrace& launch) {
  return isAccess(operation.kind) && firstEventOf(operation, launch).inShared();
}

LaneMasks activeLanesOf(const Round& round, const model::LaunchTrace& launch, std::size_t warps) {
  LaneMasks active(warps, 0), accessing(warps, 0);
  bool any = false;
  for (const WarpOperation& operation : round.operations) {
    if (isAccess(operation.kind)) accessing[operation.warp] |= operation.mask;
    if (!isExchange(operation.kind) && !touchesShared(operation, launch)) continue;
    active[operation.warp] |= operation.mask;
    any = true;
  }
  return any ? active : accessing;
}

LaneMasks lanesWithEvents(const Round& round, std::size_t warps) {
  LaneMasks lanes(warps, 0);
  for (const WarpOperation& operation : round.operations) lanes[operation.warp] |= operation.mask;
  return lanes;
}

LaneState stateOf(std::uint32_t lane, std::uint32_t active, std::uint32_t alive) {
  if ((active & lane) != 0) return LaneState::Active;
  if ((alive & lane) == 0) return LaneState::Finished;
  return active != 0 ? LaneState::Inactive : LaneState::IdleWarp;
}

// `alive`: the lanes that have not returned.
void fillIn(const model::LaunchTrace& launch, const LaneMasks& active, const LaneMasks& alive, Round& round) {
  round.lanes.resize(launch.block);
  round.activeLanes = round.activeWarps = round.partialWarps = 0;
  for (std::size_t warp = 0; warp < active.size(); ++warp) {
    const std::uint32_t all = lanesBelow(launch.block - warp * model::kWarpSize);
    round.activeLanes += unsigned(std::popcount(active[warp]));
    round.activeWarps += active[warp] != 0 ? 1 : 0;
    round.partialWarps += active[warp] != 0 && active[warp] != all ? 1 : 0;
    forEachLane(all, [&](unsigned lane) {
      round.lanes[warp * model::kWarpSize + lane] = stateOf(bitOf(lane), active[warp], alive[warp]);
    });
  }
}

}  // namespace

void findLaneStatesOfPass(const model::LaunchTrace& launch, const Round& round, Round& pass) {
  LaneMasks alive(model::warpsOf(launch.block), 0);
  for (std::size_t thread = 0; thread < round.lanes.size(); ++thread)
    if (round.lanes[thread] != LaneState::Finished)
      alive[thread / model::kWarpSize] |= bitOf(unsigned(thread % model::kWarpSize));
  fillIn(launch, activeLanesOf(pass, launch, alive.size()), alive, pass);
}

void findLaneStates(const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const std::size_t warps = model::warpsOf(launch.block);
  LaneMasks alive(warps, 0);  // lanes with events in this round or in a later one
  for (std::size_t i = rounds.size(); i-- > 0;) {
    Round& round = rounds[i];
    const LaneMasks present = lanesWithEvents(round, warps);
    const LaneMasks active = activeLanesOf(round, launch, warps);
    for (std::size_t warp = 0; warp < warps; ++warp) alive[warp] |= present[warp];
    // Who only finds out, after the last barrier, that there is nothing left to do has finished.
    const bool afterTheLastBarrier = i > 0 && i + 1 == rounds.size() && round.endsWith == RoundEnd::End;
    fillIn(launch, active, afterTheLastBarrier ? active : alive, round);
  }
}

unsigned countDivergentBranches(const Round& round) {
  return unsigned(std::ranges::count_if(round.operations, [](const WarpOperation& operation) {
    return operation.kind == model::EventKind::Branch && operation.taken != 0 &&
           operation.taken != operation.mask;
  }));
}

namespace {

// Walks through the rounds of a launch.
class IdentityFinder {
 public:
  IdentityFinder(const model::Trace& trace, const model::LaunchTrace& launch)
      : trace_(trace),
        launch_(launch),
        identity_(model::identityOf(trace.experiment)),
        width_(model::bytesOf(trace.experiment.type)) {
    forget();
  }

  // Fills in what each thread of the round gives, and holds behind it.
  void find(const Round& round, RoundFlow& flow) {
    if (model::leavesArrays(trace_)) return;  // what changes nothing there is not known
    if (!round.exchanges.empty()) gives_.assign(launch_.block, false);
    for (const WarpOperation& operation : round.operations) {
      if (operation.kind == model::EventKind::Load) load(operation);
      if (operation.kind == model::EventKind::Store) store(operation);
      if (isExchange(operation.kind)) exchange(round, operation);
    }
    if (!round.exchanges.empty()) flow.registerGivesIdentity = gives_, flow.registerIdentity = holdsIdentity_;
    if (round.endsWith == RoundEnd::BlockBarrier) forget();
  }

 private:
  void forget() {
    anyLoaded_ = false;
    loaded_.assign(launch_.block, false);
    met_.assign(launch_.block, false);
    holdsIdentity_.assign(launch_.block, false);
  }

  void load(const WarpOperation& operation) {
    const model::Event& event = firstEventOf(operation, launch_);
    if (!event.inShared() && !event.inGlobal()) return;
    if (event.width() < width_) return;  // a flag
    anyLoaded_ = true;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = threadOf(operation, lane);
      loaded_[thread] = true;
      // What an earlier exchange left without an element, and a thread stored, is no element either.
      holdsIdentity_[thread] = met_[thread] = stored_.contains(placeOf(operation, lane));
    });
  }

  void store(const WarpOperation& operation) {
    const model::Event& event = firstEventOf(operation, launch_);
    if (!event.inShared() || event.width() < width_) return;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = threadOf(operation, lane);
      const bool isIdentity = met_[thread] && holdsIdentity_[thread] &&
                              launch_.recorded().events[operation.event[lane]].value == identity_;
      if (isIdentity)
        stored_.insert(placeOf(operation, lane));
      else
        stored_.erase(placeOf(operation, lane));
    });
  }

  std::pair<std::uint32_t, std::uint64_t> placeOf(const WarpOperation& operation, unsigned lane) const {
    const model::Event& event = launch_.recorded().events[operation.event[lane]];
    return {event.space(), event.offset()};
  }

  void exchange(const Round& round, const WarpOperation& operation) {
    if (operation.kind == model::EventKind::Vote) return;
    const std::uint32_t first = operation.warp * model::kWarpSize;
    std::uint32_t giveIdentity = 0;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = first + lane;
      const bool brings = met_[thread] ? holdsIdentity_[thread] : anyLoaded_ && !loaded_[thread];
      const auto& exchange = round.exchanges[thread];
      gives_[thread] = brings && exchange && exchange->width == width_ && exchange->given == identity_;
      if (gives_[thread]) giveIdentity |= bitOf(lane);
      met_[thread] = true;
    });
    forEachLane(operation.mask, [&](unsigned lane) {
      holdsIdentity_[first + lane] = leavesIdentity(operation, giveIdentity, lane);
    });
  }

  bool leavesIdentity(const WarpOperation& operation, std::uint32_t giveIdentity, unsigned lane) const {
    if (operation.kind == model::EventKind::WarpReduce) return giveIdentity == operation.mask;
    const unsigned source = launch_.recorded().events[operation.event[lane]].sourceLane() % model::kWarpSize;
    const bool fetched = operation.site < trace_.kernel.sites.size() &&
                         trace_.kernel.sites[operation.site].operation == model::Operation::ShflIdx;
    return contains(giveIdentity, source) && (fetched || contains(giveIdentity, lane));
  }

  const model::Trace& trace_;
  const model::LaunchTrace& launch_;
  const std::uint64_t identity_;
  const unsigned width_;
  // Since the last block barrier, per thread: it loaded an element; it took part in an exchange after that;
  // then it held identities alone.
  bool anyLoaded_ = false;
  std::vector<bool> loaded_, met_, holdsIdentity_;
  std::vector<bool> gives_;  // in this round
  std::set<std::pair<std::uint32_t, std::uint64_t>>
      stored_;  // array and offset, where identities alone stand
};

}  // namespace

void findIdentities(const model::Trace& trace, const model::LaunchTrace& launch,
                    const std::vector<Round>& rounds, std::vector<RoundFlow>& flow) {
  IdentityFinder finder(trace, launch);
  for (std::size_t index = 0; index < flow.size(); ++index) finder.find(rounds[index], flow[index]);
}

std::vector<LaneUse> laneUses(const Round& round, const RoundFlow& flow) {
  std::vector<LaneUse> uses(round.lanes.size(), LaneUse::Used);
  if (!round.outputElement && round.kind == RoundKind::Combine)
    for (const ThreadWork& work : flow.work)
      if (!work.useful && work.thread < uses.size()) uses[work.thread] = LaneUse::Unused;
  for (std::size_t thread = 0; thread < std::min(uses.size(), flow.registerUseful.size()); ++thread) {
    // A reduction in one instruction uses what all lanes give.
    if (!round.exchanges[thread] || round.exchanges[thread]->kind != model::EventKind::Shuffle) continue;
    const bool identity = thread < flow.registerIdentity.size() && flow.registerIdentity[thread];
    uses[thread] = identity                      ? LaneUse::Identity
                   : flow.registerUseful[thread] ? LaneUse::Used
                                                 : LaneUse::Unused;
  }
  return uses;
}

LaneCounts countLanes(const Round& round, const std::vector<LaneUse>& uses, std::size_t first,
                      std::size_t count) {
  LaneCounts counts;
  const std::size_t end = round.lanes.size() - first > count ? first + count : round.lanes.size();
  for (std::size_t thread = first; thread < end; ++thread) {
    if (round.lanes[thread] != LaneState::Active) continue;
    ++(uses[thread] == LaneUse::Used     ? counts.used
       : uses[thread] == LaneUse::Unused ? counts.unused
                                         : counts.identity);
  }
  return counts;
}

namespace {

class ExchangeReader {
 public:
  ExchangeReader(const model::Trace& trace, const model::LaunchTrace& launch)
      : trace_(trace), launch_(launch) {}

  LaneExchange read(std::uint32_t thread, std::uint32_t index) const {
    const model::Event& event = block_.events[index];
    LaneExchange exchange;
    exchange.kind = event.kind();
    exchange.site = event.site();
    exchange.sourceLane =
        event.kind() == model::EventKind::Shuffle ? event.sourceLane() : thread % model::kWarpSize;
    exchange.width = event.width();
    exchange.received = event.value;
    const bool given = index > block_.first[thread] &&
                       block_.events[index - 1].kind() == model::EventKind::Give &&
                       block_.events[index - 1].site() == event.site();
    if (given) exchange.given = block_.events[index - 1].value;
    exchange.after = assignedAfter(thread, index);
    if (!exchange.after) exchange.after = recordedAfter(thread, index);
    if (exchange.after) return exchange;
    exchange.after = replayedAfter(exchange);
    exchange.replayed = exchange.after.has_value() && exchange.kind == model::EventKind::Shuffle;
    return exchange;
  }

 private:
  // The last value that the lane assigned between the exchange and its next act.
  std::optional<std::uint64_t> assignedAfter(std::uint32_t thread, std::uint32_t index) const {
    std::optional<std::uint64_t> after;
    for (std::uint32_t next = index + 1; next < block_.first[thread + 1]; ++next) {
      const model::Event& event = block_.events[next];
      if (event.kind() == model::EventKind::Value && event.width() == block_.events[index].width())
        after = event.value;
      else if (event.kind() != model::EventKind::Branch && event.kind() != model::EventKind::Give)
        break;
    }
    return after;
  }
  // What the next events after the exchange say of the register, up to where it is loaded anew.
  std::optional<std::uint64_t> recordedAfter(std::uint32_t thread, std::uint32_t index) const {
    const unsigned width = block_.events[index].width();
    constexpr std::uint32_t kLookAhead = 256;  // a trace of nothing but exchanges would take for ever
    const std::uint32_t end = std::min(block_.first[thread + 1], index + 1 + kLookAhead);
    for (std::uint32_t next = index + 1; next < end; ++next) {
      const model::Event& event = block_.events[next];
      if (event.kind() == model::EventKind::Load || event.kind() == model::EventKind::BlockBarrier)
        return std::nullopt;
      const bool votes = next + 1 < end && block_.events[next + 1].kind() == model::EventKind::Vote;
      if (event.kind() == model::EventKind::Give && !votes) return event.value;
      const bool custom = trace_.experiment.op == model::Operator::Custom;
      if (custom && isWrite(event.kind()) && event.width() == width) return event.value;
    }
    return std::nullopt;
  }

  std::optional<std::uint64_t> replayedAfter(const LaneExchange& exchange) const {
    if (exchange.kind != model::EventKind::Shuffle || fetches(exchange, trace_)) return exchange.received;
    const model::Experiment& experiment = trace_.experiment;
    if (experiment.op == model::Operator::Custom || exchange.width != model::bytesOf(experiment.type))
      return std::nullopt;
    return model::combineBits(experiment.type, experiment.op, exchange.given, exchange.received);
  }

  const model::Trace& trace_;
  const model::LaunchTrace& launch_;
  const model::BlockTrace& block_ = launch_.recorded();
};

}  // namespace

void findExchanges(const model::Trace& trace, const model::LaunchTrace& launch, std::vector<Round>& rounds) {
  const ExchangeReader reader(trace, launch);
  for (Round& round : rounds)
    for (const WarpOperation& operation : round.operations) {
      if (!isExchange(operation.kind)) continue;
      round.exchanges.resize(launch.block);
      forEachLane(operation.mask, [&](unsigned lane) {
        const std::uint32_t thread = threadOf(operation, lane);
        round.exchanges[thread] = reader.read(thread, operation.event[lane]);
      });
    }
}

bool fetches(const LaneExchange& exchange, const model::Trace& trace) {
  return exchange.site < trace.kernel.sites.size() &&
         trace.kernel.sites[exchange.site].operation == model::Operation::ShflIdx;
}

RegisterOrigins originsOf(const Round& round) {
  RegisterOrigins origins;
  for (const auto& exchange : round.exchanges) {
    if (!exchange || !exchange->after) continue;
    ++(exchange->replayed ? origins.replayed : origins.recorded);
  }
  return origins;
}

}  // namespace stridescope::analysis
