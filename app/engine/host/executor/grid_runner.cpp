#include "engine/host/executor/grid_runner.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace recording {

using stridescope::model::BlockOrder;

namespace {

std::size_t blocksTogether(BlockOrder order, unsigned threads) {
  if (order != BlockOrder::Interleaved) return 1;
  return std::clamp(GridRunner::kTogetherThreads / threads, 2u, GridRunner::kTogetherBlocks);
}

}  // namespace

GridRunner::GridRunner(BlockRunner& first, unsigned threads, const GridOrder& order)
    : first_(first),
      threads_(threads),
      order_(order),
      together_(blocksTogether(order.order, threads)),
      free_{&first} {
  if (order.order != BlockOrder::Random) return;
  shuffled_.resize(order.blocks / order.cluster - 1);
  std::iota(shuffled_.begin(), shuffled_.end(), 0);
  std::uint64_t state = order.seed;
  for (std::size_t left = shuffled_.size(); left > 1; --left)
    std::swap(shuffled_[left - 1], shuffled_[nextRandom(state) % left]);
}

BlockOutcome GridRunner::endOne() {
  for (;;) {
    if (!beginMore()) return BlockOutcome::NoMemory;
    const bool isStuck = waiting() == residents_.size();
    const std::size_t chosen = isStuck ? 0 : choose();
    const bool isAlone = residents_.size() == 1 && !hasMore();
    const Pauses pauses = isStuck || isAlone                        ? Pauses::Never
                          : order_.order == BlockOrder::Interleaved ? Pauses::AtBarriers
                                                                    : Pauses::AtWaits;
    last_ = chosen;
    const BlockOutcome outcome = goOn(residents_[chosen], pauses);
    if (outcome == BlockOutcome::Paused) continue;
    const std::uint64_t block = residents_[chosen].block;
    inspectedHasEnded_ = inspectedHasEnded_ || block == order_.inspected;
    if (isRecorded(block) && outcome != BlockOutcome::NoMemory)
      records_.emplace_back(block, residents_[chosen].runner->takeRecord());
    free_.push_back(residents_[chosen].runner);
    residents_.erase(residents_.begin() + std::ptrdiff_t(chosen));
    last_ = chosen - 1;  // the next one is the one behind
    ++ended_;
    return outcome;
  }
}

BlockOutcome GridRunner::endInspected() {
  if (inspectedHasEnded_) return BlockOutcome::Finished;
  inspectedHasEnded_ = true;
  const auto isInspected = [&](const Resident& each) { return each.block == order_.inspected; };
  const auto found = std::ranges::find_if(residents_, isInspected);
  Resident fresh{.runner = &first_, .block = order_.inspected};
  Resident& resident = found == residents_.end() ? fresh : *found;
  const BlockOutcome outcome = goOn(resident, Pauses::Never);
  if (outcome != BlockOutcome::NoMemory) records_.emplace_back(resident.block, resident.runner->takeRecord());
  return outcome;
}

BlockOutcome GridRunner::goOn(Resident& resident, Pauses pauses) {
  if (std::exchange(resident.hasBegun, true)) return resident.runner->resume(pauses);
  return resident.runner->run(resident.block, isRecorded(resident.block), pauses);
}

// For `more` blocks beside those that are there.
bool GridRunner::hasRoom(unsigned more) const {
  return residents_.empty() || (residents_.size() + more) * threads_ <= kMaxThreadsAtOnce;
}

std::uint64_t GridRunner::otherBlock(std::uint64_t place) const {
  const std::uint64_t size = order_.cluster, ofInspected = order_.inspected / size;
  const std::uint64_t clusters = order_.blocks / size, cluster = place / size;
  if (cluster < clusters - 1) return otherOf(cluster, clusters, ofInspected) * size + place % size;
  const std::uint64_t rank = place % size;  // in the inspected block's cluster, without that block
  return ofInspected * size + rank + (rank >= order_.inspected % size ? 1 : 0);
}

// The one at that place in the order of all but the inspected one: of blocks, or of clusters.
std::uint64_t GridRunner::otherOf(std::uint64_t place, std::uint64_t count, std::uint64_t inspected) const {
  const std::uint64_t other = order_.order == BlockOrder::Reversed ? count - 2 - place
                              : order_.order == BlockOrder::Random ? shuffled_[place]
                                                                   : place;
  return other + (other >= inspected ? 1 : 0);
}

std::uint64_t GridRunner::nextBlock() {
  ++begun_;
  const bool isLastPlace = !residents_.empty() && !hasRoom(2);
  if (!inspectedHasBegun_ && (isLastPlace || othersBegun_ == order_.blocks - 1)) {
    inspectedHasBegun_ = true;
    return order_.inspected;
  }
  return otherBlock(othersBegun_++);
}

// Begins blocks until as many can go on as take turns. False: the system gives no memory for one.
bool GridRunner::beginMore() {
  while (hasMore() && residents_.size() - waiting() < together_ && hasRoom(1)) {
    if (free_.empty()) {
      auto runner = std::make_unique<BlockRunner>();
      if (!runner->beginBeside(first_).empty()) return false;
      free_.push_back(more_.emplace_back(std::move(runner)).get());
    }
    const std::uint64_t block = nextBlock();
    residents_.push_back({.runner = free_.back(), .block = block});
    free_.pop_back();
  }
  return true;
}

// How many of them wait for another one.
std::size_t GridRunner::waiting() const {
  return std::size_t(std::ranges::count_if(
      residents_, [](const Resident& each) { return each.hasBegun && each.runner->waits(); }));
}

// The next one that does not wait, after the one that was last; there is one.
std::size_t GridRunner::choose() const {
  for (std::size_t ahead = 1;; ++ahead) {
    const std::size_t at = (last_ + ahead) % residents_.size();
    const Resident& each = residents_[at];
    if (!each.hasBegun || !each.runner->waits()) return at;
  }
}

}  // namespace recording
