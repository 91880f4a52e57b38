#include "analysis/warp_operations.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/lane_mask.h"
#include "analysis/thread_path.h"

namespace stridescope::analysis {
namespace {

// The passes of a launch, each once.
// What an entry of the table takes, roughly: twice the position, and the map's node.
constexpr std::uint64_t kPassBytes = 160;

class PassTable {
 public:
  PassTable() { number({}); }

  std::uint32_t number(const Position& pass) {
    const auto [found, isNew] = numberOf_.try_emplace(pass, std::uint32_t(numberOf_.size()));
    if (isNew) passes_.push_back(pass);
    return found->second;
  }
  std::vector<Position> take() { return std::move(passes_); }

 private:
  std::map<Position, std::uint32_t> numberOf_;
  std::vector<Position> passes_;
};

class WarpAligner {
 public:
  WarpAligner(const model::LaunchTrace& launch, const SiteTable& sites, std::uint32_t warp, PassTable& passes)
      : launch_(launch), sites_(sites), warp_(warp), passes_(passes) {
    const std::uint32_t firstThread = warp * model::kWarpSize;
    forEachLane(lanesBelow(launch_.block - firstThread), [&](unsigned lane) {
      lanes_[lane].start(launch_, firstThread + lane, sites_);
      if (!lanes_[lane].atEnd()) unfinished_ |= bitOf(lane);
    });
  }

  bool atEnd() const { return unfinished_ == 0; }

  // Lines the lanes up from one block barrier to the next. False: the budget ended on the way.
  bool alignInterval(MemoryBudget& budget) {
    budget_ = &budget;
    running_ = waiting_ = atBarrier_ = 0;
    forEachLane(unfinished_, [&](unsigned lane) { arrive(lane); });
    while ((running_ | waiting_) != 0 && hasRoom_) {
      if (const std::uint32_t met = findRendezvous())
        release(met);
      else if (running_ != 0)
        run(furthestBehind(running_));
      else
        release(furthestBehind(waiting_));
    }
    unfinished_ = passBarrier();
    timeline_.intervalEnds.push_back(std::uint32_t(timeline_.operations.size()));
    return hasRoom_;
  }

  // What was lined up, as far as the first `intervals` intervals.
  AlignedWarp take(std::size_t intervals) {
    if (intervals < timeline_.intervalEnds.size()) {
      timeline_.intervalEnds.resize(intervals);
      timeline_.operations.resize(intervals == 0 ? 0 : timeline_.intervalEnds.back());
    }
    return std::move(timeline_);
  }

 private:
  // Sorts the lane by what it does next.
  void arrive(unsigned lane) {
    if (lanes_[lane].atEnd()) return;
    const model::EventKind kind = lanes_[lane].event().kind();
    if (kind == model::EventKind::BlockBarrier) {
      atBarrier_ |= bitOf(lane);
      rendezvousMayBeMet_ = true;
    } else if (isWarpCollective(kind)) {
      waiting_ |= bitOf(lane);
      rendezvousMayBeMet_ = true;
    } else {
      running_ |= bitOf(lane);
    }
  }

  // The lanes, among these, that share the least position.
  std::uint32_t furthestBehind(std::uint32_t lanes) const {
    auto least = lowestLane(lanes);
    std::uint32_t group = bitOf(least);
    forEachLane(lanes & (lanes - 1), [&](unsigned lane) {
      const Position& position = lanes_[lane].position();
      if (position == lanes_[least].position()) {
        group |= bitOf(lane);
      } else if (position < lanes_[least].position()) {
        least = lane;
        group = bitOf(lane);
      }
    });
    return group;
  }

  // Waiting lanes whose partners are all there; none if there are none.
  std::uint32_t findRendezvous() {
    if (!rendezvousMayBeMet_) return 0;
    for (std::uint32_t rest = waiting_; rest != 0; rest &= rest - 1) {
      const auto lane = lowestLane(rest);
      const model::Event& event = lanes_[lane].event();
      const std::uint32_t partners = (event.laneMask() | bitOf(lane)) & (running_ | waiting_);
      bool allThere = true;
      forEachLane(partners, [&](unsigned partner) {
        const model::Event& other = lanes_[partner].event();
        allThere = allThere && other.kind() == event.kind() && other.laneMask() == event.laneMask();
      });
      if (allThere) return partners;
    }
    rendezvousMayBeMet_ = false;
    return 0;
  }

  // Lanes that met may have come from different sites. A warp barrier is one operation all the same, under
  // the site of its lowest lane: it orders them all. What else they do is one operation per site.
  void release(std::uint32_t lanes) {
    waiting_ &= ~lanes;
    const bool barrier = lanes_[lowestLane(lanes)].event().kind() == model::EventKind::WarpBarrier;
    if (barrier)
      emit(lanes);
    else
      forEachAct(lanes, [&](std::uint32_t group) { emit(group); });
    step(lanes);
  }

  void run(std::uint32_t lanes) {
    running_ &= ~lanes;
    emit(lanes);  // at one position they do one act
    step(lanes);
  }

  std::uint32_t passBarrier() {
    const std::uint32_t passed = atBarrier_;
    forEachAct(passed, [&](std::uint32_t group) { emit(group); });
    std::uint32_t goOn = 0;
    forEachLane(passed, [&](unsigned lane) {
      lanes_[lane].advance(sites_);
      if (!lanes_[lane].atEnd()) goOn |= bitOf(lane);
    });
    return goOn;
  }

  // The lanes of one operation share the site, the kind, the array and the width: what reads operations
  // relies on it. A function that is called with several arrays has one site for all of them.
  template <class Visit>
  void forEachAct(std::uint32_t lanes, Visit visit) const {
    while (lanes != 0) {
      const std::uint64_t act = actOf(lanes_[lowestLane(lanes)].event());
      std::uint32_t group = 0;
      forEachLane(lanes, [&](unsigned lane) {
        if (actOf(lanes_[lane].event()) == act) group |= bitOf(lane);
      });
      lanes &= ~group;
      visit(group);
    }
  }
  static std::uint64_t actOf(const model::Event& event) { return event.head >> 40; }  // all but the offset

  // Writes down what the lanes do next.
  void emit(std::uint32_t lanes) {
    hasRoom_ = hasRoom_ && budget_->take(sizeof(WarpOperation));
    if (!hasRoom_) return;
    const model::Event& first = lanes_[lowestLane(lanes)].event();
    WarpOperation& operation = timeline_.operations.emplace_back();
    operation.warp = warp_;
    operation.site = first.site();
    operation.kind = first.kind();
    operation.mask = lanes;
    if (isAccess(operation.kind)) operation.pass = passOf(lowestLane(lanes));
    forEachLane(lanes, [&](unsigned lane) {
      operation.event[lane] = lanes_[lane].eventIndex();
      if (operation.kind == model::EventKind::Branch && lanes_[lane].event().value != 0)
        operation.taken |= bitOf(lane);
    });
  }

  // Accesses of one pass follow each other, so that the table is seldom asked.
  std::uint32_t passOf(unsigned lane) {
    lanes_[lane].locatePass(sites_, pass_);
    if (pass_ != lastPass_) {
      const std::uint32_t number = passes_.number(pass_);
      hasRoom_ = hasRoom_ && (number == lastPassNumber_ || budget_->take(kPassBytes));
      lastPassNumber_ = number;
      std::swap(pass_, lastPass_);
    }
    return lastPassNumber_;
  }

  void step(std::uint32_t lanes) {
    forEachLane(lanes, [&](unsigned lane) {
      lanes_[lane].advance(sites_);
      if (lanes_[lane].atEnd()) rendezvousMayBeMet_ = true;  // nobody waits for it any longer
      arrive(lane);
    });
  }

  const model::LaunchTrace& launch_;
  const SiteTable& sites_;
  std::array<LaneCursor, model::kWarpSize> lanes_;
  // The lanes by what they do next; a lane in none of them has no events left.
  std::uint32_t running_ = 0, waiting_ = 0, atBarrier_ = 0;
  bool rendezvousMayBeMet_ = false;  // a lane has stopped running since it was last found that none is
  std::uint32_t unfinished_ = 0;     // lanes with events left
  std::uint32_t warp_ = 0;
  PassTable& passes_;
  Position pass_, lastPass_;
  std::uint32_t lastPassNumber_ = 0;  // the number of lastPass_
  MemoryBudget* budget_ = nullptr;
  bool hasRoom_ = true;
  AlignedWarp timeline_;
};

}  // namespace

AlignedWarps lineUpWarps(const model::LaunchTrace& launch, const SiteTable& sites, MemoryBudget& budget) {
  PassTable passes;
  std::vector<WarpAligner> warps;
  const std::uint32_t count = model::warpsOf(launch.block);
  warps.reserve(count);
  for (std::uint32_t warp = 0; warp < count; ++warp) warps.emplace_back(launch, sites, warp, passes);

  // Interval by interval, so that the warps' timelines end together.
  AlignedWarps timelines;
  std::size_t intervals = 0;
  while (!timelines.cut && !std::ranges::all_of(warps, &WarpAligner::atEnd)) {
    for (WarpAligner& warp : warps)
      if (!warp.atEnd() && !timelines.cut) timelines.cut = !warp.alignInterval(budget);
    if (!timelines.cut) ++intervals;
  }
  for (WarpAligner& warp : warps) timelines.warps.push_back(warp.take(intervals));
  timelines.passes = passes.take();
  return timelines;
}

}  // namespace stridescope::analysis
