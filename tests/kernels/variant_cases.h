// One case a variant: what its rounds must be with 256 threads, derived by hand from the kernel's idea. The
// catalogue's test demands a case for every variant.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace stridescope::test {

struct RoundCase {
  std::optional<std::uint64_t> stride;
  unsigned activeLanes = 0;
};

struct VariantCase {
  std::string_view id;
  std::vector<RoundCase> rounds;  // 256 threads, one block's load
  friend void PrintTo(const VariantCase& one, std::ostream* stream) { *stream << one.id; }
};

inline std::vector<VariantCase> variantCases() {
  const RoundCase load{std::nullopt, 256}, loadPairs{256, 256}, write{std::nullopt, 1};
  return {
      {"interleaved_modulo",
       {load, {1, 128}, {2, 64}, {4, 32}, {8, 16}, {16, 8}, {32, 4}, {64, 2}, {128, 1}, write}},
      {"interleaved_contiguous",
       {load, {1, 128}, {2, 64}, {4, 32}, {8, 16}, {16, 8}, {32, 4}, {64, 2}, {128, 1}, write}},
      {"sequential", {load, {128, 128}, {64, 64}, {32, 32}, {16, 16}, {8, 8}, {4, 4}, {2, 2}, {1, 1}, write}},
      {"first_add_on_load",
       {loadPairs, {128, 128}, {64, 64}, {32, 32}, {16, 16}, {8, 8}, {4, 4}, {2, 2}, {1, 1}, write}},
      // From stride 32 on the 32 lanes of one warp add, whether their results are needed or not.
      {"unrolled_last_warp",
       {loadPairs, {128, 128}, {64, 64}, {32, 32}, {16, 32}, {8, 32}, {4, 32}, {2, 32}, {1, 32}, write}},
  };
}

}  // namespace stridescope::test
