// The clocked text: what is put beside barriers and shuffles, and nothing else. Written by hand from
// clocking/clock.h.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "instrument/instrument.h"

namespace stridescope::instrument {
namespace {

std::string clocked(const std::string& text) {
  const auto result = instrument(text);
  EXPECT_TRUE(result) << result.error().reason;
  return result ? result->clocked.marked : std::string();
}

TEST(ClockedText, MarksBarriersAndShufflesAndTheKernelsBeginning) {
  EXPECT_EQ(clocked("__global__ void k(T* data) {\n"
                    "  T v = data[0];\n"
                    "  __syncthreads();\n"
                    "  int n = __syncthreads_count(v > 0);\n"
                    "  __syncwarp();\n"
                    "  __syncwarp(0xff);\n"
                    "  v = combine(v, __shfl_down_sync(0xffffffff, v, 16));\n"
                    "  if (__any_sync(0xffffffff, v > 0)) data[n] = v;\n"
                    "}\n"),
            "__device__ __forceinline__ void k(T* data) { clocking::Clock clocking_clock;\n"
            "  T v = data[0];\n"
            "  clocking::syncthreads(clocking_clock, 2);\n"
            "  int n = clocking::syncthreads_count(clocking_clock, 3, v > 0);\n"
            "  clocking::syncwarp(clocking_clock, 4);\n"
            "  clocking::syncwarp(clocking_clock, 5, 0xff);\n"
            "  v = combine(v, clocking::shfl_down_sync(clocking_clock, 6, 0xffffffff, v, 16));\n"
            "  if (__any_sync(0xffffffff, v > 0)) data[n] = v;\n"
            "}\n");
}

TEST(ClockedText, MarksTheClustersBarrierAsOne) {
  EXPECT_EQ(clocked("#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "__global__ void k(T* data) { auto cluster = cg::this_cluster(); cluster.sync(); }\n"),
            "#include <cooperative_groups.h>\n"
            "namespace cg = cooperative_groups;\n"
            "__device__ __forceinline__ void k(T* data) { clocking::Clock clocking_clock; "
            "auto cluster = cg::this_cluster(); clocking::synccluster(clocking_clock, 0); }\n");
}

TEST(ClockedText, GivesTheClockToFunctionsThatMarkAndToNoOthers) {
  EXPECT_EQ(clocked("__device__ T twice(T v) { return v + v; }\n"
                    "__device__ void meet() { __syncthreads(); }\n"
                    "__device__ T lower(T v, int s) { meet(); return __shfl_xor_sync(~0u, twice(v), s); }\n"
                    "__global__ void k(T* data) { data[0] = twice(lower(data[1], 4)); meet(); }\n"),
            "__device__ T twice(T v) { return v + v; }\n"
            "__device__ void meet(clocking::Clock& clocking_clock) "
            "{ clocking::syncthreads(clocking_clock, 1); }\n"
            "__device__ T lower(clocking::Clock& clocking_clock, T v, int s) { meet(clocking_clock); "
            "return clocking::shfl_xor_sync(clocking_clock, 3, ~0u, twice(v), s); }\n"
            "__device__ __forceinline__ void k(T* data) { clocking::Clock clocking_clock; "
            "data[0] = twice(lower(clocking_clock, data[1], 4)); meet(clocking_clock); }\n");
}

TEST(ClockedText, StandsBesideThePlainTextAndTheKernelsParameters) {
  const auto result =
      instrument("__global__ void __launch_bounds__(256) k(const T* in,\n  T* out) { out[0] = in[0]; }\n");
  ASSERT_TRUE(result) << result.error().reason;
  EXPECT_EQ(result->clocked.plain,
            "__device__ __forceinline__ void  k(const T* in,\n  T* out) { out[0] = in[0]; }\n");
  EXPECT_EQ(result->clocked.parameters, "const T* in,\n  T* out");
}

// Without the marks it is the person's text, for every kernel of the catalogue.
TEST(ClockedText, IsTheKernelsOwnButForTheMarks) {
  std::size_t kernels = 0;
  for (const auto& entry : std::filesystem::directory_iterator(STRIDESCOPE_KERNELS)) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::string own = clocked(text);
    const auto remove = [&](const std::string& part) {
      for (std::size_t at = 0; (at = own.find(part, at)) != std::string::npos;) own.erase(at, part.size());
    };
    remove(" clocking::Clock clocking_clock;");
    remove("clocking::Clock& clocking_clock, ");
    remove("clocking::Clock& clocking_clock");
    for (std::size_t at = 0; (at = own.find("clocking::", at)) != std::string::npos;) {
      const std::size_t open = own.find("(clocking_clock, ", at), digits = open + 17;
      std::size_t end = own.find_first_not_of("0123456789", digits);
      if (own.compare(end, 2, ", ") == 0) end += 2;
      own.erase(open + 1, end - open - 1);
      own.replace(at, 10, "__");
    }
    remove("clocking_clock, ");
    remove("clocking_clock");
    own.replace(own.find("__device__ __forceinline__"), 26, "__global__");
    const bool groups = text.find("cooperative_groups") != std::string::npos;
    if (groups) continue;  // a group's barrier is written in several ways
    EXPECT_EQ(own, text) << entry.path();
    ++kernels;
  }
  EXPECT_GT(kernels, 30u);
}

}  // namespace
}  // namespace stridescope::instrument
