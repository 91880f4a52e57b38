// Which accesses of a block are ordered by barriers of a part of it (model::PartMeeting), at which its other
// threads go on.
#pragma once

#include <cstdint>
#include <vector>

#include "model/trace.h"

namespace stridescope::analysis {

class PartOrder {
 public:
  // Requires a block without a fault.
  explicit PartOrder(const model::BlockTrace& block);

  bool isEmpty() const { return ofThread_.empty(); }

  // At how many meetings the thread has been before its event. `event`: an index into BlockTrace::events.
  std::uint32_t metBefore(std::uint32_t thread, std::uint32_t event) const;

  // Whether what one thread does after so many meetings, and before the next one, is ordered against what the
  // other does after so many: either way round.
  bool orders(std::uint32_t one, std::uint32_t oneMet, std::uint32_t other, std::uint32_t otherMet) const {
    return isBefore(one, oneMet, other, otherMet) || isBefore(other, otherMet, one, oneMet);
  }

 private:
  struct Come {
    std::uint32_t event = 0;    // the first one behind the barrier
    std::uint32_t meeting = 0;  // from 0 without gaps
  };
  // Threads that come to the same meetings are told apart by nothing here: they have one group.
  void findGroups();
  // A vector clock: what each group had done when a meeting was complete.
  void followMeetings(std::uint32_t meetings);
  bool isBefore(std::uint32_t one, std::uint32_t oneMet, std::uint32_t other, std::uint32_t otherMet) const;

  std::vector<std::vector<Come>> ofThread_;  // empty: no thread comes to such a barrier
  std::vector<std::uint32_t> groupOf_;       // by thread
  std::uint32_t groups_ = 0;
  // By meeting and group: at how many meetings the group's threads had been, itself among them, as far as
  // those know that met.
  std::vector<std::uint32_t> known_;
};

}  // namespace stridescope::analysis
