// Where a thread stands in the kernel's loops: the loops that it is in, outermost first, and how often each
// has gone round. From it and its next event comes the key by which the lanes of a warp are lined up again.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/site_table.h"

namespace stridescope {

// How far a thread has come: for each loop around its next event the loop's site and the number of the
// iteration, then the event's own site and kind. Of two threads the one with the lesser position is behind.
class Position {
 public:
  void clear() { words_.clear(); }
  void enterLoop(std::uint32_t loopSite, std::uint64_t iteration) {
    words_.push_back(std::uint64_t(loopSite) << 48 | iteration);
  }
  // What tells apart the events of one site: kind, space and width.
  void arrive(std::uint32_t site, std::uint32_t act) { words_.push_back(std::uint64_t(site) << 48 | act); }

  friend bool operator==(const Position&, const Position&) = default;
  friend auto operator<=>(const Position&, const Position&) = default;

 private:
  std::vector<std::uint64_t> words_;  // keeps its memory from event to event
};

class LoopPath {
 public:
  // The thread's next event is of this site: loops that it is not in are left behind.
  void moveTo(std::uint32_t site, const SiteTable& sites);

  // The thread has passed the loop's condition.
  void pass(std::uint32_t loopSite, bool goesOn);

  // The position of an event of the site moved to.
  void locate(const Event& event, Position& position) const;

 private:
  struct Level {
    std::uint32_t loopSite;
    std::uint64_t passed;  // how often the condition has been found true since the loop was entered
  };
  std::vector<Level> levels_;
};

}  // namespace stridescope
