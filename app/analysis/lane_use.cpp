#include "analysis/lane_use.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/exchanges.h"
#include "model/identity.h"

namespace stridescope::analysis {
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
      const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
      loaded_[thread] = true;
      // What an earlier exchange left without an element, and a thread stored, is no element either.
      holdsIdentity_[thread] = met_[thread] = stored_.contains(placeOf(operation, lane));
    });
  }

  void store(const WarpOperation& operation) {
    const model::Event& event = firstEventOf(operation, launch_);
    if (!event.inShared() || event.width() < width_) return;
    forEachLane(operation.mask, [&](unsigned lane) {
      const std::uint32_t thread = operation.warp * model::kWarpSize + lane;
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

}  // namespace stridescope::analysis
