// Data races: two accesses of different threads to the same memory, at least one of them a write, that
// nothing orders, but for those that are atomic or hand over (model::Site). Found by a vector clock per lane,
// from the block's own accesses:
//
// - A block barrier orders everything before it against everything after it.
// - A warp barrier orders the lanes of its mask.
// - A barrier of a part of the block, or one in shared memory, orders what its threads do before they arrive
// there against what those do that have waited.
// - Fences order where a thread found in a word what another one had written there behind a fence: the
// recorder tells of it as of such a barrier (model::PartMeeting).
// - Shuffles, votes, reductions, and atomics without fences order nothing. Nor does it count that lanes of a
// warp may run in lockstep.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"
#include "base/memory_limits.h"
#include "model/trace.h"

namespace stridescope::analysis {

struct RaceSearch {
  // At most one for each pair of sites in each round, in order of the second access.
  std::vector<Race> races{};
  // The round in which the search ended early: what it has to remember did not fit into the budget, it would
  // have taken minutes, or there are tens of thousands of races.
  std::optional<std::uint32_t> endedIn{};
  bool isOrderUnknown = false;  // that is why: threads met more often than can be followed
};

// Needs the rounds' operations and ends. Takes nothing of the budget: what it remembers is forgotten at the
// end.
RaceSearch findRaces(const model::LaunchTrace& launch, std::span<const model::Site> sites,
                     const std::vector<Round>& rounds, const MemoryBudget& budget);

// Who touched which piece of memory since the last block barrier, and which of that is ordered before what a
// lane does now.

// Accesses of one warp's lanes at one site in one phase of the warp (WarpClock) to one piece of memory.
struct PastAccess {
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;
  std::uint32_t phase = 0;
  std::uint32_t acts = 0;  // that the lanes had made at barriers of a part of the block (PartOrder)
  std::uint32_t next = 0;  // the place in the history of the one before it of the same piece, plus 1; 0: none
  std::uint16_t site = 0;
  model::EventKind kind{};
  std::uint8_t width = 0;  // bytes
};

// A hash table from a piece of memory to its accesses; forgetting costs nothing.
class AccessHistory {
 public:
  // The head of the piece's list, to be read and to be changed: a place plus 1, as PastAccess::next. Valid
  // until the next call.
  std::uint32_t& headOf(std::uint64_t piece);

  PastAccess& at(std::uint32_t link) { return accesses_[link - 1]; }

  // Puts an access at the head of the list. Invalidates references that at() gave.
  void add(std::uint32_t& head, PastAccess access) {
    access.next = head;
    accesses_.push_back(access);
    head = std::uint32_t(accesses_.size());
  }

  void forgetAll();

  std::uint64_t bytes() const {
    return slots_.size() * sizeof(Slot) + accesses_.capacity() * sizeof(PastAccess);
  }

 private:
  struct Slot {
    std::uint64_t piece = 0;
    std::uint32_t generation = 0;  // slots of earlier generations are empty
    std::uint32_t head = 0;
  };
  void grow();
  Slot& find(std::uint64_t piece);

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // a power of two
  std::size_t used_ = 0;
  std::uint32_t generation_ = 1;
  std::vector<PastAccess> accesses_;
};

// What the lanes of one warp know of each other: which of a lane's accesses are ordered before what another
// lane does now. Only warp barriers order lanes of a warp between two block barriers; shuffles, votes and
// reductions pass values in registers and order no memory.
//
// A warp's time is counted in phases: each of its warp barriers, whichever lanes take part, ends one.
class WarpClock {
 public:
  std::uint32_t phase() const { return phase_; }

  // The lanes of the mask meet at a warp barrier: what each of them, or a lane that it knew of, did up to
  // here is ordered before what any of them does next.
  void meet(std::uint32_t lanes);

  // Lanes of `lanes`, other than `lane`, whose accesses in the given phase are not ordered before what `lane`
  // does now.
  std::uint32_t unordered(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const {
    lanes &= ~bitOf(lane);
    if (lanes == 0 || phase < seenOfAll_[lane]) return 0;
    return unorderedOneByOne(lanes, phase, lane);
  }

 private:
  std::uint32_t unorderedOneByOne(std::uint32_t lanes, std::uint32_t phase, unsigned lane) const;

  using PhasePerLane = std::array<std::uint32_t, model::kWarpSize>;
  // seen_[a][b]: accesses of lane b in phases before this one are ordered before what lane a does now.
  std::array<PhasePerLane, model::kWarpSize> seen_{};
  PhasePerLane seenOfAll_{};  // the least over all other lanes
  std::uint32_t phase_ = 0;
};

// Which of a race's two accesses came first. The events of different threads have no order: only the values
// tell. A load that found what the store wrote came after it; one that found what was there before came
// before it; if both are stores, the later one's value remains. Where a value may come from several places,
// where both orders give the same, and with atomics, the order is unknown.

// Finds the events of both accesses, their rounds and passes, and the order: `first` happened first where
// orderKnown is set. If one thread makes several accesses by one site, the load is the last one, and the
// store the last one before it, or else the first one. Needs the rounds' operations, ends and snapshots. Very
// many races leave the later ones without an order.
void findOrders(const model::LaunchTrace& launch, const std::vector<Round>& rounds, std::vector<Race>& races);

// Which accesses of a block are ordered by barriers at which its other threads go on, those of a part of it,
// and those in shared memory, or by words of memory (model::PartMeeting). Where there are any, warp barriers
// count as well: one lane may arrive for its warp.

class PartOrder {
 public:
  PartOrder() = default;
  // Requires a block without a fault, and its rounds' operations.
  PartOrder(const model::BlockTrace& block, std::span<const Round> rounds);

  bool isEmpty() const { return ofThread_.empty(); }
  // There are more than can be followed: what is ordered is not known.
  bool isUnknown() const { return isUnknown_; }

  // How many acts at such barriers the thread made before its event; those with no event between them are
  // one. `event`: an index into BlockTrace::events.
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
    std::uint32_t number =
        0;  // of the thread, from 0; the same as that of the act before: no event is between
  };
  void addMeetings(const model::BlockTrace& block);
  void addWarpBarriers(std::span<const Round> rounds);
  void numberActs();
  // Threads that make the same acts are told apart by nothing here: they have one group.
  void findGroups();
  // Vector clocks. false: they would take too much memory.
  bool followActs();
  bool isBefore(std::uint32_t one, std::uint32_t oneActs, std::uint32_t other, std::uint32_t otherActs) const;

  bool isUnknown_ = false;
  std::vector<std::vector<Act>> ofThread_;  // empty: no thread comes to such a barrier
  std::uint32_t meetings_ = 0;
  std::vector<std::uint32_t> groupOf_;  // by thread
  std::vector<std::uint32_t> ofGroup_;  // a thread of each group
  // By group, act and group: after how many acts of the second one's threads what they did before is known to
  // the first one's behind this act.
  std::vector<std::vector<std::uint32_t>> known_;
};

}  // namespace stridescope::analysis
