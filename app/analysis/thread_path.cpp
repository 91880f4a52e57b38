#include "analysis/thread_path.h"

#include <algorithm>

#include "analysis/event_groups.h"

namespace stridescope::analysis {

void ThreadPath::start(const SiteTable& sites) {
  loops_.clear();
  frames_.assign(1, {.function = sites.functions().kernel()});
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

void ThreadPath::locate(const model::Event& event, Position& position) const {
  locateFrames(event.site(), position);
  position.arrive(event.site(), std::uint32_t(event.head >> 52) & 0x7ff);
}

void LaneCursor::start(const model::LaunchTrace& launch, std::uint32_t thread, const SiteTable& sites) {
  events_ = launch.recorded().events.data();
  place_ = launch.recorded().first[thread];
  end_ = launch.recorded().first[thread + 1];
  path_.start(sites);
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
  path_.locate(event(), position_);
}

}  // namespace stridescope::analysis
