// One lane's way through its thread's events, one act of the lane after another.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/site_table.h"
#include "analysis/thread_path.h"

namespace stridescope::analysis {

class LaneCursor {
 public:
  // Stands before the thread's first act. `order` and `events` must outlive the cursor's use.
  void start(const model::LaunchTrace& launch, const std::vector<std::uint32_t>& order, std::uint32_t thread,
             const SiteTable& sites);

  bool atEnd() const { return place_ == end_; }
  const model::Event& event() const { return *event_; }     // only if not atEnd()
  std::uint32_t eventIndex() const { return eventIndex_; }  // into LaunchTrace::events
  const Position& position() const { return position_; }

  // The pass that the current act, an access, belongs to.
  void locatePass(const SiteTable& sites, Position& position) const {
    path_.locatePass(event_->site(), sites, position);
  }

  // Past the current act.
  void advance(const SiteTable& sites);

 private:
  // Finds the act at place_: past a Give to what it was given to, past a Give that was given to nothing, and
  // past what variables became.
  void settle(const SiteTable& sites);

  const model::Event* events_ = nullptr;
  const std::uint32_t* order_ = nullptr;
  const model::Event* event_ = nullptr;
  std::uint32_t place_ = 0, end_ = 0, eventIndex_ = 0;
  ThreadPath path_;
  Position position_;
};

}  // namespace stridescope::analysis
