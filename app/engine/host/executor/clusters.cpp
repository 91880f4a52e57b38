// The blocks of a cluster: they wait for one another at its barrier, and reach each other's shared memory.
#include <algorithm>
#include <string>

#include "base/numbers.h"
#include "turns.h"

namespace recording {

using stridescope::figure;
using stridescope::model::ProblemKind;

void BlockRunner::enterCluster() {
  clusterSize = std::max(1u, launch_.cluster);
  clusterRank = clusterSize == 1 ? 0 : U32(block_ % clusterSize);
  cluster_ = nullptr;
  if (clusterSize == 1) return;
  std::shared_ptr<Cluster>& cluster = (*clusters_)[block_ / clusterSize];
  if (cluster == nullptr) {
    cluster = std::make_shared<Cluster>();
    cluster->blocks.resize(clusterSize);
  }
  cluster->blocks[clusterRank] = this;
  cluster_ = cluster;
}

// Whoever has returned is waited for no longer, as on a GPU.
void BlockRunner::leaveCluster() {
  isAtClusterBarrier_ = false;
  if (cluster_ == nullptr) return;
  cluster_->blocks[clusterRank] = nullptr;
  ++cluster_->ended;
  completeIfAllAreThere(*cluster_);
  if (cluster_->ended == clusterSize) clusters_->erase(block_ / clusterSize);
  cluster_ = nullptr;
}

void BlockRunner::completeIfAllAreThere(Cluster& cluster) {
  if (cluster.arrived == 0 || cluster.arrived + cluster.ended < cluster.blocks.size()) return;
  ++cluster.completed;
  cluster.arrived = 0;
}

// All threads of the block are at the cluster's barrier. False: it pauses, because other blocks are not, or
// ends, because none of them can come.
bool BlockRunner::passesClusterBarrier() {
  if (cluster_ == nullptr) return true;
  if (!isAtClusterBarrier_) {
    isAtClusterBarrier_ = true;
    clusterTurn_ = cluster_->completed;
    ++cluster_->arrived;
    completeIfAllAreThere(*cluster_);
  }
  if (!waitsForCluster()) return true;
  if (pauses_ == Pauses::Never) reportMissingBlocks();
  outcome_ = pauses_ == Pauses::Never ? BlockOutcome::Stopped : BlockOutcome::Paused;
  return false;
}

// Where the launch has stopped before, the others are missing for that reason.
void BlockRunner::reportMissingBlocks() {
  if (!problems_->empty()) return;
  const std::size_t missing = clusterSize - cluster_->arrived - cluster_->ended;
  report(ProblemKind::Deadlock,
         threadName(firstAtBarrier_) + " waits at the cluster's barrier for " + figure(missing) +
             (missing == 1 ? " block" : " blocks") +
             " of its cluster: nobody can go on. Let every block of the cluster reach the barrier.",
         int(barrierSite_), firstAtBarrier_);
}

HostThread& arriveAtClusterBarrier(U32 site) {
  BlockRunner& runner = BlockRunner::current();
  runner.isClusterBarrier_ = true;
  return runner.arriveAtBarrier(site, false);
}

// ---- Distributed shared memory.

// An array lies where it does once its block has come to the declaration, which is before the cluster's
// barrier where the kernel keeps CUDA's rule.
void* BlockRunner::sharedOf(U32 rank, std::uintptr_t address) {
  if (rank == clusterRank) return reinterpret_cast<void*>(address);
  if (rank >= clusterSize) {
    failThread("asks for the shared memory of block " + figure(rank) + " of its cluster, which has " +
                   figure(clusterSize) + (clusterSize == 1 ? " block" : " blocks") + ", from 0 on",
               -1);
  }
  for (U32 k = 0; k < kMaxSharedArrays; ++k) {
    const U64 offset = address - arrays[k].base;
    if (offset >= arrays[k].bytes) continue;
    const BlockRunner* const other = cluster_->blocks[rank];
    if (other == nullptr || other->arrays[k].bytes == 0)
      failThread("asks for the shared memory of block " + figure(rank) +
                     " of its cluster, which may not have begun, or has ended. Wait at cluster.sync() before "
                     "and after such accesses.",
                 -1);
    return reinterpret_cast<void*>(other->arrays[k].base + offset);
  }
  failThread("asks for another block's copy of what lies in no shared array", -1);
}

void* sharedOfRank(const volatile void* pointer, U32 rank) {
  return BlockRunner::current().sharedOf(rank, reinterpret_cast<std::uintptr_t>(pointer));
}

// Whether it lies in the shared memory of another block of the cluster. That block's own record has no such
// access, and this block's has it beside its events.
bool BlockRunner::isRemote(U32 site, std::uintptr_t address, U32 bytes) {
  for (U32 rank = 0; rank < clusterSize; ++rank) {
    const BlockRunner* const other = cluster_->blocks[rank];
    if (other == nullptr || other == this) continue;
    for (U32 k = 0; k < kMaxSharedArrays; ++k) {
      const U64 offset = address - other->arrays[k].base;
      if (offset >= other->arrays[k].bytes || other->arrays[k].bytes - offset < bytes) continue;
      if (recording_)
        remote_.push_back({.site = site,
                           .rank = rank,
                           .array = k,
                           .offset = offset,
                           .bytes = bytes,
                           .thread = running->thread,
                           .eventsBefore = eventsOfRunningThread(),
                           .barriersBefore = barrierCopies_.size()});
      return true;
    }
  }
  return false;
}

}  // namespace recording
