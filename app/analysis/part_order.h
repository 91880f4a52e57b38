// Which accesses of a block are ordered by barriers at which its other threads go on: those of a part of it,
// and those in shared memory (model::PartMeeting). Where there are any, warp barriers count as well: one lane
// may arrive for its warp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "model/trace.h"

namespace stridescope::analysis {

class PartOrder {
 public:
  PartOrder() = default;
  // Requires a block without a fault, and its rounds' operations.
  PartOrder(const model::BlockTrace& block, std::span<const Round> rounds);

  bool isEmpty() const { return ofThread_.empty(); }

  // How many acts at such barriers the thread made before its event. `event`: an index into
  // BlockTrace::events.
  std::uint32_t actsBefore(std::uint32_t thread, std::uint32_t event) const;

  // Whether what one thread does after so many acts, and before the next one, is ordered against what the
  // other does after so many: either way round.
  bool orders(std::uint32_t one, std::uint32_t oneActs, std::uint32_t other, std::uint32_t otherActs) const {
    return isBefore(one, oneActs, other, otherActs) || isBefore(other, otherActs, one, oneActs);
  }

 private:
  struct Act {
    std::uint32_t event = 0;    // the first one behind it
    std::uint32_t meeting = 0;  // from 0 without gaps
    model::MeetingPart part{};
  };
  void addMeetings(const model::BlockTrace& block);
  void addWarpBarriers(std::span<const Round> rounds);
  // Threads that make the same acts are told apart by nothing here: they have one group.
  void findGroups();
  // Vector clocks. false: they would take too much memory.
  bool followActs();
  bool isBefore(std::uint32_t one, std::uint32_t oneActs, std::uint32_t other, std::uint32_t otherActs) const;

  std::vector<std::vector<Act>> ofThread_;  // empty: no thread comes to such a barrier
  std::uint32_t meetings_ = 0;
  std::vector<std::uint32_t> groupOf_;  // by thread
  std::vector<std::uint32_t> ofGroup_;  // a thread of each group
  // By group, act and group: after how many acts of the second one's threads what they did before is known to
  // the first one's behind this act.
  std::vector<std::vector<std::uint32_t>> known_;
};

}  // namespace stridescope::analysis
