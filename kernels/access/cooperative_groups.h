// Cooperative groups (CUDA C++ Programming Guide, Cooperative Groups): the block, tiles of a warp, the lanes
// that are together, and the grid. Ranks follow CUDA's: along x, then y, then z.
#pragma once

#include "cuda_device.h"

namespace cooperative_groups {

using accesses::U32;

template <unsigned size, class Parent>
class thread_block_tile;

// Any of the groups within a block, when its kind is not in the type: the whole block, or lanes of a warp.
class thread_group {
 public:
  ACCESS_CALL void sync() const {
    if (wholeBlock_) {
      accesses::hooks->blockBarrier(accesses::BarrierVote::None, 0, ACCESS_PLACE);
    } else {
      accesses::hooks->warpBarrier(lanes_, ACCESS_PLACE);
    }
  }
  ACCESS_INLINE unsigned long long size() const { return count(); }
  ACCESS_INLINE unsigned long long num_threads() const { return count(); }
  ACCESS_INLINE unsigned long long thread_rank() const { return rank(); }
  ACCESS_INLINE bool is_valid() const { return true; }

  // For the functions of this folder.
  ACCESS_INLINE bool wholeBlock() const { return wholeBlock_; }
  ACCESS_INLINE U32 lanes() const { return lanes_; }

 protected:
  ACCESS_INLINE thread_group(bool wholeBlock, U32 lanes) : wholeBlock_(wholeBlock), lanes_(lanes) {}
  friend thread_group tiled_partition(const thread_group& parent, unsigned size);

  ACCESS_INLINE U32 count() const {
    if (!wholeBlock_) return static_cast<U32>(__builtin_popcount(lanes_));
    const dim3 shape = accesses::blockShape();
    return shape.x * shape.y * shape.z;
  }
  ACCESS_INLINE U32 rank() const {
    if (wholeBlock_) return accesses::hooks->thread();
    return static_cast<U32>(__builtin_popcount(lanes_ & ((1u << accesses::hooks->lane()) - 1)));
  }

 private:
  bool wholeBlock_;
  U32 lanes_;
};

class thread_block : public thread_group {
 public:
  ACCESS_INLINE thread_block() : thread_group(true, 0) {}
  ACCESS_CALL static void sync() {
    accesses::hooks->blockBarrier(accesses::BarrierVote::None, 0, ACCESS_PLACE);
  }
  ACCESS_INLINE static unsigned thread_rank() { return accesses::hooks->thread(); }
  ACCESS_INLINE static unsigned size() { return thread_block().count(); }
  ACCESS_INLINE static unsigned num_threads() { return thread_block().count(); }
  ACCESS_INLINE static dim3 group_index() { return accesses::blockIndex(); }
  ACCESS_INLINE static dim3 thread_index() { return accesses::threadIndex(); }
  ACCESS_INLINE static dim3 group_dim() { return accesses::blockShape(); }
  ACCESS_INLINE static dim3 dim_threads() { return accesses::blockShape(); }
};
ACCESS_INLINE thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  template <class T = void>
  void sync() const {
    static_assert(accesses::never<T>,
                  "grid.sync() waits for all blocks at once; here a block is stepped after the other.");
  }
  ACCESS_INLINE bool is_valid() const { return false; }
  ACCESS_INLINE unsigned long long num_blocks() const {
    const dim3 grid = accesses::gridShape();
    return static_cast<unsigned long long>(grid.x) * grid.y * grid.z;
  }
  ACCESS_INLINE unsigned long long block_rank() const {
    const uint3 index = accesses::blockIndex();
    const dim3 grid = accesses::gridShape();
    return (static_cast<unsigned long long>(index.z) * grid.y + index.y) * grid.x + index.x;
  }
  ACCESS_INLINE unsigned long long num_threads() const { return num_blocks() * thread_block::size(); }
  ACCESS_INLINE unsigned long long size() const { return num_threads(); }
  ACCESS_INLINE unsigned long long thread_rank() const {
    return block_rank() * thread_block::size() + accesses::hooks->thread();
  }
  ACCESS_INLINE dim3 group_dim() const { return accesses::gridShape(); }
  ACCESS_INLINE dim3 dim_blocks() const { return accesses::gridShape(); }
  ACCESS_INLINE dim3 block_index() const { return accesses::blockIndex(); }
};
ACCESS_INLINE grid_group this_grid() { return {}; }

// ---- Groups of lanes of one warp.

// A value of any size, 8 bytes at a time.
template <class T>
ACCESS_INLINE T shuffleLanes(U32 mask, const T& value, U32 source, const void* place) {
  T received = value;
  for (U32 at = 0; at < sizeof(T); at += 8) {
    const U32 bytes = sizeof(T) - at < 8 ? static_cast<U32>(sizeof(T)) - at : 8;
    accesses::U64 bits = 0;
    __builtin_memcpy(&bits, reinterpret_cast<const char*>(&value) + at, bytes);
    bits = accesses::hooks->shuffle(mask, bits, bytes, source, place);
    __builtin_memcpy(reinterpret_cast<char*>(&received) + at, &bits, bytes);
  }
  return received;
}

// The lane that has a rank among the given ones.
ACCESS_INLINE U32 nthLane(U32 lanes, U32 rank) {
  for (; rank > 0; --rank) lanes &= lanes - 1;
  return static_cast<U32>(__builtin_ctz(lanes));
}

// What tiles and coalesced groups have in common. A rank beyond the group keeps its own value.
class LaneGroup : public thread_group {
 public:
  ACCESS_CALL void sync() const { accesses::hooks->warpBarrier(lanes(), ACCESS_PLACE); }
  ACCESS_INLINE unsigned size() const { return count(); }
  ACCESS_INLINE unsigned num_threads() const { return count(); }
  ACCESS_INLINE unsigned thread_rank() const { return rank(); }

  template <class T>
  ACCESS_CALL T shfl(T value, int source) const {
    return shuffleLanes(lanes(), value, laneOf(static_cast<U32>(source) % count()), ACCESS_PLACE);
  }
  template <class T>
  ACCESS_CALL T shfl_up(T value, unsigned delta) const {
    return shuffleLanes(lanes(), value, laneOf(rank() >= delta ? rank() - delta : rank()), ACCESS_PLACE);
  }
  template <class T>
  ACCESS_CALL T shfl_down(T value, unsigned delta) const {
    return shuffleLanes(lanes(), value, laneOf(delta < count() - rank() ? rank() + delta : rank()),
                        ACCESS_PLACE);
  }
  ACCESS_CALL int any(int predicate) const {
    return accesses::hooks->vote(accesses::LaneVote::Any, lanes(), predicate != 0, ACCESS_PLACE) != 0;
  }
  ACCESS_CALL int all(int predicate) const {
    return accesses::hooks->vote(accesses::LaneVote::All, lanes(), predicate != 0, ACCESS_PLACE) != 0;
  }
  ACCESS_CALL unsigned ballot(int predicate) const {
    return byRank(accesses::hooks->vote(accesses::LaneVote::Ballot, lanes(), predicate != 0, ACCESS_PLACE));
  }
  template <class T>
  ACCESS_CALL unsigned match_any(T value) const {
    return byRank(accesses::matchAny(lanes(), value, ACCESS_PLACE));
  }
  template <class T>
  ACCESS_CALL unsigned match_all(T value, int& all) const {
    return byRank(accesses::matchAll(lanes(), value, &all, ACCESS_PLACE));
  }

 protected:
  ACCESS_INLINE explicit LaneGroup(U32 lanes) : thread_group(false, lanes) {}

  // The lane of a rank, and lanes as a set of ranks.
  ACCESS_INLINE U32 laneOf(U32 rank) const { return nthLane(lanes(), rank); }
  ACCESS_INLINE U32 byRank(U32 set) const {
    U32 ranks = 0, rank = 0;
    for (U32 left = lanes(); left != 0; left &= left - 1, ++rank) {
      if ((set & left & -left) != 0) ranks |= 1u << rank;
    }
    return ranks;
  }
};

// The lanes of the segment of `size` lanes in which the running one is.
ACCESS_INLINE U32 segmentLanes(U32 size) {
  return (size >= 32 ? 0xffffffffu : (1u << size) - 1) << accesses::hooks->lane() / size * size;
}

template <unsigned kSize, class Parent = void>
class thread_block_tile : public LaneGroup {
  static_assert(kSize != 0 && kSize <= 32 && (kSize & (kSize - 1)) == 0,
                "A tile can be stepped with a power of two of threads, at most 32.");

 public:
  // From an outer group, by the partition.
  ACCESS_INLINE thread_block_tile(U32 metaRank, U32 metaSize)
      : LaneGroup(segmentLanes(kSize)), metaRank_(metaRank), metaSize_(metaSize) {}
  template <class Other>
  ACCESS_INLINE thread_block_tile(const thread_block_tile<kSize, Other>& tile)
      : thread_block_tile(tile.meta_group_rank(), tile.meta_group_size()) {}

  ACCESS_INLINE static constexpr unsigned size() { return kSize; }
  ACCESS_INLINE static constexpr unsigned num_threads() { return kSize; }
  ACCESS_INLINE unsigned meta_group_rank() const { return metaRank_; }
  ACCESS_INLINE unsigned meta_group_size() const { return metaSize_; }
  template <class T>
  ACCESS_CALL T shfl_xor(T value, unsigned laneMask) const {
    const U32 other = rank() ^ laneMask;
    return shuffleLanes(lanes(), value, laneOf(other < kSize ? other : rank()), ACCESS_PLACE);
  }

 private:
  U32 metaRank_, metaSize_;
};

template <unsigned size>
ACCESS_INLINE thread_block_tile<size, thread_block> tiled_partition(const thread_block& block) {
  return {block.thread_rank() / size, (block.size() + size - 1) / size};
}
template <unsigned size, unsigned outer, class Parent>
ACCESS_INLINE thread_block_tile<size, thread_block_tile<outer, Parent>> tiled_partition(
    const thread_block_tile<outer, Parent>& tile) {
  static_assert(size <= outer, "A tile is no larger than the tile that it is part of.");
  return {tile.thread_rank() / size, outer / size};
}

class coalesced_group : public LaneGroup {
 public:
  ACCESS_INLINE explicit coalesced_group(U32 lanes, U32 metaRank = 0, U32 metaSize = 1)
      : LaneGroup(lanes), metaRank_(metaRank), metaSize_(metaSize) {}
  ACCESS_INLINE unsigned meta_group_rank() const { return metaRank_; }
  ACCESS_INLINE unsigned meta_group_size() const { return metaSize_; }

 private:
  U32 metaRank_, metaSize_;
};
ACCESS_CALL coalesced_group coalesced_threads() {
  return coalesced_group(accesses::hooks->activeLanes(ACCESS_PLACE));
}
// The lanes whose predicate is the caller's.
ACCESS_CALL coalesced_group binary_partition(const LaneGroup& group, bool predicate) {
  const U32 set = accesses::hooks->vote(accesses::LaneVote::Ballot, group.lanes(), predicate, ACCESS_PLACE);
  return coalesced_group(predicate ? set & group.lanes() : ~set & group.lanes());
}
// The lanes whose label is the caller's. The groups are numbered by their lowest lanes.
template <class Label>
ACCESS_CALL coalesced_group labeled_partition(const LaneGroup& group, Label label) {
  const U32 same = accesses::matchAny(group.lanes(), label, ACCESS_PLACE);
  const U32 lowest = same & -same;
  const U32 lowestOfAll = accesses::hooks->vote(accesses::LaneVote::Ballot, group.lanes(),
                                                lowest >> accesses::hooks->lane() & 1, ACCESS_PLACE);
  return coalesced_group(same, static_cast<U32>(__builtin_popcount(lowestOfAll & (lowest - 1))),
                         static_cast<U32>(__builtin_popcount(lowestOfAll)));
}
// A size that is known when the kernel runs.
ACCESS_INLINE thread_group tiled_partition(const thread_group&, unsigned size) {
  return thread_group(false, segmentLanes(size));
}

// ---- The groups' functions as functions.

ACCESS_CALL void sync(const thread_group& group) {
  if (group.wholeBlock()) {
    accesses::hooks->blockBarrier(accesses::BarrierVote::None, 0, ACCESS_PLACE);
  } else {
    accesses::hooks->warpBarrier(group.lanes(), ACCESS_PLACE);
  }
}
template <class Group>
ACCESS_INLINE unsigned thread_rank(const Group& group) {
  return static_cast<unsigned>(group.thread_rank());
}
template <class Group>
ACCESS_INLINE unsigned group_size(const Group& group) {
  return static_cast<unsigned>(group.size());
}

// The operators that cooperative groups' reductions and scans are given (CUDA C++ Programming Guide,
// Cooperative Groups, reduce), and how a group's lanes combine their values.

// `kFold`: which of the program's reductions it is.
#define ACCESS_OPERATOR(name, fold, result)                       \
  template <class T = void>                                       \
  struct name {                                                   \
    static constexpr accesses::Fold kFold = accesses::Fold::fold; \
    ACCESS_INLINE T operator()(T a, T b) const { return result; } \
  };                                                              \
  template <>                                                     \
  struct name<void> {                                             \
    static constexpr accesses::Fold kFold = accesses::Fold::fold; \
    template <class T>                                            \
    ACCESS_INLINE T operator()(T a, T b) const {                  \
      return result;                                              \
    }                                                             \
  };
ACCESS_OPERATOR(plus, Add, static_cast<T>(a + b))
ACCESS_OPERATOR(less, Min, b < a ? b : a)
ACCESS_OPERATOR(greater, Max, a < b ? b : a)
ACCESS_OPERATOR(bit_and, And, static_cast<T>(a& b))
ACCESS_OPERATOR(bit_or, Or, static_cast<T>(a | b))
ACCESS_OPERATOR(bit_xor, Xor, static_cast<T>(a ^ b))
#undef ACCESS_OPERATOR

// By the program, where it has the operator and the value fits.
template <class T, class Operator>
ACCESS_INLINE accesses::U64 foldBy(accesses::U64 left, accesses::U64 right) {
  return accesses::bitsOf<T>(Operator()(accesses::fromBits<T>(left), accesses::fromBits<T>(right)));
}
template <class T, class Operator>
concept Folded = sizeof(T) <= 8 && requires {
  Operator::kFold;
};

// By shuffles elsewhere: every lane is given each lane's value and combines them in the lanes' order.
template <class T, class Operator>
ACCESS_INLINE T combineLanes(U32 lanes, const T& value, Operator combine, const void* place) {
  if constexpr (Folded<T, Operator>) {
    return accesses::fromBits<T>(accesses::hooks->reduce(Operator::kFold, lanes, accesses::bitsOf<T>(value),
                                                         sizeof(T), &foldBy<T, Operator>, place));
  } else {
    T result = shuffleLanes(lanes, value, static_cast<U32>(__builtin_ctz(lanes)), place);
    for (U32 left = lanes & (lanes - 1); left != 0; left &= left - 1) {
      result = combine(result, shuffleLanes(lanes, value, static_cast<U32>(__builtin_ctz(left)), place));
    }
    return result;
  }
}

}  // namespace cooperative_groups
