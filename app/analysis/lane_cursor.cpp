#include "analysis/lane_cursor.h"

#include "analysis/event_groups.h"

namespace stridescope::analysis {

void LaneCursor::start(const model::LaunchTrace& launch, const std::vector<std::uint32_t>& order,
                       std::uint32_t thread, const SiteTable& sites) {
  events_ = launch.events.data();
  order_ = order.data();
  place_ = launch.first[thread];
  end_ = launch.first[thread + 1];
  path_.start(sites);
  settle(sites);
}

void LaneCursor::advance(const SiteTable& sites) {
  if (event_->kind() == model::EventKind::Branch && sites.isLoop(event_->site()))
    path_.pass(event_->site(), event_->value != 0);
  ++place_;
  while (place_ != end_ && events_[order_[place_]].secondHalf()) ++place_;
  settle(sites);
}

void LaneCursor::settle(const SiteTable& sites) {
  while (place_ != end_ && !isAct(events_[order_[place_]].kind())) ++place_;
  if (place_ == end_) return;
  eventIndex_ = order_[place_];
  event_ = &events_[eventIndex_];
  path_.moveTo(event_->site(), sites);
  path_.locate(*event_, position_);
}

}  // namespace stridescope::analysis
