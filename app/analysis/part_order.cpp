#include "analysis/part_order.h"

#include <algorithm>
#include <map>
#include <span>

namespace stridescope::analysis {
namespace {

// The warps of a block come to barriers as wholes, so that a real log stays far below.
constexpr std::uint64_t kMaxKnown = std::uint64_t{1} << 25;

}  // namespace

PartOrder::PartOrder(const model::BlockTrace& block) {
  if (block.meetings.empty()) return;
  std::map<std::uint32_t, std::uint32_t> numbers;  // of the meetings, in their order
  for (const model::PartMeeting& meeting : block.meetings) numbers[meeting.meeting] = 0;
  std::uint32_t next = 0;
  for (auto& [meeting, number] : numbers) number = next++;
  ofThread_.resize(block.first.size() - 1);
  for (const model::PartMeeting& meeting : block.meetings)
    ofThread_[meeting.thread].push_back(
        {block.first[meeting.thread] + meeting.eventsBefore, numbers[meeting.meeting]});
  findGroups();
  if (std::uint64_t(next) * groups_ > kMaxKnown)
    ofThread_.clear();
  else
    followMeetings(next);
}

void PartOrder::findGroups() {
  std::map<std::vector<std::uint32_t>, std::uint32_t> groups;
  for (const std::vector<Come>& comes : ofThread_) {
    std::vector<std::uint32_t> meetings;
    for (const Come& come : comes) meetings.push_back(come.meeting);
    groupOf_.push_back(groups.try_emplace(std::move(meetings), std::uint32_t(groups.size())).first->second);
  }
  groups_ = std::uint32_t(groups.size());
}

void PartOrder::followMeetings(std::uint32_t meetings) {
  std::vector<std::vector<std::uint32_t>> groupsAt(meetings);
  std::vector<bool> isSeen(groups_);
  for (std::size_t thread = 0; thread < ofThread_.size(); ++thread) {
    if (isSeen[groupOf_[thread]]) continue;
    isSeen[groupOf_[thread]] = true;
    for (const Come& come : ofThread_[thread]) groupsAt[come.meeting].push_back(groupOf_[thread]);
  }
  known_.resize(std::size_t(meetings) * groups_);
  std::vector<std::vector<std::uint32_t>> knownNow(groups_, std::vector<std::uint32_t>(groups_));
  for (std::uint32_t meeting = 0; meeting < meetings; ++meeting) {
    const auto joined = std::span(known_).subspan(std::size_t(meeting) * groups_, groups_);
    for (const std::uint32_t group : groupsAt[meeting]) {
      ++knownNow[group][group];
      for (std::uint32_t each = 0; each < groups_; ++each)
        joined[each] = std::max(joined[each], knownNow[group][each]);
    }
    for (const std::uint32_t group : groupsAt[meeting]) std::ranges::copy(joined, knownNow[group].begin());
  }
}

std::uint32_t PartOrder::metBefore(std::uint32_t thread, std::uint32_t event) const {
  const std::vector<Come>& comes = ofThread_[thread];
  return std::uint32_t(std::ranges::upper_bound(comes, event, {}, &Come::event) - comes.begin());
}

bool PartOrder::isBefore(std::uint32_t one, std::uint32_t oneMet, std::uint32_t other,
                         std::uint32_t otherMet) const {
  if (otherMet == 0) return false;
  const std::uint32_t last = ofThread_[other][otherMet - 1].meeting;
  return known_[std::size_t(last) * groups_ + groupOf_[one]] > oneMet;
}

}  // namespace stridescope::analysis
