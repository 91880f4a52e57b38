// Runs the blocks of one launch in the order that is asked for; where a block waits for another one, several
// of them go on in turn.
//
// The inspected block is recorded, and comes last in every order: a kernel in which the last block done
// finishes the work shows it doing so, as on a GPU, where recording makes that block by far the slowest.
// - In order, reversed: of the other blocks the one with the lowest number begins first, or the highest.
// - Random: any order of the other blocks, drawn by the seed: the list of them in order is shuffled from its
// end
//   on, each place exchanged with one that splitmix64 draws among those up to it (Fisher and Yates).
// - Interleaved: blocks begin in order. As many are there at once as an SM of an H100 holds, by their threads
//   (kTogetherThreads, kTogetherBlocks) and at least two; they take turns in the order in which they began,
//   and where one has ended, the next begins. A turn goes to the next block barrier, or, without one, until
//   each thread that can go on has made kTurnEvents events.
// Blocks of a cluster begin one after the other, as if they began together: the orders are of clusters. The
// inspected block's is the last, and in it the inspected block.
// In every order a block pauses where all of its threads that can go on wait for another one (meetings.cpp).
// While what they wait for is as it was, the other blocks go on, and more begin, up to kMaxThreadsAtOnce; of
// the last place there the inspected block is sure. Where nobody else can go on, the block that began first
// does, up to its limit of events.
//
// All is deterministic: the same launch in the same order gives the same trace and the same memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/host/executor/block_runner.h"
#include "model/experiment.h"

namespace recording {

struct GridOrder {
  std::uint64_t blocks = 1;
  std::uint64_t inspected = 0;  // below `blocks`
  stridescope::model::BlockOrder order = stridescope::model::BlockOrder::InOrder;
  std::uint64_t seed = 1;   // of BlockOrder::Random
  bool recordsAll = false;  // not the inspected block alone
  // How many of the blocks each device has; 0: there is one device. The block in the same place of each
  // device's grid as the inspected one is recorded, too.
  std::uint64_t ofDevice = 0;
  // Blocks of a cluster, of which `blocks` is a multiple; 1: there are none.
  unsigned cluster = 1;
};

class GridRunner {
 public:
  static constexpr unsigned kTogetherThreads = 2048, kTogetherBlocks = 32;
  static constexpr unsigned kMaxThreadsAtOnce = 16 * kMaxThreads;

  // `first` has begun the launch, whose blocks have so many `threads`. It outlives this.
  GridRunner(BlockRunner& first, unsigned threads, const GridOrder& order);

  // Goes on until one more block has ended; to be called while any has not. What is not Finished ends the
  // launch.
  BlockOutcome endOne();
  std::uint64_t ended() const { return ended_; }

  // What the inspected block did, which has ended last. After a launch that was stopped before it had ended,
  // it is run to its end first; the outcome is Finished if it has ended by itself.
  BlockOutcome endInspected();
  // With the blocks' numbers, in the order in which they ended.
  std::vector<std::pair<std::uint64_t, BlockRecord>> takeRecords() { return std::move(records_); }

 private:
  struct Resident {
    BlockRunner* runner = nullptr;
    std::uint64_t block = 0;
    bool hasBegun = false;
  };

  BlockOutcome goOn(Resident& resident, Pauses pauses);
  bool isRecorded(std::uint64_t block) const {
    const std::uint64_t period = order_.ofDevice == 0 ? order_.blocks : order_.ofDevice;
    return order_.recordsAll || block % period == order_.inspected % period;
  }
  bool hasMore() const { return begun_ < order_.blocks; }
  bool hasRoom(unsigned more) const;
  std::uint64_t nextBlock();
  std::uint64_t otherBlock(std::uint64_t place) const;
  std::uint64_t otherOf(std::uint64_t place, std::uint64_t count, std::uint64_t inspected) const;
  bool beginMore();
  std::size_t waiting() const;
  std::size_t choose() const;

  BlockRunner& first_;
  const unsigned threads_;
  const GridOrder order_;
  const std::size_t together_;           // blocks that take turns
  std::vector<std::uint64_t> shuffled_;  // of the random order: the other blocks, or clusters
  std::vector<std::unique_ptr<BlockRunner>> more_;
  std::vector<BlockRunner*> free_;
  std::vector<Resident> residents_;  // in the order in which they began
  std::size_t last_ = ~std::size_t{0};
  std::uint64_t begun_ = 0, othersBegun_ = 0, ended_ = 0;
  bool inspectedHasBegun_ = false, inspectedHasEnded_ = false;
  std::vector<std::pair<std::uint64_t, BlockRecord>> records_;
};

// The executor's random numbers: splitmix64.

// The state steps by a constant, the number is the state, mixed.
inline std::uint64_t nextRandom(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

}  // namespace recording
