#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/event_groups.h"
#include "analysis/races.h"

namespace stridescope::analysis {
namespace {

using model::MeetingPart;

// The warps of a block come to barriers as wholes, so that a real log stays far below.
constexpr std::uint64_t kMaxKnown = std::uint64_t{1} << 25;

using Known = std::vector<std::uint32_t>;  // by group
void join(Known& into, std::span<const std::uint32_t> other) {
  for (std::size_t group = 0; group < into.size(); ++group) into[group] = std::max(into[group], other[group]);
}

// What is known where threads meet.
struct Meeting {
  std::uint32_t missing = 0;  // groups that have yet to arrive
  Known known;
  std::vector<std::uint32_t> waiting;  // groups
};

}  // namespace

PartOrder::PartOrder(const model::BlockTrace& block, std::span<const Round> rounds) {
  isUnknown_ = block.meetingsCut;
  if (isUnknown_ || block.meetings.empty()) return;
  addMeetings(block);
  addWarpBarriers(rounds);
  findGroups();
  if (followActs()) return;
  addMeetings(block);  // without the warps' barriers
  findGroups();
  if (followActs()) return;
  ofThread_.clear();
  isUnknown_ = true;
}

void PartOrder::addMeetings(const model::BlockTrace& block) {
  std::map<std::uint32_t, std::uint32_t> numbers;  // of the meetings, in their order
  for (const model::PartMeeting& meeting : block.meetings) numbers[meeting.meeting] = 0;
  meetings_ = 0;
  for (auto& [meeting, number] : numbers) number = meetings_++;
  ofThread_.assign(block.first.size() - 1, {});
  for (const model::PartMeeting& meeting : block.meetings)
    ofThread_[meeting.thread].push_back(
        {block.first[meeting.thread] + meeting.eventsBefore, numbers[meeting.meeting], meeting.part});
}

// Behind its own event, and before what a thread does elsewhere before its next one.
void PartOrder::addWarpBarriers(std::span<const Round> rounds) {
  std::vector<std::vector<Act>> acts(ofThread_.size());
  for (const Round& round : rounds)
    for (const WarpOperation& operation : round.operations) {
      if (operation.kind != model::EventKind::WarpBarrier) continue;
      forEachLane(operation.mask, [&](unsigned lane) {
        acts[threadOf(operation, lane)].push_back({operation.event[lane] + 1, meetings_, MeetingPart::Meets});
      });
      ++meetings_;
    }
  for (std::size_t thread = 0; thread < acts.size(); ++thread) {
    if (acts[thread].empty()) continue;
    std::vector<Act> all;
    std::ranges::merge(acts[thread], ofThread_[thread], std::back_inserter(all), {}, &Act::event,
                       &Act::event);
    ofThread_[thread] = std::move(all);
  }
}

void PartOrder::numberActs() {
  for (std::vector<Act>& acts : ofThread_)
    for (std::size_t i = 1; i < acts.size(); ++i)
      acts[i].number = acts[i - 1].number + (acts[i].event != acts[i - 1].event ? 1 : 0);
}

void PartOrder::findGroups() {
  numberActs();
  groupOf_.clear();
  ofGroup_.clear();
  std::map<std::vector<std::tuple<std::uint32_t, MeetingPart, std::uint32_t>>, std::uint32_t> groups;
  for (std::uint32_t thread = 0; thread < ofThread_.size(); ++thread) {
    std::vector<std::tuple<std::uint32_t, MeetingPart, std::uint32_t>> acts;
    for (const Act& act : ofThread_[thread]) acts.emplace_back(act.meeting, act.part, act.number);
    const auto [group, isNew] = groups.try_emplace(std::move(acts), std::uint32_t(ofGroup_.size()));
    if (isNew) ofGroup_.push_back(thread);
    groupOf_.push_back(group->second);
  }
}

// Each group goes on as far as it can: one that waits does so until all have arrived. What no order of the
// acts allows stays unknown.
bool PartOrder::followActs() {
  const std::size_t groups = ofGroup_.size();
  std::uint64_t acts = meetings_;
  for (const std::uint32_t thread : ofGroup_)
    if (!ofThread_[thread].empty()) acts += ofThread_[thread].back().number + 1;
  if (acts * groups > kMaxKnown) return false;
  std::vector<Meeting> meetings(meetings_);
  for (const std::uint32_t thread : ofGroup_)
    for (const Act& act : ofThread_[thread])
      if (act.part != MeetingPart::Waits) ++meetings[act.meeting].missing;
  known_.assign(groups, {});
  std::vector<Known> now(groups, Known(groups));
  std::vector<std::size_t> done(groups);  // acts
  std::vector<bool> hasArrived(groups);   // at the act that it is at
  std::vector<std::uint32_t> ready;
  for (std::size_t group = 0; group < groups; ++group) ready.push_back(std::uint32_t(groups - 1 - group));
  while (!ready.empty()) {
    const std::uint32_t group = ready.back();
    ready.pop_back();
    const std::vector<Act>& all = ofThread_[ofGroup_[group]];
    for (; done[group] < all.size(); ++done[group]) {
      const Act& act = all[done[group]];
      Meeting& meeting = meetings[act.meeting];
      if (meeting.known.empty()) meeting.known.resize(groups);
      if (act.part != MeetingPart::Waits && !hasArrived[group]) {
        hasArrived[group] = true;
        join(meeting.known, now[group]);
        meeting.known[group] = std::max(meeting.known[group], act.number + 1);
        if (--meeting.missing == 0) ready.insert(ready.end(), meeting.waiting.begin(), meeting.waiting.end());
      }
      if (act.part != MeetingPart::Arrives) {
        if (meeting.missing > 0) {
          meeting.waiting.push_back(group);
          break;
        }
        join(now[group], meeting.known);
      }
      hasArrived[group] = false;
      const bool isLast = &act == &all.back() || all[done[group] + 1].number != act.number;
      if (isLast) known_[group].insert(known_[group].end(), now[group].begin(), now[group].end());
    }
  }
  return true;
}

std::uint32_t PartOrder::actsBefore(std::uint32_t thread, std::uint32_t event) const {
  const std::vector<Act>& acts = ofThread_[thread];
  const auto behind = std::ranges::upper_bound(acts, event, {}, &Act::event);
  return behind == acts.begin() ? 0 : std::prev(behind)->number + 1;
}

bool PartOrder::isBefore(std::uint32_t one, std::uint32_t oneActs, std::uint32_t other,
                         std::uint32_t otherActs) const {
  const std::vector<std::uint32_t>& known = known_[groupOf_[other]];
  const std::size_t at = std::size_t(otherActs) * ofGroup_.size();
  return otherActs > 0 && at <= known.size() && known[at - ofGroup_.size() + groupOf_[one]] > oneActs;
}

}  // namespace stridescope::analysis
