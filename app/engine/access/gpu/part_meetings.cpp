#include "engine/access/gpu/part_meetings.h"

#include <algorithm>
#include <utility>

#include "model/trace_check.h"

namespace stridescope::engine::access::gpu {
namespace {

using model::MeetingPart;
using patched::BarrierAct;
using patched::Entry;
using patched::EntryKind;

bool isArrival(const Entry& entry) {
  const auto act = BarrierAct(entry.value);
  return entry.kind == EntryKind::Arrival && act >= BarrierAct::Arrive &&
         act <= BarrierAct::ArriveAndDropWithin;
}
bool isWait(const Entry& entry) {
  return entry.kind == EntryKind::Arrival && BarrierAct(entry.value) == BarrierAct::Wait;
}

// Where each thread that arrives at a barrier does so equally often, all of them arrive in each phase.
std::map<std::uint64_t, std::uint64_t> arrivingTogether(const std::vector<Entry>& entries) {
  std::map<std::uint64_t, std::map<std::uint32_t, std::uint64_t>> times;
  for (const Entry& entry : entries)
    if (isArrival(entry)) ++times[entry.address][entry.thread];
  std::map<std::uint64_t, std::uint64_t> all;
  for (const auto& [barrier, ofThreads] : times) {
    const bool isEven = std::ranges::all_of(
        ofThreads, [&](const auto& each) { return each.second == ofThreads.begin()->second; });
    if (isEven) all[barrier] = ofThreads.size();
  }
  return all;
}

}  // namespace

PartMeetings::PartMeetings(unsigned threads, const std::vector<Entry>& entries)
    : lastWarp_((threads - 1) / model::kWarpSize),
      ofLast_(threads - lastWarp_ * model::kWarpSize),
      guess_(arrivingTogether(entries)) {}

void PartMeetings::come(const Entry& entry, std::uint32_t eventsBefore) {
  const Come come{{.thread = entry.thread, .eventsBefore = eventsBefore}, order_++};
  const auto waiting = waiting_.find(entry.thread);
  // It asks again and again until the phase has ended.
  const bool asksAgain =
      waiting != waiting_.end() && isWait(entry) && waiting->second.barrier == entry.address;
  if (waiting != waiting_.end() && !asksAgain) goOn(entry.thread);
  if (entry.kind == EntryKind::PartBarrier) return meet(entry, come);
  if (isArrival(entry)) return arrive(entry, come);
  if (isWait(entry) && !asksAgain) waiting_[entry.thread] = {entry.address, come};
  if (entry.kind == EntryKind::Arrival && BarrierAct(entry.value) == BarrierAct::Init) {
    InMemory& barrier = inMemory_[entry.address] = {};
    barrier.waitsFor = barrier.nextWaitsFor = entry.upper;
  }
}

void PartMeetings::complete(std::vector<Come>& all) {
  if (all.size() <= model::kMaxPartMeetings - std::min(met_.size(), model::kMaxPartMeetings)) {
    for (Come& each : all) each.what.meeting = next_;
    met_.insert(met_.end(), all.begin(), all.end());
  } else {
    isCut_ = true;
  }
  ++next_;
  all.clear();
}

void PartMeetings::meet(const Entry& entry, const Come& come) {
  Numbered& barrier = numbered_[entry.address];
  barrier.waiting.push_back(come);
  if (entry.thread / model::kWarpSize == lastWarp_) ++barrier.ofLastWarp;
  const unsigned missing = barrier.ofLastWarp == ofLast_ ? model::kWarpSize - ofLast_ : 0;
  if (barrier.waiting.size() + missing < entry.value) return;
  complete(barrier.waiting);
  barrier = {};
}

void PartMeetings::arrive(const Entry& entry, const Come& come) {
  InMemory& barrier = inMemory_[entry.address];
  if (barrier.waitsFor == 0) barrier.waitsFor = barrier.nextWaitsFor = guess_[entry.address];
  if (barrier.waitsFor == 0) return;
  // An arrival that announces bytes of a copy tells how many these are.
  const std::uint64_t count = entry.upper > 0 && entry.upper <= barrier.waitsFor ? entry.upper : 1;
  const auto act = BarrierAct(entry.value);
  if (act == BarrierAct::ArriveAndDrop || act == BarrierAct::ArriveAndDropWithin)
    barrier.nextWaitsFor -= std::min(barrier.nextWaitsFor, count);
  barrier.arrivals.push_back(come);
  barrier.arrivals.back().what.part = MeetingPart::Arrives;
  barrier.threads[entry.thread].arrivedIn = barrier.phases.size();
  barrier.arrived += count;
  if (barrier.arrived < barrier.waitsFor) return;
  barrier.phases.push_back(next_);
  complete(barrier.arrivals);
  barrier.arrived = 0;
  barrier.waitsFor = barrier.nextWaitsFor;
}

// What it waited for has ended. That is the phase in which it arrived, or, of a thread that does not arrive
// there, the one behind that which it waited for before. Before the first phase has ended a wait may pass,
// too: the one for the phase before it.
void PartMeetings::goOn(std::uint32_t thread) {
  const Waiting waiting = waiting_[thread];
  waiting_.erase(thread);
  InMemory& barrier = inMemory_[waiting.barrier];
  if (barrier.phases.empty()) return;
  InMemory::OfThread& own = barrier.threads[thread];
  const std::size_t phase =
      own.arrivedIn ? std::max(*own.arrivedIn, own.waited) : std::min(own.waited, barrier.phases.size() - 1);
  if (phase >= barrier.phases.size()) return;  // it only looked whether it has ended
  own.waited = phase + 1;
  isCut_ = isCut_ || met_.size() >= model::kMaxPartMeetings;
  if (isCut_) return;
  met_.push_back(waiting.come);
  met_.back().what.meeting = barrier.phases[phase];
  met_.back().what.part = MeetingPart::Waits;
}

std::vector<model::PartMeeting> PartMeetings::take() {
  while (!waiting_.empty()) goOn(waiting_.begin()->first);
  std::ranges::sort(met_, {}, [](const Come& each) { return std::pair(each.what.thread, each.order); });
  std::vector<model::PartMeeting> all;
  for (const Come& each : met_) all.push_back(each.what);
  met_.clear();
  return all;
}

}  // namespace stridescope::engine::access::gpu
