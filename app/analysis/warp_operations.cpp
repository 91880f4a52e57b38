#include "analysis/warp_operations.h"

#include <algorithm>
#include <array>

#include "analysis/event_groups.h"
#include "analysis/lane_cursor.h"
#include "analysis/lane_mask.h"

namespace stridescope {
namespace {

class WarpAligner {
 public:
  WarpAligner(const LaunchTrace& launch, const SiteTable& sites, const std::vector<std::uint32_t>& order)
      : launch_(launch), sites_(sites), order_(order) {}

  WarpTimeline align(std::uint32_t warp) {
    timeline_ = {};
    warp_ = warp;
    const std::uint32_t firstThread = warp * kWarpSize;
    const std::uint32_t threads = launch_.block - firstThread;
    std::uint32_t unfinished = 0;
    forEachLane(lanesBelow(threads), [&](unsigned lane) {
      lanes_[lane].start(launch_, order_, firstThread + lane, sites_);
      if (!lanes_[lane].atEnd()) unfinished |= bitOf(lane);
    });
    while (unfinished != 0) {
      unfinished = alignInterval(unfinished);
      timeline_.intervalEnds.push_back(std::uint32_t(timeline_.operations.size()));
    }
    return std::move(timeline_);
  }

 private:
  // From one block barrier to the next. Gives the lanes that go on after it.
  std::uint32_t alignInterval(std::uint32_t lanes) {
    running_ = waiting_ = atBarrier_ = 0;
    forEachLane(lanes, [&](unsigned lane) { arrive(lane); });
    while ((running_ | waiting_) != 0) {
      if (const std::uint32_t met = findRendezvous())
        release(met);
      else if (running_ != 0)
        run(furthestBehind(running_));
      else
        release(furthestBehind(waiting_));
    }
    return passBarrier();
  }

  // Sorts the lane by what it does next.
  void arrive(unsigned lane) {
    if (lanes_[lane].atEnd()) return;
    const EventKind kind = lanes_[lane].event().kind();
    if (kind == EventKind::BlockBarrier) {
      atBarrier_ |= bitOf(lane);
      rendezvousMayBeMet_ = true;
    } else if (isWarpCollective(kind)) {
      waiting_ |= bitOf(lane);
      rendezvousMayBeMet_ = true;
    } else {
      running_ |= bitOf(lane);
    }
  }

  // Those of the lanes that share the least position.
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
      const Event& event = lanes_[lane].event();
      const std::uint32_t partners = (event.laneMask() | bitOf(lane)) & (running_ | waiting_);
      bool allThere = true;
      forEachLane(partners, [&](unsigned partner) {
        const Event& other = lanes_[partner].event();
        allThere = allThere && other.kind() == event.kind() && other.laneMask() == event.laneMask();
      });
      if (allThere) return partners;
    }
    rendezvousMayBeMet_ = false;
    return 0;
  }

  // Lanes that met may have come from different sites. A warp barrier is one operation all the same, under
  // the site of its lowest lane: it orders them all. What else they do is one operation a site.
  void release(std::uint32_t lanes) {
    waiting_ &= ~lanes;
    const bool barrier = lanes_[lowestLane(lanes)].event().kind() == EventKind::WarpBarrier;
    if (barrier)
      emit(lanes);
    else
      forEachSite(lanes, [&](std::uint32_t group) { emit(group); });
    step(lanes);
  }

  void run(std::uint32_t lanes) {
    running_ &= ~lanes;
    emit(lanes);
    step(lanes);
  }

  std::uint32_t passBarrier() {
    const std::uint32_t passed = atBarrier_;
    forEachSite(passed, [&](std::uint32_t group) { emit(group); });
    std::uint32_t goOn = 0;
    forEachLane(passed, [&](unsigned lane) {
      lanes_[lane].advance(sites_);
      if (!lanes_[lane].atEnd()) goOn |= bitOf(lane);
    });
    return goOn;
  }

  template <class Visit>
  void forEachSite(std::uint32_t lanes, Visit visit) const {
    while (lanes != 0) {
      const std::uint32_t site = lanes_[lowestLane(lanes)].event().site();
      std::uint32_t group = 0;
      forEachLane(lanes, [&](unsigned lane) {
        if (lanes_[lane].event().site() == site) group |= bitOf(lane);
      });
      lanes &= ~group;
      visit(group);
    }
  }

  // Writes down what the lanes do next.
  void emit(std::uint32_t lanes) {
    const Event& first = lanes_[lowestLane(lanes)].event();
    WarpOperation& operation = timeline_.operations.emplace_back();
    operation.warp = warp_;
    operation.site = first.site();
    operation.kind = first.kind();
    operation.mask = lanes;
    forEachLane(lanes, [&](unsigned lane) {
      operation.event[lane] = lanes_[lane].eventIndex();
      if (operation.kind == EventKind::Branch && lanes_[lane].event().value != 0)
        operation.taken |= bitOf(lane);
    });
  }

  void step(std::uint32_t lanes) {
    forEachLane(lanes, [&](unsigned lane) {
      lanes_[lane].advance(sites_);
      if (lanes_[lane].atEnd()) rendezvousMayBeMet_ = true;  // nobody waits for it any longer
      arrive(lane);
    });
  }

  const LaunchTrace& launch_;
  const SiteTable& sites_;
  const std::vector<std::uint32_t>& order_;
  std::array<LaneCursor, kWarpSize> lanes_;
  // The lanes by what they do next; a lane in none of them has no events left.
  std::uint32_t running_ = 0, waiting_ = 0, atBarrier_ = 0;
  bool rendezvousMayBeMet_ = false;  // a lane has stopped running since it was last found that none is
  std::uint32_t warp_ = 0;
  WarpTimeline timeline_;
};

}  // namespace

std::vector<WarpTimeline> lineUpWarps(const LaunchTrace& launch, const SiteTable& sites,
                                      const std::vector<std::uint32_t>& order) {
  WarpAligner aligner(launch, sites, order);
  std::vector<WarpTimeline> timelines;
  const std::uint32_t warps = (launch.block + kWarpSize - 1) / kWarpSize;
  timelines.reserve(warps);
  for (std::uint32_t warp = 0; warp < warps; ++warp) timelines.push_back(aligner.align(warp));
  return timelines;
}

}  // namespace stridescope
