// One case a variant: what its rounds must be, derived by hand from the kernel's idea. The catalogue's test
// demands a case for every variant.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace stridescope::test {

struct RoundCase {
  std::optional<std::uint64_t> stride;
  unsigned activeLanes = 0;
};
using Rounds = std::vector<RoundCase>;

// What the first block does. Without a number of elements it has one block's load.
struct VariantCase {
  std::string_view id;
  Rounds rounds;
  unsigned threads = 256;
  std::uint64_t elements = 0;
  friend void PrintTo(const VariantCase& one, std::ostream* stream) { *stream << one.id; }
};

// How many threads make shared accesses or exchange something, and no stride that all of them have.
inline RoundCase without(unsigned activeLanes) { return {std::nullopt, activeLanes}; }

// Strides from `from` down to `to`, as many lanes as the stride is long.
inline Rounds halving(unsigned from, unsigned to = 1) {
  Rounds rounds;
  for (unsigned s = from; s >= to; s /= 2) rounds.push_back({s, s});
  return rounds;
}

// Strides 1, 2, 4, ...: `lanes` in the first, half as many in each further one, down to one.
inline Rounds growing(unsigned lanes) {
  Rounds rounds;
  for (unsigned s = 1; lanes > 0; s *= 2, lanes /= 2) rounds.push_back({s, lanes});
  return rounds;
}

// Strides 16, 8, 4, 2, 1, and the same lanes in each.
inline Rounds wholeWarps(unsigned lanes) {
  return {{16, lanes}, {8, lanes}, {4, lanes}, {2, lanes}, {1, lanes}};
}

inline Rounds joined(std::initializer_list<Rounds> parts) {
  Rounds all;
  for (const Rounds& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline std::vector<VariantCase> variantCases() {
  const Rounds load{without(256)}, loadPairs{{256, 256}}, write{without(1)};
  // Registers of 8 warps, the 8 slots, and the registers of the first warp, which writes as well.
  const Rounds shuffled = joined({wholeWarps(256), {without(8)}, wholeWarps(32)});
  // From stride 32 on the 32 lanes of one warp add, whether their results are needed or not.
  const Rounds unrolled = joined({halving(128, 32), wholeWarps(32), write});
  Rounds merges, mergesNear;
  for (unsigned element = 0; element < 3; ++element) {  // the heads, a tree of 32, the output
    merges = joined({merges, {without(32)}, halving(16), {without(32)}});
    mergesNear = joined({mergesNear, {without(32)}, growing(16), {without(32)}});
  }
  return {
      {"warm_up", joined({{without(8)}, halving(4), write}), 8},
      {"many_blocks", joined({{without(8)}, halving(4), write}), 8, 64},
      {"interleaved_and", joined({load, growing(128), write})},
      {"padded_tree", joined({load, growing(128), write})},  // the free words are not counted
      // 96 values, and half of them, rounded up; 3 values make one pair, and then 2 make the other.
      {"any_block_size",
       joined({{without(96)}, {{48, 48}, {24, 24}, {12, 12}, {6, 6}, {3, 3}, {2, 1}, {1, 1}}, write}), 96},
      {"butterfly", joined({{without(32)}, wholeWarps(32)}), 32},
      {"tile_columns", joined({{without(32)}, {without(32)}, wholeWarps(32)}), 32},
      {"padded_columns", joined({{without(32)}, {without(32)}, wholeWarps(32)}), 32},
      {"left_to_right", {without(1)}, 1},
      {"warp_volatile", {without(32), without(32)}, 32},
      {"missing_bound_check", joined({load, halving(128), write})},
      // From 3 the stride falls to 1.
      {"lost_elements",
       joined({{without(96)}, {{48, 48}, {24, 24}, {12, 12}, {6, 6}, {3, 3}, {1, 1}}, write}), 96},
      {"interleaved_modulo", joined({load, growing(128), write})},
      {"interleaved_contiguous", joined({load, growing(128), write})},
      {"sequential", joined({load, halving(128), write})},
      {"first_add_on_load", joined({loadPairs, halving(128), write})},
      {"unrolled_last_warp", joined({loadPairs, unrolled})},
      {"fully_unrolled", joined({loadPairs, unrolled})},
      {"grid_stride", joined({load, unrolled})},
      {"warp_shuffle", joined({load, shuffled})},
      // Neither a warp's instruction nor a group's reduction has a stride.
      {"warp_redux", {without(256), without(32)}},
      {"cooperative_groups", {without(256), without(32)}},
      {"vectorized_atomic", joined({load, shuffled})},
      // The inspected block, which is the last done of three: the same, then everybody reads who is last, and
      // the partial results go the same way once more.
      {"single_pass", joined({load, shuffled, load, shuffled}), 256, 3 * 256 * 16},
      {"acquire_release", joined({load, shuffled, load, shuffled}), 256, 3 * 256 * 16},
      // Block 0 of three: two of its threads wait for the others' words, and they are reduced like its
      // elements.
      {"one_message", joined({load, shuffled, {without(2)}, shuffled}), 256, 3 * 256 * 16},
      // Block 0 of 24, three clusters: it stores its result as the others of its cluster do, 8 lanes read
      // what the eight left, and two threads wait for the other clusters' words.
      {"cluster_sum",
       joined({load, shuffled, {without(1), without(8)}, wholeWarps(32), {without(2)}, shuffled}), 256,
       17 * 256 * 16},
      // Device 0 of two; in the last round one of its threads waits for the other's word.
      {"host_adds", joined({load, shuffled})},
      {"nvlink_message", joined({load, shuffled, write})},
      // Each step is a launch of one round.
      {"peer_loads", load},
      {"ring", load},
      {"tree", load},
      // The inspected block, which completes the count.
      {"sum_and_count", joined({load, shuffled}), 256, 3 * 256 * 16},
      {"warp_guarded", joined({{without(32)}, halving(16), write}), 32},
      {"warp_unguarded", joined({{without(32)}, wholeWarps(16), write}), 32},
      {"warp_padded", joined({{without(32)}, wholeWarps(32), write}), 32},
      // 8 warps, half of whose lanes take stride 16; then the first warp, and its lane 0 also writes.
      {"block_of_warps",
       joined({load, {{16, 128}, {8, 64}, {4, 32}, {2, 16}, {1, 8}}, {without(32)}, halving(16)})},
      {"two_per_thread", joined({load, growing(256), write})},
      // The first stride comes before the first barrier.
      {"global_memory", joined({halving(256), write})},
      {"k_way_merge", merges, 32, 3},
      {"k_way_merge_near", mergesNear, 32, 3},
      {"k_way_merge_interleaved", merges, 32, 3},
      // All strides in one round: the lanes' distances differ.
      {"missing_barrier", {without(256), without(128)}},
      {"warp_without_sync", joined({loadPairs, halving(128, 64), {without(32)}})},
      // The last stride and everybody's reading of the result.
      {"early_result",
       joined({load, {{1, 256}, {2, 128}, {4, 64}, {8, 32}, {16, 16}, {32, 8}, {64, 4}, {128, 2}}, load})},
      // The 8 lanes with a slot go on alone.
      {"wrong_mask", joined({load, wholeWarps(256), {without(8)}, wholeWarps(8)})},
      // Whoever stays out of the branch returns, and the executor lets the others through.
      {"divergent_barrier", joined({load, halving(128), write})},
      {"subtraction", joined({load, halving(128), write})},
  };
}

}  // namespace stridescope::test
