// Kernels of texts/, from their text through the text pass to what the CPU executor records of them.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>

#include "recording/host/groups.h"
#include "text_kernel.h"

namespace {

namespace combining {
ADDING_PREAMBLE(int)
#include "instrumented/combine_warp.inc"
}  // namespace combining
namespace packs_of_int {
ADDING_PREAMBLE(int)
#include "instrumented/packs.inc"
}  // namespace packs_of_int
namespace packs_of_double {
ADDING_PREAMBLE(double)
#include "instrumented/packs.inc"
}  // namespace packs_of_double
namespace groups_of_int {
ADDING_PREAMBLE(int)
#include "instrumented/groups.inc"
}  // namespace groups_of_int
namespace groups_of_float {
using T = float;
constexpr T identity = 0;
T combine(T a, T b) { return a - b; }  // not associative and not commutative: the order shows
#include "instrumented/groups.inc"
}  // namespace groups_of_float
namespace variables {
ADDING_PREAMBLE(int)
#include "instrumented/shared_variables.inc"
}  // namespace variables

}  // namespace

namespace stridescope::engine {
namespace {

using recording::BlockOutcome;

// Events of a thread by the text of their sites.
std::map<std::string, std::vector<model::Event>> bySite(const std::vector<model::Event>& events,
                                                        const std::string& text) {
  const auto sites = sitesOfText(text);
  std::map<std::string, std::vector<model::Event>> all;
  for (const model::Event& event : events) all[sites.at(event.site()).text].push_back(event);
  return all;
}

TEST(TextKernels, CombineWarpAndAtomically) {
  for (const unsigned threads : {32u, 64u, 256u, 1024u}) {
    std::vector<int> in(threads), out(1, 1000);
    std::iota(in.begin(), in.end(), 5);
    Arguments arguments(in, out);
    const HandRun run = runText<combining::combine_warp>(arguments, launchOf(1, threads));
    ASSERT_EQ(run.outcome, BlockOutcome::Finished);
    EXPECT_TRUE(run.problems.empty());
    EXPECT_EQ(out[0], 1000 + std::accumulate(in.begin(), in.end(), 0));
    for (unsigned t = 0; t < threads; ++t) {
      const auto events = run.eventsOf(t);
      const bool first = t % 32 == 0;
      ASSERT_EQ(events.size(), first ? 6u : 5u);  // load, give, result, value, branch, atomic
      const int warpSum = std::accumulate(in.begin() + t / 32 * 32, in.begin() + t / 32 * 32 + 32, 0);
      EXPECT_EQ(events[1].kind(), model::EventKind::Give);
      EXPECT_EQ(events[1].value, unsigned(in[t]));
      EXPECT_EQ(events[2].kind(), model::EventKind::WarpReduce);
      EXPECT_EQ(events[2].laneMask(), ~0u);
      EXPECT_EQ(events[2].value, unsigned(warpSum));
      EXPECT_EQ(events[1].site(), events[2].site());
      EXPECT_EQ(events[3].kind(), model::EventKind::Value);
      EXPECT_EQ(events[3].value, unsigned(warpSum));
      if (!first) continue;
      EXPECT_EQ(events[5].kind(), model::EventKind::Atomic);
      EXPECT_EQ(events[5].buffer(), 1u);
      EXPECT_EQ(events[5].offset(), 0u);
      EXPECT_EQ(events[5].value, unsigned(warpSum));
    }
  }
}

template <class T, auto kernel>
void expectPacks() {
  constexpr unsigned threads = 64, width = 16 / sizeof(T);
  std::vector<T> in(threads * 4 * width), out(threads);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = T(i * i % 1009);
  unsigned n = 1;
  Arguments arguments(in, out, n);
  const HandRun run = runText<kernel>(arguments, launchOf(1, threads));
  ASSERT_EQ(run.outcome, BlockOutcome::Finished);
  EXPECT_TRUE(run.problems.empty());
  for (unsigned t = 0; t < threads; ++t) {
    T total = 0;
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned k = 0; k < width; ++k) total += in[(threads - 1 - t + j * threads) * width + k];
    EXPECT_EQ(out[t], total) << t;

    std::vector<model::Event> global, shared;
    for (const model::Event& event : run.eventsOf(t)) {
      if (event.kind() != model::EventKind::Load && event.kind() != model::EventKind::Store) continue;
      (event.inGlobal() ? global : shared).push_back(event);
    }
    ASSERT_EQ(global.size(), 4u * 2 + 1) << "two halves a load, and the store of the result";
    for (unsigned j = 0; j < 4; ++j)
      for (unsigned half = 0; half < 2; ++half) {
        const model::Event& event = global[j * 2 + half];
        EXPECT_EQ(event.kind(), model::EventKind::Load);
        EXPECT_EQ(event.width(), 16u);
        EXPECT_EQ(event.secondHalf(), half == 1);
        EXPECT_EQ(event.offset(), (t + j * threads) * 16 + half * 8);
        std::uint64_t expected = 0;
        std::memcpy(&expected, reinterpret_cast<const char*>(in.data()) + event.offset(), 8);
        EXPECT_EQ(event.value, expected);
      }
    ASSERT_EQ(shared.size(), 2u * 2) << "a store and a load of 16 bytes";
    EXPECT_EQ(shared[0].kind(), model::EventKind::Store);
    EXPECT_EQ(shared[0].offset(), t * 16);
    EXPECT_EQ(shared[2].kind(), model::EventKind::Load);
    EXPECT_EQ(shared[2].offset(), (threads - 1 - t) * 16);
  }
}
TEST(TextKernels, PacksAreTwoHalvesEach) {
  expectPacks<int, packs_of_int::packs>();
  expectPacks<double, packs_of_double::packs>();
}

TEST(TextKernels, SharedVariables) {
  constexpr unsigned threads = 64, grid = 3;
  std::vector<int> in(threads, 2), out(grid + 1, -1);
  std::vector<unsigned> counter(1, 0);
  unsigned n = 50;
  Arguments arguments(in, out, counter, n);
  const HandRun run = runText<variables::shared_variables>(arguments, launchOf(grid, threads));
  ASSERT_EQ(run.outcome, BlockOutcome::Finished);
  EXPECT_TRUE(run.problems.empty());
  EXPECT_EQ(out, (std::vector<int>{4, 4, 4, int(threads / 2 + 1)}));
  EXPECT_EQ(counter[0], 0u);
  EXPECT_EQ(run.record.sharedBytes, (std::vector<std::uint64_t>{1024 * 4, 1, 4}));

  const auto first = bySite(run.eventsOf(0), "shared_variables");
  ASSERT_EQ(first.count("last"), 1u);
  ASSERT_EQ(first.at("last").size(), 2u);  // its store, and its own load
  EXPECT_EQ(first.at("last")[0].kind(), model::EventKind::Store);
  EXPECT_EQ(first.at("last")[0].sharedArray(), 1u);
  EXPECT_EQ(first.at("last")[0].offset(), 0u);
  EXPECT_EQ(first.at("last")[0].width(), 1u);
  EXPECT_EQ(first.at("last")[0].value, 1u);
  EXPECT_EQ(first.at("last")[1].kind(), model::EventKind::Load);
  EXPECT_EQ(first.at("last")[1].value, 1u);
  ASSERT_EQ(first.at("atomicAdd(counter, 1u)").size(), 1u);
  EXPECT_EQ(first.at("atomicAdd(counter, 1u)")[0].kind(), model::EventKind::Atomic);
  EXPECT_EQ(first.at("atomicAdd(counter, 1u)")[0].buffer(), 2u);
  EXPECT_EQ(first.at("atomicAdd(&count, 1u)")[0].sharedArray(), 2u);

  const auto second = bySite(run.eventsOf(1), "shared_variables");
  ASSERT_EQ(second.at("count").size(), 3u);  // count++ is a load and a store; then one more load
  EXPECT_EQ(second.at("count")[0].value, threads / 2);
  EXPECT_EQ(second.at("count")[1].kind(), model::EventKind::Store);
  EXPECT_EQ(second.at("count")[2].value, threads / 2 + 1);
  ASSERT_EQ(second.at("smem[tid]").size(), 2u);
  EXPECT_EQ(second.at("smem[tid]")[1].value, 4u);
}

TEST(TextKernels, CooperativeGroups) {
  for (const unsigned threads : {32u, 96u, 1024u}) {
    std::vector<int> in(threads), out(1 + threads, -1);
    std::iota(in.begin(), in.end(), 3);
    Arguments arguments(in, out);
    const HandRun run = runText<groups_of_int::groups>(arguments, launchOf(1, threads));
    ASSERT_EQ(run.outcome, BlockOutcome::Finished);
    EXPECT_TRUE(run.problems.empty());
    EXPECT_EQ(out[0], std::accumulate(in.begin(), in.end(), 0));
    for (unsigned t = 0; t < threads; ++t) {
      const auto tile = in.begin() + t / 8 * 8;
      EXPECT_EQ(out[1 + t], std::accumulate(tile, tile + 8, 0));
    }
    EXPECT_EQ(run.record.barrierCopies.size(), 2u);
    const auto events = bySite(run.eventsOf(9), "groups");
    const auto& give = events.at("cg::reduce(eighth, in[block.thread_rank()], combine)");
    ASSERT_EQ(give.size(), 2u);
    EXPECT_EQ(give[0].kind(), model::EventKind::Give);
    EXPECT_EQ(give[0].laneMask(), 0xff00u);
    EXPECT_EQ(give[0].value, unsigned(in[9]));
    EXPECT_EQ(give[1].kind(), model::EventKind::WarpReduce);
    EXPECT_EQ(give[1].value, unsigned(out[10]));
    ASSERT_EQ(events.at("block.sync()").size(), 1u);
    EXPECT_EQ(events.at("block.sync()")[0].kind(), model::EventKind::BlockBarrier);
    EXPECT_EQ(events.at("cg::sync(block)")[0].kind(), model::EventKind::BlockBarrier);
  }
}

// By halves, as CUDA's cg::reduce with a function: out = combine(out, shfl_xor(out, distance)).
TEST(TextKernels, GroupsFoldInCudasOrder) {
  std::vector<float> in(32), out(33);
  for (unsigned t = 0; t < 32; ++t) in[t] = 1.0f / float(t + 3);
  Arguments arguments(in, out);
  runText<groups_of_float::groups>(arguments, launchOf(1, 32));
  std::vector<float> values = in;
  for (unsigned distance = 4; distance > 0; distance /= 2) {
    const std::vector<float> before = values;
    for (unsigned t = 0; t < 32; ++t) values[t] = before[t] - before[t ^ distance];
  }
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[1 + t], values[t]) << t;
}

TEST(TextKernels, VectorTypesAreAlignedAsOnTheDevice) {
  EXPECT_EQ(alignof(int4), 16u);
  EXPECT_EQ(alignof(float2), 8u);
  EXPECT_EQ(alignof(double2), 16u);
  EXPECT_EQ(alignof(longlong2), 16u);
  EXPECT_EQ(make_uint4(1, 2, 3, 4).w, 4u);
}

}  // namespace
}  // namespace stridescope::engine
