#include "handovers.h"

#include <algorithm>

#include "model/trace_check.h"

namespace stridescope::engine::access {

using model::MeetingPart;

Handovers::Thread& Handovers::threadOf(std::uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  return threads_[thread];
}

void Handovers::operate(const Operation& operation, const Moment& now) {
  const auto word = words_.find(operation.address);
  const std::uint32_t last = word == words_.end() ? kNone : word->second;
  // Most operations are of kernels without any fence.
  if (isFull_ || (last == kNone && !operation.releases && now.thread >= threads_.size())) return;
  Thread& self = threadOf(now.thread);
  if (operation.reads && last != kNone) {
    self.found[operation.address] = {last, operation.site};
    if (operation.acquires) acquire(self, {last, operation.site}, now);
  }
  if (!operation.writes) return;
  if (!operation.releases && !self.fence) {
    if (!operation.reads) overwrite(operation.address);
    return;
  }
  // What the thread acquired behind its fence, the fence does not release.
  const bool isBehindFence = self.fence && self.acquiredAt < self.fence->order &&
                             now.events - self.fence->events == (operation.isEvent ? 1u : 0u);
  const Time time = operation.releases || isBehindFence ? timeOf(now) : *self.fence;
  const std::uint32_t before = operation.reads ? notCovered(self, now.thread, last, time.order) : kNone;
  words_[operation.address] = std::uint32_t(releases_.size());
  releases_.push_back({.address = operation.address,
                       .thread = now.thread,
                       .time = time,
                       .site = operation.site,
                       .before = before});
  isFull_ = isFull_ || releases_.size() > model::kMaxPartMeetings;
}

void Handovers::fence(bool acquires, bool releases, const Moment& now) {
  if (isFull_) return;
  Thread& self = threadOf(now.thread);
  if (acquires) {
    for (const auto& [address, found] : self.found) acquire(self, found, now);
    self.found.clear();
  }
  if (releases) self.fence = timeOf(now);
}

void Handovers::takeBack(const Moment& now) {
  if (now.thread >= threads_.size()) return;
  Thread& self = threads_[now.thread];
  if (self.fence) self.fence->events = std::min(self.fence->events, now.events);
  for (auto wait = self.waits.rbegin(); wait != self.waits.rend() && wait->time.events > now.events; ++wait)
    wait->time.events = now.events;
}

// Also those on which it was written, as far as they are new to the thread.
void Handovers::acquire(Thread& self, const Found& found, const Moment& now) {
  const std::uint64_t address = releases_[found.release].address;
  const auto known = self.acquired.find(address);
  const std::uint32_t old = known == self.acquired.end() ? kNone : known->second.release;
  if (old != kNone && found.release <= old) return;
  std::vector<std::uint32_t> fresh;
  bool isOwn = true;
  for (std::uint32_t each = found.release; each != kNone && (old == kNone || each > old);
       each = releases_[each].before) {
    fresh.push_back(each);
    isOwn = isOwn && releases_[each].thread == now.thread;
    sites_.insert({releases_[each].site, found.site});
  }
  const Time time = timeOf(now);
  self.acquired[address] = {found.release, time.order};
  if (isOwn) return;
  self.waits.push_back({meetingOf(fresh), time});
  self.acquiredAt = time.order;
  isFull_ = isFull_ || ++rows_ > model::kMaxPartMeetings;
}

std::uint32_t Handovers::meetingOf(const std::vector<std::uint32_t>& releases) {
  const auto [meeting, isNew] =
      meetings_.try_emplace({releases.back(), releases.front()}, std::uint32_t(arriving_.size()));
  if (isNew) {
    arriving_.push_back(releases);
    rows_ += releases.size();
  }
  return meeting->second;
}

// The last one of `release` and those on which it was written that holds what the thread had not acquired
// when it released: a lock that goes from thread to thread has none.
std::uint32_t Handovers::notCovered(const Thread& self, std::uint32_t thread, std::uint32_t release,
                                    std::uint64_t order) const {
  while (release != kNone && releases_[release].thread == thread) release = releases_[release].before;
  if (release == kNone) return kNone;
  const auto known = self.acquired.find(releases_[release].address);
  const bool isCovered =
      known != self.acquired.end() && known->second.release >= release && known->second.order < order;
  return isCovered ? kNone : release;
}

HandedOver Handovers::handedOver() const {
  HandedOver all{.acts = {}, .sites = sites_, .isCut = isFull_};
  all.sites.erase(kNoSite);
  if (isFull_) return all;
  for (std::uint32_t meeting = 0; meeting < arriving_.size(); ++meeting)
    for (const std::uint32_t each : arriving_[meeting]) {
      const Release& release = releases_[each];
      all.acts.push_back(
          {{release.thread, release.time.events, meeting, MeetingPart::Arrives}, release.time.order});
    }
  for (std::uint32_t thread = 0; thread < threads_.size(); ++thread)
    for (const Wait& wait : threads_[thread].waits)
      all.acts.push_back({{thread, wait.time.events, wait.meeting, MeetingPart::Waits}, wait.time.order});
  std::ranges::stable_sort(all.acts, {},
                           [](const HandedOver::Act& act) { return std::pair(act.what.thread, act.order); });
  return all;
}

std::vector<model::PartMeeting> HandedOver::meetings(std::span<const std::uint32_t> first) const {
  std::vector<model::PartMeeting> all;
  for (const Act& act : acts) {
    model::PartMeeting what = act.what;
    if (what.thread + 1 >= first.size()) continue;
    // A look that was taken back may have been the thread's last event, and a run may have been cut.
    what.eventsBefore = std::min(what.eventsBefore, first[what.thread + 1] - first[what.thread]);
    all.push_back(what);
  }
  return all;
}

}  // namespace stridescope::engine::access
