// The words that lanes copied at warp barriers, found by the barrier.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/lane_mask.h"

namespace stridescope::analysis {

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
  std::vector<model::LaunchTrace::CopiedWord> words_;  // by thread, then barrier
  std::vector<std::uint32_t> first_;                   // of each thread in words_, and the end
  std::vector<std::uint32_t> next_, passed_;           // per thread: the next word, the warp barriers passed
};

}  // namespace stridescope::analysis
