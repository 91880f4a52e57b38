#include "handovers.h"

#include <algorithm>

#include "model/trace_check.h"

namespace stridescope::engine::access {

using model::MeetingPart;

Handovers::Thread& Handovers::threadOf(std::uint32_t thread) {
  if (thread >= threads_.size()) threads_.resize(thread + 1);
  return threads_[thread];
}

void Handovers::add(std::uint32_t meeting, const Moment& moment, MeetingPart part) {
  met_.push_back({.thread = moment.thread, .eventsBefore = moment.events, .meeting = meeting, .part = part});
  isFull_ = isFull_ || met_.size() > model::kMaxPartMeetings;
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
  if (!operation.releases && !self.releasedAt) {
    if (!operation.reads) overwrite(operation.address);
    return;
  }
  const bool isBehindFence =
      self.releasedAt && now.events - *self.releasedAt == (operation.isEvent ? 1u : 0u);
  const bool isWhole = operation.releases || isBehindFence;
  const Moment released{now.thread, isWhole ? now.events : *self.releasedAt};
  const std::uint32_t before = operation.reads ? notCovered(self, last, released) : kNone;
  words_[operation.address] = std::uint32_t(releases_.size());
  releases_.push_back(
      {.address = operation.address, .moment = released, .site = operation.site, .before = before});
  isFull_ = isFull_ || releases_.size() > model::kMaxPartMeetings;
}

void Handovers::fence(bool acquires, bool releases, const Moment& now) {
  if (isFull_) return;
  Thread& self = threadOf(now.thread);
  if (acquires) {
    for (const auto& [address, found] : self.found) acquire(self, found, now);
    self.found.clear();
  }
  if (releases) self.releasedAt = now.events;
}

// Also those on which it was written, as far as they are new to the thread.
void Handovers::acquire(Thread& self, const Found& found, const Moment& now) {
  const std::uint32_t release = found.release;
  const std::uint64_t address = releases_[release].address;
  const auto known = self.acquired.find(address);
  const std::uint32_t old = known == self.acquired.end() ? kNone : known->second.release;
  for (std::uint32_t each = release; each != kNone && !isFull_; each = releases_[each].before) {
    if (old != kNone && each <= old) break;
    Release& acquired = releases_[each];
    if (acquired.moment.thread == now.thread) continue;
    if (acquired.meeting == kNone) {
      acquired.meeting = next_++;
      add(acquired.meeting, acquired.moment, MeetingPart::Arrives);
    }
    add(acquired.meeting, now, MeetingPart::Waits);
    sites_.insert({acquired.site, found.site});
  }
  if (old == kNone || release > old) self.acquired[address] = {release, now.events};
}

// The last one of `release` and those on which it was written that holds what the thread had not acquired
// when it released: a lock that goes from thread to thread has none.
std::uint32_t Handovers::notCovered(const Thread& self, std::uint32_t release, const Moment& released) const {
  while (release != kNone && releases_[release].moment.thread == released.thread)
    release = releases_[release].before;
  if (release == kNone) return kNone;
  const auto known = self.acquired.find(releases_[release].address);
  const bool isCovered = known != self.acquired.end() && known->second.release >= release &&
                         known->second.events <= released.events;
  return isCovered ? kNone : release;
}

std::vector<model::PartMeeting> Handovers::meetings(std::span<const std::uint32_t> first) const {
  if (isFull_) return {};
  std::vector<model::PartMeeting> all = met_;
  std::erase_if(all, [&](const model::PartMeeting& each) { return each.thread + 1 >= first.size(); });
  // A look that was taken back may have been the thread's last event, and a run may have been cut.
  for (model::PartMeeting& each : all)
    each.eventsBefore = std::min(each.eventsBefore, first[each.thread + 1] - first[each.thread]);
  std::ranges::stable_sort(
      all, {}, [](const model::PartMeeting& each) { return std::pair(each.thread, each.eventsBefore); });
  return all;
}

}  // namespace stridescope::engine::access
