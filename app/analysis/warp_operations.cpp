#include "analysis/warp_operations.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "analysis/event_groups.h"

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

void ThreadPath::start(std::uint32_t kernel) {
  loops_.clear();
  frames_.assign(1, {.function = kernel});
}

void ThreadPath::moveTo(std::uint32_t site, const SiteTable& sites) {
  const std::uint32_t function = sites.functions().functionOf(site);
  if (function != frames_.back().function) changeFunction(function, sites);
  const bool sharesLoop = changeLoops(site, sites);
  // Back in the text without a loop: the function was called again.
  if (!sharesLoop && site < frames_.back().sitesPassed && frames_.size() > 1)
    ++frames_[frames_.size() - 2].calls;
  Frame& frame = frames_.back();
  frame.sitesPassed = frame.calledAt = site + 1;
  frame.calls = 0;
}

void ThreadPath::changeFunction(std::uint32_t function, const SiteTable& sites) {
  for (std::size_t i = frames_.size() - 1; i-- > 0;)
    if (frames_[i].function == function) return leaveCalls(i + 1);
  // A new call: from the innermost function whose text has it, else from the kernel.
  std::size_t caller = frames_.size() - 1;
  while (caller > 0 && !sites.functions().calls(frames_[caller].function, function)) --caller;
  leaveCalls(caller + 1);
  call(function, sites);
}

void ThreadPath::call(std::uint32_t function, const SiteTable& sites) {
  Frame& caller = frames_.back();
  caller.calledAt =
      sites.functions().nextCall(caller.function, function, caller.calledAt).value_or(caller.calledAt);
  ++caller.calls;
  frames_.push_back({.function = function, .firstLoop = loops_.size()});
}

void ThreadPath::leaveCalls(std::size_t framesLeft) {
  if (framesLeft == frames_.size()) return;
  loops_.resize(frames_[framesLeft].firstLoop, {});
  frames_.resize(framesLeft);
}

bool ThreadPath::changeLoops(std::uint32_t site, const SiteTable& sites) {
  const auto around = sites.loopsOf(site);
  const std::size_t first = frames_.back().firstLoop;
  std::size_t common = 0;
  while (common < around.size() && first + common < loops_.size() &&
         loops_[first + common].site == around[common])
    ++common;
  loops_.resize(first + common, {});
  for (std::size_t i = common; i < around.size(); ++i) loops_.push_back({around[i], 0});
  return common > 0;
}

void ThreadPath::pass(std::uint32_t loopSite, bool goesOn) {
  if (loops_.empty() || loops_.back().site != loopSite) return;
  if (goesOn)
    ++loops_.back().passed;
  else
    loops_.pop_back();
}

void Position::keepLoops() {
  while (!words_.empty() && (words_.back() >> 48) % 2 != 0) words_.pop_back();  // calls
}

bool Position::isAround(const Position& other) const {
  return words_.size() < other.words_.size() &&
         std::equal(words_.begin(), words_.end(), other.words_.begin());
}

bool Position::isInTheLoopsOf(const Position& other) const {
  return std::ranges::equal(
      words_, other.words_, {}, [](std::uint64_t word) { return word >> 48; },
      [](std::uint64_t word) { return word >> 48; });
}

void ThreadPath::locateFrames(std::uint32_t site, Position& position) const {
  position.clear();
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const bool innermost = i + 1 == frames_.size();
    const std::uint32_t sitesBefore = innermost ? site : frames_[i].calledAt;
    const std::size_t endOfLoops = innermost ? loops_.size() : frames_[i + 1].firstLoop;
    // What stands up to a loop's condition belongs to the iteration that the condition will open: the
    // condition itself, and the body of a do-while.
    for (std::size_t k = frames_[i].firstLoop; k < endOfLoops; ++k)
      position.enterLoop(loops_[k].site, loops_[k].passed + (sitesBefore <= loops_[k].site ? 1 : 0));
    if (!innermost) position.enterCall(frames_[i].calledAt, frames_[i].calls);
  }
}

void ThreadPath::locatePass(std::uint32_t site, const SiteTable& sites, Position& position) const {
  locateFrames(site, position);
  if (!loops_.empty()) {
    position.keepLoops();
  } else if (const auto step = sites.stepOf(site)) {
    position.arrive(*step, 0);
  } else {
    position.clear();
  }
}

namespace {

// What an event does: its kind, its array and its width.
std::uint32_t doingOf(const model::Event& event) { return std::uint32_t(event.head >> 52) & 0x7ff; }

}  // namespace

void ThreadPath::locate(const model::Event& event, Position& position) const {
  locateFrames(event.site(), position);
  position.arrive(event.site(), doingOf(event));
}

void ThreadPath::locateIssue(const model::Event& event, std::uint32_t issue, Position& position) {
  position.clear();
  position.execute(issue);
  position.arrive(event.site(), doingOf(event));
}

void LaneCursor::start(const model::LaunchTrace& launch, std::uint32_t thread, const SiteTable& sites) {
  events_ = launch.recorded().events.data();
  issues_ = launch.recorded().issues.empty() ? nullptr : launch.recorded().issues.data();
  place_ = launch.recorded().first[thread];
  end_ = launch.recorded().first[thread + 1];
  path_.start(sites.functions().kernelOf(launch));
  settle(sites);
}

void LaneCursor::advance(const SiteTable& sites) {
  if (event().kind() == model::EventKind::Branch && sites.isLoop(event().site()))
    path_.pass(event().site(), event().value != 0);
  ++place_;
  while (place_ != end_ && event().secondHalf()) ++place_;
  settle(sites);
}

void LaneCursor::settle(const SiteTable& sites) {
  while (place_ != end_ && !isAct(event().kind())) ++place_;
  if (place_ == end_) return;
  path_.moveTo(event().site(), sites);
  if (issues_ != nullptr)
    ThreadPath::locateIssue(event(), issues_[place_], position_);
  else
    path_.locate(event(), position_);
}

KernelFunctions::KernelFunctions(const model::KernelModel& kernel, std::size_t sites)
    : functionOf_(sites, 0), calls_(kernel.calls) {
  const auto found = std::ranges::find_if(kernel.functions, &model::KernelFunction::isKernel);
  if (found == kernel.functions.end()) return;
  kernel_ = std::uint32_t(found - kernel.functions.begin());
  for (std::size_t site = 0; site < sites; ++site)
    functionOf_[site] = site < kernel.sites.size() && kernel.sites[site].function >= 0
                            ? std::uint32_t(kernel.sites[site].function)
                            : kernel_;
  if (std::ranges::count_if(kernel.functions, &model::KernelFunction::isKernel) < 2) return;
  for (const model::KernelFunction& function : kernel.functions) isKernel_.push_back(function.isKernel);
}

// All of a launch's events in __global__ functions are in the launched one.
std::uint32_t KernelFunctions::kernelOf(const model::LaunchTrace& launch) const {
  if (isKernel_.empty()) return kernel_;
  for (const model::Event& event : launch.recorded().events)
    if (const std::uint32_t function = functionOf_[event.site()]; !event.secondHalf() && isKernel_[function])
      return function;
  return kernel_;
}

bool KernelFunctions::calls(std::uint32_t caller, std::uint32_t callee) const {
  return std::ranges::any_of(calls_, [&](const model::KernelCall& call) {
    return std::uint32_t(call.caller) == caller && std::uint32_t(call.callee) == callee;
  });
}

std::optional<std::uint32_t> KernelFunctions::nextCall(std::uint32_t caller, std::uint32_t callee,
                                                       std::uint32_t passed) const {
  for (const model::KernelCall& call : calls_)
    if (std::uint32_t(call.caller) == caller && std::uint32_t(call.callee) == callee &&
        std::uint32_t(call.sitesBefore) >= passed)
      return std::uint32_t(call.sitesBefore);
  return std::nullopt;
}

SiteTable::SiteTable(const model::Trace& trace) : functions_(trace.kernel, trace.sites.size()) {
  firstLoop_.reserve(trace.sites.size() + 1);
  firstLoop_.push_back(0);
  for (const model::Site& site : trace.sites) {
    const bool loop = site.kind == model::SiteKind::Loop;
    for (const int id : site.loops) loops_.push_back(std::uint32_t(id));
    if (loop && !std::ranges::count(site.loops, site.id)) loops_.push_back(std::uint32_t(site.id));
    firstLoop_.push_back(std::uint32_t(loops_.size()));
    isLoop_.push_back(loop);
  }
  tellBranches_ = !trace.kernel.functions.empty() || std::ranges::any_of(trace.sites, [](const auto& site) {
    return site.kind == model::SiteKind::Branch || site.kind == model::SiteKind::Loop;
  });
  const auto& models = trace.kernel.sites;
  step_.assign(trace.sites.size(), kNoStep);
  std::map<std::pair<int, int>, std::uint32_t> firstOfStep;  // by function and step
  for (std::uint32_t site = 0; site < models.size(); ++site)
    if (models[site].step > 0)
      step_[site] = firstOfStep.try_emplace({models[site].function, models[site].step}, site).first->second;
}

}  // namespace stridescope::analysis
