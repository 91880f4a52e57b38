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

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/event_groups.h"
#include "model/trace.h"

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

// Where the shared arrays lie in a snapshot: one after another, in the order of LaunchTrace::shared.

class SharedLayout {
 public:
  explicit SharedLayout(const model::LaunchTrace& launch) {
    arrays_ =
        launch.recorded().shared.size() < begin_.size() ? launch.recorded().shared.size() : begin_.size();
    for (std::size_t i = 0; i < arrays_; ++i) {
      begin_[i] = bytes_;
      bytes_ += std::size_t(launch.recorded().shared[i].bytes);
    }
  }

  std::size_t bytes() const { return bytes_; }  // all arrays together

  // Where array k begins.
  std::size_t beginOf(std::size_t array) const { return begin_[array]; }

  // Whether the bytes of an access to shared memory lie in its array, as in a trace without a fault they do.
  // What writes to a copy of shared memory asks all the same.
  bool holds(const model::Event& event) const {
    const std::size_t array = event.sharedArray();
    const std::size_t end = array + 1 < begin_.size() && array + 1 < arrays_ ? begin_[array + 1] : bytes_;
    const std::size_t bytes = event.width() < 8 ? event.width() : 8;
    return array < arrays_ && event.offset() <= end - begin_[array] &&
           bytes <= end - begin_[array] - std::size_t(event.offset());
  }

  // Where the bytes of an access to shared memory (or of a Copied event) begin.
  std::size_t beginOf(const model::Event& event) const {
    return begin_[event.sharedArray()] + std::size_t(event.offset());
  }

 private:
  std::array<std::size_t, recording::kMaxSharedArrays> begin_{};
  std::size_t arrays_ = 0, bytes_ = 0;
};

// Shared memory as the stores of a trace make it.

class Replay {
 public:
  explicit Replay(const model::LaunchTrace& launch);
  Replay(const model::LaunchTrace& launch, const Snapshot& start);  // `start`: a snapshot of this launch

  // Applies the operation if it writes to shared memory. What an atomic leaves depends on the order of
  // threads and is not in the trace: its bytes become unknown until they are stored again.
  void apply(const WarpOperation& operation);

  // Takes over what was really there: all of shared memory (other sizes are ignored), or one copied word.
  void adopt(const std::vector<std::uint8_t>& barrierCopy);
  void adopt(const model::Event& copiedWord);

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }
  const std::vector<bool>& known() const { return known_; }  // bytes() is right there
  const std::vector<bool>& everWritten() const {
    return written_;
  }  // by a store, an atomic, or somebody else

 private:
  void write(const model::Event& event, model::EventKind kind);
  void noteStoresOfOthers(const std::vector<std::uint8_t>& barrierCopy);

  const model::LaunchTrace& launch_;
  SharedLayout layout_;
  std::vector<std::uint8_t> bytes_;
  std::vector<bool> known_, written_;
  std::vector<std::uint8_t> lastCopy_;  // empty: no barrier has completed
};

}  // namespace stridescope::analysis
