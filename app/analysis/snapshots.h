// Shared memory after each round.
//
// - Round ended by a block barrier: the copy that was taken there. Where there is none, as the barrier never
//   completed: replayed.
// - Round ended by warp barriers or shuffles: what the round before left, with the words on it that lanes
//   copied at this round's warp barriers. Copied if there are such words, else carried.
// - The round after the last block barrier: replayed from its stores.
//
// A byte is known if it has ever been written by then, and if what the snapshot holds for it is from after
// that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/lane_mask.h"

namespace stridescope::analysis {

// The words that lanes copied at warp barriers, found by the barrier.
class CopiedWords {
 public:
  explicit CopiedWords(const model::LaunchTrace& launch);

  bool empty() const { return words_.empty(); }

  // What the lanes copied at their next warp barrier, which is this operation: calls visit(event) for each
  // word, lane after lane. Call it for every WarpBarrier operation of the launch, in order of the rounds.
  template <class Visit>
  void visitNext(const WarpOperation& warpBarrier, Visit visit) {
    forEachLane(warpBarrier.mask, [&](unsigned lane) {
      const std::uint32_t thread = warpBarrier.warp * model::kWarpSize + lane;
      const std::uint32_t barrier = passed_[thread]++;
      for (std::uint32_t& i = next_[thread]; i < first_[thread + 1] && words_[i].barrier <= barrier; ++i)
        if (words_[i].barrier == barrier) visit(words_[i].event);
    });
  }

 private:
  std::vector<model::BlockTrace::CopiedWord> words_;  // by thread, then barrier
  std::vector<std::uint32_t> first_;                  // where each thread begins in words_, and the end
  std::vector<std::uint32_t> next_, passed_;          // per thread: the next word, the warp barriers passed
};

// Fills in the snapshots of all rounds of a launch. Needs their operations and ends.
void findSnapshots(const model::LaunchTrace& launch, std::vector<Round>& rounds);

}  // namespace stridescope::analysis
